package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Tables list the components of most tuples in one order: what depends only on itself first, then
// what depends on that. A tuple in another order is matched in each of those that tables have:
//
//	x0; x1 && x0 == y0   →   x0 && x1 == y0; x1

// reordered finds the operator of a part whose components have another order than the table's; nil where
// there is none.
func (m attempt) reordered(p *tuple.Part) *Group {
	for _, order := range m.orders(p) {
		if m.over() {
			return nil
		}
		if g := m.reorderedAs(p, order); g != nil {
			return g
		}
	}
	return nil
}

// reorderedAs finds the operator of a part by lookups of its components in some order.
func (m attempt) reorderedAs(p *tuple.Part, order []int) *Group {
	q := &tuple.Part{Set: p.Set, States: make([]ir.Expr, len(order)), Types: tuple.Pick(p.Types, order)}
	to := make([]ir.Expr, len(order)) // of each state of p: what it is in q
	for j, i := range order {
		to[i] = m.pool.X(j, p.Types[i])
		q.States[j] = to[i]
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
	return m.confirm(p, inner.Via, exprs, inject, func(t attempt) *prove.Proven {
		proven, _ := m.prover.Characterise(m.ctx, proof.Operator{Types: p.Types, Exprs: exprs, Given: t.state}, t.proving(t.within))
		return proven
	})
}

// maxReordered bounds the components of a part whose orders are tried.
const maxReordered = 4

// orders returns the orders, other than its own, in which the components of a part depend on each other as
// those of an operator of the table do.
func (m attempt) orders(p *tuple.Part) (orders [][]int) {
	n := len(p.Types)
	if n < 2 || n > maxReordered {
		return nil
	}
	permutations(n, func(order []int) {
		if slices.IsSorted(order) {
			return
		}
		depends := make([]uint64, n) // by the numbers in that order
		for j, i := range order {
			for k, other := range order {
				depends[j] |= p.Values[i].States() >> other & 1 << k
			}
		}
		table := m.context().Table(tuple.Pick(p.Types, order))
		if slices.ContainsFunc(table.Entries, func(e *pattern.Entry) bool {
			return slices.EqualFunc(depends, e.Exprs, func(mask uint64, v ir.Expr) bool { return mask == v.States() })
		}) {
			orders = append(orders, slices.Clone(order))
		}
	})
	return orders
}

// permutations visits the permutations of n numbers in lexicographic order. Visit must not keep the slice.
func permutations(n int, visit func([]int)) {
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
