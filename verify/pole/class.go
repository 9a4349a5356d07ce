package pole

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
)

// class is a set of kinds of numbers. Integers have the three finite kinds.
type class uint8

// The kinds, in the order of the numbers; NaN is in no order.
const (
	negInf class = 1 << iota
	negative
	zero
	positive
	posInf
	nan

	finite   = negative | zero | positive
	infinite = negInf | posInf
)

// kinds lists the members of a set.
func (c class) kinds(yield func(class) bool) {
	for ; c != 0; c &= c - 1 {
		if !yield(c & -c) {
			return
		}
	}
}

// single reports whether all numbers of the set are one: zeros, or one infinity.
func (c class) single() bool { return c == zero || c == negInf || c == posInf }

// sign is -1, 0 or 1, of one kind that is not NaN.
func (c class) sign() int {
	switch {
	case c < zero:
		return -1
	case c > zero:
		return 1
	}
	return 0
}

// signed is the finite or infinite kind of a sign.
func signed(sign int, isInfinite bool) class {
	switch {
	case sign < 0 && isInfinite:
		return negInf
	case sign < 0:
		return negative
	case sign == 0:
		return zero
	case isInfinite:
		return posInf
	}
	return positive
}

// opposite is the set of −a for a of the set.
func (c class) opposite() (out class) {
	for k := range c.kinds {
		if k == nan {
			out |= nan
		} else {
			out |= signed(-k.sign(), k&infinite != 0)
		}
	}
	return out
}

// classOf is the kind of one number.
func classOf(t ir.Type, bits uint64) class {
	if t.IsFloat() {
		f := ir.Float(t, bits)
		switch {
		case math.IsNaN(f):
			return nan
		case f < 0:
			return signed(-1, math.IsInf(f, -1))
		case f > 0:
			return signed(1, math.IsInf(f, 1))
		}
		return zero
	}
	switch {
	case bits == 0:
		return zero
	case t.IsSigned() && int64(bits) < 0:
		return negative
	}
	return positive
}

// sum is a + b of two kinds. Of infinities of different signs it is no number.
func sum(a, b class) (out class, defined bool) {
	switch {
	case a&infinite != 0 && b&infinite != 0:
		return a, a == b
	case a&infinite != 0 || b == zero:
		return a, true
	case b&infinite != 0 || a == zero || a == b:
		return b, true
	}
	return finite, true
}

// product is a·b of two kinds. Of zero and an infinity it is no number.
func product(a, b class) (out class, defined bool) {
	infinity := (a|b)&infinite != 0
	return signed(a.sign()*b.sign(), infinity), !(infinity && (a == zero || b == zero))
}

// quotient is a/b of two kinds, for b that is not zero. Of two infinities it is no number.
func quotient(a, b class) (out class, defined bool) {
	switch {
	case a&infinite != 0 && b&infinite != 0:
		return nan, false
	case b&infinite != 0:
		return zero, true
	}
	return signed(a.sign()*b.sign(), a&infinite != 0), true
}

// truth is a set of the values false and true.
type truth uint8

const (
	no truth = 1 << iota
	yes

	unknown = no | yes
)

// truthOf is the set of one value.
func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// compare is a op b of two kinds.
func compare(op ir.Op, a, b class) truth {
	switch {
	case a == nan || b == nan:
		return truthOf(op == ir.Ne)
	case a == b && a.single():
		return truthOf(op == ir.Le || op == ir.Ge || op == ir.Eq)
	case a == b:
		return unknown
	}
	switch op {
	case ir.Lt, ir.Le:
		return truthOf(a < b)
	case ir.Gt, ir.Ge:
		return truthOf(a > b)
	}
	return truthOf(op == ir.Ne)
}
