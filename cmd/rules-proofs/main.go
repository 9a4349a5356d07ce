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
	err := write(w, derived())
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "rules-proofs: %v\n", err)
		os.Exit(1)
	}
}

// derived returns the rules but the axioms, in the order of ranks.
func derived() []*rules.Rule { return rules.Ranked()[len(rules.Axioms()):] }

// write prints a certificate of each rule. The error names the first rule that is not proven.
func write(w io.Writer, rs []*rules.Rule) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	p := newProver()
	for _, r := range rs {
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
		found, err := p.prove(in.Goal())
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
