package smt_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/smt"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A solver that is not installed gives an error, as does one that ends without an answer. With z3 on the path
// smt.New("z3", "-in") proves the equation below.
func ExampleSolver_Prove() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	solver := smt.New("no-such-solver")
	defer solver.Close()

	_, err := solver.Prove(context.Background(), proof.Problem{Left: ir.AddOf(x, y), Right: ir.AddOf(y, x)}, 0)
	fmt.Println(err != nil)
	// Output: true
}
