package exec

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// placedPlan is the plan of a program as its schedule says, and as -auto chooses.
func placedPlan(t *testing.T, text string, auto bool, extents map[string]ndarray.Box) *plan.Plan {
	t.Helper()
	p, err := plan.Factor(t.Context(), lowertest.Parse(t, "places.rf", text), plan.Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions}, Auto: auto, Extents: extents})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// TestPlaced compares what blocks and slices of any size keep with what the loop keeps.
func TestPlaced(t *testing.T) {
	rng := lowertest.Rand(61)
	for _, prog := range lowertest.PlacedPrograms() {
		for _, auto := range []bool{false, true} {
			p := placedPlan(t, prog.Text, auto, nil)
			for _, n := range []int{0, 1, 2, 3, 4, 31, 64, 65, 700} {
				if n > 65 && prog.Name == "rows" {
					continue
				}
				agree(t, prog.Name, p, lowertest.SmallInputs(p.Program, rng, n), plan.Options{})
			}
		}
	}
}

// TestPlacedLong cuts long runs into slices, of whose elements none, a few or all are kept.
func TestPlacedLong(t *testing.T) {
	p := placedPlan(t, lowertest.PlacedPrograms()[0].Text, true, nil)
	c, err := Compile(p, Options{Goroutines: 4, Grain: 512})
	if err != nil {
		t.Fatal(err)
	}
	for _, every := range []int{1, 2, 100, 5000, 1 << 30} {
		in := make([]int32, 20011)
		var want []int32
		for i := range in {
			if i%every == every/2 {
				in[i] = int32(i + 3)
				want = append(want, in[i])
			}
		}
		out, err := c.Run(t.Context(), &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: len(in)}}, Data: []any{in}}}})
		if err != nil {
			t.Fatal(err)
		}
		got, n := out["out"].Data[0].([]int32), int(out["pos"].Data[0].([]int32)[0])
		if n != len(want) || !slices.Equal(got[:n], want) || slices.ContainsFunc(got[n:], func(v int32) bool { return v != 0 }) {
			t.Errorf("every %d: %d elements are kept, wanted %d", every, n, len(want))
		}
	}
}

// TestPlacedOutside expects an error with the place that the loop would find where an element has no room.
func TestPlacedOutside(t *testing.T) {
	for _, test := range []struct {
		first  string
		extent ndarray.Range
		want   string // "" where all elements have room
	}{
		{"0", ndarray.Range{Extent: 50}, ""},
		{"0", ndarray.Range{Extent: 49}, "coordinate 1 is 49"},
		{"0", ndarray.Range{Min: 1, Extent: 90}, "coordinate 1 is 0"},
		{"-3", ndarray.Range{Extent: 90}, "coordinate 1 is -3"},
		{"95", ndarray.Range{Extent: 90}, "coordinate 1 is 95"},
		{"7", ndarray.Range{Min: 7, Extent: 50}, ""},
	} {
		text := "ImageParam in(Int(32), 1); RDom r(0, in.width()); r.where(in(r) > 2); Func out, pos; pos() = " + test.first + "; out(pos++) = in(r);"
		in := make([]int32, 100)
		for i := range in {
			in[i] = int32(i%2) * 9
		}
		arrays := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: len(in)}}, Data: []any{in}}}}
		for _, auto := range []bool{false, true} {
			p := placedPlan(t, text, auto, map[string]ndarray.Box{"out": {test.extent}})
			for _, o := range options {
				c, err := Compile(p, o)
				if err != nil {
					t.Fatal(err)
				}
				_, err = c.Run(t.Context(), arrays)
				_, interpreted := p.Run(arrays, 1)
				for _, err := range []error{err, interpreted} {
					if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
						t.Errorf("from %s into %v: %v, wanted %q", test.first, test.extent, err, test.want)
					}
				}
			}
		}
	}
}

// endingContext is a context that ends after it was asked so many times.
type endingContext struct {
	context.Context
	asked *atomic.Int64
}

func (c endingContext) Err() error {
	if c.asked.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestPlacedCanceled ends the context at every place of a run in slices: the run gives an error, or all elements.
func TestPlacedCanceled(t *testing.T) {
	p := placedPlan(t, lowertest.PlacedPrograms()[0].Text, true, nil)
	c, err := Compile(p, Options{Goroutines: 3, Grain: 64, Block: 16})
	if err != nil {
		t.Fatal(err)
	}
	in := make([]int32, 300)
	for i := range in {
		in[i] = 9
	}
	arrays := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: len(in)}}, Data: []any{in}}}}
	failed := 0
	for asks := range int64(200) {
		ctx := endingContext{t.Context(), new(atomic.Int64)}
		ctx.asked.Store(asks)
		out, err := c.Run(ctx, arrays)
		if err != nil {
			failed++
		} else if !slices.Equal(out["out"].Data[0].([]int32), in) {
			t.Errorf("a context that ends after %d questions leaves %v", asks, out["out"].Data[0])
		}
	}
	if failed == 0 || failed == 200 {
		t.Errorf("%d of 200 runs failed", failed)
	}
}
