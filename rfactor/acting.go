package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Steps x ↦ M·x with one matrix have composites that are polynomials of M, of which as many numbers tell as the state has. Then
// what parameters do to the state may itself be the operator: the state is a polynomial, too, and the step multiplies it.
//
//	x1; x0 + x1   →   x0*y0 + x1*y1; x0*y1 + x1*(y1 + y0)   with 0; 1

// maxActing is the number of parameters of which every order is tried.
const maxActing = 3

// acting replaces a lift by an operator on the state, x ⊕ y = apply(x, y), where the parameters have the types of the state and ⊕
// is associative: such an operator needs no parameters. It reports whether it replaced the lift. refused is the answer without it.
func (m *matcher) acting(all *tuple.Part, refused Answer) bool {
	a := m.answer
	l, n := a.Lift, len(a.Types)
	if len(l.Params) != n || len(l.Lemmas) > 0 || len(a.Given) > 0 {
		return false
	}
	lifted := *a
	orders := [][]int{tuple.Indices(n)} // of more, the first alone
	if n <= maxActing {
		orders = nil
		tuple.Permutations(n, func(order []int) { orders = append(orders, slices.Clone(order)) })
	}
	for _, order := range orders {
		if m.over() {
			break
		}
		exprs, inject, ok := m.action(l, a.Inject, order)
		if !ok {
			continue
		}
		w := m.attempt(a.Assumes)
		g := w.confirm(all, "acting:"+lifted.Via(), exprs, inject, func(t attempt) *prove.Proven { return t.laws(all, exprs, t.allowed) })
		if g == nil {
			continue
		}
		g = w.simplestGroup(all, g)
		g.Components, g.Update = all.Set, all.Values
		if *a = refused; m.merge(groups{g}) {
			return true
		}
		*a = lifted
	}
	return false
}

// action returns apply of a lift as an operator, whose second operand has parameter order[i] as component i. ok is false where a
// parameter has another type than its component.
func (m *matcher) action(l *Lift, params []ir.Expr, order []int) (exprs, inject []ir.Expr, ok bool) {
	y := make([]ir.Expr, len(order))
	for i, k := range order {
		t := m.answer.Types[i]
		if l.Params[k].Type() != t {
			return nil, nil, false
		}
		y[k] = m.pool.Y(i, t)
		inject = append(inject, params[k])
	}
	exprs = m.pool.Map(l.Apply, func(e ir.Expr) ir.Expr {
		if k := slices.Index(l.Params, e); k >= 0 {
			return y[k]
		}
		return ir.Expr{}
	})
	return exprs, inject, true
}
