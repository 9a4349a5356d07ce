package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// A step may treat the first element apart, though the operator needs no such case:
//
//	select(x1 > 0, x0 + (y0 - x0)/f64(x1 + 1), y0); x1 + 1, where x1 >= 0
//
// Where the condition holds, the step has an operator; and what is given of the state leaves so little where it does not
// hold that the operator gives the same there.

// maxGuards bounds the conditions that are tried.
const maxGuards = 4

// guarded finds the operator of a part by what is given of the state: the operator that the part has on one side of a
// condition on the state. It returns nil where no condition serves.
func (m attempt) guarded(p *tuple.Part) *Group {
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	if len(m.state) == 0 {
		return nil
	}
	for _, c := range guards(p.Values) {
		for _, side := range []bool{true, false} {
			if g := m.guardedBy(p, c, side); g != nil {
				return g
			}
		}
	}
	return nil
}

// guardedBy finds the operator of the part where a condition holds, or does not hold, and proves it of the whole part.
func (m attempt) guardedBy(p *tuple.Part, c ir.Expr, holds bool) *Group {
	q := &tuple.Part{Set: p.Set, Types: p.Types, States: p.States, Values: m.pool.Map(p.Values, func(e ir.Expr) ir.Expr {
		if e == c {
			return m.pool.Bool(holds)
		}
		return ir.Expr{}
	})}
	m.workspace.Points.Evaluate(p, m.nonNeg, m.allowed)
	m.workspace.Points.Restrict(m.state)
	rows := make([]*sample.Row, len(q.Values))
	for i, e := range q.Values {
		q.Values[i] = canon.Greedy(e, 0)
		rows[i] = m.workspace.Points.Value(q.Values[i])
	}
	if wrong, _ := m.workspace.Points.Differ(p.Types, m.workspace.Points.Want, rows); wrong&m.workspace.Points.Valid != 0 {
		return nil
	}
	inner := m.lookup(q)
	if inner == nil {
		inner = m.counted(q)
	}
	if inner == nil || inner.Operator == nil {
		return nil
	}
	exprs := inner.Operator.Exprs
	return m.confirm(p, "guarded:"+inner.Via, exprs, inner.Inject, func(t attempt) *prove.Proven { return t.laws(p, exprs, t.within) })
}

// guards lists the conditions on the state alone that choose a value.
func guards(values []ir.Expr) (out []ir.Expr) {
	ir.Walk(values, func(e ir.Expr) {
		if e.Op() != ir.Select || len(out) == maxGuards {
			return
		}
		c := e.Arg(0)
		reads := slices.ContainsFunc(ir.Vars(c), func(v ir.Expr) bool { return v.Kind() == ir.Leaf || v.Kind() == ir.Coord })
		if c.States() != 0 && !reads && !slices.Contains(out, c) {
			out = append(out, c)
		}
	})
	return out
}
