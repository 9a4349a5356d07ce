package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Tables list the components of most tuples in one order: what depends only on itself first, then
// what depends on that. A tuple in another order is matched in each of those that tables have:
//
//	x0; x1 && x0 == y0   →   x0 && x1 == y0; x1

// Reordered proposes the part with its components in an order of the table.
func (cx *Context) Reordered(p *tuple.Part) iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		for _, order := range cx.orders(p) {
			if cx.Over() || !yield(cx.inOrder(p, order)) {
				return
			}
		}
	}
}

// inOrder returns the part with its components in some order.
func (cx *Context) inOrder(p *tuple.Part, order []int) Transfer {
	q := &tuple.Part{Set: p.Set, States: make([]ir.Expr, len(order)), Types: tuple.Pick(p.Types, order)}
	to := make([]ir.Expr, len(order)) // of each state of p: what it is in q
	for j, i := range order {
		to[i] = cx.Pool.X(j, p.Types[i])
		q.States[j] = to[i]
	}
	q.Values = tuple.MapStates(cx.Pool, tuple.Pick(p.Values, order), func(i int, _ ir.Type) ir.Expr { return to[i] })
	return Transfer{Part: q, Back: func(op proof.Operator, of []ir.Expr) (exprs, inject []ir.Expr) {
		exprs, inject = make([]ir.Expr, len(order)), make([]ir.Expr, len(order))
		for j, e := range op.Apply(tuple.Pick(p.States, order), tuple.Pick(operands(cx.Pool, p.Types), order)) {
			exprs[order[j]], inject[order[j]] = e, of[j]
		}
		return exprs, inject
	}}
}

// maxReordered bounds the components of a part whose orders are tried.
const maxReordered = 4

// orders returns the orders, other than its own, in which the components of a part depend on each other as
// those of an operator of the table do.
func (cx *Context) orders(p *tuple.Part) (orders [][]int) {
	n := len(p.Types)
	if n < 2 || n > maxReordered {
		return nil
	}
	tuple.Permutations(n, func(order []int) {
		if slices.IsSorted(order) {
			return
		}
		depends := make([]uint64, n) // by the numbers in that order
		for j, i := range order {
			for k, other := range order {
				depends[j] |= p.Values[i].States() >> other & 1 << k
			}
		}
		table := cx.Table(tuple.Pick(p.Types, order))
		if slices.ContainsFunc(table.Entries, func(e *pattern.Entry) bool {
			return slices.EqualFunc(depends, e.Exprs, func(mask uint64, v ir.Expr) bool { return mask == v.States() })
		}) {
			orders = append(orders, slices.Clone(order))
		}
	})
	return orders
}
