package linear_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/linear"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// No number is less than another and greater, too: the two inequalities add up to a contradiction. One of them alone
// does not.
func ExampleContradicts() {
	p, space := ir.NewPool(), poly.NewSpace(0, 1000)
	x := space.Atom(poly.Atom{Type: ir.I32, Name: "x", Variable: p.X(0, ir.I32)})
	y := space.Atom(poly.Atom{Type: ir.I32, Name: "y", Variable: p.Y(0, ir.I32)})
	claims := []linear.Claim{linear.Less(ir.I32, x, y), linear.Less(ir.I32, y, x)}

	fmt.Println(linear.Contradicts(space, claims, nil, &proof.Refutation{}))
	fmt.Println(linear.Contradicts(space, claims[:1], nil, &proof.Refutation{}))
	// Output:
	// true
	// false
}
