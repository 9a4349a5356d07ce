package lower

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// floatSearches are updates f() = … over the floats in(r), of which T is the type.
var floatSearches = []string{
	"{min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}",
	"{min(f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)}",
	"{min(f()[0], in(r)), select(in(r) < f()[0], r, f()[1])}",
	"{min(f()[0], in(r)), select(in(r) <= f()[0], r, f()[1])}",
	"{max(f()[0], in(r)), select(f()[0] > in(r), f()[1], r)}",
	"{max(f()[0], in(r)), select(in(r) > f()[0], r, f()[1])}",
	"{select(in(r) < f()[0], in(r), f()[0]), select(in(r) < f()[0], r, f()[1])}",
	"{select(in(r) <= f()[0], in(r), f()[0]), select(in(r) <= f()[0], r, f()[1])}",
	"{select(f()[0] < in(r), f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}",
	"{select(f()[0] <= in(r), f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)}",
	"{select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], r, f()[1])}",
	"{select(f()[0] >= in(r), f()[0], in(r)), select(f()[0] >= in(r), f()[1], r)}",
	"{select(f()[0] > in(r), in(r), f()[0]), select(f()[0] >= in(r), r, f()[1])}",
	"{select(in(r) < f()[0], in(r), f()[0]), f()[1] + r}",
	"{select(in(r) >= f()[0], in(r), f()[0]), r}",
}

// Wherever NaN and zeros of both signs lie, the serial loop's value and place come out.
func TestFloatSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	searched := 0
	for _, update := range floatSearches {
		for _, et := range elementTypes[8:] {
			init := []string{"1e30f", "-1e30f", "0.0f", "-0.0f"}[rng.IntN(4)]
			text := fmt.Sprintf("ImageParam in(%s, 1); Func f; f() = {cast<%s>(%s), -7}; RDom r(0, in.width()); f() = %s;", et.halide, et.t, init, update)
			prog := parseProgram(t, "test.rf", text)
			planned, err := plan.Factor(context.Background(), prog, defaults)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Compile(planned, RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			searched += len(p.nests[len(p.nests)-1].searches)
			for range rounds {
				in := smallInputs(prog, rng, []int{0, 1, 2, 9, 64, 200, 5000}[rng.IntN(7)])
				drawFloats(in.Arrays["in"].Elements(0), et.t, rng)
				agree(t, text, planned, in, defaults)
			}
		}
	}
	if searched < len(floatSearches) {
		t.Errorf("%d searches in %d programs", searched, 2*len(floatSearches))
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
	for _, update := range floatSearches {
		text := fmt.Sprintf("ImageParam in(Float(32), 1); Func f; f() = {%s, -7}; RDom r(0, in.width()); f() = %s; RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 50).rfactor(ro, u).compute_root().update(0).parallel(u);",
			map[bool]string{false: "1e30f", true: "-1e30f"}[strings.Contains(update, "max") || strings.Contains(update, "in(r) >")], update)
		prog := parseProgram(t, "test.rf", text)
		p, err := plan.Factor(context.Background(), prog, defaults)
		if err != nil {
			continue
		}
		in := smallInputs(prog, rng, 1000)
		data := in.Arrays["in"].Data[0].([]float32)
		for i := range data {
			data[i] = float32(1 + rng.IntN(300))
		}
		agree(t, text, p, in, defaults)
	}
}

// Kernels on vectors find what the plain ones do, NaN and zeros of both signs among the
// elements and at first.
func TestEmittedFloatSearch(t *testing.T) {
	needSIMD(t)
	dir := newModule(t)
	signature := regexp.MustCompile(`func (\w+)Kernel\((.*?)\) \(`)
	searched := 0
	for i, update := range floatSearches {
		et := elementTypes[8+i%2]
		pkg := fmt.Sprintf("p%d", i)
		p, err := sourcePlan(pkg+".rf", fmt.Sprintf("ImageParam in(%s, 1); Func f; f() = {cast<%s>(0), -7}; RDom r(0, in.width()); f() = %s; RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 65536).rfactor(ro, u).compute_root().update(0).parallel(u);", et.halide, et.t, update))
		if err != nil {
			continue // refused
		}
		files, err := Source(p, SourceOptions{})
		if err != nil {
			t.Fatal(update, err)
		}
		text := string(files["kernel_simd.go"])
		found := signature.FindStringSubmatch(text)
		if found == nil || !strings.Contains(text, "NaN is left") {
			continue
		}
		searched++
		var args []string
		for _, param := range strings.Split(found[2], ", ") {
			name, _, _ := strings.Cut(param, " ")
			args = append(args, map[string]string{"x0": "x", "x1": "-7", "first": "3", "in": "in"}[name])
			if args[len(args)-1] == "" {
				args[len(args)-1] = "1"
			}
		}
		delete(files, pkg+"_test.go")
		files["nan_test.go"] = []byte(strings.NewReplacer("PKG", pkg, "NAME", found[1], "ARGS", strings.Join(args, ", "), "TYPE", goTypes[et.t], "BITS", fmt.Sprint(et.t.Bits())).Replace(`package PKG

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNaN(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []TYPE{0, TYPE(math.Copysign(0, -1)), 1, -1, 2, TYPE(math.Inf(1)), TYPE(math.Inf(-1)), TYPE(math.NaN())}
	for range 3000 {
		in := make([]TYPE, rng.IntN(6000))
		few, rare := values[:2+rng.IntN(6)], rng.IntN(2) == 0
		for i := range in {
			in[i] = few[rng.IntN(len(few))]
		}
		if len(in) > 0 && rare {
			in[rng.IntN(len(in))] = values[7]
		}
		x := values[rng.IntN(8)]
		a0, a1 := NAMEKernel(ARGS)
		b0, b1 := NAMEPortable(ARGS)
		if math.FloatBITSbits(a0) != math.FloatBITSbits(b0) && (a0 == a0 || b0 == b0) || a1 != b1 {
			t.Fatalf("%d elements from %v: %v, %d, not %v, %d", len(in), x, a0, a1, b0, b1)
		}
	}
}
`))
		writePackage(t, filepath.Join(dir, pkg), files)
	}
	if searched < 8 {
		t.Errorf("%d of %d programs are searched on vectors", searched, len(floatSearches))
	}
	goCommand(t, dir, simdEnv, "vet", "./...")
	goCommand(t, dir, simdEnv, "test", "./...")
}
