package equation

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// evaluate is the word of an expression that is not linear.
func (m *machine) evaluate(e ir.Expr) int {
	t := e.Type()
	if e.Op() == ir.Const {
		return m.name(literalBits(e.Value(), t.Bits()))
	}
	if e.Op() == ir.Select {
		p := m.bit(e.Arg(0))
		x := m.value(e.Arg(1))
		y := m.value(e.Arg(2))
		return m.name(m.pick(p, m.words[x], m.words[y]))
	}
	if e.NumArgs() == 0 || e.Op() == ir.Call || t.IsFloat() || e.Arg(0).Type().IsFloat() {
		return m.unknown(t)
	}
	x := m.value(e.Arg(0))
	if e.NumArgs() == 1 {
		return m.name(m.one(e, m.words[x]))
	}
	y := m.value(e.Arg(1))
	if e.Op() == ir.Div || e.Op() == ir.Mod {
		return m.divided(e, x, y)
	}
	return m.name(m.two(e.Op(), e.Arg(0).Type(), m.words[x], m.words[y]))
}

func (m *machine) one(e ir.Expr, x []int) []int {
	sign := x[len(x)-1]
	switch e.Op() {
	case ir.Not:
		return negated(x)
	case ir.IsNaN:
		return []int{falseBit}
	case ir.Cast:
		if e.Type() == ir.Bool {
			some := falseBit
			for _, l := range x {
				some = m.either(some, l)
			}
			return []int{some}
		}
		if !e.Arg(0).Type().IsSigned() {
			sign = falseBit
		}
		return append(slices.Clone(x), slices.Repeat([]int{sign}, e.Type().Bits()-len(x))...)
	}
	poly.Fail("there are no bits of %s", e.Op())
	return nil
}

func (m *machine) two(op ir.Op, t ir.Type, x, y []int) []int {
	switch op {
	case ir.And, ir.BitAnd:
		return each(m.both, x, y)
	case ir.Or, ir.BitOr:
		return each(m.either, x, y)
	case ir.BitXor:
		return each(m.differ, x, y)
	case ir.Lt:
		return []int{m.lower(t, x, y)}
	case ir.Ge:
		return []int{-m.lower(t, x, y)}
	case ir.Gt:
		return []int{m.lower(t, y, x)}
	case ir.Le:
		return []int{-m.lower(t, y, x)}
	case ir.Eq:
		return []int{m.alike(x, y)}
	case ir.Ne:
		return []int{-m.alike(x, y)}
	case ir.Shl:
		return m.shifted(x, y, false, falseBit)
	case ir.Shr:
		if t.IsSigned() {
			return m.shifted(x, y, true, x[len(x)-1])
		}
		return m.shifted(x, y, true, falseBit)
	case ir.SatAdd:
		return m.saturated(t, x, y, falseBit)
	case ir.SatSub:
		return m.saturated(t, x, negated(y), -falseBit)
	}
	poly.Fail("there are no bits of %s", op)
	return nil
}

func each(f func(a, b int) int, x, y []int) []int {
	out := make([]int, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

func (m *machine) pick(p int, x, y []int) []int {
	return each(func(a, b int) int { return m.ifElse(p, a, b) }, x, y)
}

// lower is x < y: x + ^y + 1 does not carry. Signs count the other way.
func (m *machine) lower(t ir.Type, x, y []int) int {
	if t.IsSigned() {
		x, y = slices.Clone(x), slices.Clone(y)
		last := len(x) - 1
		x[last], y[last] = y[last], x[last]
	}
	_, carry := m.addBits(x, negated(y), -falseBit)
	return -carry
}

func (m *machine) alike(x, y []int) int {
	all := -falseBit
	for i := range x {
		all = m.both(all, -m.differ(x[i], y[i]))
	}
	return all
}

// shifted moves x by the value of count, read without sign; fill comes in.
func (m *machine) shifted(x, count []int, down bool, fill int) []int {
	width := len(x)
	for i, l := range count {
		by := width
		if uint64(1)<<i < uint64(width) {
			by = 1 << i
		}
		moved := slices.Repeat([]int{fill}, width)
		if down {
			copy(moved, x[by:])
		} else {
			copy(moved[by:], x)
		}
		x = m.pick(l, moved, x)
	}
	return x
}

// saturated is x + y + carry within the type's limits; y may be complemented.
func (m *machine) saturated(t ir.Type, x, y []int, carry int) []int {
	total, out := m.addBits(x, y, carry)
	last := len(x) - 1
	switch {
	case t.IsSigned(): // it left the type where both operands have one sign and the sum the other
		sign := x[last]
		left := m.both(m.differ(sign, total[last]), -m.differ(sign, y[last]))
		limit := slices.Repeat([]int{-sign}, len(x))
		limit[last] = sign
		return m.pick(left, limit, total)
	case carry == falseBit: // a sum: all ones where it carries
		return each(m.either, total, slices.Repeat([]int{out}, len(x)))
	}
	return each(m.both, total, slices.Repeat([]int{out}, len(x))) // a difference
}

// divided looks into division by literal powers of two.
func (m *machine) divided(e ir.Expr, x, y int) int {
	t := e.Type()
	w := m.words[x]
	if d := e.Arg(1); d.Op() == ir.Const {
		n := poly.Order(t, d.Value())
		if n.Sign() == 0 {
			return m.name(literalBits(0, len(w)))
		}
		if k := int(n.TrailingZeroBits()); n.Sign() > 0 && n.BitLen() == k+1 {
			if e.Op() == ir.Mod {
				return m.name(append(slices.Clone(w[:k]), literalBits(0, len(w)-k)...))
			}
			fill := falseBit
			if t.IsSigned() {
				fill = w[len(w)-1]
			}
			return m.name(append(slices.Clone(w[k:]), slices.Repeat([]int{fill}, k)...))
		}
	}
	return m.opaque(e.Op(), t, x, y)
}
