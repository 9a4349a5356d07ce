package canon

import (
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// ruleSets caches the compiled rules by types and allowed assumptions.
var ruleSets sync.Map // ruleSetKey → *egraph.RuleSet

type ruleSetKey struct {
	types   uint16 // bit per ir.Type
	allowed ir.Assume
	purpose purpose
}

// purpose is what saturation is for, which decides where rules are applied.
type purpose uint8

const (
	matching    purpose = iota // terms that mention the state: rewriting leaves is wasted work
	simplifying                // all terms
	deriving                   // all terms, and operands change places
)

// ruleSet compiles the rules that may be applied at the types, or finds them compiled.
func ruleSet(types uint16, allowed ir.Assume, p purpose) *egraph.RuleSet {
	key := ruleSetKey{types | 1<<ir.Bool, allowed, p}
	return cachedRules(&ruleSets, key, nil, nil)
}

// cachedRules is ruleSet without some rules and with more, kept in a cache that is for those alone.
func cachedRules(cache *sync.Map, key ruleSetKey, without map[string]bool, more []*rules.Rule) *egraph.RuleSet {
	if rs, ok := cache.Load(key); ok {
		return rs.(*egraph.RuleSet)
	}
	loaded := slices.Concat(rules.All(), more)
	all := make([]egraph.Rule, 0, len(loaded)*bits.OnesCount16(key.types))
	pool := ir.NewPool()
	var patterns Patterns
	for t := ir.Bool; t <= ir.F64; t++ {
		if key.types>>t&1 == 0 {
			continue
		}
		for _, r := range loaded {
			if r.Allowed(t, key.allowed) && (key.purpose == deriving || !r.Deriving) && !without[r.Name] {
				all = append(all, compileRule(pool, &patterns, r, t, key.purpose)...)
			}
		}
	}
	rs, _ := cache.LoadOrStore(key, egraph.MustCompile(all))
	return rs.(*egraph.RuleSet)
}

// compileRule makes an engine rule of every operand order of r at type t. Its name is the
// rule's, the type's and the order's number.
func compileRule(pool *ir.Pool, patterns *Patterns, r *rules.Rule, t ir.Type, p purpose) []egraph.Rule {
	vars := r.LHS.Vars()
	patterns.forget()
	patterns.Number = func(v ir.Expr) int { return slices.Index(vars, v.Name()) }
	build := func(side *rules.Term) egraph.Pattern {
		e := side.Build(pool, t, func(name string, vt ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, vt) })
		return patterns.Of(e)
	}
	rhs, cond, forms := build(r.RHS), guardOf(r, vars, p != matching || r.Anywhere), Forms(r)
	out := make([]egraph.Rule, 0, len(forms))
	for i, form := range forms {
		out = append(out, egraph.Rule{Name: r.Name + ":" + t.String() + ":" + strconv.Itoa(i), LHS: build(form), RHS: rhs, Cond: cond})
	}
	return out
}

// guardOf returns the condition on r's variables: its guards, and, but for anywhere, that the
// term that is rewritten mentions the state, because rewriting leaves is wasted work.
func guardOf(r *rules.Rule, vars []string, anywhere bool) func(*egraph.Graph, []egraph.Class) bool {
	var leaf, state uint64
	for i, v := range vars {
		for _, g := range r.Guards {
			switch {
			case g.Var != v:
			case g.State:
				state |= 1 << i
			default:
				leaf |= 1 << i
			}
		}
	}
	return func(g *egraph.Graph, subst []egraph.Class) bool {
		var leaves uint64
		for i, c := range subst {
			if Facts(g.Data(c)).IsLeaf() {
				leaves |= 1 << i
			}
		}
		return leaf&^leaves == 0 && state&leaves == 0 && (anywhere || leaves != 1<<len(subst)-1)
	}
}
