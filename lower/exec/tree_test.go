package exec

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// reduced reports whether the steps of a plan are composed in lanes, or stay single: under a condition no lane knows its first element,
// with which it begins where no step changes nothing.
func reduced(t *testing.T, planned *plan.Plan) bool {
	p, err := Compile(planned, Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := newExecution(p)
	for _, n := range p.nests {
		if n.Stage.Buffer.Steps == "" || n.Stage.Role != plan.Intermediate {
			continue
		}
		if n.Seen() && len(n.Stage.Where) > 0 {
			return true
		}
		w := newWalker(run, n, []int{0, 1}, 64)
		if row := newRow(w); row != nil && row.tree != nil {
			return true
		}
	}
	return false
}

// Every lift composes its steps in lanes: as many segments as there are, several blocks of them, and what is left.
func TestStepsInLanes(t *testing.T) {
	const schedule = "f.update(0).split(r, ro, ri, 700).rfactor(ro, u).compute_root().update(0).parallel(u);"
	rng := lowertest.Rand(41)
	for _, l := range lowertest.Lifts() {
		where := ""
		if rng.IntN(3) == 0 {
			where = "r.where(b(r) > 0);\n"
		}
		planned := lowertest.LiftPlan(t, l.Init, l.Update, l.Halide, where, schedule)
		if !reduced(t, planned) {
			t.Errorf("%s%s: its steps run point by point\n%s", where, l.Name, planned)
		}
		for _, n := range []int{699, 701, 1400 + rng.IntN(700)} {
			in := lowertest.SmallInputs(planned.Program, rng, n)
			want, err := plan.RunSerial(planned.Program, lowertest.LiftOptions(), in)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{Block: 2, Grain: 1, Goroutines: 1 + rng.IntN(4)}, {Block: 8, Grain: 1, Goroutines: 2}, {}} {
				p, err := Compile(planned, o)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := p.Run(context.Background(), in); err != nil || !equal(got, want, true) {
					t.Errorf("%s, n = %d, %+v: %v\ngot  %v\nwant %v\n%s", l.Name, n, o, err, describe(got), describe(want), planned)
				}
			}
		}
	}
}

// Steps of floats keep NaN, infinities and what is finite, whatever element they meet; numbers are such that sums are exact.
func TestFloatStepsInLanes(t *testing.T) {
	const schedule = "RVar ro, ri; Var u;\nf.update(0).split(r, ro, ri, 700).rfactor(ro, u).compute_root().update(0).parallel(u);"
	rng := lowertest.Rand(42)
	opts := lowertest.LiftOptions()
	for _, allowed := range []ir.Assume{0, ir.DefaultAssumptions} {
		opts.Match.Allowed = allowed
		for name, update := range map[string]string{
			"mss":    "f() = {0.0f, 0.0f}; f() = {max(f()[0] + in(r), 0.0f), max(f()[1], max(f()[0] + in(r), 0.0f))};",
			"sorted": "f() = {-3.0f, cast<bool>(1)}; f() = {in(r), f()[1] && f()[0] <= in(r)};",
			"linear": "f() = 1.0f; f() = f()*b(r) + in(r);",
		} {
			prog := lowertest.Parse(t, name, "ImageParam in(Float(32), 1), b(Float(32), 1); Func f; RDom r(0, in.width());"+update+schedule)
			planned, err := plan.Factor(context.Background(), prog, opts)
			if err != nil {
				continue // not lifted under these assumptions
			}
			for _, n := range []int{0, 1, 64, 701, 2100} {
				in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}}
				for _, d := range prog.Inputs {
					a := ndarray.New(d.Types, ndarray.Range{Extent: n})
					for i := range n {
						a.Data[0].([]float32)[i] = float32(rng.IntN(3) - 1)
					}
					in.Arrays[d.Name] = a
				}
				if allowed == 0 && n > 0 {
					for range 3 {
						in.Arrays["in"].Data[0].([]float32)[rng.IntN(n)] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Copysign(0, -1))}[rng.IntN(4)]
					}
				}
				agree(t, fmt.Sprintf("%s, %v, n = %d", name, allowed, n), planned, in, opts)
			}
		}
	}
}

// An operator that lacks an identity is applied in lanes as well: a flag says which partial results have elements. Count, mean and squares
// of deviations are those of the interpreter but for rounding.
func TestLanesWithoutIdentity(t *testing.T) {
	const text = "ImageParam in(Float(64), 1); Func f; RDom r(0, in.width()); f() = {0.0, 0.0, 0.0}; " +
		"f() = {f()[0] + 1.0, f()[1] + (in(r) - f()[1])/(f()[0] + 1.0), f()[2] + (in(r) - f()[1])*(in(r) - (f()[1] + (in(r) - f()[1])/(f()[0] + 1.0)))}; " +
		"RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 700).rfactor(ro, u).compute_root().update(0).parallel(u);"
	rng := lowertest.Rand(43)
	prog := lowertest.Parse(t, "welford.rf", text)
	planned, err := plan.Factor(t.Context(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(planned.Buffers, func(b *plan.Buffer) bool { return b.Seen }) {
		t.Error("its operator has an identity")
	}
	c, err := Compile(planned, Options{Goroutines: 2, Grain: 64})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 2, 63, 699, 700, 701, 1400, 2111} {
		a := ndarray.New([]ir.Type{ir.F64}, ndarray.Range{Extent: n})
		for i := range n {
			a.Data[0].([]float64)[i] = 100 + rng.NormFloat64()
		}
		in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}}
		got, err := c.Run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := planned.Run(in, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			g, w := got["f"].Data[i].([]float64)[0], want["f"].Data[i].([]float64)[0]
			if i == 0 && g != w || math.Abs(g-w) > 1e-10*math.Abs(w) {
				t.Errorf("n = %d: component %d is %v, and interpreted %v", n, i, g, w)
			}
		}
	}
}
