package rfactor

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Tables list the components of most tuples in one order: what depends only on itself first, then
// what depends on that.

// reordered finds the operator of a part whose order is another.
func (m *matcher) reordered(p *part) *Group {
	order := byDependence(p.values)
	if slices.IsSorted(order) {
		return nil
	}
	q := &part{set: p.set, states: make([]ir.Expr, len(order)), types: make([]ir.Type, len(order))}
	var to []ir.Expr // of each state of p: what it is in q
	for i := range order {
		to = append(to, m.pool.X(slices.Index(order, i), p.types[i]))
	}
	for j, i := range order {
		q.types[j], q.states[j] = p.types[i], to[i]
	}
	q.values = renumbered(m.pool, pick(p.values, order), func(i int) ir.Expr { return to[i] })
	inner := m.find(q, m.opts.Allowed&^(ir.NSW|ir.NUW))
	if inner == nil || inner.Operator == nil {
		return nil
	}
	var y []ir.Expr
	for _, i := range order {
		y = append(y, m.pool.Y(i, p.types[i]))
	}
	exprs, inject := make([]ir.Expr, len(order)), make([]ir.Expr, len(order))
	for j, e := range inner.Operator.Apply(pick(p.states, order), y) {
		exprs[order[j]], inject[order[j]] = e, inner.Inject[j]
	}
	return m.confirm(p, inner.Via, exprs, inject, func() *prove.Proven {
		proven, _ := m.prover.Characterise(m.ctx, proof.Operator{Types: p.types, Exprs: exprs, Given: m.state}, m.opts.Allowed)
		return proven
	})
}

// byDependence is the components in the order of how many they depend on, directly or not.
func byDependence(values []ir.Expr) []int {
	reach := reachable(values)
	order := indices(len(values))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(bits.OnesCount64(reach[i]), bits.OnesCount64(reach[j])) })
	return order
}
