package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// An operator without an identity gets one from a flag that says whether there was an element
// yet: where it is set the step is one of the operator, where it is not the step sets the
// state. With x_s and y_s for the flags the operator is y_s ? (x_s ? x ⊕ y : y) : x, and any
// state without the flag is a right identity.

// Adjoined proposes the part without such a flag, in the steps that follow the first element.
func (cx *Context) Adjoined(p *tuple.Part) iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		for s, t := range p.Types {
			if t != ir.Bool || len(p.Types) < 2 {
				continue
			}
			if seen := setter(p.Values[s], p.States[s]); seen.IsValid() {
				if q, ok := cx.withoutFlag(p, s, seen); ok && !yield(q) {
					return
				}
			}
		}
	}
}

// setter returns the condition on inputs under which a step sets a flag that no step takes back; the
// zero Expr where the value of the flag does not have that form.
func setter(v, flag ir.Expr) ir.Expr {
	if v.IsLeaf() && v.IsConst(1) {
		return v
	}
	if v.Op() == ir.Or {
		for i := range 2 {
			if v.Arg(i) == flag && v.Arg(1-i).IsLeaf() {
				return v.Arg(1 - i)
			}
		}
	}
	return ir.Expr{}
}

// withoutFlag returns the part without component s, which a step sets where seen holds. It is not ok where a first step reads the state.
func (cx *Context) withoutFlag(p *tuple.Part, s int, seen ir.Expr) (t Transfer, ok bool) {
	others := slices.DeleteFunc(tuple.Indices(len(p.Types)), func(i int) bool { return i == s })
	first, next := cx.atFlag(p, others, s, seen, false), cx.atFlag(p, others, s, seen, true)
	if slices.ContainsFunc(first, func(e ir.Expr) bool { return e.States() != 0 }) {
		return Transfer{}, false
	}
	q := &tuple.Part{Set: p.Set}
	for _, i := range others {
		q.Types = append(q.Types, p.Types[i])
		q.States = append(q.States, cx.Pool.X(len(q.States), p.Types[i]))
	}
	q.Values = tuple.MapStates(cx.Pool, next, func(i int, _ ir.Type) ir.Expr { return q.States[slices.Index(others, i)] })
	return Transfer{Part: q, Back: func(op proof.Operator, _ []ir.Expr) (exprs, inject []ir.Expr) {
		y := operands(cx.Pool, p.Types)
		exprs, inject = make([]ir.Expr, len(p.Types)), make([]ir.Expr, len(p.Types))
		combined := op.Apply(tuple.Pick(p.States, others), tuple.Pick(y, others))
		for j, i := range others {
			exprs[i] = fold.Select(y[s], fold.Select(p.States[s], combined[j], y[i]), p.States[i])
			inject[i] = first[j]
		}
		exprs[s], inject[s] = fold.Or(p.States[s], y[s]), seen
		return exprs, inject
	}}, true
}

// atFlag returns the values of components after a step that counts, where the flag was set before or
// where it was not.
func (cx *Context) atFlag(p *tuple.Part, components []int, s int, seen ir.Expr, set bool) []ir.Expr {
	out := cx.Pool.Map(tuple.Pick(p.Values, components), func(e ir.Expr) ir.Expr {
		switch {
		case e == p.States[s]:
			return cx.Pool.Bool(set)
		case e == seen:
			return cx.Pool.Bool(true)
		}
		return ir.Expr{}
	})
	for i, e := range out {
		out[i] = canon.Greedy(e, 0)
	}
	return out
}
