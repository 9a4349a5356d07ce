package bits_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/bits"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Two disjoint halves of a word can be put together by or as well as by +. A sum that carries differs.
func ExampleEqual() {
	p := ir.NewPool()
	x := p.X(0, ir.U16)
	high, low := ir.Make(ir.BitAnd, x, p.Int(ir.U16, 0xff00)), ir.Make(ir.BitAnd, x, p.Int(ir.U16, 0xff))
	fmt.Println(check(ir.Make(ir.BitOr, high, low), ir.AddOf(high, low)))
	fmt.Println(check(ir.Make(ir.BitOr, x, low), ir.AddOf(x, low)) != nil)
	// Output:
	// <nil>
	// true
}

// check turns what Equal fails with into an error.
func check(left, right ir.Expr) (err error) {
	defer poly.Catch(&err)
	bits.Equal(poly.NewSpace(0, 1<<20), proof.Problem{Left: left, Right: right}, nil)
	return nil
}
