package exec

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scans"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// TestTilesOnProcessors wants the same bytes on one processor and on four, of floats whose sums round: what a scan gives depends on its tile and tree.
func TestTilesOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(33, 12))
	for _, update := range []string{"f(r - 1) + in(r)", "f(r - 1)*in(r)", "f(r - 1)*0.9f + in(r)", "in(r) + 0.5f*f(r - 1) - 0.25f*f(r - 2)", "max(f(r - 1), in(r))"} {
		for _, schedule := range []string{"scan(r, 40).parallel(r)", "scan(r, 40).vectorize(r, 8).parallel(r)"} {
			text := "ImageParam in(Float(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = in(x); f(r) = " + update + "; f.update(0)." + schedule + ";"
			prog, err := program.ParseProgram(ir.NewPool(), "scan.rf", text, ir.I32)
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Factor(t.Context(), prog, plan.Options{Match: rfactor.Options{Allowed: ir.AllAssumptions}})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			in := &plan.Inputs{}
			in.Arrays, in.Params = scans.Draw(rng, prog, 1000, false)
			for i := range 1000 {
				in.Arrays["in"].Elements(0).Set(i, ir.FloatBits(ir.F32, 1+rng.NormFloat64()/8))
			}
			var first *ndarray.Array
			for procs := 1; procs <= 4; procs++ {
				runtime.GOMAXPROCS(procs)
				c, err := Compile(p, Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.Run(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = got["f"]
				}
				if !sameBits(first, got["f"]) {
					t.Errorf("on %d processors other bytes than on one: %s", procs, text)
				}
			}
		}
	}
}
