package family

import (
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitCarry fits steps of an unsigned integer that have two neighbouring values, the greater one where the state exceeds a bound: the carry
// of a long multiplication by one digit, or of a long sum.
//
//	u32((u64(y0)*u64(k0) + u64(x0)) >> 32)   →   q = the high half of y0*k0, t = tmax less the low half
//	(q, t) ∘ (q', t') = q' + 1, a constant, where q > t'; else (q', t) where q + 1 > t'; else q', a constant
//
// A step is x ↦ saturating_add(q, select(x > t, 1, 0)), a constant with t = tmax, which nothing exceeds. Numerators of quotients
// would not do: they grow with every step.
func fitCarry(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 1 || !p.Types[0].IsUnsigned() || p.Types[0] == ir.Bool {
		return nil
	}
	c := carry{cx, p.States[0], cx.Pool.Const(p.Types[0], p.Types[0].Max())}
	if !contains(p.Values, func(e ir.Expr) bool { return !e.IsLeaf() && (e.Op() == ir.Div || e.Op() == ir.Shr) }) {
		return nil
	}
	inject := byCases(cx, p.Values[0], maxCases, c.read)
	if inject == nil {
		return nil
	}
	return &lift.Shape{Name: "carry", Inject: inject,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			return []ir.Expr{c.more(cells[0], ir.LtOf(cells[1], x[0]))}
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			always := ir.LtOf(b[1], a[0])
			ever := ir.LtOf(b[1], c.more(a[0], cx.Pool.Bool(true)))
			return []ir.Expr{c.more(b[0], always), fold.Select(ir.AndOf(ir.NotOf(always), ever), a[1], c.most)}
		}}
}

// carry is a part of one unsigned integer.
type carry struct {
	cx   *lift.Context
	x    ir.Expr
	most ir.Expr // the greatest number
}

// more returns q + 1 where a condition holds, at most the greatest number of the type, and q elsewhere.
func (c carry) more(q, condition ir.Expr) ir.Expr {
	number := func(n int64) ir.Expr { return c.cx.Pool.Int(q.Type(), n) }
	return ir.Make(ir.SatAdd, q, fold.Select(condition, number(1), number(0)))
}

// read returns the cells of a term without the state, or of the quotient of a sum with the state by a literal; nil of other terms.
func (c carry) read(v ir.Expr) []ir.Expr {
	t := c.x.Type()
	if v.IsLeaf() {
		return []ir.Expr{v, c.most}
	}
	if v.Op() == ir.Cast {
		v = v.Arg(0)
	}
	if v.Op() != ir.Div && v.Op() != ir.Shr || !v.Type().IsUnsigned() || v.Arg(1).Op() != ir.Const {
		return nil
	}
	wide, by := v.Type(), v.Arg(1).Value()
	if v.Op() == ir.Shr {
		by = 1 << by
	}
	s := poly.Normal(ir.SubOf(v.Arg(0), algebra.CastTo(wide, c.x)), c.cx.Allowed)
	if by < 2 || by-1 > t.Max() || !s.IsLeaf() {
		return nil
	}
	last := wide.Wrap(by - 1)
	rest := ir.Make(ir.Mod, s, c.cx.Pool.Const(wide, wide.Wrap(by)))
	if by&last == 0 {
		rest = ir.Make(ir.BitAnd, s, c.cx.Pool.Const(wide, last))
	}
	return []ir.Expr{algebra.CastTo(t, ir.Make(v.Op(), s, v.Arg(1))), algebra.CastTo(t, ir.SubOf(c.cx.Pool.Const(wide, last), rest))}
}
