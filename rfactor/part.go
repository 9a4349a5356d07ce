package rfactor

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// part is the update restricted to a closed set of components, numbered 0, 1, … anew.
type part struct {
	set    []int
	types  []ir.Type
	states []ir.Expr // x_0, x_1, …
	values []ir.Expr
}

func (m *matcher) part(set []int) *part {
	n := len(set)
	p := &part{set: set, states: m.pool.List(n)}
	if n == len(m.answer.Types) { // all of it
		p.types, p.values = m.answer.Types, m.answer.Update
		for i, t := range p.types {
			p.states[i] = m.pool.X(i, t)
		}
		return p
	}
	p.types, p.values = make([]ir.Type, n), m.pool.List(n)
	same := true
	for j, i := range set {
		same = same && i == j
		p.types[j], p.states[j], p.values[j] = m.answer.Types[i], m.pool.X(j, m.answer.Types[i]), m.answer.Update[i]
	}
	if !same {
		states := p.states
		p.values = m.pool.Map(p.values, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return states[slices.Index(set, e.Index())]
			}
			return ir.Expr{}
		})
	}
	return p
}

// closedSets lists, for each component, the components that it reaches over dependencies
// (itself included), without those sets that lie in another; in the order of their first
// members.
func closedSets(values []ir.Expr) [][]int {
	if len(values) == 1 {
		return [][]int{{0}}
	}
	reach := reachable(values)
	var kept []uint64
	for i, r := range reach {
		inside := func(j int) bool {
			return r&^reach[j] == 0 && (r != reach[j] || j < i)
		}
		if !slices.ContainsFunc(indices(len(reach)), inside) {
			kept = append(kept, r)
		}
	}
	sets := make([][]int, len(kept))
	for i, k := range kept {
		sets[i] = members(k)
	}
	slices.SortFunc(sets, slices.Compare)
	return sets
}

// reachable is, for each component, the components that it depends on, directly or not, and itself.
func reachable(values []ir.Expr) []uint64 {
	reach := make([]uint64, len(values))
	for i, v := range values {
		reach[i] = 1<<i | v.States()
	}
	for range values {
		for i := range reach {
			for rest := reach[i]; rest != 0; rest &= rest - 1 {
				reach[i] |= reach[bits.TrailingZeros64(rest)]
			}
		}
	}
	return reach
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func members(mask uint64) []int {
	var out []int
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, bits.TrailingZeros64(mask))
	}
	return out
}

func maskOf(set []int) (mask uint64) {
	for _, i := range set {
		mask |= 1 << i
	}
	return mask
}
