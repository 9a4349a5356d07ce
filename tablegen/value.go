package tablegen

import (
	"math"
)

// number is the value of a function at a point.
func (s *space[T]) number(id uint32, e *env[T]) T {
	return s.numberOf(&s.numbers.nodes[id], e)
}

func (s *space[T]) numberOf(n *node, e *env[T]) T {
	switch n.op {
	case opVar:
		return e[n.args[0]]
	case opSelect:
		if s.truth(n.args[0], e) {
			return s.number(n.args[1], e)
		}
		return s.number(n.args[2], e)
	case opNeg, opAbs, opComplement:
		return s.unary(n.op, s.number(n.args[0], e))
	}
	return s.binary(n.op, s.number(n.args[0], e), s.number(n.args[1], e))
}

func (s *space[T]) unary(op opcode, a T) T {
	switch {
	case op == opComplement:
		return T(^int64(a))
	case op == opNeg && s.w.values == numbers:
		return 0 - a // one zero
	case op == opNeg:
		return -a
	case s.w.values == ieee:
		return T(math.Abs(float64(a)))
	}
	return max(a, -a) // of the least word: itself
}

func (s *space[T]) binary(op opcode, a, b T) T {
	switch op {
	case opAdd:
		return a + b
	case opSub:
		return a - b
	case opMul:
		return T(a*b) + 0 // one zero of the reals
	case opMin:
		return min(a, b)
	case opMax:
		return max(a, b)
	case opAnd:
		return T(int64(a) & int64(b))
	case opOr:
		return T(int64(a) | int64(b))
	case opXor:
		return T(int64(a) ^ int64(b))
	case opSatAdd:
		if a+b < a {
			return T(0) - 1
		}
		return a + b
	case opSatSub:
		return max(a, b) - b
	}
	panic("tablegen: internal: no operation on numbers")
}

// truth is the value of a condition at a point.
func (s *space[T]) truth(id uint32, e *env[T]) bool { return s.truthOf(&s.flags.nodes[id], e) }

func (s *space[T]) truthOf(n *node, e *env[T]) bool {
	switch n.op {
	case opVar:
		return e[n.args[0]] != 0
	case opLess:
		return s.number(n.args[0], e) < s.number(n.args[1], e)
	case opEqual:
		return s.number(n.args[0], e) == s.number(n.args[1], e)
	case opBoth:
		return s.truth(n.args[0], e) && s.truth(n.args[1], e)
	case opEither:
		return s.truth(n.args[0], e) || s.truth(n.args[1], e)
	case opDiffer:
		return s.truth(n.args[0], e) != s.truth(n.args[1], e)
	case opNegate:
		return !s.truth(n.args[0], e)
	case opChoose:
		if s.truth(n.args[0], e) {
			return s.truth(n.args[1], e)
		}
		return s.truth(n.args[2], e)
	}
	panic("tablegen: internal: no operation on flags")
}

// same reports whether two results are one value.
func (s *space[T]) same(a, b T) bool {
	if s.w.values != ieee {
		return a == b
	}
	x, y := float64(a), float64(b)
	return x != x && y != y || x == y && math.Signbit(x) == math.Signbit(y)
}

// bounded reports whether only results that are not too large are exact.
func (s *space[T]) bounded() bool {
	return s.w.values == integers || s.w.values == naturals || s.w.values == reals
}

// exact reports whether a function with n leaves, applied to arguments no larger than v, is
// computed exactly; it always is where words wrap.
func (s *space[T]) exact(v T, n int) bool {
	switch s.w.values {
	case integers, naturals:
		b := integerBound[n]
		return float64(v) <= b && float64(v) >= -b
	case reals:
		q := float64(v) * 4
		b := realBound[n]
		return q == math.Trunc(q) && q <= b && q >= -b
	}
	return true
}

// Powers of n of what is below a bound stay within 62 and 52 bits.
var integerBound, realBound = bounds(62), bounds(52)

func bounds(bits float64) (b [maxLeaves + 1]float64) {
	for n := 1; n < len(b); n++ {
		b[n] = math.Floor(math.Exp2(bits / float64(n)))
	}
	return b
}

// maxLeaves of an enumerated expression.
const maxLeaves = 8
