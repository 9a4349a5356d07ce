package exec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Wherever NaN and zeros of both signs lie, the serial loop's value and place come out: of eight
// inputs of each program, and of three in the sample.
func TestFloatSearch(t *testing.T) {
	rng := lowertest.Rand(24)
	rounds := 8
	if !lowertest.Full() {
		rounds = 3
	}
	searched := 0
	for _, update := range lowertest.FloatSearches() {
		for _, et := range lowertest.ElementTypes()[8:] {
			init := []string{"1e30f", "-1e30f", "0.0f", "-0.0f"}[rng.IntN(4)]
			text := fmt.Sprintf("ImageParam in(%s, 1); Func f; f() = {cast<%s>(%s), -7}; RDom r(0, in.width()); f() = %s;", et.Halide, et.T, init, update)
			prog := lowertest.Parse(t, "test.rf", text)
			planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
			if err != nil {
				t.Fatal(err)
			}
			p, err := Compile(planned, Options{})
			if err != nil {
				t.Fatal(err)
			}
			searched += len(p.nests[len(p.nests)-1].Searches)
			for range rounds {
				in := lowertest.SmallInputs(prog, rng, []int{0, 1, 2, 9, 64, 200, 5000}[rng.IntN(7)])
				drawFloats(in.Arrays["in"].Elements(0), et.T, rng)
				agree(t, text, planned, in, lowertest.Defaults())
			}
		}
	}
	if searched < len(lowertest.FloatSearches()) {
		t.Errorf("%d searches in %d programs", searched, 2*len(lowertest.FloatSearches()))
	}
}

// drawFloats draws few different values, and now and then what is special.
func drawFloats(data ndarray.Elements, t ir.Type, rng *rand.Rand) {
	kind := rng.IntN(5)
	for i := range data.Len() {
		v := float64(rng.IntN(5) - 2)
		switch {
		case kind == 0 && rng.IntN(20) == 0, kind == 1 && rng.IntN(300) == 0:
			v = math.NaN()
		case kind == 2 && rng.IntN(9) == 0:
			v = math.Inf(1 - 2*rng.IntN(2))
		case kind == 3:
			v = math.Copysign(0, float64(1-2*rng.IntN(2)))
		case kind == 4:
			v = rng.NormFloat64()
		case v == 0:
			v = math.Copysign(0, float64(1-2*rng.IntN(2)))
		}
		data.Set(i, ir.FloatBits(t, v))
	}
}

// The listing of the README with floats, in slices: without NaN the plan's answer is the
// serial one.
func TestFloatSearchInSlices(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, update := range lowertest.FloatSearches() {
		text := fmt.Sprintf("ImageParam in(Float(32), 1); Func f; f() = {%s, -7}; RDom r(0, in.width()); f() = %s; RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 50).rfactor(ro, u).compute_root().update(0).parallel(u);",
			map[bool]string{false: "1e30f", true: "-1e30f"}[strings.Contains(update, "max") || strings.Contains(update, "in(r) >")], update)
		prog := lowertest.Parse(t, "test.rf", text)
		p, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
		if err != nil {
			continue
		}
		in := lowertest.SmallInputs(prog, rng, 1000)
		data := in.Arrays["in"].Data[0].([]float32)
		for i := range data {
			data[i] = float32(1 + rng.IntN(300))
		}
		agree(t, text, p, in, lowertest.Defaults())
	}
}
