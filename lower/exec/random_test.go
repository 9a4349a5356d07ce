package exec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// reductions are updates f() = … over the input in, the type T in their place; z is the
// initial value.
var reductions = []struct {
	types  string // int, float, all
	init   string
	update string
}{
	{"all", "T(0)", "f() + in(r)"},
	{"all", "T(1)", "f() * in(r)"},
	{"all", "T(3)", "min(f(), in(r))"},
	{"all", "T(3)", "max(in(r), f())"},
	{"all", "T(0)", "f() - in(r)"},
	{"all", "T(0)", "f() + in(r)*b(r)"},
	{"all", "T(0)", "f() + abs(in(r))"},
	{"all", "T(0)", "max(f(), abs(in(r)))"},
	{"all", "T(0)", "select(in(r) < b(r), f() + in(r), f())"},
	{"all", "T(0)", "f() + select(in(r) > T(1), T(1), T(0))"},
	{"all", "T(0)", "select(in(r) <= T(1), f() + T(1), f())"},
	{"int", "T(0)", "select(in(r) % T(4) == b(r), f() + T(1), f())"},
	{"int", "T(0)", "f() + select(in(r) % T(2) == T(0), T(1), T(0))"},
	{"int", "T(0)", "f() + select((in(r) & T(3)) != T(2), T(1), T(0))"},
	{"all", "T(2)", "select(in(r) < f(), in(r), f())"},
	{"all", "T(2)", "select(f() < in(r), in(r), f())"},
	{"int", "T(0)", "f() ^ in(r)"},
	{"int", "T(0)", "f() | (in(r) << b(r))"},
	{"int", "T(7)", "f() & ~in(r)"},
	{"int", "T(0)", "f() + in(r) % b(r)"},
	{"int", "T(0)", "f() + in(r) / b(r)"},
	{"int", "T(0)", "saturating_add(f(), in(r))"},
	{"int", "T(0)", "f() + (in(r) >> 1) + b(r)"},
	{"int", "T(0)", "gcd(f(), in(r))"},
	{"int", "{T(12), T(0)}", "{gcd(in(r)*b(r), f()[0]), f()[1] + b(r)}"},
	{"int", "T(0)", "f() + popcount(in(r)) + clz(b(r))*ctz(in(r))"},
	{"int", "T(0)", "f() ^ bitreverse(in(r)) ^ gcd(in(r), b(r)) ^ lcm(in(r), b(r))"},
	{"int", "T(0)", "f() + quo(in(r), b(r)) - rem(in(r), b(r)) + quo(in(r), T(3))"},
	{"int", "T(0)", "f() ^ rotl(in(r), T(3)) ^ rotl(in(r), b(r)) ^ mulhi(in(r)*T(77), b(r))"},
	{"int", "T(0)", "max(f(), let i = in(r) in table(i, 5, 3, 9, 9, 12, 40, 2) + i)"},
	{"float", "T(-9)", "max(f(), floor(in(r)*T(0.3)) + round(b(r)*T(0.5)))"},
	{"float", "T(-9)", "max(f(), sin(in(r)) + cos(b(r))*tanh(in(r)) + log1p(abs(in(r))) + exp2(b(r)))"},
	{"all", "{T(3), 0}", "{min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r)}"},
	{"all", "{T(3), 0}", "{min(f()[0], in(r)), select(f()[0] <= in(r), f()[1], r)}"},
	{"int", "{T(3), 0}", "{min(f()[0], in(r)*b(r)), select(f()[0] < in(r)*b(r), f()[1], r)}"},
	{"int", "{T(3), 0}", "{max(f()[0], in(r) ^ b(r)), select(f()[0] >= (in(r) ^ b(r)), f()[1], r)}"},
	{"all", "{T(0), 0}", "{max(f()[0], in(r)), select(f()[0] > in(r), f()[1], r)}"},
	{"all", "{T(0), 0}", "{select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], r, f()[1])}"},
	{"all", "{T(3), 0, T(0)}", "{min(f()[0], in(r)), select(f()[0] < in(r), f()[1], r), f()[2] + b(r)}"},
	{"all", "{T(1), T(0)}", "{f()[0]*in(r) - f()[1]*b(r), f()[0]*b(r) + f()[1]*in(r)}"},
	{"all", "{T(9), T(9)}", "{select(in(r) < f()[0], in(r), f()[0]), select(in(r) < f()[0], f()[0], min(f()[1], in(r)))}"},
	{"all", "{T(0), T(0)}", "{f()[0] + in(r), f()[1] + b(r)*b(r)}"},
	{"int", "{T(1), T(2)}", "{f()[0]*in(r)*T(2), f()[0]*b(r)*T(2) + f()[1]*in(r)*T(2)}"},
	{"all", "T(0)", "f() + in(r) until in(r) > b(r)"},
	{"all", "T(0)", "max(f(), in(r)) until after in(r) == b(r)"},
	{"all", "0", "r + 1 until in(r) == T(2)"},
	{"all", "{T(0), 7}", "{f()[0] + b(r), select(in(r) < b(r), r, f()[1])} until in(r) == T(1) || r > 40"},
	{"all", "true", "f() && in(r) <= b(r)"},
	{"all", "false", "f() || !(in(r) <= b(r))"},
	{"all", "{T(0), false}", "{f()[0] + select(f()[1], T(0), in(r)), f()[1] || in(r) > b(r)}"},
}

