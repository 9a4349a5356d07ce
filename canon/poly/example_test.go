package poly_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

func ExampleNormal() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	one := p.Int(ir.I32, 1)
	for _, e := range []ir.Expr{
		ir.AddOf(ir.MulOf(ir.SubOf(x, one), ir.SubOf(y, one)), one),
		ir.AddOf(x, ir.Make(ir.BitAnd, y, ir.Make(ir.BitNot, x))),
	} {
		fmt.Println(poly.Normal(e, 0))
	}
	// Output:
	// x0*(y0 - 1) + (2 - y0)
	// x0 | y0
}
