package exhaustive_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/exhaustive"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Of 8 bits all triples are tried.
func ExampleAssociative() {
	p := ir.NewPool()
	x, y := p.X(0, ir.U8), p.Y(0, ir.U8)
	fuel := 1 << 20
	for _, e := range []ir.Expr{ir.Make(ir.SatAdd, x, y), ir.SubOf(x, y)} {
		op := proof.Operator{Types: []ir.Type{ir.U8}, Exprs: []ir.Expr{e}}
		fmt.Println(exhaustive.Associative(&fuel, op, 0))
	}
	// Output:
	// <nil>
	// the sides differ where [x0 y0 z0] are [0 0 1]
}
