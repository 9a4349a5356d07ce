package exec

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// The three versions of a benchmark give the same in blocks.
func TestVersions(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for _, name := range lowertest.Benchmarks() {
		for _, n := range []int{0, 1, 3, 70, 130} {
			if name == "circle" && n < 21 {
				continue // it reads 21 columns and rows
			}
			var want *ndarray.Array
			var in *plan.Inputs
			for _, version := range lowertest.Versions(name) {
				planned, err := lowertest.PlanOfFile("../../testdata/programs/" + version + ".rf")
				if err != nil {
					t.Fatal(err)
				}
				if in == nil {
					in = lowertest.SmallInputs(planned.Program, rng, n)
				}
				p, err := Compile(planned, Options{Block: 64, Grain: 64, Goroutines: 3})
				if err != nil {
					t.Fatal(err)
				}
				out, err := p.Run(context.Background(), in)
				if err != nil {
					t.Fatalf("%s: n = %d: %v", version, n, err)
				}
				got := out[planned.Program.Funcs[len(planned.Program.Funcs)-1].Name]
				if want == nil {
					want = got
				} else if !equal(map[string]*ndarray.Array{"": got}, map[string]*ndarray.Array{"": want}, true) {
					t.Errorf("%s: n = %d: %v, not %v", version, n, got, want)
				}
			}
		}
	}
}
