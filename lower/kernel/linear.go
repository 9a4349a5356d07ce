package kernel

import (
	"math"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
)

// LinearMap is what a step does to a component besides combining it with elements: a product with a literal, where they are added; or an exclusive
// or of the component shifted or rotated by some distances, where they are combined by exclusive or. Powers of a map are maps of its kind.
//
//	x*31 + y              →   31
//	x ^ (x << 2) ^ y      →   shifts by 0 and 2
type LinearMap struct {
	kind   mapKind
	t      ir.Type
	factor uint64 // of a product
	by     uint64 // bit d is set where the value shifted by d is one of those combined; of bits see linear_bits.go
}

type mapKind uint8

const (
	times mapKind = iota
	shiftLeft
	shiftRight
	rotateLeft
	ofBits
	nothing // a product with no term, as that of a component which takes nothing of another
)

// Moves reports whether a map differs from the identity.
func (m LinearMap) Moves() bool { return m.kind != times || m.factor != m.one().factor }

// Negative reports whether a map is a product of floats with a negative number.
func (m LinearMap) Negative() bool {
	return m.kind == times && m.t.IsFloat() && ir.Float(m.t, m.factor) < 0
}

// Combines returns the operation that combines the values of a map with the elements.
func (m LinearMap) Combines() ir.Op {
	if m.kind == times || m.kind == nothing {
		return ir.Add
	}
	return ir.BitXor
}

// One is the map of a kind that changes nothing.
func (m LinearMap) one() LinearMap {
	if m.by = 1; m.kind == ofBits {
		m.by = sameByte
	}
	if m.factor = 1; m.t.IsFloat() {
		m.factor = ir.FloatBits(m.t, 1)
	}
	return m
}

// after is the map of what n does first and m then.
func (m LinearMap) after(n LinearMap) LinearMap {
	switch {
	case m.kind == nothing || n.kind == nothing:
		return LinearMap{kind: nothing, t: m.t}
	case m.kind == times:
		m.factor = ir.Apply2(ir.Mul, m.t, m.factor, n.factor)
		return m
	case m.kind == ofBits:
		m.by = images(func(bit uint64) uint64 { return m.image(n.image(bit)) })
		return m
	}
	product, width := uint64(0), m.t.Bits()
	for a := m.by; a != 0; a &= a - 1 {
		for b := n.by; b != 0; b &= b - 1 {
			d := bits.TrailingZeros64(a) + bits.TrailingZeros64(b)
			switch {
			case d < width:
				product ^= 1 << d
			case m.kind == rotateLeft:
				product ^= 1 << (d - width)
			}
		}
	}
	m.by = product
	return m
}

// Power returns the map that n steps compose to.
func (m LinearMap) Power(n int) LinearMap {
	if m.kind == times && m.t.IsFloat() { // computed as float64, the same on every machine
		power, by := 1.0, ir.Float(m.t, m.factor)
		for ; n > 0; n, by = n>>1, by*by {
			if n&1 == 1 {
				power *= by
			}
		}
		m.factor = ir.FloatBits(m.t, power)
		return m
	}
	out := m.one()
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = out.after(m)
		}
		m = m.after(m)
	}
	return out
}

// maxShifts is how many shifted values a map may combine: more take longer than steps do.
const maxShifts = 4

// A factor of floats lies between these, so that few powers of it vanish or overflow.
const least, most = 1e-30, 1e30

// Cheap reports whether lanes compute the map in few operations.
func (m LinearMap) Cheap() bool {
	switch m.kind {
	case times:
	case ofBits, nothing:
		return true
	default:
		return bits.OnesCount64(m.by) <= maxShifts
	}
	f := 1.0
	if m.t.IsFloat() {
		f = math.Abs(ir.Float(m.t, m.factor))
	}
	return f < most && f > least
}

// value is the map of lanes.
func (m LinearMap) value(v *Value) *Value {
	if m.kind == times {
		switch {
		case m.factor == m.one().factor:
			return v
		}
		return Apply(ir.Mul, v, Spread(m.t, m.factor))
	}
	if m.kind == ofBits {
		return m.lookedUp(v)
	}
	var out *Value
	for by := m.by; by != 0; by &= by - 1 {
		w := m.shifted(v, bits.TrailingZeros64(by))
		if out != nil {
			w = Apply(ir.BitXor, out, w)
		}
		out = w
	}
	if out == nil {
		return Spread(m.t, 0)
	}
	return out
}

func (m LinearMap) shifted(v *Value, by int) *Value {
	switch {
	case by == 0:
		return v
	case m.kind == shiftRight:
		return Shifted(ir.Shr, v, by)
	case m.kind == shiftLeft:
		return Shifted(ir.Shl, v, by)
	}
	return Apply(ir.BitOr, Shifted(ir.Shl, v, by), Shifted(ir.Shr, v, m.t.Bits()-by))
}

