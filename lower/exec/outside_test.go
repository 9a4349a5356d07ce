package exec

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Compiled loops stop at the same iteration as closures, with the same error, wherever an index leaves its array: at either end of a row or in between,
// in any dimension, in what is read and what is written, where a select asks for it and where a condition lets the step be done.
func TestOutside(t *testing.T) {
	rng := lowertest.Rand(91)
	number := func(n int) int { return rng.IntN(2*n+1) - n }
	failed, ran := 0, 0
	for range 400 {
		index := func(v string) string {
			switch rng.IntN(6) {
			case 0:
				return fmt.Sprintf("%s*%s", v, []string{"n", "m", "(n - m)"}[rng.IntN(3)])
			case 1:
				return fmt.Sprintf("cast<i32>(k(%s %% 4)) + %d", v, number(2))
			case 2:
				return fmt.Sprintf("%s*%d", v, []int{1 << 16, 1 << 29, 1 << 30, -1 << 30}[rng.IntN(4)])
			}
			return fmt.Sprintf("%s*%d + %d", v, number(2), number(9))
		}
		read := fmt.Sprintf("a(%s)", index("r.x"))
		if rng.IntN(2) == 0 {
			read = fmt.Sprintf("b(%s, %s)", index("r.x"), index("r.y"))
		}
		switch rng.IntN(4) {
		case 0:
			read = fmt.Sprintf("select(a(clamp(r.x, 0, 3)) > 0, %s, 5)", read)
		case 1:
			read = fmt.Sprintf("select(%s > 0, 7, a(r.y))", read)
		}
		where, target := "", fmt.Sprintf("f(%s)", []string{"0", "r.x", index("r.y"), index("r.x"), "cast<i32>(k(r.x % 4))"}[rng.IntN(5)])
		if rng.IntN(3) == 0 {
			where = fmt.Sprintf("r.where(r.x >= %d); ", rng.IntN(4))
		}
		text := fmt.Sprintf("ImageParam a(i32, 1), b(i32, 2), k(i8, 1); Param<int> n, m; Func f; Var x; RDom r(%d, %d, %d, %d); %sf(x) = 1; %s = %s*3 + %s;",
			number(2), rng.IntN(9), number(1), rng.IntN(4), where, target, target, read)
		prog := lowertest.Parse(t, "outside.rf", text)
		opts := lowertest.Defaults()
		opts.Extents = map[string]ndarray.Box{"f": {{Min: -rng.IntN(3), Extent: 1 + rng.IntN(12)}}}
		planned, err := plan.Factor(context.Background(), prog, opts)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		in := lowertest.SmallInputs(prog, rng, 1+rng.IntN(12))
		in.Params["n"], in.Params["m"] = uint64(number(3)), uint64(number(2))
		var results []string
		for _, o := range []Options{{Compile: math.MaxInt}, {Compile: 1}, {Compile: 1, Block: 3}} {
			p, err := Compile(planned, o)
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Run(context.Background(), in)
			results = append(results, fmt.Sprint(describe(out), err))
			if o.Block == 0 && err != nil {
				failed++
			} else if o.Block == 0 {
				ran++
			}
		}
		if results[0] != results[1] || results[0] != results[2] {
			t.Errorf("%s\nn = %d, m = %d: %q", text, int64(in.Params["n"]), int64(in.Params["m"]), results)
		}
	}
	if failed < 200 || ran < 100 {
		t.Errorf("%d runs fail, %d do not", failed, ran)
	}
}

// An identity that reads an element is none of a run whose update has no step: there the element may be missing.
func TestNoStep(t *testing.T) {
	prog := lowertest.Parse(t, "nostep.rf", "ImageParam a(i32, 1); Func f; Var q, u; RDom r(0, a.width() - 3, 0, 2); f(q) = -1; f(r.x % 4) = f(r.x % 4)*2 + a(2); f.update(0).rfactor(r.y, u);")
	planned, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := planned.Run(lowertest.SmallInputs(prog, lowertest.Rand(3), 1), 3); err != nil {
		t.Errorf("the interpreter of plans: %v", err)
	}
	for _, o := range options {
		p, err := Compile(planned, o)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 6 {
			in := lowertest.SmallInputs(prog, lowertest.Rand(3), n)
			want, wantErr := plan.RunSerial(prog, lowertest.Defaults(), in)
			got, err := p.Run(context.Background(), in)
			if (err == nil) != (wantErr == nil) || err == nil && !equal(got, want, true) {
				t.Errorf("%d elements: %v, %v, not %v, %v", n, describe(got), err, describe(want), wantErr)
			}
		}
	}
}
