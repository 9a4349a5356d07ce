package exec

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Blocks in which few points change anything, none, or all of them, give what the serial program gives, with and
// without slices.
func TestSkip(t *testing.T) {
	const program = `Func in({Float(32), Float(32)}, 1);
Param<int> n;
Func f;
f() = {0.0f, 0.0f, 0};
RDom r(0, n);
Expr c = in(r)[0]*in(r)[0] + in(r)[1]*in(r)[1] > f()[0]*f()[0] + f()[1]*f()[1];
f() = {select(c, in(r)[0], f()[0]), select(c, in(r)[1], f()[1]), select(c, r, f()[2])};
`
	const cut = `RVar ro, ri;
Var u;
Func i = f.update(0).split(r, ro, ri, 3000).rfactor(ro, u);
i.compute_root().update(0).parallel(u);
`
	rng := lowertest.Rand(41)
	for _, schedule := range []string{"", cut} {
		p, err := lowertest.PlanOf("skip.rf", program+schedule)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]func(i int) float64{
			"random":  func(int) float64 { return rng.NormFloat64() },
			"rising":  func(i int) float64 { return float64(i / 5) },
			"falling": func(i int) float64 { return float64(-i) },
			"none":    func(int) float64 { return 0 },
			"rare":    func(i int) float64 { return float64(i / 700) },
			"infinite": func(i int) float64 { // the operator takes no NaN
				if i%611 == 3 {
					return math.Inf(1)
				}
				return rng.NormFloat64()
			},
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			value := values[name]
			for _, n := range []int{0, 1, 63, 700, 7001} {
				var columns [2][]float32
				for c := range columns {
					columns[c] = make([]float32, n)
					for i := range columns[c] {
						columns[c][i] = float32(value(i))
					}
				}
				in := &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": {Dims: []ndarray.Range{{Extent: n}}, Data: []any{columns[0], columns[1]}}}, Params: map[string]uint64{"n": uint64(n)}}
				agree(t, fmt.Sprintf("%s, n = %d", name, n), p, in, lowertest.Defaults())
			}
		}
	}
}
