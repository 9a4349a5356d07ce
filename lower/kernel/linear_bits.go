package kernel

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
)

// Maps of bytes that are linear over GF(2), such as a step of a CRC: what becomes of a byte is the exclusive or of what becomes of its bits. LinearMap.by
// holds these eight images, that of bit 0 lowest. In lanes each half of a byte is looked up by a shuffle.
//
//	x<<1 ^ select(x&128 != 0, 7, 0)   →   images 2, 4, 8, 16, 32, 64, 128, 7

// sameByte is the map that changes no byte.
const sameByte = 0x8040201008040201

// image is what becomes of x.
func (m LinearMap) image(x uint64) (out uint64) {
	for ; x != 0; x &= x - 1 {
		out ^= m.by >> (8 * bits.TrailingZeros64(x)) & 255
	}
	return out
}

// images is the map of what becomes of each bit.
func images(of func(bit uint64) uint64) (by uint64) {
	for b := range 8 {
		by |= of(1<<b) & 255 << (8 * b)
	}
	return by
}

// OfBits reports whether a map is one of the bits of bytes, which shuffles compute in lanes.
func (m LinearMap) OfBits() bool { return m.kind == ofBits }

// lookedUp is a map of bytes in lanes, and that of the upper half as words shift it down.
func (m LinearMap) lookedUp(v *Value) *Value {
	switch m.by {
	case 0:
		return Spread(m.t, 0)
	case sameByte:
		return v
	}
	return Apply(ir.BitXor, m.half(v, 0), m.half(bytesShifted(ir.Shr, v, 4), 4))
}

// half is what becomes of the lower half of each byte, where the map's bits begin at one.
func (m LinearMap) half(v *Value, from int) *Value {
	var table [16]byte
	for x := range uint64(16) {
		table[x] = byte(m.image(x << from))
	}
	return LookUpIn(table, Apply(ir.BitAnd, v, Spread(ir.U8, 15)))
}

// bitsExpr is a map of a single byte.
func (m LinearMap) bitsExpr(x ir.Expr) ir.Expr {
	p := x.Pool()
	if m.by == sameByte {
		return x
	}
	out := p.Int(m.t, 0)
	for b := range 8 {
		to := m.image(1 << b)
		if to == 0 {
			continue
		}
		set := ir.Make(ir.Ne, ir.Make(ir.BitAnd, x, p.Const(m.t, 1<<b)), p.Int(m.t, 0))
		if w := ir.SelectOf(set, p.Const(m.t, to), p.Int(m.t, 0)); out.IsConst(0) {
			out = w
		} else {
			out = ir.Make(ir.BitXor, out, w)
		}
	}
	return out
}

// linearBits takes e apart as LinearOf does, for bytes.
func linearBits(e, x ir.Expr) (m LinearMap, rest ir.Expr, ok bool) {
	m = LinearMap{kind: ofBits, t: ir.U8}
	switch {
	case e.Type() != ir.U8:
		return m, rest, false
	case e.States() == 0:
		return m, e, true
	case e == x:
		return m.one(), rest, true
	}
	switch op := e.Op(); op {
	case ir.BitXor:
		a, p, ok := linearBits(e.Arg(0), x)
		b, q, also := linearBits(e.Arg(1), x)
		if m.by = a.by ^ b.by; p.IsValid() && q.IsValid() {
			p = ir.Make(ir.BitXor, p, q)
		} else if q.IsValid() {
			p = q
		}
		return m, p, ok && also
	case ir.Shl, ir.Shr, ir.BitAnd: // by a literal
		by := e.Arg(1)
		n, p, ok := linearBits(e.Arg(0), x)
		if !ok || !by.IsClosed() {
			return m, rest, false
		}
		m.by = images(func(bit uint64) uint64 { return ir.Apply2(op, ir.U8, n.image(bit), ir.Eval(by, &ir.Env{})) })
		if p.IsValid() {
			p = ir.Make(op, p, by)
		}
		return m, p, true
	case ir.Select:
		return linearBit(e, x)
	}
	return m, rest, false
}

// linearBit takes a select between literals apart, which a bit decides.
func linearBit(e, x ir.Expr) (m LinearMap, rest ir.Expr, ok bool) {
	m = LinearMap{kind: ofBits, t: ir.U8}
	c, then, otherwise := e.Arg(0), e.Arg(1), e.Arg(2)
	if c.Op() != ir.Eq && c.Op() != ir.Ne || !c.Arg(1).IsClosed() || !then.IsClosed() || !otherwise.IsClosed() {
		return m, rest, false
	}
	bit, p, ok := linearBits(c.Arg(0), x)
	all := bit.image(255)
	for b := range 8 {
		all |= bit.image(1 << b)
	}
	if !ok || p.IsValid() || bits.OnesCount64(all) != 1 { // else it is no bit that decides
		return m, rest, false
	}
	of := func(set uint64) uint64 {
		return ir.Eval(ir.Subst(e, []ir.Expr{c.Arg(0)}, []ir.Expr{x.Pool().Const(ir.U8, set)}), &ir.Env{})
	}
	none := of(0)
	m.by = images(func(b uint64) uint64 { return of(bit.image(b)) ^ none })
	if none != 0 {
		rest = x.Pool().Const(ir.U8, none)
	}
	return m, rest, true
}
