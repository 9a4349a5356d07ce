package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// A count may say no more than whether there was an element yet:
//
//	select(x3 == 0, y0, x0); y0; select(x3 > 0 && y0 < x1, x2 + 1, x2); x3 + 1
//
// With a flag in place of x3 != 0 the other components often have an operator, and the same serves with the count.

// flagged finds the operator of a part whose other components ask of a count whether it is 0; nil where it has none.
func (m attempt) flagged(p *tuple.Part) *Group {
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	for i := range p.Types {
		step := increment(p, i)
		if len(p.Types) < 2 || !step.IsValid() || step.Op() != ir.Const || step.IsConst(0) || !p.Types[i].IsUnsigned() && len(m.state) == 0 {
			continue // a count that may be negative comes back to 0
		}
		if q := m.countAsFlag(p, i); q != nil {
			if g := m.flaggedBy(p, q, i, step); g != nil {
				return g
			}
		}
	}
	return nil
}

// countAsFlag returns the part with a flag for component i, which says whether it is not 0; nil where others read it otherwise.
func (m attempt) countAsFlag(p *tuple.Part, i int) *tuple.Part {
	q := &tuple.Part{Set: p.Set, Types: slices.Clone(p.Types), States: slices.Clone(p.States)}
	q.Types[i], q.States[i] = ir.Bool, m.pool.X(i, ir.Bool)
	q.Values = m.pool.Map(p.Values, func(e ir.Expr) ir.Expr {
		if !e.Op().IsComparison() || e.NumArgs() != 2 {
			return ir.Expr{}
		}
		switch { // of counts that are not negative
		case e.Arg(0) == p.States[i] && e.Arg(1).IsConst(0):
			switch e.Op() {
			case ir.Eq, ir.Le:
				return ir.NotOf(q.States[i])
			case ir.Ne, ir.Gt:
				return q.States[i]
			}
		case e.Arg(1) == p.States[i] && e.Arg(0).IsConst(0):
			switch e.Op() {
			case ir.Eq, ir.Ge:
				return ir.NotOf(q.States[i])
			case ir.Ne, ir.Lt:
				return q.States[i]
			}
		}
		return ir.Expr{}
	})
	q.Values[i] = m.pool.Bool(true)
	asked := slices.ContainsFunc(q.Values, func(e ir.Expr) bool { return e.States()>>i&1 != 0 })
	if !asked || slices.Contains(ir.Vars(q.Values...), p.States[i]) {
		return nil
	}
	return q
}

// flaggedBy finds the operator of the part with a flag, and proves it of the part with its count.
func (m attempt) flaggedBy(p, q *tuple.Part, i int, step ir.Expr) *Group {
	free := m // operands of the part with a flag are any states
	free.state = nil
	inner := free.adjoined(q)
	if inner == nil {
		inner = free.built(q)
	}
	if inner == nil || inner.Operator == nil {
		return nil
	}
	zero := m.pool.Const(p.Types[i], 0)
	exprs := m.pool.Map(m.pool.Import(inner.Operator.Exprs...), func(e ir.Expr) ir.Expr {
		switch e {
		case q.States[i]:
			return ir.LtOf(zero, p.States[i])
		case m.pool.Y(i, ir.Bool):
			return ir.LtOf(zero, m.pool.Y(i, p.Types[i]))
		}
		return ir.Expr{}
	})
	inject := slices.Clone(inner.Inject)
	exprs[i], inject[i] = ir.AddOf(p.States[i], m.pool.Y(i, p.Types[i])), step
	return m.confirm(p, "flagged:"+inner.Via, exprs, inject, func(t attempt) *prove.Proven { return t.laws(p, exprs, t.within) })
}
