package canon

import (
	"slices"
	"strconv"
	"sync"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// RuleSets are compiled sets of some rules, of which those are kept that were used lately. A rule is prepared once for a type and
// whether it rewrites all terms; a set has references to it, and a program of its own.
type RuleSets struct {
	rules []*rules.Rule
	sets  recent.Map[ruleSetKey, *egraph.RuleSet]
	ready sync.Map // readyKey → [][]*egraph.Prepared: two of each type at most
}

// NewRuleSets returns the sets of the rules, in their order.
func NewRuleSets(list []*rules.Rule) *RuleSets {
	return &RuleSets{rules: list, sets: recent.Map[ruleSetKey, *egraph.RuleSet]{Most: maxSets}}
}

// maxSets bounds the sum of the sizes of the sets that are kept: a form of a rule takes .13 KB in a set, and .7 KB where it is prepared.
const maxSets = 80_000

var ruleSets = sync.OnceValue(func() *RuleSets { return NewRuleSets(rules.All()) })

type ruleSetKey struct {
	types   ir.TypeSet
	allowed ir.Assume // that matter for the types
	purpose purpose
}

// readyKey names the rules at a type, each prepared in all its forms.
type readyKey struct {
	typ      ir.Type
	anywhere bool // they rewrite terms that do not mention the state, too
}

// purpose is what saturation is for, which decides where rules are applied.
type purpose uint8

const (
	matching    purpose = iota // terms that mention the state: rewriting leaves is wasted work
	simplifying                // all terms
	deriving                   // all terms, and operands change places
)

// set returns the compiled rules that may be applied at the types.
func (s *RuleSets) set(types ir.TypeSet, allowed ir.Assume, p purpose) *egraph.RuleSet {
	types |= 1 << ir.Bool
	key := ruleSetKey{types, allowed & MatterTo(types), p}
	return s.sets.Get(key, func() (*egraph.RuleSet, int) {
		var all []*egraph.Prepared
		for t := ir.Bool; t <= ir.F64; t++ {
			if types>>t&1 == 0 {
				continue
			}
			for i, forms := range s.prepared(readyKey{t, p != matching}) {
				if r := s.rules[i]; r.Allowed(t, allowed) && (p == deriving || !r.Deriving) {
					all = append(all, forms...)
				}
			}
		}
		rs, err := egraph.Assemble(all)
		if err != nil {
			panic("canon: internal: " + err.Error())
		}
		return rs, len(all)
	})
}

// MatterTo returns the assumptions that say something of operations on the types.
func MatterTo(types ir.TypeSet) (of ir.Assume) {
	if types&ir.SignedTypes != 0 {
		of |= ir.NSW
	}
	if types&ir.UnsignedTypes != 0 {
		of |= ir.NUW
	}
	if types&ir.FloatTypes != 0 {
		of |= ir.AllAssumptions &^ (ir.NSW | ir.NUW)
	}
	return of
}

// prepared returns the forms of each rule at a type.
func (s *RuleSets) prepared(key readyKey) [][]*egraph.Prepared {
	if made, ok := s.ready.Load(key); ok {
		return made.([][]*egraph.Prepared)
	}
	forms := make([][]*egraph.Prepared, len(s.rules))
	pool := ir.NewPool()
	var patterns Patterns
	for i, r := range s.rules {
		switch {
		case !key.anywhere && covers(r, key.typ):
			forms[i] = compileRule(pool, &patterns, r, key.typ)
		case key.anywhere:
			forms[i] = s.prepared(readyKey{key.typ, false})[i]
			if !r.Anywhere && len(forms[i]) > 0 {
				cond := guardOf(r, r.LHS.Vars(), true)
				forms[i] = slices.Clone(forms[i])
				for j, f := range forms[i] {
					forms[i][j] = f.With(cond)
				}
			}
		}
	}
	made, _ := s.ready.LoadOrStore(key, forms)
	return made.([][]*egraph.Prepared)
}

// covers reports whether r holds at type t under some assumptions: of a domain of integers it needs none of them or all.
func covers(r *rules.Rule, t ir.Type) bool { return r.Allowed(t, 0) || r.Allowed(t, ir.AllAssumptions) }

// compileRule makes an engine rule of every operand order of r at type t. Its name is the
// rule's, the type's and the order's number.
func compileRule(pool *ir.Pool, patterns *Patterns, r *rules.Rule, t ir.Type) []*egraph.Prepared {
	vars := r.LHS.Vars()
	patterns.forget()
	patterns.Number = func(v ir.Expr) int { return slices.Index(vars, v.Name()) }
	build := func(side *rules.Term) egraph.Pattern {
		e := side.Build(pool, t, func(name string, vt ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, vt) })
		return patterns.Of(e)
	}
	rhs, cond, forms := build(r.RHS), guardOf(r, vars, r.Anywhere), Forms(r)
	out := make([]egraph.Rule, 0, len(forms))
	for i, form := range forms {
		out = append(out, egraph.Rule{Name: r.Name + ":" + t.String() + ":" + strconv.Itoa(i), LHS: build(form), RHS: rhs, Cond: cond})
	}
	prepared, err := egraph.Prepare(out)
	if err != nil {
		panic("canon: internal: " + err.Error())
	}
	return prepared
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
