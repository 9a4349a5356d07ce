package claims

import (
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// This file computes with real numbers, infinities and NaN as the IEEE rules do, but exactly.
// Zero has no sign, so that an infinity which comes of a division by zero has none either.

func (p *compiled) realOp(n *node, a, b value) value {
	switch {
	case n.op == ir.IsNaN:
		return truth(a.nan)
	case n.op.FloatsOnly():
		return p.function(n, a, b)
	case n.op.IsComparison():
		return compared(n.op, a, b)
	}
	if a.nan || b.nan {
		return value{nan: true}
	}
	switch n.op {
	case ir.Neg:
		return negated(a)
	case ir.Abs:
		return absolute(a)
	case ir.Min:
		return smaller(a, b)
	case ir.Max:
		return negated(smaller(negated(a), negated(b)))
	case ir.Sub:
		return sum(a, negated(b))
	case ir.Add:
		return sum(a, b)
	case ir.Mul:
		return product(a, b)
	}
	v := quotient(a, b)
	if v.unsure || v.nan {
		v.void = v.void || p.noPoles
	}
	return v
}

func compared(op ir.Op, a, b value) value {
	if a.nan || b.nan {
		return truth(op == ir.Ne)
	}
	if (op == ir.Eq || op == ir.Ne) && (a.inf == 0) != (b.inf == 0) {
		return truth(op == ir.Ne)
	}
	c, ok := compare(a, b)
	if !ok {
		return voided
	}
	return decided(op, c)
}

func negated(a value) value {
	switch {
	case a.inf != 0:
		a.inf = -a.inf
	case a.r != nil:
		a.r = new(big.Rat).Neg(a.r)
	case a.lo != nil:
		a.lo, a.hi = ending(big.ToNegativeInf).Neg(a.hi), ending(big.ToPositiveInf).Neg(a.lo)
	}
	return a
}

func absolute(a value) value {
	if a.inf != 0 {
		return value{inf: 1}
	}
	switch s, ok := a.sign(); {
	case ok && s < 0:
		return negated(a)
	case ok:
		return a
	}
	n := negated(a)
	top := a.hi
	if n.hi.Cmp(top) > 0 {
		top = n.hi
	}
	return value{lo: ending(big.ToNegativeInf), hi: top}
}

func smaller(a, b value) value {
	c, ok := compare(a, b)
	switch {
	case ok && c <= 0:
		return a
	case ok:
		return b
	case a.lo == nil || b.lo == nil:
		return voided
	}
	v := a
	if b.lo.Cmp(v.lo) < 0 {
		v.lo = b.lo
	}
	if b.hi.Cmp(v.hi) < 0 {
		v.hi = b.hi
	}
	return v
}

func sum(a, b value) value {
	switch {
	case a.inf != 0 && b.inf != 0:
		if a.unsure || b.unsure {
			return voided
		}
		if a.inf != b.inf {
			return value{nan: true}
		}
		return a
	case a.inf != 0:
		return a
	case b.inf != 0:
		return b
	case a.r != nil:
		return value{r: new(big.Rat).Add(a.r, b.r)}
	}
	return value{lo: ending(big.ToNegativeInf).Add(a.lo, b.lo), hi: ending(big.ToPositiveInf).Add(a.hi, b.hi)}
}

func product(a, b value) value {
	if a.inf != 0 || b.inf != 0 {
		s, ok := signs(a, b)
		switch {
		case !ok:
			return voided
		case s == 0:
			return value{nan: true}
		}
		return value{inf: int8(s), unsure: a.unsure || b.unsure}
	}
	if a.r != nil {
		return value{r: new(big.Rat).Mul(a.r, b.r)}
	}
	return corners(a, b, (*big.Float).Mul)
}

// signs is the product of the signs of two values that are not NaN.
func signs(a, b value) (int, bool) {
	s := 1
	for _, v := range []value{a, b} {
		if v.inf != 0 {
			s *= int(v.inf)
			continue
		}
		t, ok := v.sign()
		if !ok {
			return 0, false
		}
		s *= t
	}
	return s, true
}

func quotient(a, b value) value {
	if b.inf != 0 {
		if a.inf != 0 {
			return value{nan: true}
		}
		return zeroLike(a)
	}
	s, ok := b.sign()
	switch {
	case !ok:
		return voided
	case s == 0:
		return overZero(a)
	case a.inf != 0:
		return value{inf: a.inf * int8(s), unsure: a.unsure}
	case a.r != nil:
		return value{r: new(big.Rat).Quo(a.r, b.r)}
	}
	return corners(a, b, (*big.Float).Quo)
}

func overZero(a value) value {
	if a.inf != 0 {
		return value{inf: a.inf, unsure: true}
	}
	switch s, ok := a.sign(); {
	case !ok:
		return voided
	case s == 0:
		return value{nan: true}
	default:
		return value{inf: int8(s), unsure: true}
	}
}

func zeroLike(a value) value {
	if a.r != nil {
		return value{r: new(big.Rat)}
	}
	return value{lo: ending(big.ToNegativeInf), hi: ending(big.ToPositiveInf)}
}

// corners applies a function that is monotone in each operand to the ends of intervals.
func corners(a, b value, f func(z, x, y *big.Float) *big.Float) value {
	var v value
	for _, x := range []*big.Float{a.lo, a.hi} {
		for _, y := range []*big.Float{b.lo, b.hi} {
			lo, hi := f(ending(big.ToNegativeInf), x, y), f(ending(big.ToPositiveInf), x, y)
			if v.lo == nil || lo.Cmp(v.lo) < 0 {
				v.lo = lo
			}
			if v.hi == nil || hi.Cmp(v.hi) > 0 {
				v.hi = hi
			}
		}
	}
	return v
}
