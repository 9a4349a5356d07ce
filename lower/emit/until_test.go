package emit

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// watchedUpdates end by a condition on the state, each with how many of its components are scanned.
var watchedUpdates = []struct {
	inputs, init, update string
	scans                int
}{
	{"ImageParam in(Int(32), 1); Param<int> k;", "0", "f() + in(r) until after f() > k", 1},
	{"ImageParam in(Int(32), 1); Param<int> k;", "0", "f() + in(r) until f() + in(r) > 2*k", 1},
	{"ImageParam in(Int(32), 1);", "0", "f() + in(r) until f() > 400 || in(r) == r", 1},
	{"ImageParam in(Int(32), 1); Param<int> k;", "{0, 0}", "{f()[0] + in(r), r + 1} until after f()[0] > k", 1},
	{"ImageParam in(Int(32), 1); Param<int> k;", "{0, -9}", "{f()[0] + in(r), max(f()[1], in(r))} until after f()[0] > k*f()[1]", 2},
	{"ImageParam in(Int(32), 1); Param<int> k;", "{0, 0}", "{f()[0] + in(r), f()[1]*3 + in(r)} until after f()[0] > k", 1},
	{"ImageParam states0(Int(32), 1), after0(Int(32), 1);", "1000", "min(f(), states0(r) + after0(r)) until f() < after0(r) - 2", 1},
	{"ImageParam in(UInt(16), 1);", "cast<uint16_t>(0)", "f() + in(r) until after f() > 30000", 1},
	{"ImageParam in(Int(64), 1); Param<int64_t> k;", "cast<int64_t>(0)", "f() ^ in(r) until after f() == k", 1},
	{"ImageParam in(Float(32), 1);", "0.0f", "max(f(), in(r)) until after f() > 9.5f", 1},
	{"ImageParam in(Float(32), 1);", "0.0f", "f() + in(r) until after f() > 9.5f", 0}, // sums of floats are those of the loop
	{"ImageParam in(Int(32), 1);", "0", "f()*3 + in(r) until after f() == 7", 0},      // lanes scan no such step
}

// Loops that end by a condition on the state look for the end among states that lanes scan, and pass the tests that are emitted with them.
func addWatched(t *testing.T, m *module) {
	for i, c := range watchedUpdates {
		in := "in"
		if c.scans == 1 && i == 6 {
			in = "states0"
		}
		pkg := fmt.Sprintf("watched%d", i)
		p, err := lowertest.PlanOf(pkg+".rf", fmt.Sprintf("%s Func f; RDom r(0, %s.width()); f() = %s; f() = %s;", c.inputs, in, c.init, c.update))
		if err != nil {
			t.Fatal(c.update, err)
		}
		files, g, err := source(p, pkg)
		if err != nil {
			t.Fatal(c.update, err)
		}
		if len(g.scanned) != c.scans {
			t.Errorf("%s: %d components are scanned, wanted %d", c.update, len(g.scanned), c.scans)
		}
		m.add(t, pkg, files)
	}
}
