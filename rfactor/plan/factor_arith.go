package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Arithmetic on extents and indices, with literals folded so that plans stay readable.
// Operands are of type I32.

func literal(e ir.Expr) (int64, bool) {
	if e.Op() == ir.Const {
		return e.Int(), true
	}
	return 0, false
}

func fold(op ir.Op, a, b ir.Expr) ir.Expr {
	if a.Op() == ir.Const && b.Op() == ir.Const {
		t := a.Type()
		if op.IsComparison() {
			t = ir.Bool
		}
		return a.Pool().Const(t, ir.Apply2(op, a.Type(), a.Value(), b.Value()))
	}
	return ir.Make(op, a, b)
}

func plus(a, b ir.Expr) ir.Expr {
	switch {
	case a.IsConst(0):
		return b
	case b.IsConst(0):
		return a
	}
	return fold(ir.Add, a, b)
}

func minus(a, b ir.Expr) ir.Expr {
	if b.IsConst(0) {
		return a
	}
	return fold(ir.Sub, a, b)
}

func times(a, b ir.Expr) ir.Expr {
	switch {
	case a.IsConst(1) || b.IsConst(0):
		return b
	case b.IsConst(1) || a.IsConst(0):
		return a
	}
	return fold(ir.Mul, a, b)
}

func least(a, b ir.Expr) ir.Expr {
	if a == b {
		return a
	}
	return fold(ir.Min, a, b)
}

// positive is e, or 0 where e is negative; an input has no negative extent.
func positive(e ir.Expr) ir.Expr {
	zero := e.Pool().Int(e.Type(), 0)
	if n, ok := literal(e); ok && n >= 0 || e.Op() == ir.Call && e.NumArgs() == 0 {
		return e
	}
	return fold(ir.Max, e, zero)
}

// ceilDiv returns the number of slices of n > 0 elements that cover e >= 0 elements. Division is
// Euclidean, so that e = 0 gives 0, and e - 1 does not overflow, as e + (n-1) could.
func ceilDiv(e, n ir.Expr) ir.Expr {
	one := e.Pool().Int(e.Type(), 1)
	if n == one {
		return e
	}
	return plus(fold(ir.Div, minus(e, one), n), one)
}

// fits reports whether slices of n cover e > 0 elements without a ragged tail.
func fits(e, n ir.Expr) bool {
	a, ok := literal(e)
	b, also := literal(n)
	return ok && also && b > 0 && a > 0 && a%b == 0 || n.IsConst(1)
}

// uses reports whether e mentions one of the variables.
func uses(e ir.Expr, vars ...ir.Expr) bool {
	for _, v := range vars {
		if slices.Contains(ir.Vars(e), v) {
			return true
		}
	}
	return false
}
