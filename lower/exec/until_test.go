package exec

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// endings are loops over in that end early, as programs and as Go writes them.
var endings = []struct {
	init, update string
	loop         func(in []int32) []any
}{
	{"0", "f() += in(r) until in(r) < 0", func(in []int32) []any {
		s, ended := int32(0), false
		for _, v := range in {
			if ended = v < 0; ended {
				break
			}
			s += v
		}
		return []any{s, ended}
	}},
	{"0", "f() = r + 1 until in(r) == 7", func(in []int32) []any {
		s, ended := int32(0), false
		for i, v := range in {
			if ended = v == 7; ended {
				break
			}
			s = int32(i) + 1
		}
		return []any{s, ended}
	}},
	{"-1", "f() = select(in(r) % 2 == 0, r, f()) until after in(r) == 7", func(in []int32) []any {
		s, ended := int32(-1), false
		for i, v := range in {
			if v%2 == 0 {
				s = int32(i)
			}
			if ended = v == 7; ended {
				break
			}
		}
		return []any{s, ended}
	}},
	{"{0, -100}", "f() = {f()[0] + 1, max(f()[1], in(r))} until in(r) > 8", func(in []int32) []any {
		n, most, ended := int32(0), int32(-100), false
		for _, v := range in {
			if ended = v > 8; ended {
				break
			}
			n, most = n+1, max(most, v)
		}
		return []any{n, most, ended}
	}},
	{"0", "f() = max(f(), in(r)) until f() > 8", func(in []int32) []any {
		most, ended := int32(0), false
		for _, v := range in {
			if ended = most > 8; ended {
				break
			}
			most = max(most, v)
		}
		return []any{most, ended}
	}},
}

// A loop that ends early gives in slices what it gives in Go: where it ends in the first slice, in a later one, in several, at
// their borders, and nowhere.
func TestEndings(t *testing.T) {
	rng := lowertest.Rand(51)
	sizes := []int{700, 3000}
	for n := range 60 {
		sizes = append(sizes, n)
	}
	for _, test := range endings {
		for _, schedule := range []string{"", "RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 16).rfactor(ro, u).compute_root().update(0).parallel(u);"} {
			text := "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = " + test.init + "; " + test.update + "; " + schedule
			prog, err := program.ParseProgram(ir.NewPool(), "until.rf", text, ir.Invalid)
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Factor(t.Context(), prog, plan.Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions}, Auto: schedule == ""})
			if err != nil {
				t.Fatal(err)
			}
			for _, stage := range p.Stages {
				if stage.Role != plan.First && stage.Ends == nil {
					t.Errorf("%s: %s of %s does not end", test.update, stage.Role, stage.Buffer.Name)
				}
			}
			c, err := Compile(p, Options{Goroutines: 3, Grain: 8, Block: 5})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range sizes {
				in := make([]int32, n)
				for i := range in {
					in[i] = rng.Int32N(7) // none ends a loop
				}
				if n > 0 && n%4 != 0 {
					in[rng.IntN(n)] = 7 - 10*rng.Int32N(2)
					in[rng.IntN(n)] = []int32{7, 9, -2}[n%3]
				}
				arrays := map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: n}}, Data: []any{in}}}
				out, err := c.Run(t.Context(), &plan.Inputs{Arrays: arrays})
				if err != nil {
					t.Fatal(err)
				}
				interpreted, err := p.Run(&plan.Inputs{Arrays: arrays}, rng.Uint64())
				if err != nil {
					t.Fatal(err)
				}
				want := test.loop(in)
				for _, out := range []*ndarray.Array{out["f"], interpreted["f"]} {
					if got := elements(out); fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("%s\n%v: %v, a loop of Go gives %v", text, in, got, want)
					}
				}
			}
		}
	}
}

// elements are the components of an array of one element.
func elements(a *ndarray.Array) (out []any) {
	for c := range a.Data {
		switch d := a.Data[c].(type) {
		case []int32:
			out = append(out, d[0])
		case []bool:
			out = append(out, d[0])
		}
	}
	return out
}

