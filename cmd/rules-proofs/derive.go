package main

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// derivation searches a chain of rewrite steps between two terms of one pool, breadth first
// from both ends.
type derivation struct {
	typ    ir.Type
	assume ir.Assume
	rules  []*rules.Rule // in the order in which they are tried
	size   int           // of the largest term that is looked at
}

const (
	maxGrowth = 4     // by which terms may be larger than the larger end
	maxTerms  = 30000 // of one end
)

// reached is a term with the step by which it was reached first.
type reached struct {
	term ir.Expr
	by   move
	from int // index of the term before it; -1 of an end
}

// move rewrites the subterm at a path.
type move struct {
	rule     string
	backward bool
	path     []int
	to       ir.Expr // the whole term
}

// find returns the steps from one term to the other; false where the search ends without.
func (d derivation) find(from, to ir.Expr) ([]steps.Step, bool) {
	d.size = max(from.Size(), to.Size()) + maxGrowth
	ends := [2][]reached{{{term: from, from: -1}}, {{term: to, from: -1}}}
	seen := [2]map[ir.Expr]int{{from: 0}, {to: 0}}
	next := [2]int{}
	for next[0] < len(ends[0]) || next[1] < len(ends[1]) {
		side := 0
		if next[0] == len(ends[0]) || next[1] < len(ends[1]) && len(ends[1]) < len(ends[0]) {
			side = 1
		}
		if len(ends[side]) > maxTerms {
			return nil, false
		}
		at := next[side]
		next[side]++
		for _, m := range d.moves(ends[side][at].term) {
			if _, known := seen[side][m.to]; known || m.to.Size() > d.size {
				continue
			}
			seen[side][m.to] = len(ends[side])
			ends[side] = append(ends[side], reached{m.to, m, at})
			if other, met := seen[1-side][m.to]; met {
				met := [2]int{}
				met[side], met[1-side] = len(ends[side])-1, other
				return chain(ends, met), true
			}
		}
	}
	return nil, false
}

// chain joins the ways from both ends to the term where they met.
func chain(ends [2][]reached, met [2]int) (out []steps.Step) {
	for i := met[0]; ends[0][i].from >= 0; i = ends[0][i].from {
		m := ends[0][i].by
		out = append(out, steps.Step{Rule: m.rule, Backward: m.backward, Path: m.path, To: m.to.String()})
	}
	slices.Reverse(out)
	for i := met[1]; ends[1][i].from >= 0; i = ends[1][i].from {
		m := ends[1][i].by
		before := ends[1][ends[1][i].from].term
		out = append(out, steps.Step{Rule: m.rule, Backward: !m.backward, Path: m.path, To: before.String()})
	}
	return out
}

// moves lists what one step makes of a term.
func (d derivation) moves(e ir.Expr) (ms []move) {
	for _, r := range d.rules {
		if !r.Allowed(d.typ, d.assume) {
			continue
		}
		for _, form := range r.Orders() {
			ms = append(ms, d.rewrite(e, form, r.RHS, move{rule: r.Name})...)
		}
		if len(r.RHS.Vars()) == len(r.LHS.Vars()) {
			ms = append(ms, d.rewrite(e, r.RHS, r.LHS, move{rule: r.Name, backward: true})...)
		}
	}
	return append(ms, d.folds(e)...)
}

// rewrite replaces each subterm that one side of a rule matches by the other side.
func (d derivation) rewrite(e ir.Expr, from, to *rules.Term, m move) (ms []move) {
	d.each(e, func(sub ir.Expr, path []int) (ir.Expr, bool) {
		b := rules.Binding{}
		if !from.Match(sub, &b) || b.Type != ir.Invalid && b.Type != d.typ {
			return sub, false
		}
		return to.Build(e.Pool(), d.typ, func(name string, _ ir.Type) ir.Expr { return b.Of(name) }), true
	}, m, &ms)
	return ms
}

// folds replaces each operator over literals by its value, a zero by 0 under nsz.
func (d derivation) folds(e ir.Expr) (ms []move) {
	d.each(e, func(sub ir.Expr, path []int) (ir.Expr, bool) {
		if sub.Op() == ir.Const || !sub.IsClosed() {
			return sub, false
		}
		v := ir.Eval(sub, &ir.Env{})
		if sub.Type().IsFloat() && ir.Float(sub.Type(), v) == 0 && d.assume.Has(ir.NSZ) {
			v = 0
		}
		return e.Pool().Const(sub.Type(), v), true
	}, move{rule: steps.Fold}, &ms)
	return ms
}

// each adds a move for every subterm that replace changes.
func (d derivation) each(e ir.Expr, replace func(sub ir.Expr, path []int) (ir.Expr, bool), m move, ms *[]move) {
	var visit func(sub ir.Expr, path []int, within func(ir.Expr) ir.Expr)
	visit = func(sub ir.Expr, path []int, within func(ir.Expr) ir.Expr) {
		if other, ok := replace(sub, path); ok && other != sub {
			m.path, m.to = slices.Clone(path), within(other)
			*ms = append(*ms, m)
		}
		for i := range sub.NumArgs() {
			visit(sub.Arg(i), append(path, i), func(arg ir.Expr) ir.Expr {
				args := make([]ir.Expr, sub.NumArgs())
				for j := range args {
					args[j] = sub.Arg(j)
				}
				args[i] = arg
				return within(ir.Rebuild(sub, args))
			})
		}
	}
	visit(e, nil, func(e ir.Expr) ir.Expr { return e })
}
