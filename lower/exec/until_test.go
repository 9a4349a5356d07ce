package exec

import (
	"fmt"
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
			c, err := Compile(p, Options{Goroutines: 3, Grain: 8, Block: 5})
			if err != nil {
				t.Fatal(err)
			}
			for n := range 60 {
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
				var got []any
				for _, d := range out["f"].Data {
					switch d := d.(type) {
					case []int32:
						got = append(got, d[0])
					case []bool:
						got = append(got, d[0])
					}
				}
				if want := test.loop(in); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s\n%v: %v, a loop of Go gives %v", text, in, got, want)
				}
			}
		}
	}
}