var schedules = []string{
	"",
	"f.update(0).split(r, ro, ri, %d).rfactor(ro, u).compute_root().update(0).parallel(u);",
	"f.update(0).split(r, ro, ri, %d).rfactor(ri, u).compute_root().update(0).vectorize(u);",
	"f.update(0).split(r, ro, ri, %d).rfactor(ro, u).compute_root().update(0).parallel(u).split(ri, rio, rii, 3).rfactor(rii, v).compute_root();",
	"f.update(0).split(r, ro, ri, %d).split(ri, rio, rii, 4).rfactor({{ro, u}, {rio, v}}).compute_root().update(0).parallel(v);",
}

// Every reduction of every type, with every schedule that it can have. The sample is one in ten, in CI in four.
func TestReductions(t *testing.T) {
	rng := lowertest.Rand(4)
	ran, refused := 0, 0
	for _, red := range reductions {
		for _, et := range lowertest.ElementTypes() {
			if red.types == "int" && et.T.IsFloat() || red.types == "float" && !et.T.IsFloat() {
				continue
			}
			for _, s := range schedules {
				where := ""
				// Complex numbers of which the condition excludes 0 have products that no float holds.
				exact := !et.T.IsFloat() || !strings.Contains(red.update, "f()[0]*in(r)")
				if rng.IntN(4) == 0 && exact {
					where = "r.where(in(r) < b(r));\n"
				}
				if !lowertest.Full() && rng.IntN(suite.More(10, 4)) > 0 {
					continue
				}
				if strings.Contains(s, "%d") {
					s = fmt.Sprintf(s, []int{1, 2, 7, 16, 100}[rng.IntN(5)])
				}
				cast := "cast<" + et.T.String() + ">"
				text := fmt.Sprintf("ImageParam in(%s, 1), b(%s, 1);\nFunc f;\nf() = %s;\nRDom r(0, in.width());\n%sf() = %s;\nRVar ro, ri, rio, rii;\nVar u, v;\n%s\n",
					et.Halide, et.Halide, red.init, where, red.update, s)
				text = strings.ReplaceAll(text, "T(", cast+"(")
				sizes := lowertest.Sizes()
				if et.T.IsFloat() && strings.Contains(red.update, "f()[0]*in(r)") { // more factors have products that are rounded
					sizes = slices.DeleteFunc(slices.Clone(sizes), func(n int) bool { return n > 16 })
				}
				if runReduction(t, text, rng, sizes) {
					ran++
				} else {
					refused++
				}
			}
		}
	}
	t.Logf("%d programs ran, %d schedules were refused", ran, refused)
	if ran < refused && lowertest.Full() {
		t.Errorf("%d of %d schedules were refused", refused, ran+refused)
	}
}

