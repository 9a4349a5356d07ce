package exec

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Updates of few elements run in one piece, also where the same execution ran many before, and many again after them.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		name, text string
		few, many  int // elements below and above the limit, which is 800 operations; some steps take too many operations for two processors
	}{
		{"sum", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = 0; f() += in(r);", 799, 800},
		{"bytes", "ImageParam in(UInt(8), 1); Func f; RDom r(0, in.width()); f() = 5; f() += cast<int>(in(r));", 399, 400},
		{"steps", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = 3; f() = f()*5 + in(r);", 399, 400},
		{"dear", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = {1, 2}; f() = {(f()[0] ^ (f()[0] >> 1)) ^ in(r), (f()[1] ^ (f()[1] << 1)) ^ in(r)};", 1000, 1000},
	} {
		text := c.text + " RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 16).rfactor(ro, u).compute_root().update(0).parallel(u);"
		prog := lowertest.Parse(t, c.name, text)
		planned, err := plan.Factor(t.Context(), prog, lowertest.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(planned, Options{Grain: 100, Goroutines: 2})
		if err != nil {
			t.Fatal(err)
		}
		rng := lowertest.Rand(71)
		for _, n := range []int{c.few, c.many, 1000, c.few, 0, 300} {
			in := lowertest.SmallInputs(prog, rng, n)
			run := newExecution(p)
			if err := run.start(context.Background(), in); err != nil {
				t.Fatal(err)
			}
			if got, want := run.whole[len(run.whole)-1], n <= c.few; got != want {
				t.Errorf("%s: %d elements run in one piece: %v, not %v", c.name, n, got, want)
			}
			want, err := plan.RunSerial(prog, lowertest.Defaults(), in)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Run(t.Context(), in); err != nil || !equal(got, want, true) {
				t.Errorf("%s: %d elements: %v, %v, not %v", c.name, n, err, describe(got), describe(want))
			}
		}
	}
}
