// Package rule checks the proofs of rewrite rules. A rule claims an equation for every type
// of its classes and for each arithmetic in which it may be applied there:
//
//	min-of-nots [int] : min(~a, ~b) => ~max(a, b)
//
// claims ~max(a, b) for i8, i16, … of words, and for unbounded integers (nsw for signed
// types, nuw for unsigned ones). Each of these is an instance. Its proof is a chain of
// rewrite steps by rules of lower rank, checked by package verify/steps, then a proof tree,
// checked by package verify/equation. Either may be missing. Rank orders the rules, so that
// no rule is proven by itself; the axioms of package rules have the lowest rank and no
// proof.
package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// Certificate proves one rule.
type Certificate struct {
	Rule   string  `json:"rule"`
	Proofs []Proof `json:"proofs"`
}

// Proof proves the instances that it names: the steps lead from the left side of the rule to
// a term, and the tree proves that this term equals the right side. Without a tree the last
// step gives the right side.
type Proof struct {
	At    []string     `json:"at"`
	Steps []steps.Step `json:"steps,omitempty"`
	Tree  *proof.Tree  `json:"tree,omitempty"`
}

// Read reads certificates in JSON, one after another. The error names the certificate by its number.
func Read(r io.Reader) (certs []Certificate, err error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	for {
		var c Certificate
		switch err := d.Decode(&c); {
		case err == io.EOF:
			return certs, nil
		case err != nil:
			return nil, fmt.Errorf("certificate %d: %w", len(certs)+1, err)
		}
		certs = append(certs, c)
	}
}

// Check shows that the certificates prove every rule but the axioms, in all of its instances. It returns
// the certificates that do, in the order of ranks, and an error for each rule that is not proven and for
// each certificate that belongs to no rule.
func Check(certs []Certificate) (proven []Certificate, failed []error) {
	fail := func(name string, err error) { failed = append(failed, fmt.Errorf("%s: %w", name, err)) }
	axioms, byName := len(rules.Axioms()), map[string]Certificate{}
	for _, c := range certs {
		if rank, ok := rules.Rank(c.Rule); !ok || rank < axioms {
			fail(c.Rule, errors.New("a certificate of no rule that is to be proven"))
		} else if _, twice := byName[c.Rule]; twice {
			fail(c.Rule, errors.New("two certificates"))
		}
		byName[c.Rule] = c
	}
	for _, r := range rules.Ranked()[axioms:] {
		if c, ok := byName[r.Name]; !ok {
			fail(r.Name, errors.New("no certificate"))
		} else if err := c.check(r); err != nil {
			fail(r.Name, err)
		} else {
			proven = append(proven, c)
		}
	}
	return proven, failed
}

// check shows that the certificate proves each instance of the rule once.
func (c Certificate) check(r *rules.Rule) error {
	open := Instances(r)
	for _, p := range c.Proofs {
		for _, name := range p.At {
			i := slices.IndexFunc(open, func(in Instance) bool { return in.String() == name })
			if i < 0 {
				return fmt.Errorf("%s is no instance, or is proven twice", name)
			}
			if err := p.check(open[i]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			open = slices.Delete(open, i, i+1)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%s: no proof", open[0])
	}
	return nil
}

// check shows that the proof proves the instance.
func (p Proof) check(in Instance) error {
	rank, ok := rules.Rank(in.Rule.Name)
	if !ok {
		return errors.New("a rule without a rank")
	}
	goal := in.Goal()
	problem := goal.Problem()
	vars := map[string]ir.Expr{}
	for _, v := range ir.Vars(problem.Left) {
		vars[v.Name()] = v
	}
	scope := func(name string) (ir.Expr, bool) { v, ok := vars[name]; return v, ok }
	read := func(text string) (ir.Expr, error) {
		return ir.Read(problem.Left.Pool(), scope, problem.Left.Type(), text)
	}
	end, err := steps.Follow(problem.Left, p.Steps, read, goal.Assume, rank)
	switch {
	case err != nil:
		return err
	case p.Tree != nil:
		return equation.Check(proof.Problem{Left: end, Right: problem.Right}, goal.Assume, p.Tree)
	case end != problem.Right:
		return fmt.Errorf("the steps lead to %s, not to %s", end, problem.Right)
	}
	return nil
}
