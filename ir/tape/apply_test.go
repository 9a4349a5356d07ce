package tape_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/ir/tape"
)

// A row of floats has the bits that one pair after another has: with NaN, both zeros, infinities, and numbers
// below the normal ones, whose results are rounded twice.
func TestApply2OnFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-45, -1e-45, 1.2e-38, 3.4e38, 5e-324, math.MaxFloat64}
	for _, typ := range []ir.Type{ir.F32, ir.F64} {
		draw := func() uint64 {
			if rng.IntN(2) == 0 {
				return ir.FloatBits(typ, special[rng.IntN(len(special))])
			}
			bits := typ.Wrap(rng.Uint64())
			return ir.FloatBits(typ, ir.Float(typ, bits)) // a NaN of the one kind that there is
		}
		for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Min, ir.Max, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne} {
			for range 200 {
				a, b, r := make([]uint64, 2*Lanes+3), make([]uint64, 2*Lanes+3), make([]uint64, 2*Lanes+3)
				for i := range a {
					a[i], b[i] = draw(), draw()
				}
				Apply2(op, typ, r, a, b)
				for i := range r {
					if want := ir.Apply2(op, typ, a[i], b[i]); r[i] != want {
						t.Fatalf("%v of %v: %x and %x give %x, not %x", op, typ, a[i], b[i], r[i], want)
					}
				}
			}
		}
	}
}
