package exec

import (
	"fmt"
	"math"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Lifted updates give serially, as interpreted plans and in blocks the same. The sample is one
// size of the inputs in nine, in CI in three.
func TestLifts(t *testing.T) {
	rng := lowertest.Rand(32)
	for _, l := range lowertest.Lifts() {
		for i, s := range lowertest.LiftSchedules() {
			where := ""
			if i > 1 && rng.IntN(2) == 0 {
				where = "r.where(b(r) > 0);\n"
			}
			p := lowertest.LiftPlan(t, l.Init, l.Update, l.Halide, where, s)
			for _, n := range lowertest.Sizes() {
				if !lowertest.Full() && rng.IntN(suite.More(9, 3)) > 0 {
					continue
				}
				in := lowertest.SmallInputs(p.Program, rng, n)
				if l.Name == "floor" || l.Name == "mss" {
					for i := range n * rng.IntN(2) {
						if rng.IntN(3) == 0 { // sums of slices are far below what 32 bits hold
							in.Arrays["in"].Data[0].([]int32)[i] = math.MinInt32 + int32(rng.IntN(9))
						}
					}
				}
				agree(t, fmt.Sprintf("%s, schedule %d, n = %d", l.Name, i, n), p, in, lowertest.LiftOptions())
			}
		}
	}
}

// A lift of 33 parameters, those of a CRC of 32 bits, gives the same.
func TestManyParameters(t *testing.T) {
	const update = "select(((f() ^ in(r)) & 1) != 0, ((f() ^ in(r)) >> 1) ^ T(3988292384), (f() ^ in(r)) >> 1)"
	rng := lowertest.Rand(33)
	p := lowertest.LiftPlan(t, "T(9)", update, "UInt(32)", "", lowertest.LiftSchedules()[1])
	for _, n := range []int{0, 1, 16, 41} {
		agree(t, fmt.Sprintf("n = %d", n), p, lowertest.SmallInputs(p.Program, rng, n), lowertest.LiftOptions())
	}
}
