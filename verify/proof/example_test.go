package proof_test

import (
	"fmt"
	"math"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// The laws of an operator are equations, which a finder of proofs is asked for.
func ExampleOperator() {
	p := ir.NewPool()
	op := proof.Operator{Types: []ir.Type{ir.I32}, Exprs: []ir.Expr{ir.MaxOf(p.X(0, ir.I32), p.Y(0, ir.I32))}}
	for _, law := range op.Associativity() {
		fmt.Println(law.Left, "=", law.Right)
	}
	for _, law := range op.IdentityOn(proof.Right, []ir.Expr{p.Int(ir.I32, math.MinInt32)}) {
		fmt.Println(law.Left, "=", law.Right)
	}
	// Output:
	// max(max(x0, y0), z0) = max(x0, max(y0, z0))
	// max(x0, tmin) = x0
}