// Expr is the map of a single value.
func (m LinearMap) Expr(x ir.Expr) ir.Expr {
	p := x.Pool()
	if m.kind == times {
		return ir.MulOf(x, p.Const(m.t, m.factor))
	}
	if m.kind == ofBits {
		return m.bitsExpr(x)
	}
	shift := func(op ir.Op, by int) ir.Expr { return ir.Make(op, x, p.Int(m.t, int64(by))) }
	out := p.Int(m.t, 0)
	for by := m.by; by != 0; by &= by - 1 {
		d := bits.TrailingZeros64(by)
		w := x
		switch {
		case d == 0:
		case m.kind == shiftRight:
			w = shift(ir.Shr, d)
		case m.kind == shiftLeft:
			w = shift(ir.Shl, d)
		default:
			w = ir.Make(ir.BitOr, shift(ir.Shl, d), shift(ir.Shr, m.t.Bits()-d))
		}
		if out.IsConst(0) {
			out = w
		} else {
			out = ir.Make(ir.BitXor, out, w)
		}
	}
	return out
}

// linearOf takes the next value of component i apart: the map of the component, and what is combined with it, over elements alone. The latter is
// the zero Expr for none.
func linearOf(e ir.Expr, i int) (m LinearMap, rest ir.Expr, ok bool) {
	x := e.Pool().X(i, e.Type())
	if m, rest, ok = linearSum(e, x); ok {
		return m, rest, true
	}
	if m, rest, ok = linearBits(e, x); ok { // whose lanes do not shift
		return m, rest, true
	}
	for _, kind := range []mapKind{shiftLeft, shiftRight, rotateLeft} {
		if m, rest, ok = linearXor(e, x, kind); ok && m.by != 0 {
			return m, rest, true
		}
	}
	return m, rest, false
}

// linearSum is linear for products with literals.
func linearSum(e, x ir.Expr) (m LinearMap, rest ir.Expr, ok bool) {
	factors, rest, ok := combination(e, []ir.Expr{x})
	if !ok {
		return m, rest, false
	}
	if m = factors[0]; m.kind == nothing {
		m.kind = times // with zero
	}
	return m, rest, true
}

// linearXor is linear for one kind of shifts.
func linearXor(e, x ir.Expr, kind mapKind) (m LinearMap, rest ir.Expr, ok bool) {
	t := e.Type()
	m = LinearMap{kind: kind, t: t}
	switch {
	case !t.IsUnsigned():
		return m, rest, false
	case e.States() == 0:
		return m, e, true
	case e == x:
		return m.one(), rest, true
	}
	switch op := e.Op(); op {
	case ir.BitXor:
		a, p, ok := linearXor(e.Arg(0), x, kind)
		b, q, also := linearXor(e.Arg(1), x, kind)
		if !ok || !also {
			return m, rest, false
		}
		if m.by = a.by ^ b.by; p.IsValid() && q.IsValid() {
			return m, ir.Make(ir.BitXor, p, q), true
		} else if q.IsValid() {
			p = q
		}
		return m, p, true
	case ir.Shl, ir.Shr:
		if kind != map[ir.Op]mapKind{ir.Shl: shiftLeft, ir.Shr: shiftRight}[op] {
			return m, rest, false
		}
		return shiftedMap(e, e.Arg(0), x, kind, e.Arg(1))
	case ir.BitOr:
		a, b := e.Arg(0), e.Arg(1)
		if a.Op() == ir.Shr {
			a, b = b, a
		}
		if kind != rotateLeft || a.Op() != ir.Shl || b.Op() != ir.Shr || a.Arg(0) != b.Arg(0) || !a.Arg(1).IsClosed() || !b.Arg(1).IsClosed() ||
			ir.Eval(a.Arg(1), &ir.Env{})+ir.Eval(b.Arg(1), &ir.Env{}) != uint64(t.Bits()) {
			return m, rest, false
		}
		return shiftedMap(e, a.Arg(0), x, kind, a.Arg(1))
	}
	return m, rest, false
}

// shiftedMap is the map and the rest of e, which shifts or rotates inner by a literal.
func shiftedMap(e, inner, x ir.Expr, kind mapKind, by ir.Expr) (m LinearMap, rest ir.Expr, ok bool) {
	n, p, ok := linearXor(inner, x, kind)
	if !ok || !by.IsClosed() {
		return m, rest, false
	}
	d := ir.Eval(by, &ir.Env{})
	if d == 0 || d >= uint64(e.Type().Bits()) {
		return m, rest, false
	}
	m = LinearMap{kind: kind, t: e.Type(), by: 1 << d}
	if p.IsValid() { // the same shift of elements
		p = ir.Subst(e, []ir.Expr{inner}, []ir.Expr{p})
	}
	return m.after(n), p, true
}
