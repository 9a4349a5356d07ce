package exec

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Steps that are looked up give what computed ones do, whatever is left of a row behind its parts.
func TestTabled(t *testing.T) {
	rng := lowertest.Rand(34)
	for _, test := range []struct{ init, update string }{
		{"{cast<bool>(0), cast<bool>(0)}", "{select((in(r) > 32) == f()[1], f()[1], f()[0]), in(r) > 32}"},
		{"{cast<bool>(1), cast<bool>(0)}", "{f()[0] && select(f()[1], in(r) < 200, in(r) < 128 || in(r) > 240), in(r) > 90 && in(r) < 99}"},
	} {
		for i, schedule := range lowertest.LiftSchedules()[1:3] {
			p := lowertest.LiftPlan(t, test.init, test.update, "UInt(8)", "", schedule)
			for _, n := range []int{0, 1, 5, 16, 17, 31, 64, 65, 200, 1000} {
				in := lowertest.SmallInputs(p.Program, rng, n)
				for k, to := 0, in.Arrays["in"].Elements(0); k < n; k++ {
					to.Set(k, uint64(rng.IntN(256)))
				}
				agree(t, fmt.Sprintf("%s, schedule %d, n = %d", test.update, i, n), p, in, lowertest.LiftOptions())
			}
		}
	}
}
