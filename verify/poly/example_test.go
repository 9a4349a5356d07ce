package poly_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// Equal polynomials have equal keys, however they were computed: (a + b)² is a² + 2ab + b².
func Example() {
	p, s := ir.NewPool(), poly.NewSpace(0, 1000)
	ring := s.Ring(ir.I32)
	a := s.Atom(poly.Atom{Type: ir.I32, Name: "a", Variable: p.X(0, ir.I32)})
	b := s.Atom(poly.Atom{Type: ir.I32, Name: "b", Variable: p.Y(0, ir.I32)})
	sum := s.Plus(ring, a, b)

	square := s.Times(ring, sum, sum)
	terms := s.Plus(ring, s.Times(ring, a, a), s.Plus(ring, s.Times(ring, s.Number(ring, 2), s.Times(ring, a, b)), s.Times(ring, b, b)))
	fmt.Println(square.Key() == terms.Key(), square.Key() == sum.Key())
	// Output: true false
}
