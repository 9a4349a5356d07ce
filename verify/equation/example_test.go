package equation_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Both sides are equal where the condition holds, and where it does not. Without the split the tree proves nothing.
func ExampleCheck() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	less := ir.LtOf(x, y)
	choice := proof.Problem{
		Left:  ir.SelectOf(less, ir.AddOf(x, y), x),
		Right: ir.AddOf(x, ir.SelectOf(less, y, p.Int(ir.I32, 0))),
	}
	equal := &proof.Tree{Kind: proof.Equal}
	fmt.Println(equation.Check(choice, 0, &proof.Tree{Kind: proof.Split, Then: equal, Else: equal}))
	fmt.Println(equation.Check(choice, 0, equal) != nil)
	// Output:
	// <nil>
	// true
}
