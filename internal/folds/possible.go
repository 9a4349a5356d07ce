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
