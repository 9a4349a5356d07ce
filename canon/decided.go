package canon

import "github.com/rfactor-go/rfactor/ir"

// Decided replaces each select whose condition is a literal by the branch that is taken.
//
//	select(true, a, b)   →   a
func Decided(e ir.Expr) ir.Expr {
	done := map[ir.Expr]ir.Expr{}
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { // operands come first
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = done[e.Arg(i)]
		}
		done[e] = decidedOf(e, args)
	})
	return done[e]
}

// decidedOf is an expression of operands that are decided.
func decidedOf(e ir.Expr, args []ir.Expr) ir.Expr {
	if len(args) == 0 {
		return e
	}
	literal := func(i int) bool { return args[i].Op() == ir.Const }
	switch op := e.Op(); {
	case op == ir.Select && literal(0) && args[0].IsConst(0):
		return args[2]
	case op == ir.Select && literal(0):
		return args[1]
	case op == ir.Not && literal(0):
		return e.Pool().Bool(args[0].IsConst(0))
	case op == ir.And || op == ir.Or:
		neutral := uint64(0) // of Or
		if op == ir.And {
			neutral = 1
		}
		for i := range args {
			if literal(i) && args[i].IsConst(neutral) {
				return args[1-i]
			} else if literal(i) {
				return args[i]
			}
		}
	}
	return ir.Rebuild(e, args)
}
