package poly_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/verify/poly"
)

// TestOrderOfNegation compares the places of floats and of their negations: −x has the place −1 less that
// of x, which inequalities of floats use, and places are in the order of values.
func TestOrderOfNegation(t *testing.T) {
	inf := math.Inf(1)
	values := []float64{-inf, -1e38, -1, -0.5, 0, 0.25, 1, 3, 1e38, inf}
	for _, typ := range []ir.Type{ir.F32, ir.F64} {
		var last *big.Int
		for _, v := range values {
			x := ir.FloatBits(typ, v)
			place, negated := Order(typ, x), Order(typ, ir.Apply1(ir.Neg, typ, typ, x))
			if new(big.Int).Not(place).Cmp(negated) != 0 {
				t.Errorf("%s %v has the place %s, its negation %s", typ, v, place, negated)
			}
			if last != nil && last.Cmp(place) >= 0 {
				t.Errorf("%s %v has the place %s, not above %s", typ, v, place, last)
			}
			last = place
		}
	}
}