func runReduction(t *testing.T, text string, rng *rand.Rand, sizes []int) bool {
	prog := lowertest.Parse(t, "test.rf", text)
	p, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		return false
	}
	n := sizes[rng.IntN(len(sizes))]
	agree(t, fmt.Sprintf("n = %d\n%s", n, text), p, lowertest.SmallInputs(prog, rng, n), lowertest.Defaults())
	return true
}

// Programs beyond reductions into one element.
var otherPrograms = []string{
	"ImageParam in(Int(32), 1); Func f; Var x; f(x) = in(x); RDom r(0, in.width()); f(r) = f(r)*2 + in(in.width() - 1 - r);",
	"ImageParam in(Int(32), 1); Func f; Var x; f(x) = in(x); RDom r(0, in.width()); f(r) = f(r) + f(in.width() - 1 - r);",
	"ImageParam in(Float(32), 2); Func f; Var x; f(x) = 0.0f; RDom r(0, in.width(), 0, in.height()); f(r.x) += in(r.x, r.y);",
	"ImageParam in(Float(32), 2); Func f; Var y; f(y) = 0.0f; RDom r(0, in.width(), 0, in.height()); f(r.y) += in(r.x, r.y);",
	"ImageParam in(UInt(8), 2); Func f; Var x; f(x) = 0; RDom r(0, in.width(), 0, in.height()); r.where(r.x > r.y); f(cast<int>(in(r.x, r.y))) += r.x;",
	"ImageParam in(UInt(8), 1); Func f; Var x; f(x) = {0, -1}; RDom r(0, in.width()); f(in(r) % 4) = {f(in(r) % 4)[0] + 1, r};",
	"ImageParam in(UInt(8), 1); Func f; Var x; f(x) = cast<uint8_t>(0); RDom r(0, in.width()); f(clamp(cast<int>(in(r)), 1, 3)) = max(f(clamp(cast<int>(in(r)), 1, 3)), in(r));",
	"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = f() + select(r > 0, in(r - 1), 7) + select(r < in.width() - 2, in(r + 2), 1);",
	"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = f()*31 + in(r);",
	"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); r.where(in.width() > 2); r.where(in(r) != 1); f() = f() + r;",
	"ImageParam in(Int(32), 1); Func f; Var x; f(x) = {in(x), x}; RDom r(0, in.width()); f(r) = {f(r)[1], f(r)[0]};",
	"ImageParam in(Int(32), 1), b(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = f() + in(clamp(b(r), 0, in.width() - 1));",
	"ImageParam in(Int(64), 1); Func f; f() = cast<float>(0); RDom r(0, in.width()); f() = f() + cast<float>(in(r)) * 0.5f;",
	"ImageParam in(Float(32), 1); Func f; f() = cast<double>(0); RDom r(0, in.width()); f() = f() + cast<double>(in(r)); RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 30).rfactor(ro, u).compute_root().update(0).parallel(u);",
	"ImageParam in(Float(64), 1); Func f; f() = cast<bool>(0); RDom r(0, in.width()); f() = f() || in(r) > 1.0f;",
	"ImageParam in(Float(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() = max(f(), cast<int>(sqrt(in(r)*in(r))) - r);",
	"ImageParam in(Int(32), 2); Func f; Var x; f(x) = 0; RDom r(0, in.width(), 0, in.height()); f(r.x) += in(r.x, r.y) until in(r.x, r.y) > 1;",
	"ImageParam in(Int(32), 2); Func f; Var y; f(y) = 0; RDom r(0, in.width(), 0, in.height()); f(r.y) += in(r.x, r.y) until in(r.x, r.y) > 1;",
	"ImageParam in(UInt(8), 2); Func f; f() = 0; RDom r(0, in.width(), 0, in.height()); f() = r.x + r.y*100 until in(r.x, r.y) == 3;",
	"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); r.where(in(r) != 0); f() += in(r) until in(r) == 3;",
	"ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, in.width()); f() += in(r) until after f() > 9;",
}

func TestOtherPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, text := range otherPrograms {
		prog := lowertest.Parse(t, "test.rf", text)
		opts := lowertest.Defaults()
		opts.Extents = map[string]ndarray.Box{}
		p, err := plan.Factor(context.Background(), prog, opts)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, n := range lowertest.Sizes() {
			if n > 65 && prog.Inputs[0].Dims > 1 {
				continue
			}
			agree(t, fmt.Sprintf("n = %d\n%s", n, text), p, lowertest.SmallInputs(prog, rng, n), opts)
		}
	}
}

// Where nothing allows another order, floats that round are combined in the plan's.
func TestExactFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	opts := plan.Options{}
	for _, red := range reductions {
		for _, et := range lowertest.ElementTypes()[8:] {
			if red.types == "int" {
				continue
			}
			text := fmt.Sprintf("ImageParam in(%s, 1), b(%s, 1);\nFunc f;\nf() = %s;\nRDom r(0, in.width());\nf() = %s;\n", et.Halide, et.Halide, red.init, red.update)
			prog := lowertest.Parse(t, "test.rf", strings.ReplaceAll(text, "T(", "cast<"+et.T.String()+">("))
			p, err := plan.Factor(context.Background(), prog, opts)
			if err != nil {
				t.Fatal(err)
			}
			in := lowertest.SmallInputs(prog, rng, 1000)
			for _, a := range in.Arrays {
				for to, i := a.Elements(0), 0; i < to.Len(); i++ {
					to.Set(i, ir.FloatBits(et.T, []float64{rng.NormFloat64(), rng.Float64(), 0, math.Copysign(0, -1), 1e9 * rng.Float64()}[rng.IntN(5)]))
				}
			}
			agree(t, text, p, in, opts)
		}
	}
}

// What is wrong with a run is said of the variable.
func TestRunErrors(t *testing.T) {
	const text = "ImageParam in(Int(32), 1); Param<int> n; Func f; f() = 0; RDom r(0, n); f() = f() + in(r*2);"
	prog := lowertest.Parse(t, "test.rf", text)
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	ints := func(n int) *ndarray.Array { return ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: n}) }
	for _, c := range []struct {
		in    *ndarray.Array
		param uint64
		want  string
	}{
		{nil, 1, "the input in is missing"},
		{ndarray.New([]ir.Type{ir.F32}, ndarray.Range{Extent: 1}), 1, "the input in is declared [i32] and holds [f32]"},
		{&ndarray.Array{Data: []any{[]int32{1}}}, 1, "the input in is declared with 1 dimensions and has 0"},
		{&ndarray.Array{Dims: ndarray.Box{{Extent: 2}}, Data: []any{[]int32{1}}}, 1, "the input in has 1 elements of component 0, where its dimensions make 2"},
		{ints(9), 1 << 40, "the parameter n is i32, and 0x10000000000 is none"},
		{ints(9), 6, "update of f: in is read where it has no element: coordinate 1 is 10, outside of 0..8 (in(r*2))"},
		{ints(9), 5, ""},
	} {
		for _, o := range options {
			p, err := Compile(planned, o)
			if err != nil {
				t.Fatal(err)
			}
			in := &plan.Inputs{Arrays: map[string]*ndarray.Array{}, Params: map[string]uint64{"n": c.param}}
			if c.in != nil {
				in.Arrays["in"] = c.in
			}
			got := ""
			if _, err := p.Run(context.Background(), in); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		}
	}
}

