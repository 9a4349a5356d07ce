package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// BenchmarkPrepareRules is what the first saturation at a type costs.
func BenchmarkPrepareRules(b *testing.B) {
	for b.Loop() {
		NewRuleSets(rules.All()).set(1<<ir.I32, 0, matching)
	}
}

// BenchmarkAssembleRules is what a saturation at types costs that are together for the first time.
func BenchmarkAssembleRules(b *testing.B) {
	s := NewRuleSets(rules.All())
	for b.Loop() {
		s.sets = recent.Map[ruleSetKey, *egraph.RuleSet]{}
		s.set(1<<ir.I32, 0, matching)
	}
}

func BenchmarkGreedy(b *testing.B) {
	e := parse(b, "x0:i32,y0:i32,k0:i32", "select(!(y0 <= k0), x0 - (-1), x0)")[0]
	for b.Loop() {
		Greedy(e, 0)
	}
}
