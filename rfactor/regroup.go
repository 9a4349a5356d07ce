package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// maxSets bounds the number of sets whose groupings are tried: the seventh Bell number is
// 877.
const maxSets = 7

// regroup looks for groupings of the sets under which every group has an operator. Groups
// of a grouping share a leaf, or a component that no step changes joins them. So sets that hang
// together are grouped apart from all others. found holds what is known of single sets; the
// result is nil where no grouping serves.
func (m *matcher) regroup(sets [][]int, found groups, failed [][]int) (all groups) {
	none := map[uint64]bool{}
	for _, f := range failed {
		none[tuple.MaskOf(f)] = true
	}
	for _, cluster := range m.clusters(sets, found) {
		if g := m.itself(cluster, none); g != nil {
			all = append(all, g)
			continue
		}
		open := slices.DeleteFunc(slices.Clone(cluster), func(set []int) bool { return !none[tuple.MaskOf(set)] })
		if len(cluster) > maxSets { // sets that have an operator stay alone
			for _, set := range cluster {
				if g := found.of(set); g != nil {
					all = append(all, g)
				}
			}
			cluster = open
		}
		if m.ungrouped = max(m.ungrouped, len(open)); len(open) > maxSets || len(open) == 1 && len(cluster) == 1 {
			return nil
		}
		best := m.grouping(cluster, &found, none)
		if best == nil && len(cluster) > 0 {
			return nil
		}
		all = append(all, best...)
	}
	return all
}

// itself returns the union of sets without an operator that share a component, where that is its own operator; else nil. Products of rigid motions
// and of dual numbers share the component that the others are moved by. Of what regroup tries it is the last grouping, and takes the least effort.
func (m *matcher) itself(sets [][]int, none map[uint64]bool) (g *Group) {
	var all, shared uint64
	for _, set := range sets {
		mask := tuple.MaskOf(set)
		if !none[mask] {
			return nil
		}
		all, shared = all|mask, shared|all&mask
	}
	if shared == 0 {
		return nil
	}
	p := m.restrict(tuple.Members(all))
	if len(tuple.WholeLeaves(p.Values)) != len(p.Types) && len(tuple.Inputs(p.Values)) != len(p.Types) {
		return nil
	}
	a := m.attempt(m.opts.Allowed &^ useless(p))
	if !m.whole(func() bool { g = a.under(anything).ifDirect(p); return g != nil }) || a.isVacuous(p, g) {
		return nil
	}
	m.whole(func() bool { g = a.simplestGroup(p, g); return true })
	g.Components, g.Update = p.Set, p.Values
	return g
}

// grouping returns operators of a grouping of some sets; nil where none serves.
func (m *matcher) grouping(sets [][]int, found *groups, none map[uint64]bool) (result groups) {
	partitions(len(sets), func(block []int) bool {
		m.consider(10)
		if m.over() {
			return false
		}
		var all groups
		for _, union := range unions(sets, block) {
			g := m.groupOnce(union, found, none)
			if g == nil {
				return true
			}
			all = append(all, g)
		}
		result = all
		return false
	})
	return result
}

// clusters partitions the sets: two sets that may belong to one group are in one cluster.
func (m *matcher) clusters(sets [][]int, found groups) (out [][][]int) {
	for _, set := range sets {
		joined := [][]int{set}
		out = slices.DeleteFunc(out, func(cluster [][]int) bool {
			apart := !slices.ContainsFunc(cluster, func(other []int) bool { return m.connected(union(set, other), found) })
			if !apart {
				joined = append(joined, cluster...)
			}
			return !apart
		})
		slices.SortFunc(joined, slices.Compare)
		out = append(out, joined)
	}
	return out
}

// union returns the members of either of two sets.
func union(a, b []int) []int { return tuple.Members(tuple.MaskOf(a) | tuple.MaskOf(b)) }

// groupOnce is group, and tries each set only once.
func (m *matcher) groupOnce(set []int, found *groups, none map[uint64]bool) *Group {
	g := found.of(set)
	if g != nil || none[tuple.MaskOf(set)] {
		return g
	}
	if m.connected(set, *found) {
		g = m.group(set)
	}
	if g == nil {
		none[tuple.MaskOf(set)] = true
		return nil
	}
	*found = append(*found, g)
	return g
}