// Coordinates are i32, and none is taken for another by wrapping.
func TestCoordinateRange(t *testing.T) {
	const text = "ImageParam in(Int(32), 1); Param<int> n; Func f; f() = 0; RDom r(n, 2); f() = f() + in(r - 2147483645);"
	prog := lowertest.Parse(t, "test.rf", text)
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[uint64]string{
		2147483645: "",
		2147483647: "coordinates of r would be greater than 2147483647",
	} {
		p, err := Compile(planned, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 2})}, Params: map[string]uint64{"n": n}}
		got := ""
		if _, err := p.Run(context.Background(), in); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Several runs of one program do not disturb one another.
func TestRunsAtOnce(t *testing.T) {
	const text = "ImageParam in(Int(32), 1); Func f; f() = {0, 0}; RDom r(0, in.width()); f() = {f()[0] + in(r), in(r)}; RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 10).rfactor(ro, u).compute_root().update(0).parallel(u);"
	prog := lowertest.Parse(t, "test.rf", text)
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(planned, Options{Grain: 1, Goroutines: 3})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			a := ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 100})
			setAll(a.Data[0].([]int32), int32(i))
			out, err := p.Run(context.Background(), &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}})
			if err != nil || out["f"].Data[0].([]int32)[0] != int32(100*i) || out["f"].Data[1].([]int32)[0] != int32(i) {
				t.Error(i, out, err)
			}
		})
	}
	wg.Wait()
}

// A run ends with its context. This one would take hours.
func TestRunCanceled(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no timer fires while the one thread runs")
	}
	prog := lowertest.Parse(t, "test.rf", "ImageParam in(Int(32), 1); Func f; f() = 0; RDom r(0, 2000000000, 0, 20000); f() = f() + in(r.x % 2);")
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(planned, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 2})}}
	if _, err := p.Run(ctx, in); err != context.DeadlineExceeded {
		t.Errorf("error %v", err)
	}
}

// A program that ran on other inputs, of other sizes, gives what a new one gives.
func TestRunAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	var texts []string
	texts = append(texts, otherPrograms...)
	for i, red := range reductions {
		s := schedules[i%len(schedules)]
		if strings.Contains(s, "%d") {
			s = fmt.Sprintf(s, []int{1, 7, 100}[rng.IntN(3)])
		}
		halide, cast := "Int(32)", "cast<i32>("
		if red.types == "float" {
			halide, cast = "Float(32)", "cast<f32>("
		}
		text := fmt.Sprintf("ImageParam in(%s, 1), b(%s, 1);\nFunc f;\nf() = %s;\nRDom r(0, in.width());\nf() = %s;\nRVar ro, ri, rio, rii;\nVar u, v;\n%s\n", halide, halide, red.init, red.update, s)
		texts = append(texts, strings.ReplaceAll(text, "T(", cast))
	}
	for _, name := range []string{"argmin2d", "argmin4d", "histogram", "circle", "matmul", "sum-lanes", "kitchen-sink", "horner", "histogram-by-hand"} {
		text, err := os.ReadFile("../../testdata/programs/" + name + ".rf")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		prog := lowertest.Parse(t, "test.rf", text)
		planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
		if err != nil {
			continue
		}
		for _, o := range options {
			p, err := Compile(planned, o)
			if err != nil {
				t.Fatal(err)
			}
			for range suite.More(2, 6) {
				in := lowertest.SmallInputs(prog, rng, []int{0, 1, 2, 9, 21, 21, 22, 64}[rng.IntN(8)])
				fresh, err := Compile(planned, o)
				if err != nil {
					t.Fatal(err)
				}
				want, wrong := fresh.Run(context.Background(), in)
				got, err := p.Run(context.Background(), in)
				if fmt.Sprint(err) != fmt.Sprint(wrong) {
					t.Fatalf("%+v: error %v, want %v\n%s", o, err, wrong, text)
				}
				for name, w := range want {
					if !reflect.DeepEqual(got[name], w) {
						t.Fatalf("%+v: got %v, want %v\n%s", o, got[name], w, text)
					}
				}
			}
		}
	}
}