// What a loop would read behind its end is not read, whatever goroutine would read it: it may be outside of the array.
func TestEndBeforeError(t *testing.T) {
	const text = "ImageParam in(Int(32), 1), at(Int(32), 1); Func f; RDom r(0, at.width()); f() = 0; f() += in(at(r)) until at(r) < 0; "
	for _, schedule := range []string{"", "RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 16).rfactor(ro, u).compute_root().update(0).parallel(u);"} {
		prog, err := program.ParseProgram(ir.NewPool(), "until.rf", text+schedule, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Factor(t.Context(), prog, plan.Options{Auto: schedule == ""})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compile(p, Options{Goroutines: 3, Grain: 8, Block: 5})
		if err != nil {
			t.Fatal(err)
		}
		for end := range 200 {
			at := make([]int32, 200)
			for i := end + 1; i < len(at); i++ {
				at[i] = 99 // in has 3 elements
			}
			at[end] = -1
			in := &plan.Inputs{Arrays: map[string]*ndarray.Array{
				"in": {Dims: ndarray.Box{{Extent: 3}}, Data: []any{[]int32{2, 3, 4}}},
				"at": {Dims: ndarray.Box{{Extent: len(at)}}, Data: []any{at}},
			}}
			out, err := c.Run(t.Context(), in)
			if err != nil {
				t.Fatalf("the loop ends at %d: %v\n%s", end, err, schedule)
			}
			if got := fmt.Sprint(elements(out["f"])); got != fmt.Sprint([]any{int32(2 * end), true}) {
				t.Fatalf("the loop ends at %d: %s\n%s", end, got, schedule)
			}
			if _, err := p.Run(in, 7); err != nil {
				t.Fatalf("the loop ends at %d, interpreted: %v", end, err)
			}
		}
		if _, err := c.Run(t.Context(), &plan.Inputs{Arrays: map[string]*ndarray.Array{
			"in": {Dims: ndarray.Box{{Extent: 3}}, Data: []any{[]int32{2, 3, 4}}},
			"at": {Dims: ndarray.Box{{Extent: 40}}, Data: []any{append(make([]int32, 39), 3)}},
		}}); err == nil {
			t.Errorf("an element outside before the end is no error\n%s", schedule)
		}
	}
}

// A sum with a budget ends where the interpreter ends it: near, far and not at all, by terms of either sign, and where it wraps.
func TestBudgets(t *testing.T) {
	rng := lowertest.Rand(52)
	for _, test := range []struct{ typ, init, update string }{
		{"Int(32)", "0", "f() + in(r) until after f() > 40000"},
		{"Int(32)", "0", "f() + in(r) until f() + in(r) > 900 || f() < 0 - 800"},
		{"Int(32)", "2147480000", "f() + in(r)*in(r) until after f() < 0"}, // which wraps
		{"Int(32)", "5", "f() + in(r) until after f() == 123"},
		{"Int(32)", "0", "f() + select(in(r) > 90, 700, 0 - 3) until f() >= 3000 && in.width() > 20"},
		{"UInt(8)", "cast<uint8_t>(0)", "f() + in(r) until after f() == 255"},
		{"UInt(32)", "cast<uint32_t>(0)", "f() + in(r) until after f() > cast<uint32_t>(50000)"},
		{"Int(64)", "cast<int64_t>(-9)", "f() + in(r) until after f() > cast<int64_t>(50000) || f() < cast<int64_t>(-2000)"},
	} {
		text := fmt.Sprintf("ImageParam in(%s, 1); Func f; RDom r(0, in.width()); f() = %s; f() = %s;", test.typ, test.init, test.update)
		prog, err := program.ParseProgram(ir.NewPool(), "budget.rf", text, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Factor(t.Context(), prog, plan.Options{Auto: true})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compile(p, Options{Block: 64})
		if err != nil {
			t.Fatal(err)
		}
		typ := prog.Inputs[0].Types[0]
		for turn := range 40 {
			a := ndarray.New([]ir.Type{typ}, ndarray.Range{Extent: rng.IntN(3000)})
			bias, spread := int64(turn%3-1), 1+rng.Int64N(100)
			for i := range a.Dims[0].Extent {
				v := bias*spread/2 + rng.Int64N(spread) - spread/2
				a.Elements(0).Set(i, ir.Eval(prog.Pool.Int(typ, v), &ir.Env{}))
			}
			in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": a}}
			out, err := c.Run(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			want, err := p.Run(in, 7)
			if err != nil {
				t.Fatal(err)
			}
			for k := range 2 {
				if g, w := out["f"].Elements(k).At(0), want["f"].Elements(k).At(0); g != w {
					t.Fatalf("%s\n%d elements around %d: component %d is %d, and %d interpreted", text, a.Dims[0].Extent, bias*spread/2, k, int64(g), int64(w))
				}
			}
		}
	}
}

// What a condition on the state reads outside of an array is an error of the loop, also where a block would be added up.
func TestBudgetError(t *testing.T) {
	prog, err := program.ParseProgram(ir.NewPool(), "budget.rf", "ImageParam in(Int(32), 1), k(Int(32), 1); Func f; RDom r(0, in.width()); f() = 0; f() += in(r) until after f() > k(in(0)) + 1000000;", ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Factor(t.Context(), prog, plan.Options{Auto: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []int32{2, 3} { // k has 3 elements
		in := make([]int32, 2000)
		in[0] = first
		arrays := map[string]*ndarray.Array{"in": {Dims: ndarray.Box{{Extent: len(in)}}, Data: []any{in}}, "k": {Dims: ndarray.Box{{Extent: 3}}, Data: []any{[]int32{99, 99, 99}}}}
		if _, err := c.Run(t.Context(), &plan.Inputs{Arrays: arrays}); (err != nil) != (first == 3) {
			t.Errorf("k(%d): %v", first, err)
		}
	}
}

// A loop over rows ends with the row in which it ends, and no plan has a partial result for each of two billion rows.
func TestRowsBehindTheEnd(t *testing.T) {
	for _, c := range []struct{ update, want string }{
		{"f() = f() + 1 until r.y > 3", "f() = [16] [true]"},
		{"f() = f() + r.x until after r.y > 3 && r.x > 2", "f() = [30] [true]"},
		{"f() = f() + 1 until r.y*r.x > 7", "f() = [15] [true]"},
	} {
		text := "Func f; RDom r(0, 4, 0, 2000000000); f() = 0; " + c.update + ";"
		prog, err := program.ParseProgram(ir.NewPool(), "rows.rf", text, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		for _, auto := range []bool{false, true} {
			p, err := plan.Factor(t.Context(), prog, plan.Options{Auto: auto, Match: rfactor.Options{Allowed: ir.DefaultAssumptions}})
			if err != nil {
				t.Fatal(err)
			}
			run, err := Compile(p, Options{Goroutines: 2})
			if err != nil {
				t.Fatal(err)
			}
			out, err := run.Run(t.Context(), &plan.Inputs{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint("f() = ", out["f"].Data[0], " ", out["f"].Data[1]); got != c.want {
				t.Errorf("%s, auto %v: %s, want %s", c.update, auto, got, c.want)
			}
			if auto {
				continue
			}
			if out, err = p.Run(&plan.Inputs{}, 1); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint("f() = ", out["f"].Data[0], " ", out["f"].Data[1]); got != c.want {
				t.Errorf("%s, interpreted: %s, want %s", c.update, got, c.want)
			}
		}
	}
}

// Arrays that are more than the memory that there is are refused before they are made.
func TestMemory(t *testing.T) {
	prog, err := program.ParseProgram(ir.NewPool(), "large.rf", "Var x; Func f; RDom r(0, 2000000000); f(x) = 0; f(r) = f(r) + r;", ir.Invalid)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Factor(t.Context(), prog, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := Compile(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	if _, err := run.Run(t.Context(), &plan.Inputs{}); err == nil || !strings.Contains(err.Error(), "its arrays would take 8.0 GB of memory, 8.0 of them f, and there are 1.1") {
		t.Errorf("got %v", err)
	}
}
