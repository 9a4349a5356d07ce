package search

import "math/bits"

// wide is a signed 128-bit integer: constants of linear constraints need room beyond the
// limits of 64-bit types.
type wide struct {
	hi int64
	lo uint64
}

func wideOf(v int64) wide { return wide{v >> 63, uint64(v)} }

// wideOfValue reads a carried integer or boolean value.
func wideOfValue(signed bool, v uint64) wide {
	if signed {
		return wideOf(int64(v))
	}
	return wide{0, v}
}

func (a wide) add(b wide) (wide, bool) {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi := int64(uint64(a.hi) + uint64(b.hi) + carry)
	return wide{hi, lo}, (a.hi^hi)&(b.hi^hi) >= 0
}

func (a wide) neg() wide {
	lo, borrow := bits.Sub64(0, a.lo, 0)
	return wide{int64(-uint64(a.hi) - borrow), lo}
}

// mul multiplies by a factor m ≥ 0.
func (a wide) mul(m int64) (wide, bool) {
	if a.sign() < 0 {
		p, ok := a.neg().mul(m)
		return p.neg(), ok
	}
	h, lo := bits.Mul64(a.lo, uint64(m))
	top, mid := bits.Mul64(uint64(a.hi), uint64(m))
	hi, carry := bits.Add64(h, mid, 0)
	return wide{int64(hi), lo}, top == 0 && carry == 0 && hi < 1<<63
}

// ceilDiv returns ⌈a/g⌉ for g > 0.
func (a wide) ceilDiv(g int64) wide {
	if a.sign() < 0 {
		n := a.neg()
		q1 := uint64(n.hi) / uint64(g)
		q0, _ := bits.Div64(uint64(n.hi)%uint64(g), n.lo, uint64(g))
		return wide{int64(q1), q0}.neg()
	}
	q1 := uint64(a.hi) / uint64(g)
	q0, r := bits.Div64(uint64(a.hi)%uint64(g), a.lo, uint64(g))
	q := wide{int64(q1), q0}
	if r != 0 {
		q, _ = q.add(wideOf(1))
	}
	return q
}

func (a wide) sign() int {
	switch {
	case a.hi < 0:
		return -1
	case a.hi == 0 && a.lo == 0:
		return 0
	}
	return 1
}

// pow2 returns 2^n for n ≤ 64.
func pow2(n int) wide {
	if n == 64 {
		return wide{1, 0}
	}
	return wide{0, 1 << n}
}

// shiftCeil returns ⌈a / 2^n⌉ for n ≤ 64, where that is small.
func (a wide) shiftCeil(n int) int64 {
	q := a
	if n == 64 {
		q = wide{a.hi >> 63, uint64(a.hi)}
		if a.lo != 0 {
			q, _ = q.add(wideOf(1))
		}
		return int64(q.lo)
	}
	q.lo = a.lo>>n | uint64(a.hi)<<(64-n)
	q.hi = a.hi >> n
	if a.lo&(1<<n-1) != 0 {
		q, _ = q.add(wideOf(1))
	}
	return int64(q.lo)
}
