package forms

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// withoutLimits replaces extrema that take no part by selects of them: the limit of a wide integer type, which stands for nothing there, fits into no
// narrower one.
//
//	max(a, select(p, b, tmin))   →   select(p, max(a, b), a)
func withoutLimits(e ir.Expr) ir.Expr {
	done := map[ir.Expr]ir.Expr{}
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { // operands come first
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = done[e.Arg(i)]
		}
		done[e] = e
		if len(args) > 0 {
			done[e] = ir.Rebuild(e, args)
		}
		if limit, ok := limitOf(e); ok {
			for i, s := range args {
				if s.Op() != ir.Select || !s.Arg(1).IsConst(limit) && !s.Arg(2).IsConst(limit) {
					continue
				}
				if to := optional(e.Op(), args[1-i], s, limit); folds.Holds(0, ir.Make(e.Op(), args...), to) {
					done[e] = to
				}
			}
		}
	})
	return done[e]
}

// limitOf is the number that changes no other by an extremum of integers.
func limitOf(e ir.Expr) (limit uint64, ok bool) {
	switch t := e.Type(); {
	case !t.IsInt():
	case e.Op() == ir.Max:
		return t.Min(), true
	case e.Op() == ir.Min:
		return t.Max(), true
	}
	return 0, false
}

// optional is the extremum of a and a select of which one branch is the limit.
func optional(op ir.Op, a, s ir.Expr, limit uint64) ir.Expr {
	if s.Arg(1).IsConst(limit) {
		return ir.SelectOf(s.Arg(0), a, ir.Make(op, a, s.Arg(2)))
	}
	return ir.SelectOf(s.Arg(0), ir.Make(op, a, s.Arg(1)), a)
}
