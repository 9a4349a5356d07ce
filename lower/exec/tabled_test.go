package exec

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Steps that are looked up give what computed ones do, whatever is left of a row behind its parts.
func TestTabled(t *testing.T) {
	rng := lowertest.Rand(34)
	for _, test := range []struct{ init, update string }{
		{"{cast<bool>(0), cast<bool>(0)}", "{select((in(r) > 32) == f()[1], f()[1], f()[0]), in(r) > 32}"},
		{"{cast<bool>(1), cast<bool>(0)}", "{f()[0] && select(f()[1], in(r) < 200, in(r) < 128 || in(r) > 240), in(r) > 90 && in(r) < 99}"},
		{"cast<uint8_t>(0)", "(f() << 1) ^ select(((f() >> 7) ^ (in(r) & cast<uint8_t>(1))) != 0, cast<uint8_t>(7), cast<uint8_t>(0))"},
		{"cast<uint8_t>(199)", "((f() ^ in(r)) >> 1) ^ select(((f() ^ in(r)) & cast<uint8_t>(1)) != 0, cast<uint8_t>(140), cast<uint8_t>(0))"},
	} {
		for i, schedule := range append(lowertest.LiftSchedules()[1:3], "f.update(0).split(r, ro, ri, 3000).rfactor(ro, u).compute_root();") {
			p := lowertest.LiftPlan(t, test.init, test.update, "UInt(8)", "", schedule)
			run, err := Compile(p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(run.nests, func(n *prepare.Stage) bool { return n.Tabled != nil }) {
				t.Errorf("%s, schedule %d: no steps are looked up", test.update, i)
			}
			for _, n := range suite.More([]int{17, 1025}, []int{0, 1, 5, 16, 17, 31, 64, 65, 127, 128, 200, 1000, 1025, 4500}) {
				in := lowertest.SmallInputs(p.Program, rng, n)
				for k, to := 0, in.Arrays["in"].Elements(0); k < n; k++ {
					to.Set(k, uint64(rng.IntN(256)))
				}
				agree(t, fmt.Sprintf("%s, schedule %d, n = %d", test.update, i, n), p, in, lowertest.LiftOptions())
			}
		}
	}
}
