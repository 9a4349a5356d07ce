package exec

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// BenchmarkTiles times scans in tiles, and their serial loops.
func BenchmarkTiles(b *testing.B) {
	for _, text := range []string{
		"ImageParam in(Int(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1) + in(r); f.update(0).scan(r, 65536).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1) + in(r); f.update(0).scan(r, 65536).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1) + in(r); f.update(0).scan(r, 65536).parallel(r).vectorize(r, 8);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1)*0.5f + in(r); f.update(0).scan(r, 65536).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = f(r - 1)*0.5f + in(r); f.update(0).scan(r, 65536).parallel(r).vectorize(r, 8);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = max(f(r - 1), in(r)); f.update(0).scan(r, 65536).parallel(r);",
		"ImageParam in(Float(32), 1); Func f; Var x; RDom r(1, in.width() - 1); f(x) = in(0); f(r) = max(f(r - 1), in(r)); f.update(0).scan(r, 65536).parallel(r).vectorize(r, 8);",
		"ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = {0, 0}; f() = {max(f()[0], in(r)), f()[1] + select(in(r) > f()[0], 1, 0)}; f.update(0).scan(r, 65536).parallel(r);",
	} {
		for _, ways := range []int{0, 1, 2} { // the serial loop, and tiles on goroutines
			prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
			if err != nil {
				b.Fatal(err)
			}
			p, err := plan.Factor(b.Context(), prog, plan.Options{Match: rfactor.Options{Allowed: ir.AllAssumptions}})
			if err != nil {
				b.Fatal(err)
			}
			if ways == 0 {
				p.Stages[1].Scan = nil
			}
			c, err := Compile(p, Options{Goroutines: max(ways, 1)})
			if err != nil {
				b.Fatal(err)
			}
			const n = 1 << 20
			in := &plan.Inputs{}
			in.Arrays, in.Params = scans.Draw(rand.New(rand.NewPCG(1, 1)), prog, n, true)
			b.Run(fmt.Sprintf("%s/%d", prog.Definitions()[0].Text(), ways), func(b *testing.B) {
				for b.Loop() {
					if _, err := c.Run(b.Context(), in); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
			})
		}
	}
}
