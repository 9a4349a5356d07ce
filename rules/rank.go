package rules

import "slices"

// Ranked lists all rules by rank.
func Ranked() []*Rule { return slices.Concat(All(), Greedy()) }

// Rank is the index of the named rule in Ranked.
func Rank(name string) (int, bool) {
	i := slices.IndexFunc(Ranked(), func(r *Rule) bool { return r.Name == name })
	return i, i >= 0
}
