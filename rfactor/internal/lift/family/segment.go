package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// maxResets bounds the conditions that are tried as the one that starts a segment.
const maxResets = 4

// fitSegmented fits steps that combine the state with an operator, or forget the state: reductions by
// segment, the last value after a reset.
//
//	select(y1, y0, max(x0, y0))   →   s = y1, v = y0: the step is x ↦ select(s, v, max(x, v))
//	(s, v) ∘ (s', v') = (s || s', select(s', v', max(v, v')))
//
// The cells are whether a slice starts a segment, and the operand at its end. The operator is found
// and proven like that of any part, so that every operator can be segmented. Parts of flags alone
// are left to tables.
func fitSegmented(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if !slices.ContainsFunc(p.Types, func(t ir.Type) bool { return t != ir.Bool }) {
		return nil
	}
	for _, c := range Resets(p.Values) {
		start, ok := When(cx, p.Values, c, true)
		if !ok || slices.ContainsFunc(start, func(e ir.Expr) bool { return e.States() != 0 }) {
			continue
		}
		rest, ok := When(cx, p.Values, c, false)
		if !ok {
			continue
		}
		op, inject := cx.Operator(&tuple.Part{Set: p.Set, Types: p.Types, States: p.States, Values: rest}, cx.State)
		if op == nil {
			continue
		}
		operands := make([]ir.Expr, len(start))
		for i := range start {
			operands[i] = fold.Select(c, start[i], inject[i])
		}
		return segments(op, c, operands)
	}
	return nil
}

// segments returns the shape of steps that set the state to the operands where the condition c holds,
// and combine it with them elsewhere. It has an identity where the operator has one on both sides.
func segments(op *prove.Proven, c ir.Expr, operands []ir.Expr) *lift.Shape {
	join := func(first, second, starts []ir.Expr) []ir.Expr {
		return algebra.ZipCells(second, op.Apply(first, second), func(set, combined ir.Expr) ir.Expr {
			return fold.Select(starts[0], set, combined)
		})
	}
	s := &lift.Shape{Name: "segmented", Inject: slices.Concat([]ir.Expr{c}, operands),
		Apply: func(x, cells []ir.Expr) []ir.Expr { return join(x, cells[1:], cells) },
		Compose: func(a, b []ir.Expr) []ir.Expr {
			return slices.Concat([]ir.Expr{fold.Or(a[0], b[0])}, join(a[1:], b[1:], b))
		}}
	if op.Side == proof.Two {
		s.Identity = slices.Concat([]ir.Expr{c.Pool().Bool(false)}, op.Identity)
	}
	return s
}

// Resets lists conditions on the inputs alone that select a value, each also negated.
func Resets(values []ir.Expr) (out []ir.Expr) {
	ir.Walk(values, func(e ir.Expr) {
		if e.IsLeaf() || e.NumArgs() == 0 {
			return
		}
		for i := range e.NumArgs() {
			c := e.Arg(i)
			if c.Type() != ir.Bool || !c.IsLeaf() || c.IsInvariant() || slices.Contains(out, c) || len(out) >= 2*maxResets {
				continue
			}
			for c.Op() == ir.Not {
				c = c.Arg(0)
			}
			out = append(out, c, ir.NotOf(c))
		}
	})
	return out
}

// When returns values where a condition holds, or where it does not; not ok where the condition does
// not occur in them.
func When(cx *lift.Context, values []ir.Expr, c ir.Expr, holds bool) (out []ir.Expr, ok bool) {
	for c.Op() == ir.Not {
		c, holds = c.Arg(0), !holds
	}
	opposite := complement(c)
	out = cx.Pool.Map(values, func(e ir.Expr) ir.Expr {
		switch {
		case e == c:
			ok = true
			return cx.Pool.Bool(holds)
		case opposite.IsValid() && e == opposite:
			return cx.Pool.Bool(!holds)
		}
		return ir.Expr{}
	})
	for i, e := range out {
		out[i] = algebra.Settled(e)
	}
	return out, ok
}

// complement returns the comparison that holds exactly where c does not; the zero Expr where c is no
// comparison, or orders floats: neither x < NaN nor x >= NaN holds.
func complement(c ir.Expr) (none ir.Expr) {
	opposite := map[ir.Op]ir.Op{ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt}
	op, ok := opposite[c.Op()]
	if !ok || c.Arg(0).Type().IsFloat() && c.Op() != ir.Eq && c.Op() != ir.Ne {
		return none
	}
	return ir.Make(op, c.Arg(0), c.Arg(1))
}
