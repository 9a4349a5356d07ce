package exec

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Segments whose parameters fit into 32 bits give what the serial loop does, at the limits of what is read as well; others keep their width.
func TestNarrow(t *testing.T) {
	rng := lowertest.Rand(36)
	const slices = "f.update(0).split(r, ro, ri, 3000).rfactor(ro, u).compute_root().update(0).parallel(u);"
	for _, test := range []struct {
		halide, init, update string
		narrow               bool
	}{
		{"Int(16)", "{0, 0}", "{max(f()[0] + cast<int>(in(r)), 0), max(f()[1], max(f()[0] + cast<int>(in(r)), 0))}", true},
		{"UInt(8)", "0", "max(min(f() + cast<int>(in(r)) - 100, 1000), -1000)", true},
		{"UInt(8)", "cast<uint8_t>(0)", "select(in(r) > 110, select(f() == 255, cast<uint8_t>(255), f() + cast<uint8_t>(1)), select(f() == 0, cast<uint8_t>(0), f() - cast<uint8_t>(1)))", true},
		{"Int(32)", "{0, 0}", "{max(f()[0] + in(r), 0), max(f()[1], max(f()[0] + in(r), 0))}", false},
	} {
		p := lowertest.LiftPlan(t, test.init, test.update, test.halide, "", slices)
		c, err := Compile(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		narrow := false
		for _, n := range c.nests {
			narrow = narrow || n.Narrow != nil
		}
		if narrow != test.narrow {
			t.Errorf("%s: narrow %v", test.update, narrow)
		}
		for _, n := range suite.More([]int{1, 65, 3001}, []int{0, 1, 31, 64, 65, 700, 3001, 7000}) {
			in := lowertest.SmallInputs(p.Program, rng, n)
			agree(t, fmt.Sprintf("%s, n = %d", test.update, n), p, in, lowertest.LiftOptions())
			typ, to := p.Program.Inputs[0].Types[0], in.Arrays["in"].Elements(0)
			if typ == ir.I32 {
				continue
			}
			for i := range n {
				to.Set(i, []uint64{uint64(typ.Min()), uint64(typ.Max())}[rng.IntN(5)%2])
			}
			agree(t, fmt.Sprintf("%s, n = %d, limits", test.update, n), p, in, lowertest.LiftOptions())
		}
	}
}
