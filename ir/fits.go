package ir

import "math/bits"

// Fits reports whether the exact result of +, −, ×, ÷, negation, abs or << of integers of type t
// is one of type t. Operators that take one operand ignore b. A count that is not below the
// width shifts out all there is.
func Fits(op Op, t Type, a, b uint64) bool {
	signed := t.IsSigned()
	switch op {
	case Neg:
		return a == 0 || signed && a != t.Min()
	case Abs:
		return !signed || a != t.Min()
	case Div:
		return !signed || a != t.Min() || b != ^uint64(0)
	case Add:
		return Apply2(SatAdd, t, a, b) == t.Wrap(a+b)
	case Sub:
		return Apply2(SatSub, t, a, b) == t.Wrap(a-b)
	case Shl:
		return a == 0 || b < uint64(t.Bits()) && Apply2(Shr, t, Apply2(Shl, t, a, b), b) == a
	}
	if !signed {
		hi, lo := bits.Mul64(a, b)
		return hi == 0 && lo <= t.Max()
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	limit := t.Max()
	if int64(a^b) < 0 {
		limit++
	}
	return hi == 0 && lo <= limit
}