// connected reports whether the components of a set hang together: over states, over
// shared leaves, by being kept as they are, or by the same step without an input, as rows of a matrix.
func (m *matcher) connected(set []int, found groups) bool {
	reached := map[int]bool{set[0]: true}
	for range set {
		for _, i := range set {
			for _, j := range set {
				if reached[i] && !reached[j] && (m.kept(i, found) || m.kept(j, found) || m.related(i, j) || m.isOpen(i, found) && m.isOpen(j, found) && m.steppedAlike(i, j)) {
					reached[j] = true
				}
			}
		}
	}
	return len(reached) == len(set)
}

// kept reports whether no step changes component i, by the groups found of single components.
func (m *matcher) kept(i int, found groups) bool {
	g := found.of([]int{i})
	return g != nil && g.Via == keep
}

// isOpen reports whether no group has component i.
func (m *matcher) isOpen(i int, found groups) bool {
	return !slices.ContainsFunc(found, func(g *Group) bool { return slices.Contains(g.Components, i) })
}

// steppedAlike reports whether two components have the same step on other components, and no input.
func (m *matcher) steppedAlike(i, j int) bool {
	a, b := m.answer.Update[i], m.answer.Update[j]
	if a.Type() != b.Type() || a.Size() != b.Size() || len(tuple.Inputs([]ir.Expr{a, b})) > 0 || a.States()&b.States() != 0 {
		return false
	}
	return inOrder(a) == inOrder(b)
}

// inOrder numbers the components that a term reads in the order in which they occur.
func inOrder(e ir.Expr) ir.Expr {
	var seen []ir.Expr
	return e.Pool().Map([]ir.Expr{e}, func(k ir.Expr) ir.Expr {
		if k.Op() != ir.Var || k.Kind() != ir.State {
			return ir.Expr{}
		}
		at := slices.Index(seen, k)
		if at < 0 {
			at, seen = len(seen), append(seen, k)
		}
		return e.Pool().X(at, k.Type())
	})[0]
}

func (m *matcher) related(i, j int) bool {
	a, b := m.answer.Update[i], m.answer.Update[j]
	if a.States()&(1<<j) != 0 || b.States()&(1<<i) != 0 {
		return true
	}
	return shareLeaf(a, b) || shareLeaf(find.AsProduct(a, m.opts.Allowed), find.AsProduct(b, m.opts.Allowed))
}

func shareLeaf(a, b ir.Expr) (shared bool) {
	leaves := map[ir.Expr]bool{}
	ir.Walk([]ir.Expr{a}, func(e ir.Expr) { leaves[e] = isSharedLeaf(e) })
	ir.Walk([]ir.Expr{b}, func(e ir.Expr) { shared = shared || leaves[e] })
	return shared
}

// isSharedLeaf reports whether components that both mention e may belong together: a
// variable other than a state, or a literal other than 0 and 1.
func isSharedLeaf(e ir.Expr) bool {
	switch e.Op() {
	case ir.Var:
		return e.Kind() != ir.State
	case ir.Const:
		return e.Type() != ir.Bool && e.Value() > 1
	}
	return false
}

// partitions visits the partitions of n things, fewest merges first, as the block number
// of each thing, until visit answers false.
func partitions(n int, visit func(block []int) bool) {
	if n == 0 {
		return
	}
	var all [][]int
	block := make([]int, n)
	var fill func(i, blocks int)
	fill = func(i, blocks int) {
		if i == n {
			all = append(all, slices.Clone(block))
			return
		}
		for b := range blocks + 1 {
			block[i] = b
			fill(i+1, max(blocks, b+1))
		}
	}
	fill(0, 0)
	slices.SortStableFunc(all, func(a, b []int) int { return slices.Max(b) - slices.Max(a) })
	for _, b := range all {
		if !visit(b) {
			return
		}
	}
}

// unions returns the union of the sets of each block.
func unions(sets [][]int, block []int) [][]int {
	masks := make([]uint64, slices.Max(block)+1)
	for i, b := range block {
		masks[b] |= tuple.MaskOf(sets[i])
	}
	out := make([][]int, len(masks))
	for b, mask := range masks {
		out[b] = tuple.Members(mask)
	}
	return out
}
