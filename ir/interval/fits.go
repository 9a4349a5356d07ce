package interval

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
)

// Fits reports whether the exact result of +, −, ×, ÷, negation, abs or << of integers of type t
// is one of type t. Operators that take one operand ignore b. A count that is not below the
// width shifts out all there is.
func Fits(op ir.Op, t ir.Type, a, b uint64) bool {
	signed := t.IsSigned()
	switch op {
	case ir.Neg:
		return a == 0 || signed && a != t.Min()
	case ir.Abs:
		return !signed || a != t.Min()
	case ir.Div:
		return !signed || a != t.Min() || b != ^uint64(0)
	case ir.Add:
		return ir.Apply2(ir.SatAdd, t, a, b) == t.Wrap(a+b)
	case ir.Sub:
		return ir.Apply2(ir.SatSub, t, a, b) == t.Wrap(a-b)
	case ir.Shl:
		return a == 0 || b < uint64(t.Bits()) && ir.Apply2(ir.Shr, t, ir.Apply2(ir.Shl, t, a, b), b) == a
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

func magnitude(a uint64) uint64 {
	if int64(a) < 0 {
		return -a
	}
	return a
}
