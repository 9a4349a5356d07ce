// Package tuple takes the update of a tuple apart into sets of components that have updates of their
// own, and numbers what belongs to such a part anew.
//
//	{x0 + y0, max(x1, x0)}   has the closed sets {0} and {0, 1}
//
// # Why decomposition is sound
//
// Let component i of an update on (x_0, …, x_n) depend on a set of components, and let R_i
// be the set of all components that i reaches over such dependencies, i included. For a
// closed set S, one that contains R_i for each of its members i, the values of the
// components in S after a step depend only on those before it: the step restricted to S,
// u_S, is an update of its own, and running it on the S-part of a state gives the S-part of
// running the whole.
//
// Suppose closed sets S_1, …, S_m cover all components, and each u_S is x_S ⊕_S inject_S
// with an associative ⊕_S. Suppose further that where a component i lies in two of the sets,
// both operators give it the same function of the same operands and both injects the same
// value. (The operand of ⊕_S is a tuple over S, so this makes component i of ⊕_S depend on
// components in the intersection only, up to equality of functions.) Define component i of
// x ⊕ y by any ⊕_S with i ∈ S, and likewise inject. Then, restricted to any S_j, the tuple
// operator ⊕ is ⊕_S_j: its components in S_j are given by ⊕_S_j or by an equal function. So
// (x ⊕ y) ⊕ z and x ⊕ (y ⊕ z) agree on every S_j, that is everywhere, and x ⊕ inject(l) has
// in each component the value of u_S, that is of the update. The tuple of identities is an
// identity on each side on which all of them are; if their sides differ it is still a middle
// identity, since left and right identities are middle ones, of each ⊕_S and so of ⊕.
//
// Taking the smallest closed sets R_i first is only a matter of speed; any union of closed
// sets is closed, which is why regrouping is sound too. It is needed where components have
// no operator of their own: the first row of a product of 2×2 matrices depends only on
// itself, but no operator on rows multiplies it.
package tuple

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Part is an update restricted to a closed set of components, numbered 0, 1, … anew.
type Part struct {
	Set    []int
	Types  []ir.Type
	States []ir.Expr // x_0, x_1, …
	Values []ir.Expr
}

// Restrict returns the part of an update that a closed set of its components is. All of them in
// their order is the update itself, without a copy.
func Restrict(pool *ir.Pool, types []ir.Type, update []ir.Expr, set []int) *Part {
	n := len(set)
	p := &Part{Set: set, States: pool.List(n)}
	if n == len(types) { // all of it
		p.Types, p.Values = types, update
		for i, t := range p.Types {
			p.States[i] = pool.X(i, t)
		}
		return p
	}
	p.Types, p.Values = make([]ir.Type, n), pool.List(n)
	same := true
	for j, i := range set {
		same = same && i == j
		p.Types[j], p.States[j], p.Values[j] = types[i], pool.X(j, types[i]), update[i]
	}
	if !same {
		states := p.States
		p.Values = pool.Map(p.Values, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return states[slices.Index(set, e.Index())]
			}
			return ir.Expr{}
		})
	}
	return p
}

// ClosedSets lists, for each component, the components that it reaches over dependencies
// (itself included), without those sets that lie in another; in the order of their first
// members.
func ClosedSets(values []ir.Expr) [][]int {
	if len(values) == 1 {
		return [][]int{{0}}
	}
	reach := Reachable(values)
	var kept []uint64
	for i, r := range reach {
		inside := func(j int) bool {
			return r&^reach[j] == 0 && (r != reach[j] || j < i)
		}
		if !slices.ContainsFunc(Indices(len(reach)), inside) {
			kept = append(kept, r)
		}
	}
	sets := make([][]int, len(kept))
	for i, k := range kept {
		sets[i] = Members(k)
	}
	slices.SortFunc(sets, slices.Compare)
	return sets
}

// Reachable returns for each component the mask of those that it depends on, directly or not, and
// of itself.
func Reachable(values []ir.Expr) []uint64 {
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

// IsLayered reports whether a tuple has several strongly connected components: some component does not
// depend on some other one.
func IsLayered(values []ir.Expr) bool {
	all := uint64(1)<<len(values) - 1
	return slices.ContainsFunc(Reachable(values), func(r uint64) bool { return r != all })
}

// ByDependence returns one component of each strongly connected component, by what each depends on:
// no component depends on one after it.
func ByDependence(reach []uint64) (out []int) {
	for i, r := range reach {
		if !slices.ContainsFunc(reach[:i], func(other uint64) bool { return other == r }) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int { return bits.OnesCount64(reach[i]) - bits.OnesCount64(reach[j]) })
	return out
}

// Indices returns 0, 1, …, n-1.
func Indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Members lists the elements of a set, ascending.
func Members(mask uint64) []int {
	var out []int
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, bits.TrailingZeros64(mask))
	}
	return out
}

