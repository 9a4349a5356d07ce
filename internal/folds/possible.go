package folds

import "github.com/rfactor-go/rfactor/ir"

// Possible is a condition that holds where c holds for some states from low to high. It is invalid where c is not made of comparisons of a state with
// what stays the same, and of such conditions.
//
//	x > k && b   →   high > k && b
func Possible(c ir.Expr, isState, same func(ir.Expr) bool, low, high ir.Expr) ir.Expr {
	out := possible(c, isState, same, low, high)
	if !out.IsValid() {
		return out
	}
	var between []ir.Expr
	ir.Walk([]ir.Expr{c}, func(e ir.Expr) {
		if isState(e) {
			between = append(between, ir.Make(ir.Le, low, e), ir.Make(ir.Le, e, high))
		}
	})
	if !Holds(0, ir.OrOf(ir.NotOf(c), out), c.Pool().Bool(true), between...) {
		return ir.Expr{}
	}
	return out
}

// possible reads the condition off c.
func possible(c ir.Expr, isState, same func(ir.Expr) bool, low, high ir.Expr) ir.Expr {
	possible := func(c ir.Expr) ir.Expr { return possible(c, isState, same, low, high) }
	if same(c) {
		return c
	}
	switch op := c.Op(); op {
	case ir.Or, ir.And:
		if a, b := possible(c.Arg(0)), possible(c.Arg(1)); a.IsValid() && b.IsValid() {
			return ir.Make(op, a, b)
		}
	case ir.Eq:
		if a, b := possible(ir.Make(ir.Le, c.Arg(0), c.Arg(1))), possible(ir.Make(ir.Le, c.Arg(1), c.Arg(0))); a.IsValid() && b.IsValid() {
			return ir.AndOf(a, b)
		}
	case ir.Lt, ir.Le:
		a, b := c.Arg(0), c.Arg(1)
		if isState(a) && same(b) {
			return ir.Make(op, low, b)
		}
		if isState(b) && same(a) {
			return ir.Make(op, a, high)
		}
	case ir.Gt, ir.Ge:
		return possible(ir.Make(Mirrored(op), c.Arg(1), c.Arg(0)))
	}
	return ir.Expr{}
}

// Reach is the least and the greatest that n steps make of an integer x, each of which adds a number from least to most; values are as package ir carries
// them. It is not ok where the type does not hold them, nor where floats do not count so far.
func Reach(t ir.Type, x uint64, n int, least, most uint64) (low, high uint64, ok bool) {
	value := func(v uint64) float64 {
		if t.IsSigned() {
			return float64(int64(v))
		}
		return float64(v)
	}
	down, up := value(x)+float64(float64(n)*min(value(least), 0)), value(x)+float64(float64(n)*max(value(most), 0))
	lowest, highest := float64(0), float64(uint64(1)<<t.Bits()-1)
	if t.Bits() == 64 {
		highest = 1 << 52
	}
	if t.IsSigned() {
		lowest, highest = -float64(uint64(1)<<(t.Bits()-1)), float64(uint64(1)<<(t.Bits()-1)-1)
	}
	if down < max(lowest, -1<<52) || up > min(highest, 1<<52) {
		return 0, 0, false
	}
	return uint64(int64(down)), uint64(int64(up)), true
}
