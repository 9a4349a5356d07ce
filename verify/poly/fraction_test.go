package poly_test

import (
	"math/big"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/verify/poly"
)

// TestProductOfDenominator multiplies by sums that the other factor is divided by.
func TestProductOfDenominator(t *testing.T) {
	for _, c := range []struct {
		assume  ir.Assume
		cancels bool
	}{{ir.Reassoc | ir.NNaN, true}, {ir.Reassoc, false}} {
		s := NewSpace(c.assume, 1<<20)
		atom := func(name string) Poly { return s.Atom(Atom{Type: ir.F64, Name: name}) }
		times := func(a, b Poly) Poly { return s.Times(Fractions, a, b) }
		plus := func(a, b Poly) Poly { return s.Plus(Fractions, a, b) }
		x, y, z := atom("x"), atom("y"), atom("z")
		q := plus(x, y)
		quotient := times(z, s.Reciprocal(q)) // z/(x + y)
		twice := s.Scale(Fractions, big.NewRat(-2, 1), q)
		for _, e := range []struct {
			name      string
			got, want Poly
		}{
			{"q*(z/q)", times(q, quotient), z},
			{"(z/q)*q", times(quotient, q), z},
			{"-2*q*(z/q)", times(twice, quotient), s.Scale(Fractions, big.NewRat(-2, 1), z)},
			{"q*(z/q/q)", times(q, times(quotient, s.Reciprocal(q))), quotient},
			{"q*(z/q + z)", times(q, plus(quotient, z)), plus(z, times(q, z))},
		} {
			if cancels := e.got.Key() == e.want.Key(); cancels != c.cancels {
				t.Errorf("under %s: that %s is its quotient is %v, want %v", c.assume, e.name, cancels, c.cancels)
			}
		}
		if other := plus(x, z); times(other, quotient).Key() == z.Key() {
			t.Errorf("under %s: (x + z)*(z/(x + y)) is z", c.assume)
		}
	}
}