// MaskOf returns the set of some components as a mask.
func MaskOf(set []int) (mask uint64) {
	for _, i := range set {
		mask |= 1 << i
	}
	return mask
}

// Pick lists the elements at some places.
func Pick[T any](es []T, at []int) []T {
	out := make([]T, len(at))
	for i, n := range at {
		out[i] = es[n]
	}
	return out
}

// MapStates puts what state returns, for a component and its type, in the place of each state.
func MapStates(pool *ir.Pool, es []ir.Expr, state func(i int, t ir.Type) ir.Expr) []ir.Expr {
	return pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return state(e.Index(), e.Type())
		}
		return ir.Expr{}
	})
}

// RenumberStates puts the states of the whole tuple for those of a part with these components.
func RenumberStates(pool *ir.Pool, components []int, es []ir.Expr) []ir.Expr {
	return MapStates(pool, es, func(i int, t ir.Type) ir.Expr { return pool.X(components[i], t) })
}

// RenumberOperands puts the operands of the whole tuple for those of an operator on some components.
func RenumberOperands(pool *ir.Pool, components []int, es []ir.Expr) []ir.Expr {
	if components[len(components)-1] == len(components)-1 { // they ascend: each has its number
		return es
	}
	return pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		switch e.Kind() {
		case ir.State:
			return pool.X(components[e.Index()], e.Type())
		case ir.Leaf:
			return pool.Y(components[e.Index()], e.Type())
		}
		return ir.Expr{}
	})
}

// MaximalLeaves lists the largest subterms that mention no state, each once, in the order in which they stand.
func MaximalLeaves(values []ir.Expr) (out []ir.Expr) {
	seen := map[ir.Expr]bool{}
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		if e.IsLeaf() {
			out = append(out, e)
			return
		}
		for i := range e.NumArgs() {
			visit(e.Arg(i))
		}
	}
	for _, v := range values {
		visit(v)
	}
	return out
}

// WholeLeaves lists the largest subterms that mention no state and change from step to step.
func WholeLeaves(values []ir.Expr) []ir.Expr {
	return slices.DeleteFunc(MaximalLeaves(values), ir.Expr.IsInvariant)
}

// Inputs lists the variables that change from step to step: leaves before coordinates, each by its number.
func Inputs(values []ir.Expr) (out []ir.Expr) {
	for _, v := range ir.Vars(values...) {
		if v.Kind() == ir.Leaf || v.Kind() == ir.Coord {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, func(a, b ir.Expr) int {
		if a.Kind() != b.Kind() {
			return int(a.Kind()) - int(b.Kind())
		}
		return a.Index() - b.Index()
	})
	return out
}

// Params lists the variables k0, k1, … for which an operator of the table has a constant.
func Params(es []ir.Expr) (out []ir.Expr) {
	for _, v := range ir.Vars(es...) {
		if v.Kind() == ir.Param {
			out = append(out, v)
		}
	}
	return out
}

// Replace puts by[i] in the place of each term terms[i].
func Replace(pool *ir.Pool, es, terms, by []ir.Expr) []ir.Expr {
	return pool.Map(es, func(e ir.Expr) ir.Expr {
		if i := slices.Index(terms, e); i >= 0 {
			return by[i]
		}
		return ir.Expr{}
	})
}

// Size returns the number of nodes of expressions.
func Size(es []ir.Expr) (n int) {
	for _, e := range es {
		n += e.Size()
	}
	return n
}

// Permutations visits the permutations of n numbers in lexicographic order. Visit must not keep the slice.
func Permutations(n int, visit func([]int)) {
	order := make([]int, 0, n)
	var extend func()
	extend = func() {
		if len(order) == n {
			visit(order)
		}
		for i := range n {
			if !slices.Contains(order, i) {
				order = append(order, i)
				extend()
				order = order[:len(order)-1]
			}
		}
	}
	extend()
}
