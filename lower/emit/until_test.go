package emit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// watchedUpdates end by a condition on the state, each with how many of its components are scanned, and whether parts that go not far enough are not.
var watchedUpdates = []struct {
	inputs, init, update string
	scans                int
	far                  bool
}{
	{"ImageParam in(Int(32), 1); Param<int> k;", "0", "f() + in(r) until after f() > k", 1, true},
	{"ImageParam in(Int(32), 1); Param<int> k;", "0", "f() + in(r) until f() + in(r) > 2*k", 1, true},
	{"ImageParam in(Int(32), 1);", "0", "f() + in(r) until f() > 400 || in(r) == r", 1, false},
	{"ImageParam in(Int(32), 1); Param<int> k;", "{0, 0}", "{f()[0] + in(r), r + 1} until after f()[0] > k", 1, false},
	{"ImageParam in(Int(32), 1); Param<int> k;", "{0, -9}", "{f()[0] + in(r), max(f()[1], in(r))} until after f()[0] > k*f()[1]", 2, false},
	{"ImageParam in(Int(32), 1); Param<int> k;", "{0, 0}", "{f()[0] + in(r), f()[1]*3 + in(r)} until after f()[0] > k", 1, true},
	{"ImageParam states0(Int(32), 1), after0(Int(32), 1);", "1000", "min(f(), states0(r) + after0(r)) until f() < after0(r) - 2", 1, false},
	{"ImageParam in(UInt(16), 1);", "cast<uint16_t>(0)", "f() + in(r) until after f() > 30000", 1, true},
	{"ImageParam in(Int(64), 1); Param<int64_t> k;", "cast<int64_t>(0)", "f() ^ in(r) until after f() == k", 1, false},
	{"ImageParam in(Float(32), 1);", "0.0f", "max(f(), in(r)) until after f() > 9.5f", 1, false},
	{"ImageParam in(Float(32), 1);", "0.0f", "f() + in(r) until after f() > 9.5f", 0, false}, // sums of floats are those of the loop
	{"ImageParam in(Int(64), 1); Param<int64_t> k;", "cast<int64_t>(7)", "f() + in(r) until after f() > k || f() < cast<int64_t>(0 - 9)", 1, true},
	{"ImageParam in(Int(32), 1);", "0", "f() + select(in(r) > 1000, 3000000, 0) until after f() < 0", 1, true}, // which wraps
	{"ImageParam in(Int(8), 1);", "cast<int8_t>(0)", "f() + in(r) until after f() == 100", 1, true},
	{"ImageParam in(UInt(32), 1); Param<uint32_t> k;", "k", "f() + in(r) until after f() >= cast<uint32_t>(5)*k && k > cast<uint32_t>(3)", 1, true},
	{"ImageParam in(Int(32), 1);", "0", "f() + select(in(r) > 40, in(r), 0 - 3) until f() > 100000", 1, true},
	{"ImageParam in(Int(32), 1);", "0", "f()*3 + in(r) until after f() == 7", 0, false}, // lanes scan no such step
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
		if far := slices.ContainsFunc(g.kernels, func(k *funcs.Run) bool { return k.Until != nil && k.Until.Reach != nil }); far != c.far {
			t.Errorf("%s: parts are left out: %v, wanted %v", c.update, far, c.far)
		}
		m.add(t, pkg, files)
	}
}

// The first hit is found at every place of every length, also where another one follows, for elements of each type and conditions on
// coordinates; NaN is no hit, and what lies before and behind the slice is not looked at.
func addFinds(t *testing.T, m *module) {
	for _, c := range []struct {
		typ, goType, hit, other string
		skips                   int // the coordinate that counts for none; lanes of 32 bits know coordinates
	}{
		{"i8", "int8", "-3", "2", -1}, {"u8", "uint8", "200", "2", -1}, {"i16", "int16", "-300", "2", -1}, {"u16", "uint16", "40000", "2", -1},
		{"i32", "int32", "-70000", "2", 77}, {"u32", "uint32", "1 << 31", "2", 77}, {"i64", "int64", "-1 << 40", "2", -1}, {"u64", "uint64", "1 << 63", "2", -1},
		{"f32", "float32", "0.5", "float32(math.NaN())", 77}, {"f64", "float64", "0.5", "math.NaN()", -1},
	} {
		pkg, skip := "find"+c.typ, ""
		if c.skips >= 0 {
			skip = fmt.Sprintf(" && r != %d", c.skips)
		}
		p, err := lowertest.PlanOf(pkg+".rf", fmt.Sprintf("ImageParam in(%[1]s, 1); Param<%[1]s> k; Func f; RDom r(0, in.width()); f() = 0; f() = r + 1 until in(r) == k%[2]s;", c.typ, skip))
		if err != nil {
			t.Fatal(pkg, err)
		}
		files, err := Source(p, pkg)
		if err != nil {
			t.Fatal(pkg, err)
		}
		if files["kernel_simd_amd64.go"] == nil {
			t.Errorf("%s: the end is not looked for in lanes", pkg)
		}
		files["find_test.go"] = fmt.Appendf(nil, `package %[1]s

import (
	"math"
	"testing"
)

func TestFind(t *testing.T) {
	_ = math.Pi
	var hit, other %[2]s = %[3]s, %[4]s
	all := make([]%[2]s, 400)
	for n := range 300 {
		for _, at := range []int{0, 1, n / 2, n - 2, n - 1, n} {
			for i := range all {
				all[i] = hit
			}
			in := all[3:][:n]
			for i := range in {
				if in[i] = other; at >= 0 && (i == at || i == at+5) {
					in[i] = hit
				}
			}
			want := n
			for i := n - 1; i >= 0; i-- {
				if in[i] == hit && i != %[5]d {
					want = i
				}
			}
			if got, ended, err := F(in, hit); err != nil || int(got) != want || ended != (want < n) {
				t.Fatalf("%%d elements with a hit at %%d: %%d, %%v, %%v", n, at, got, ended, err)
			}
		}
	}
}
`, pkg, c.goType, c.hit, c.other, c.skips)
		m.add(t, pkg, files)
	}
}
