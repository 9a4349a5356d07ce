package rfactor

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// masked is a part where it changes anything, and the condition on inputs under which it may; nil
// where there is no such condition.
func (m *Context) masked(p *tuple.Part) (q *tuple.Part, on ir.Expr) {
	for _, c := range resets(p.Values) {
		off, ok := m.when(p.Values, c, false)
		for i, e := range off {
			ok = ok && e == p.States[i]
		}
		if !ok {
			continue
		}
		q = &tuple.Part{Set: p.Set, Types: p.Types, States: p.States}
		q.Values, _ = m.when(p.Values, c, true)
		return q, c
	}
	return nil, on
}

// maskedBy is the family of steps that do what another one's do, or nothing: last elements have no
// step that changes nothing. Cells are whether something is done, and those of what is done.
func maskedBy(on ir.Expr, s *shape) *shape {
	pool := on.Pool()
	zeros := mapCells(s.inject, func(e ir.Expr) ir.Expr { return pool.Const(e.Type(), 0) })
	return &shape{cellwise: s.cellwise, name: "masked " + s.name, inject: concat([][]ir.Expr{{on}, s.inject}), identity: concat([][]ir.Expr{{pool.Bool(false)}, zeros}),
		apply: func(x, cells []ir.Expr) []ir.Expr { return chosen(cells[0], s.apply(x, cells[1:]), x) },
		compose: func(a, b []ir.Expr) []ir.Expr {
			both := chosen(b[0], s.compose(a[1:], b[1:]), a[1:])
			return concat([][]ir.Expr{{fold.Or(a[0], b[0])}, chosen(a[0], both, b[1:])})
		}}
}
