// Rules-proofs proves every rule of package rules and prints the certificates, which
// rules/certificates.jsonl holds. Equal arguments give equal bytes.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/rule"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	err := write(w)
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "rules-proofs: %v\n", err)
		os.Exit(1)
	}
}

// write prints a certificate of every rule but the axioms, in the order of ranks. The error
// names the first rule that is not proven.
func write(w io.Writer) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	p := newProver()
	for _, r := range rules.Ranked()[len(rules.Axioms()):] {
		c, err := p.certify(r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Text, err)
		}
		if err := lines.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

// prover finds proofs of instances.
type prover struct {
	cases *prove.Prover
}

func newProver() prover { return prover{new(prove.Prover)} }

// certify proves all instances of a rule. Those with equal proofs share one.
func (p prover) certify(r *rules.Rule) (rule.Certificate, error) {
	c := rule.Certificate{Rule: r.Name}
	index := map[string]int{}
	for _, in := range rule.Instances(r) {
		found, err := p.prove(goal(in))
		if err != nil {
			return c, fmt.Errorf("%s: %w", in, err)
		}
		key, err := json.Marshal(found)
		if err != nil {
			return c, err
		}
		i, ok := index[string(key)]
		if !ok {
			i = len(c.Proofs)
			index[string(key)] = i
			c.Proofs = append(c.Proofs, found)
		}
		c.Proofs[i].At = append(c.Proofs[i].At, in.String())
	}
	return c, nil
}

// prove proves an instance by a tree or, where there is none, by a chain of steps.
func (p prover) prove(in rule.Instance) (rule.Proof, error) {
	problem := in.Problem()
	switch a := p.cases.Prove(context.Background(), []proof.Problem{problem}, prove.Options{Allowed: in.Assume, Exactly: true}); a.Status {
	case prove.Proved:
		tree, err := prove.Certify(problem, in.Assume, a.Proof())
		return rule.Proof{Tree: tree}, err
	case prove.Refuted:
		return rule.Proof{}, fmt.Errorf("false where %v are %v", a.Counter.Inputs, a.Counter.Values)
	}
	rank, _ := rules.Rank(in.Rule.Name)
	d := derivation{typ: in.Type, assume: in.Assume, rules: rules.Ranked()[:rank]}
	chain, ok := d.find(problem.Left, problem.Right)
	if !ok {
		return rule.Proof{}, fmt.Errorf("no proof of %s", ir.EqOf(problem.Left, problem.Right))
	}
	return rule.Proof{Steps: chain}, nil
}

// goal returns the instance that is proven in place of in, by a proof that serves both: in itself, unless
// that is of natural numbers and the rule means the same of all integers. Of natural numbers the search
// reads no bits.
func goal(in rule.Instance) rule.Instance {
	if in.Assume == ir.NUW && ignoresSign(in.Rule.LHS) && ignoresSign(in.Rule.RHS) {
		return rule.Instance{Rule: in.Rule, Type: in.Type - ir.U8 + ir.I8, Assume: ir.NSW}
	}
	return in
}

// ignoresSign reports whether a term means the same over unbounded signed and unbounded
// unsigned integers, whatever the width.
func ignoresSign(side *rules.Term) bool {
	for _, a := range side.Args {
		if !ignoresSign(a) {
			return false
		}
	}
	switch side.Op {
	case ir.Var, ir.Add, ir.Sub, ir.Mul, ir.Select, ir.BitAnd, ir.BitOr, ir.BitXor:
		return true
	case ir.Shl:
		return side.Args[1].Op == ir.Const
	case ir.Const: // -1 and the limits depend on the width of an unsigned type
		return side.Name[0] != '-' && side.Name != "tmin" && side.Name != "tmax"
	}
	return false
}
