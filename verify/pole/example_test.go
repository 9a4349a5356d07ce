package pole_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/pole"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// As rational functions x + 0/x is x, but the evaluator has no value for it at 0.
func ExampleIdentity() {
	p := ir.NewPool()
	x, y, zero := p.X(0, ir.F64), p.Y(0, ir.F64), p.Float(ir.F64, 0)
	fuel := 1000
	for _, e := range []ir.Expr{ir.AddOf(x, y), ir.AddOf(x, ir.Make(ir.Div, y, x))} {
		op := proof.Operator{Types: []ir.Type{ir.F64}, Exprs: []ir.Expr{e}}
		fmt.Println(pole.Identity(&fuel, op, proof.Right, []ir.Expr{zero}, ir.Reassoc))
	}
	// Output:
	// <nil>
	// 0.0/x0 may be NaN
}
