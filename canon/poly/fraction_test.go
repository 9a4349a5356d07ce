package poly_test

import (
	"testing"

	. "github.com/rfactor-go/rfactor/canon/poly"
)

// TestProductOfDenominator multiplies by sums that the other factor is divided by.
func TestProductOfDenominator(t *testing.T) {
	p := NewSpace()
	x, y, z := p.OfAtom(p.AtomOf(1)), p.OfAtom(p.AtomOf(2)), p.OfAtom(p.AtomOf(3))
	times := func(a, b Poly) Poly { return p.Mul(Real, a, b) }
	q := p.Add(Real, x, 1, y)
	quotient := times(z, p.Inverse(q)) // z/(x + y)
	minusTwo := Coef{-2, 1}
	for _, c := range []struct {
		name      string
		got, want Poly
	}{
		{"q*(z/q)", times(q, quotient), z},
		{"(z/q)*q", times(quotient, q), z},
		{"-2*q*(z/q)", times(p.Scale(Real, minusTwo, q), quotient), p.Scale(Real, minusTwo, z)},
		{"q*(z/q/q)", times(q, times(quotient, p.Inverse(q))), quotient},
		{"q*(z/q + z)", times(q, p.Add(Real, quotient, 1, z)), p.Add(Real, z, 1, times(q, z))},
	} {
		if c.got != c.want {
			t.Errorf("%s is not its quotient", c.name)
		}
	}
	if times(p.Add(Real, x, 1, z), quotient) == z {
		t.Error("(x + z)*(z/(x + y)) is z")
	}
	if p.Overflow {
		t.Error("a product overflows")
	}
}
