package read

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
)

// narrow takes components back into the types that they were promoted from: one that starts as 0 or 1 and never leaves these
// becomes a condition and, unless conditions alone are wanted, one that fits into a byte or two a number of 8 or 16 bits.
//
//	x0 = 0, x0' = select(y0, 0, x0 ^ 1)   →   x0 = false, x0' = !y0 && !x0
//
// It reports whether a number has become narrower.
func (r *reader) narrow(u *ir.Update, conditions bool) (narrower bool) {
	to := make([]ir.Type, len(u.Types))
	for i, t := range u.Types {
		if t.IsInt() && t.Bits() > 8 && u.Init[i].IsValid() {
			to[i] = ir.Bool
		}
	}
	for changed := true; changed; {
		changed = false
		for i, t := range to {
			if t != ir.Invalid && !r.stays(u, to, i) {
				to[i], changed = r.wider(t), true
				if conditions || to[i].Bits() >= u.Types[i].Bits() {
					to[i] = ir.Invalid
				}
			}
		}
	}
	var from, casts []ir.Expr
	for i, t := range to {
		if t == ir.Invalid {
			continue
		}
		from = append(from, r.pool.X(i, u.Types[i]))
		casts = append(casts, ir.CastTo(u.Types[i], r.pool.X(i, t)))
	}
	if len(from) == 0 {
		return false
	}
	u.Values = slices.Clone(u.Values)
	for i, e := range u.Values {
		e = ir.Subst(e, from, casts)
		switch t := to[i]; t {
		case ir.Invalid:
		case ir.Bool:
			e, u.Types[i], u.Init[i] = r.condition(e), t, r.pool.Bool(u.Init[i].Value() != 0)
		default:
			e, u.Types[i], u.Init[i], narrower = ir.CastTo(t, e), t, r.pool.Const(t, u.Init[i].Value()), true
		}
		u.Values[i] = e
	}
	return narrower
}

// wider is the next type that a component may have been promoted from.
func (r *reader) wider(t ir.Type) ir.Type {
	switch t {
	case ir.Bool:
		return ir.U8
	case ir.U8:
		return ir.I8
	case ir.I8:
		return ir.U16
	case ir.U16:
		return ir.I16
	}
	return ir.Invalid
}

// stays reports whether a component starts in a narrow type and a step keeps it there, where the others are in theirs.
func (r *reader) stays(u *ir.Update, to []ir.Type, i int) bool {
	within := interval.Whole(to[i])
	var known func(ir.Expr) (interval.Interval, bool)
	bits := map[ir.Expr]bool{}
	bit := func(e ir.Expr) bool {
		if _, ok := bits[e]; !ok {
			in := interval.Of(e, known)
			bits[e] = 0 <= in.Lo && in.Hi <= 1
		}
		return bits[e]
	}
	known = func(e ir.Expr) (interval.Interval, bool) {
		switch {
		case e.Op() == ir.Var && e.Kind() == ir.State && to[e.Index()] != ir.Invalid:
			return interval.Whole(to[e.Index()]), true
		case e.Op() == ir.BitXor && bit(e.Arg(0)) && bit(e.Arg(1)):
			return interval.Whole(ir.Bool), true
		}
		return interval.Interval{}, false
	}
	inside := func(in interval.Interval) bool { return within.Lo <= in.Lo && in.Hi <= within.Hi }
	return inside(interval.Of(u.Init[i], nil)) && inside(interval.Of(u.Values[i], known))
}

// condition is e ≠ 0 of a number that is 0 or 1, without the number where it has been a condition.
func (r *reader) condition(e ir.Expr) ir.Expr {
	if c, ok := r.conditions[e]; ok {
		return c
	}
	c := r.asCondition(e)
	r.conditions[e] = c
	return c
}

func (r *reader) asCondition(e ir.Expr) ir.Expr {
	switch {
	case e.Op() == ir.Cast && e.Arg(0).Type() == ir.Bool:
		return e.Arg(0)
	case e.Op() == ir.Cast && e.Arg(0).Type().IsInt() && e.Arg(0).Type().Bits() <= e.Type().Bits():
		return r.condition(e.Arg(0))
	case e.Op() == ir.Const:
		return r.pool.Bool(e.Value() != 0)
	case e.Op() == ir.Select:
		return selected(e.Arg(0), r.condition(e.Arg(1)), r.condition(e.Arg(2)))
	case e.Op() == ir.BitXor && e.Arg(1).IsConst(1):
		return ir.NotOf(r.condition(e.Arg(0)))
	case e.Op() == ir.BitXor || e.Op() == ir.BitAnd || e.Op() == ir.BitOr:
		if isBit(e.Arg(0)) && isBit(e.Arg(1)) {
			op := map[ir.Op]ir.Op{ir.BitXor: ir.Ne, ir.BitAnd: ir.And, ir.BitOr: ir.Or}[e.Op()]
			return ir.Make(op, r.condition(e.Arg(0)), r.condition(e.Arg(1)))
		}
	}
	return ir.Make(ir.Ne, e, r.pool.Const(e.Type(), 0))
}

func isBit(e ir.Expr) bool {
	in := interval.Of(e, nil)
	return 0 <= in.Lo && in.Hi <= 1
}
