package rules

import (
	"slices"
	"sync"
)

// theoryOrder lists the theories in the order in which the proofs of their rules build on
// each other.
var theoryOrder = []string{"ring", "commute", "bool", "bits", "order", "select", "saturate"}

// Ranked returns all rules by rank: the axioms, the theories, the rules of the greedy
// simplifier. The proof of a rule may use rules of lower rank only, so that no rule is
// proven by itself. They must not be changed.
func Ranked() []*Rule { return ranked() }

var ranked = sync.OnceValue(func() []*Rule {
	ranked := slices.Clone(Axioms())
	for _, theory := range theoryOrder {
		for _, r := range All() {
			if r.Theory == theory {
				ranked = append(ranked, r)
			}
		}
	}
	if len(ranked) != len(Axioms())+len(All()) {
		panic("rules: internal: a theory has no place in the order of proofs")
	}
	ranked = append(ranked, Greedy()...)
	if err := distinct(ranked); err != nil {
		panic("rules: internal: " + err.Error())
	}
	return ranked
})

// Rank returns the index of the named rule in Ranked; it reports false for a name that no rule
// has.
func Rank(name string) (rank int, ok bool) {
	rank, ok = ranks()[name]
	return rank, ok
}

var ranks = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, r := range Ranked() {
		m[r.Name] = i
	}
	return m
})
