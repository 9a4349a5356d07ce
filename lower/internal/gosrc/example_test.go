package gosrc_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
)

// A saturated sum calls a helper, which the file then declares.
func Example() {
	p := ir.NewPool()
	used := gosrc.Uses{}
	w := gosrc.Writer{Use: used.Note, Leaf: func(e ir.Expr) string { return e.Name() }}
	x, y := p.Var(ir.Param, "x", 0, ir.U8), p.Var(ir.Param, "y", 1, ir.U8)
	fmt.Println(w.Expr(ir.Make(ir.SatAdd, x, y)))
	fmt.Println(used.Declare(gosrc.HelpersOf(used)))
	// Output:
	// satAddUnsigned(x, y)
	//
	// // satAddUnsigned adds without wrapping.
	// func satAddUnsigned[T uint8 | uint16 | uint32 | uint64](a, b T) T {
	// 	if s := a + b; s >= a {
	// 		return s
	// 	}
	// 	return ^T(0)
	// }
}
