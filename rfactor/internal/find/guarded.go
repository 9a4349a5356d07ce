package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A step may treat the first element apart, though the operator needs no such case:
//
//	select(x1 > 0, x0 + (y0 - x0)/f64(x1 + 1), y0); x1 + 1, where x1 >= 0
//
// Where the condition holds, the step has an operator; and what is given of the state leaves so little where it does not
// hold that the operator gives the same there.

// maxGuards bounds the conditions that are tried.
const maxGuards = 4

// Guarded proposes the part as it is on one side of a condition on its state, where points do not tell it from the part itself.
func (cx *Context) Guarded(p *tuple.Part) iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		if len(cx.State) == 0 {
			return
		}
		for _, c := range guards(p.Values) {
			for _, side := range []bool{true, false} {
				if q := cx.onSide(p, c, side); q != nil && !yield(Transfer{Part: q, Given: cx.State, Back: asItIs}) {
					return
				}
			}
		}
	}
}

// asItIs makes an operator one of another part without changing it.
func asItIs(op proof.Operator, inject []ir.Expr) (exprs, _ []ir.Expr) { return op.Exprs, inject }

// onSide returns the part where a condition holds, or does not hold; nil where points tell that from the part itself.
func (cx *Context) onSide(p *tuple.Part, c ir.Expr, holds bool) *tuple.Part {
	q := &tuple.Part{Set: p.Set, Types: p.Types, States: p.States, Values: cx.Pool.Map(p.Values, func(e ir.Expr) ir.Expr {
		if e == c {
			return cx.Pool.Bool(holds)
		}
		return ir.Expr{}
	})}
	cx.Points.Evaluate(p, cx.NonNeg, cx.Allowed)
	cx.Points.Restrict(cx.State)
	rows := make([]*sample.Row, len(q.Values))
	for i, e := range q.Values {
		q.Values[i] = canon.Greedy(e, 0)
		rows[i] = cx.Points.Value(q.Values[i])
	}
	if wrong, _ := cx.Points.Differ(p.Types, cx.Points.Want, rows); wrong&cx.Points.Valid != 0 {
		return nil
	}
	return q
}

// guards lists the conditions on the state alone that choose a value.
func guards(values []ir.Expr) (out []ir.Expr) {
	ir.Walk(values, func(e ir.Expr) {
		if e.Op() != ir.Select || len(out) == maxGuards {
			return
		}
		c := e.Arg(0)
		reads := slices.ContainsFunc(ir.Vars(c), func(v ir.Expr) bool { return v.Kind() == ir.Leaf || v.Kind() == ir.Coord })
		if c.States() != 0 && !reads && !slices.Contains(out, c) {
			out = append(out, c)
		}
	})
	return out
}
