package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Rows that lie one behind another, and others: the coordinates that are found are the serial ones in both.
func TestLongRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, text := range []string{
		"ImageParam in(UInt(8), 3); Param<int> n; Func f; RDom r(0, n, 0, n, 0, n); Expr v = in(r.x, r.y, r.z); f() = Tuple(255, 0, 0, 0); Expr keep = f()[0] < v; f() = Tuple(min(f()[0], v), select(keep, f()[1], r.x), select(keep, f()[2], r.y), select(keep, f()[3], r.z));",
		"ImageParam in(UInt(8), 3); Param<int> n; Func f; RDom r(0, n, 0, n, 0, n); Expr v = in(r.x, r.y, r.z); f() = Tuple(255, 0, 0); Expr keep = f()[0] <= v; f() = Tuple(min(f()[0], v), select(keep, f()[1], r.y*n + r.x), select(keep, f()[2], r.z)); Var u; f.update(0).rfactor(r.z, u).compute_root().update(0).parallel(u);",
		"ImageParam in(UInt(8), 3); Param<int> n; Func f; RDom r(0, n, 0, n, 0, n); f() = 0; f() += cast<int>(in(r.x, r.y, r.z));",
		"ImageParam in(UInt(8), 3); Param<int> n; Func f; Var x; RDom r(0, n, 0, n); f(x) = cast<uint8_t>(0); f(x) = max(f(x), in(r.x, r.y, x));",
		"ImageParam in(UInt(8), 3); Param<int> n; Func f; RDom r(0, n, 0, n, 0, n); f() = 1; f() = f()*3 + cast<int>(in(r.x, r.y, r.z));",
		"ImageParam in(UInt(8), 2); Param<int> n; Func f; RDom r(0, n, 0, n); f() = 0; f() += cast<int>(in(r.x, r.y)); RVar ro, ri; Var u; f.update(0).split(r.y, ro, ri, 2).rfactor(ro, u).compute_root().update(0).parallel(u);",
		"ImageParam in(UInt(8), 2); Param<int> n; Func f; Var x; RDom r(0, n, 0, n); f(x) = 0; f(clamp(cast<int>(in(r.x, r.y)), 0, 3)) += 1; RVar ro, ri; Var u; f.update(0).split(r.y, ro, ri, 2).rfactor(ro, u).compute_root().update(0).parallel(u);",
		"ImageParam in(UInt(8), 2); Param<int> n; Func f; RDom r(0, n, 0, n); Expr v = in(r.x, r.y); f() = Tuple(255, 0, 0); Expr keep = f()[0] < v; f() = Tuple(min(f()[0], v), select(keep, f()[1], r.x), select(keep, f()[2], r.y)); RVar ro, ri; Var u; f.update(0).split(r.y, ro, ri, 4).rfactor(ro, u).compute_root().update(0).parallel(u);",
		"ImageParam in(UInt(8), 2); Param<int> n; Func f; RDom r(0, n, 0, n - 1); f() = 0; f() += cast<int>(in(r.x, r.y + 1)) - cast<int>(in(r.x, r.y)); RVar ro, ri; Var u; f.update(0).split(r.y, ro, ri, 3).rfactor(ro, u).compute_root().update(0).parallel(u);",
	} {
		prog := lowertest.Parse(t, "long.rf", text)
		opts := lowertest.Defaults()
		opts.Extents = map[string]ndarray.Box{}
		for range 40 {
			n := []int{0, 1, 2, 3, 5, 9}[rng.IntN(6)]
			if len(prog.Funcs[0].Args) > 0 {
				extent := n
				if strings.Contains(text, "clamp") {
					extent = 4
				}
				opts.Extents["f"] = ndarray.Box{{Extent: extent}}
			}
			planned, err := plan.Factor(context.Background(), prog, opts)
			if err != nil {
				t.Fatal(err)
			}
			in := lowertest.SmallInputs(prog, rng, n)
			dims := in.Arrays["in"].Dims
			if d := rng.IntN(4); d < len(dims) {
				dims[d].Extent += rng.IntN(3)
			}
			a := ndarray.New(prog.Inputs[0].Types, dims...)
			for to, i := a.Elements(0), 0; i < to.Len(); i++ {
				to.Set(i, uint64(rng.IntN(4)))
			}
			in.Arrays["in"] = a
			agree(t, fmt.Sprint(dims, " n = ", n, "\n", text), planned, in, opts)
		}
	}
}

// A search among narrow values begins with a key that none of them may be.
func TestNarrowSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, from := range []string{"u8", "i8", "u16", "i16", "u32"} {
		for _, to := range []string{"i32", "i64", "u64", "u16"} {
			for _, key := range []string{"-300", "-1", "0", "3", "127", "255", "256", "70000"} {
				for _, update := range []string{"min < first", "min <= last", "max > first", "max >= last"} {
					var op, cmp, which string
					fmt.Sscan(update, &op, &cmp, &which)
					text := fmt.Sprintf("ImageParam in(%s, 1); Func f; RDom r(0, in.width()); Expr v = cast<%s>(in(r)); f() = {cast<%s>(cast<i32>(%s)), -1}; f() = {%s(f()[0], v), select(v %s f()[0], r, f()[1])};", from, to, to, key, op, cmp)
					prog := lowertest.Parse(t, "narrow.rf", text)
					p, err := plan.Factor(context.Background(), prog, lowertest.Defaults())
					if err != nil {
						t.Fatal(err)
					}
					in := lowertest.SmallInputs(prog, rng, []int{0, 1, 2, 9, 200}[rng.IntN(5)])
					for to, i := in.Arrays["in"].Elements(0), 0; i < to.Len(); i++ {
						if rng.IntN(3) == 0 {
							to.Set(i, prog.Inputs[0].Types[0].Wrap(rng.Uint64()))
						}
					}
					agree(t, text, p, in, lowertest.Defaults())
				}
			}
		}
	}
}
