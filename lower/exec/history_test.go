package exec

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Stages whose components earlier elements tell give what the serial loop does, in rows that are just long enough and others.
func TestHistory(t *testing.T) {
	rng := lowertest.Rand(37)
	const slices = "f.update(0).split(r, ro, ri, 1000).rfactor(ro, u).compute_root().update(0).parallel(u);"
	for _, test := range []struct {
		halide, init, update string
		history              bool
	}{
		{"Int(32)", "{0, cast<bool>(1)}", "{in(r), f()[1] && f()[0] <= in(r)}", true},
		{"UInt(8)", "{0, cast<bool>(0)}", "{f()[0] + select(in(r) > 32 && !f()[1], 1, 0), in(r) > 32}", true},
		{"Int(32)", "{0, 0}", "{f()[0] + abs(in(r) - f()[1]), in(r)}", true},
		{"Int(32)", "{0, 0, 0}", "{f()[0] + select(in(r) == f()[2], 1, 0), in(r), f()[1]}", false},
		{"Int(32)", "{0, 0}", "{max(f()[0] + in(r), 0), max(f()[1], max(f()[0] + in(r), 0))}", false},
	} {
		p := lowertest.LiftPlan(t, test.init, test.update, test.halide, "", slices)
		c, err := Compile(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		history := false
		for _, n := range c.nests {
			history = history || n.History != nil
		}
		if history != test.history {
			t.Errorf("%s: earlier elements are read: %v", test.update, history)
		}
		for _, n := range []int{0, 1, 2, 33, 34, 35, 36, 37, 200, 1001, 1040, 3500} {
			agree(t, fmt.Sprintf("%s, n = %d", test.update, n), p, lowertest.SmallInputs(p.Program, rng, n), lowertest.LiftOptions())
		}
	}
}
