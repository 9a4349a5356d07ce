package exec

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Linear steps whose lanes meet powers give what the serial loop does, whatever is left behind rows of lanes; floats that are not finite as well.
func TestPowers(t *testing.T) {
	rng := lowertest.Rand(35)
	const slices20 = "f.update(0).split(r, ro, ri, 20000).rfactor(ro, u).compute_root().update(0).parallel(u);"
	for _, test := range []struct {
		halide, init, update string
		lanes                int // 0 where steps are composed otherwise
	}{
		{"Int(32)", "7", "f()*31 + in(r)", 512},
		{"Int(32)", "7", "f()*-5 + max(in(r), c)*b(r)", 512},
		{"UInt(8)", "cast<uint32_t>(7)", "f()*cast<uint32_t>(31) + cast<uint32_t>(in(r))", 512},
		{"UInt(32)", "cast<uint32_t>(7)", "(f() ^ (f() << cast<uint32_t>(5))) ^ in(r)", 512},
		{"UInt(32)", "cast<uint32_t>(7)", "((f() << cast<uint32_t>(5)) | (f() >> cast<uint32_t>(27))) ^ in(r)", 512},
		{"Int(16)", "cast<int16_t>(1)", "select(in(r) > c, f()*T(3) + b(r), f()*T(3))", 512},
		{"Float(32)", "1.0f", "f()*0.9f + in(r)*0.1f", 512},
		{"Float(64)", "cast<double>(1.0f)", "f()*cast<double>(0.5f) + in(r)", 64},
		{"Float(32)", "1.0f", "f()*-0.5f + in(r)", 0},
		{"Float(32)", "1.0f", "f()*0.0625f + in(r)", 0},
		{"Float(32)", "1.0f", "f()*b(r) + in(r)", 0},
		{"UInt(8)", "{cast<uint32_t>(1), cast<uint32_t>(3)}", "{f()[0] + cast<uint32_t>(in(r)), f()[1] + f()[0] + cast<uint32_t>(in(r))}", 512},
		{"Int(32)", "{7, 9}", "{f()[0]*3 - f()[1]*2 + in(r), f()[0]}", 512},
		{"Float(32)", "{1.0f, 2.0f}", "{f()[0]*0.9f + in(r), f()[1]*0.5f + f()[0]}", 64},
		{"Float(32)", "{1.0f, 2.0f}", "{f()[0]*0.5f - f()[1]*0.25f + in(r), f()[0]}", 0},
	} {
		p := lowertest.LiftPlan(t, test.init, test.update, test.halide, "", slices20)
		c, err := Compile(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		lanes := 0
		for _, n := range c.nests {
			if n.Powers != nil {
				lanes = n.Powers.Lanes
			}
		}
		if lanes != test.lanes {
			t.Errorf("%s: %d lanes, wanted %d", test.update, lanes, test.lanes)
		}
		for _, n := range suite.More([]int{511, 24601}, []int{0, 1, 511, 512, 4095, 4096, 4097, 9000, 24601}) {
			in := lowertest.SmallInputs(p.Program, rng, n)
			typ, to := p.Program.Inputs[0].Types[0], in.Arrays["in"].Elements(0)
			if !typ.IsFloat() {
				agree(t, fmt.Sprintf("%s, n = %d", test.update, n), p, in, lowertest.LiftOptions())
				continue
			}
			nearSerial(t, fmt.Sprintf("%s, n = %d", test.update, n), p, in)
			for _, v := range []float64{math.Inf(1), math.NaN(), math.MaxFloat32} {
				for _, at := range []int{3, n - 700, n - 1} {
					if at >= 0 && at < n {
						before := to.At(at)
						to.Set(at, ir.FloatBits(typ, v))
						nearSerial(t, fmt.Sprintf("%s, n = %d, %v at %d", test.update, n, v, at), p, in)
						to.Set(at, before)
					}
				}
			}
		}
	}
}

// nearSerial wants the float of the serial program but for rounding: one that is no number, or infinite, where that is.
func nearSerial(t *testing.T, name string, p *plan.Plan, in *plan.Inputs) {
	t.Helper()
	serial, err := plan.RunSerial(p.Program, lowertest.LiftOptions(), in)
	if err != nil {
		t.Fatal(name, err)
	}
	typ := p.Buffers[0].Types[0]
	value := func(out map[string]*ndarray.Array) float64 { return ir.Float(typ, out["f"].Elements(0).At(0)) }
	want := value(serial)
	for _, o := range options {
		c, err := Compile(p, o)
		if err != nil {
			t.Fatal(name, err)
		}
		out, err := c.Run(t.Context(), in)
		if err != nil {
			t.Fatal(name, err)
		}
		got, finite := value(out), want-want == 0
		if finite != (got-got == 0) || finite && math.Abs(got-want) > 1e-4*max(1, math.Abs(want)) {
			t.Errorf("%s, %+v: %v, wanted %v", name, o, got, want)
			return
		}
	}
}

// Neighbours are combined by as many powers as it takes to leave one lane.
func TestPowerMerges(t *testing.T) {
	p := lowertest.LiftPlan(t, "7", "f()*31 + in(r)", "Int(32)", "", lowertest.LiftSchedules()[1])
	c, err := Compile(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.nests, func(n *prepare.Stage) bool { return n.Powers != nil })
	if i < 0 || 1<<len(c.nests[i].Powers.Merges) != c.nests[i].Powers.Lanes {
		t.Error("merges of lanes are missing")
	}
}
