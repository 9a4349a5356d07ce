package scaled_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/scaled"
)

// The greatest product of x with two numbers is x times the greater or the lesser of them, whichever sign x has.
func ExampleEqual() {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	products := ir.MaxOf(ir.MulOf(x, y), ir.MulOf(x, z))
	greater, lesser := ir.MaxOf(y, z), ir.MinOf(y, z)

	fuel := 1000
	p := proof.Problem{Left: products, Right: ir.MaxOf(ir.MulOf(x, greater), ir.MulOf(x, lesser))}
	fmt.Println(scaled.Equal(&fuel, p, ir.NSW))
	p.Right = ir.MulOf(x, greater)
	fmt.Println(scaled.Equal(&fuel, p, ir.NSW))
	// Output:
	// <nil>
	// the sides differ at a threshold
}
