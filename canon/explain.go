package canon

import (
	"context"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// Step turns Before into After by rewriting one subterm.
type Step struct {
	Rule          string // a rule of package rules, or ReasonRing or ReasonFold
	Backward      bool   // from the rule's right side to its left
	Path          []int  // operand numbers that lead to the subterm
	Before, After ir.Expr
}

// maxSteps bounds the length of a written-out proof.
const maxSteps = 2000

// Explain returns the chain of steps that leads from a to b, both added before and found equal.
// The session must have been Reset with proofs.
func (s *Session) Explain(a, b ir.Expr) ([]Step, error) {
	e, err := s.g.Explain(s.node(a), s.node(b))
	if err != nil {
		return nil, err
	}
	proof, err := e.Flatten(maxSteps)
	if err != nil {
		return nil, err
	}
	t := translator{s: s, done: map[*egraph.Term]ir.Expr{}}
	before := t.expr(proof.Start)
	steps := make([]Step, len(proof.Steps))
	for i, st := range proof.Steps {
		after := t.expr(st.Term)
		steps[i] = Step{Rule: stepName(st), Backward: st.Backward, Path: st.Path, Before: before, After: after}
		before = after
	}
	return steps, nil
}

// stepName returns the rule without the type and operand order that the engine's name has.
func stepName(st egraph.Step) string {
	if st.Rule == "" {
		return reasons[st.Reason]
	}
	name, _, _ := strings.Cut(st.Rule, ":")
	return name
}

// translator turns terms of the e-graph back into expressions.
type translator struct {
	s    *Session
	done map[*egraph.Term]ir.Expr
}

func (t *translator) expr(term *egraph.Term) ir.Expr {
	if e, ok := t.done[term]; ok {
		return e
	}
	var e ir.Expr
	if len(term.Kids) == 0 {
		e = t.s.atom(term.Op)
	} else {
		args := make([]ir.Expr, len(term.Kids))
		for i, k := range term.Kids {
			args[i] = t.expr(k)
		}
		e = t.s.apply(term.Op, args)
	}
	t.done[term] = e
	return e
}

// Derive looks for a chain of steps from one expression of the pool to another, both of
// one type, under the allowed assumptions.
func (s *Session) Derive(ctx context.Context, from, to ir.Expr, allowed ir.Assume) ([]Step, error) {
	s.Reset(from.Pool(), allowed, true)
	s.purpose = deriving
	cf, ct := s.Add(from), s.Add(to)
	if !s.Saturate(ctx, func() bool { return s.Same(cf, ct) }) {
		return nil, fmt.Errorf("no derivation of %s from %s within the limits", to, from)
	}
	return s.Explain(from, to)
}

// Assumed returns the assumptions that the steps rely on.
func Assumed(steps []Step) ir.Assume {
	var a ir.Assume
	for _, st := range steps {
		sub := at(st.Before, st.Path)
		switch r, ok := rules.ByName(st.Rule); {
		case ok:
			left, right := sub, at(st.After, st.Path)
			if st.Backward {
				left, right = right, left
			}
			if t, ok := r.Applies(left, right); ok {
				a |= r.Needs(t)
			}
		case st.Rule == ReasonRing && sub.Type().IsFloat():
			a |= ir.Reassoc | ir.NSZ
		}
	}
	return a
}

// at returns the subterm that a path leads to.
func at(e ir.Expr, path []int) ir.Expr {
	for _, i := range path {
		e = e.Arg(i)
	}
	return e
}
