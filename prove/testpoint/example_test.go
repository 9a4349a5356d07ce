package testpoint_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// An equation that fails is refuted by a point. Nil says nothing: the equation may hold or not.
func ExampleEvaluator_Refute() {
	p := ir.NewPool()
	x, y := p.X(0, ir.U8), p.Y(0, ir.U8)
	sum := ir.AddOf(x, y)
	var w testpoint.Evaluator

	wrong := proof.Problem{Left: sum, Right: ir.Make(ir.BitOr, x, y)}
	c := w.Refute(wrong, 0)
	fmt.Println(c != nil && c.Confirm(wrong, 0))

	fmt.Println(w.Refute(proof.Problem{Left: sum, Right: ir.AddOf(y, x)}, 0))
	// Output:
	// true
	// <nil>
}
