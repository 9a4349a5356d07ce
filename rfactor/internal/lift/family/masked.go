package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Masked returns the part under a condition on inputs where its steps change something, and that
// condition: where the condition does not hold, steps change nothing. It returns nil where there is
// no such condition.
func Masked(cx *lift.Context, p *tuple.Part) (q *tuple.Part, on ir.Expr) {
	for _, c := range Resets(p.Values) {
		off, ok := When(cx, p.Values, c, false)
		for i, e := range off {
			ok = ok && e == p.States[i]
		}
		if !ok {
			continue
		}
		q = &tuple.Part{Set: p.Set, Types: p.Types, States: p.States}
		q.Values, _ = When(cx, p.Values, c, true)
		return q, c
	}
	return nil, on
}

// MaskedBy returns the shape of steps that do what s does where a condition on inputs holds, and
// nothing elsewhere.
//
//	select(y1, y0, x0); select(y1, x1 + abs(y0 - x0), x1)   →   on = y1, then the cells of y0; x1 + abs(y0 - x0)
//	(on, p) ∘ (on', p') = (on || on', select(on, select(on', p ∘ p', p), p'))
//
// Where a shape has an identity, that takes the place of its cells elsewhere. Others, such as those that remember the last element, get a cell
// more: those with on = false are the identity.
func MaskedBy(on ir.Expr, s *lift.Shape) *lift.Shape {
	pool := on.Pool()
	if s.Identity != nil {
		masked := *s
		masked.Name, masked.Inject = "masked "+s.Name, algebra.Chosen(on, s.Inject, s.Identity)
		return &masked
	}
	zeros := algebra.MapCells(s.Inject, func(e ir.Expr) ir.Expr { return pool.Const(e.Type(), 0) })
	return &lift.Shape{Cellwise: s.Cellwise, Name: "masked " + s.Name, Inject: slices.Concat([]ir.Expr{on}, s.Inject), Identity: slices.Concat([]ir.Expr{pool.Bool(false)}, zeros),
		Apply: func(x, cells []ir.Expr) []ir.Expr { return algebra.Chosen(cells[0], s.Apply(x, cells[1:]), x) },
		Compose: func(a, b []ir.Expr) []ir.Expr {
			both := algebra.Chosen(b[0], s.Compose(a[1:], b[1:]), a[1:])
			return slices.Concat([]ir.Expr{fold.Or(a[0], b[0])}, algebra.Chosen(a[0], both, b[1:]))
		}}
}
