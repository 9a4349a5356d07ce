package program

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// PowInt returns the n-th power of a as a product in a's type: 1 for n = 0. It panics for a
// negative n, and makes O(log n) products.
func PowInt(a ir.Expr, n int) ir.Expr {
	if n < 0 {
		panic(fmt.Sprintf("program: PowInt with the negative exponent %d", n))
	}
	if n == 0 {
		return a.Pool().Int(a.Type(), 1)
	}
	if n == 1 {
		return a
	}
	h := PowInt(a, n/2)
	if n%2 == 1 {
		return ir.MulOf(ir.MulOf(h, h), a)
	}
	return ir.MulOf(h, h)
}
