package canon

import "github.com/rfactor-go/rfactor/ir"

// onValues simplifies e by what its operands may be: literals, alone or chosen by a select, and
// ranges of types.
func (g *greedy) onValues(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Select, ir.Call:
		return ir.Expr{}
	case ir.Cast:
		if a := e.Arg(0); a.Op() == ir.Cast && a.Arg(0).Type() == e.Type() && widens(e.Type(), a.Type()) {
			return a.Arg(0)
		}
	case ir.Min, ir.Max, ir.Lt, ir.Le:
		if t := e.Arg(0).Type(); t.IsInt() && !g.allowed.Unbounded(t) {
			if d := decidedByRange(e); d.IsValid() {
				return d
			}
		}
	}
	return intoSelect(e)
}

// intoSelect returns op(select(p, c, d), k) with the operation done on the literals c, d and k.
func intoSelect(e ir.Expr) ir.Expr {
	at := -1
	for i := range e.NumArgs() {
		switch a := e.Arg(i); {
		case a.Op() == ir.Const:
		case at < 0 && a.Op() == ir.Select && a.Arg(1).Op() == ir.Const && a.Arg(2).Op() == ir.Const:
			at = i
		default:
			return ir.Expr{}
		}
	}
	if at < 0 {
		return ir.Expr{}
	}
	choice := e.Arg(at)
	with := func(c ir.Expr) ir.Expr {
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = e.Arg(i)
		}
		args[at] = c
		return fold(ir.Rebuild(e, args))
	}
	return ir.SelectOf(choice.Arg(0), with(choice.Arg(1)), with(choice.Arg(2)))
}

// widens reports whether u has all values of the integer type t, and more bits.
func widens(t, u ir.Type) bool {
	return t.IsInt() && u.IsInt() && u.Bits() > t.Bits() && (t.IsUnsigned() || u.IsSigned())
}

// bounds returns the least and the greatest value of an integer, by its type and that of what is cast.
func bounds(e ir.Expr) (low, high uint64) {
	t := e.Type()
	switch {
	case e.Op() == ir.Const:
		return e.Value(), e.Value()
	case e.Op() == ir.Cast && widens(e.Arg(0).Type(), t):
		t = e.Arg(0).Type()
	}
	return t.Min(), t.Max()
}

// decidedByRange returns what is left of a comparison or an extremum of two integers where none of
// the one is above any of the other.
func decidedByRange(e ir.Expr) ir.Expr {
	a, b := e.Arg(0), e.Arg(1)
	lowA, highA := bounds(a)
	lowB, highB := bounds(b)
	below := func(x, y uint64) bool { return ir.Apply2(ir.Lt, a.Type(), x, y) != 0 }
	upTo := func(x, y uint64) bool { return !below(y, x) }
	switch op := e.Op(); {
	case op == ir.Lt && below(highA, lowB), op == ir.Le && upTo(highA, lowB):
		return e.Pool().Bool(true)
	case op == ir.Lt && upTo(highB, lowA), op == ir.Le && below(highB, lowA):
		return e.Pool().Bool(false)
	case op == ir.Min && upTo(highA, lowB), op == ir.Max && upTo(highB, lowA):
		return a
	case op == ir.Min && upTo(highB, lowA), op == ir.Max && upTo(highA, lowB):
		return b
	}
	return ir.Expr{}
}
