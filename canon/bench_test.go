package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// BenchmarkCompileRules is what the first saturation at a type costs.
func BenchmarkCompileRules(b *testing.B) {
	for b.Loop() {
		var all []egraph.Rule
		pool := ir.NewPool()
		for _, t := range []ir.Type{ir.Bool, ir.I32} {
			for _, r := range rules.All() {
				if r.Allowed(t, 0) {
					all = append(all, compileRule(pool, new(Patterns), r, t, matching)...)
				}
			}
		}
		egraph.MustCompile(all)
	}
}

func BenchmarkGreedy(b *testing.B) {
	e := parse(b, "x0:i32,y0:i32,k0:i32", "select(!(y0 <= k0), x0 - (-1), x0)")[0]
	for b.Loop() {
		Greedy(e, 0)
	}
}
