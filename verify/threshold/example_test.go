package threshold_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/threshold"
)

// Minima distribute over maxima, in every order. That x is at most y is no law, but may be given.
func ExampleEqual() {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	fuel := 1000
	p := proof.Problem{Left: ir.MaxOf(x, ir.MinOf(y, z)), Right: ir.MinOf(ir.MaxOf(x, y), ir.MaxOf(x, z))}
	fmt.Println(threshold.Equal(&fuel, p, 0))
	p = proof.Problem{Left: ir.MaxOf(x, y), Right: y}
	fmt.Println(threshold.Equal(&fuel, p, 0))
	p.Given = []ir.Expr{ir.LeOf(x, y)}
	fmt.Println(threshold.Equal(&fuel, p, 0))
	// Output:
	// <nil>
	// the sides differ at a threshold
	// <nil>
}
