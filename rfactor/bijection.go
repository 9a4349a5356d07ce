package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// bijection is a map φ of the values of a type onto themselves, and its inverse.
type bijection struct {
	name           string
	cost           int // 0 for the identity
	apply, inverse func(ir.Expr) ir.Expr
}

var identityMap = bijection{apply: same, inverse: same}

func same(e ir.Expr) ir.Expr { return e }

func involution(name string, op ir.Op) bijection {
	f := func(e ir.Expr) ir.Expr { return ir.Make(op, e) }
	return bijection{name, 1, f, f}
}

// bijections are the maps worth trying on a part: the identity first. Others are tried on
// single components only: −x, ~x, !x, and x + c and c − x for the invariants c of the
// update and ±1.
func (m *matcher) bijections(p *part) []bijection {
	out := []bijection{identityMap}
	if len(p.types) != 1 {
		return out
	}
	t := p.types[0]
	switch {
	case t == ir.Bool:
		return append(out, involution(" with !x", ir.Not))
	case t.IsFloat():
		out = append(out, involution(" with -x", ir.Neg))
	default:
		out = append(out, involution(" with -x", ir.Neg), involution(" with ~x", ir.BitNot))
	}
	for _, c := range m.shifts(p, t) {
		out = append(out,
			bijection{" with x + " + c.String(), 2, func(e ir.Expr) ir.Expr { return ir.AddOf(e, c) }, func(e ir.Expr) ir.Expr { return ir.SubOf(e, c) }},
			bijection{" with " + c.String() + " - x", 3, func(e ir.Expr) ir.Expr { return ir.SubOf(c, e) }, func(e ir.Expr) ir.Expr { return ir.SubOf(c, e) }})
	}
	return out
}

const maxShifts = 6

func (m *matcher) shifts(p *part, t ir.Type) []ir.Expr {
	out := []ir.Expr{m.pool.Int(t, 1), m.pool.Int(t, -1)}
	ir.Walk(p.values, func(v ir.Expr) {
		if !v.IsInvariant() || v.Type() != t || v.IsConst(0) || len(out) >= maxShifts {
			return
		}
		out = append(out, v)
		if v.Op() == ir.Const {
			out = append(out, m.pool.Const(t, ir.Apply1(ir.Neg, t, t, v.Value())))
		}
	})
	slices.SortStableFunc(out, func(a, b ir.Expr) int { return a.Size() - b.Size() })
	return slices.Compact(out)
}

// row is φ of a row of values.
func (b bijection) row(m *matcher, t ir.Type, r row) row { return b.mapRow(m, t, r, b.apply) }

// inverseRow is φ⁻¹ of a row of values.
func (b bijection) inverseRow(m *matcher, t ir.Type, r row) row { return b.mapRow(m, t, r, b.inverse) }

func (b bijection) mapRow(m *matcher, t ir.Type, r row, f func(ir.Expr) ir.Expr) row {
	if b.cost == 0 {
		return r
	}
	x := m.pool.X(0, t)
	out, _ := m.sample.run(ir.NewTape(f(x)), map[ir.Expr]row{x: r})
	return out[0]
}
