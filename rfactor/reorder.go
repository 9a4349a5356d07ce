package rfactor

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Tables list the components of most tuples in one order: what depends only on itself first, then
// what depends on that.

// reordered finds the operator of a part whose components have another order than the table's.
func (m attempt) reordered(p *tuple.Part) *Group {
	order := byDependence(p.Values)
	if slices.IsSorted(order) {
		return nil
	}
	q := &tuple.Part{Set: p.Set, States: make([]ir.Expr, len(order)), Types: make([]ir.Type, len(order))}
	var to []ir.Expr // of each state of p: what it is in q
	for i := range order {
		to = append(to, m.pool.X(slices.Index(order, i), p.Types[i]))
	}
	for j, i := range order {
		q.Types[j], q.States[j] = p.Types[i], to[i]
	}
	q.Values = tuple.MapStates(m.pool, tuple.Pick(p.Values, order), func(i int, _ ir.Type) ir.Expr { return to[i] })
	inner := m.lookup(q)
	if inner == nil || inner.Operator == nil {
		return nil
	}
	var y []ir.Expr
	for _, i := range order {
		y = append(y, m.pool.Y(i, p.Types[i]))
	}
	exprs, inject := make([]ir.Expr, len(order)), make([]ir.Expr, len(order))
	for j, e := range inner.Operator.Apply(tuple.Pick(p.States, order), y) {
		exprs[order[j]], inject[order[j]] = e, inner.Inject[j]
	}
	return m.confirm(p, inner.Via, exprs, inject, func(t attempt) *prove.Proven { return t.laws(p, exprs, t.within) })
}

// byDependence returns the components sorted by the number of components that they depend on, directly
// or not.
func byDependence(values []ir.Expr) []int {
	reach := tuple.Reachable(values)
	order := tuple.Indices(len(values))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(bits.OnesCount64(reach[i]), bits.OnesCount64(reach[j])) })
	return order
}