// Coordinates whose products wrap are outside all the same.
func TestFarRowErrors(t *testing.T) {
	const text = "ImageParam in(Int(32), 2); Param<int> n, m; Func f; f() = 0; RDom r(0, in.width(), 0, n); f() = f() + in(r.x, r.y + m);"
	prog := lowertest.Parse(t, "test.rf", text)
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(planned, Options{Compile: 1})
	if err != nil {
		t.Fatal(err)
	}
	a := ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 1 << 9}, ndarray.Range{Extent: 4})
	setAll(a.Data[0].([]int32), 1)
	for _, c := range []struct {
		n, m  int64
		wrong bool
	}{
		{4, 0, false}, {2, 2, false}, {0, 77, false}, {-1 << 30, 0, false},
		{2, 3, true}, {2, -1, true}, {2, 1 << 23, true}, // times 512 is 0 in 32 bits
	} {
		out, err := p.Run(context.Background(), &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}, Params: map[string]uint64{"n": uint64(c.n), "m": uint64(c.m)}})
		switch {
		case !c.wrong && (err != nil || int64(out["f"].Data[0].([]int32)[0]) != max(c.n, 0)<<9):
			t.Errorf("n = %d, m = %d: %v, %v", c.n, c.m, out["f"], err)
		case c.wrong && (err == nil || !strings.Contains(err.Error(), "in is read where it has no element: coordinate 2 is")):
			t.Errorf("n = %d, m = %d: error %v", c.n, c.m, err)
		}
	}
}

// Spans may depend on data, of arrays of one size.
func TestRunAgainOnData(t *testing.T) {
	prog := lowertest.Parse(t, "test.rf", "ImageParam in(Int(32), 2), n(Int(32), 1); Func f; f() = 0; RDom r(0, n(0), 0, n(1)); f() = f() + in(r.x, r.y);")
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(planned, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := ndarray.New([]ir.Type{ir.I32}, ndarray.Range{Extent: 9}, ndarray.Range{Extent: 9})
	setAll(a.Data[0].([]int32), 1)
	for _, n := range [][]int32{{9, 9}, {3, 9}, {9, 3}, {0, 2}, {9, 9}} {
		in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a, "n": {Dims: ndarray.Box{{Extent: 2}}, Data: []any{n}}}}
		out, err := p.Run(context.Background(), in)
		if err != nil || out["f"].Data[0].([]int32)[0] != n[0]*n[1] {
			t.Errorf("%v: %v, %v", n, out["f"], err)
		}
	}
}

func setAll(data []int32, v int32) {
	for i := range data {
		data[i] = v
	}
}

// Lanes along pure dimensions: every program gives what the interpreter gives, bit for bit.
func TestDense(t *testing.T) {
	rng := lowertest.Rand(22)
	draws := suite.More(24, 60)
	if lowertest.Full() {
		draws = 1000
	}
	ran := 0
	for i := range draws {
		text := lowertest.DrawDense(lowertest.ElementTypes()[i%len(lowertest.ElementTypes())], rng)
		prog := lowertest.Parse(t, "dense.rf", text)
		p, err := plan.Factor(t.Context(), prog, lowertest.Defaults())
		if err != nil {
			continue
		}
		ran++
		n := []int{0, 1, 2, 3, 7, 17, 24}[rng.IntN(7)]
		agree(t, fmt.Sprintf("n = %d\n%s", n, text), p, lowertest.SmallInputs(prog, rng, n), lowertest.Defaults())
	}
	if ran < draws*3/4 {
		t.Errorf("%d of %d programs ran", ran, draws)
	}
}
