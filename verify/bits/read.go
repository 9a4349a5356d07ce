package bits

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// read returns the low n bits of an operator's value, or nil for a term that is not read.
func (r *reader) read(e ir.Expr, n int) []poly {
	arg := func(i int) []poly { return r.word(e.Arg(i), n) }
	switch op := e.Op(); op {
	case ir.Const:
		return literal(e.Value(), n)
	case ir.BitNot, ir.Not:
		return r.inverse(arg(0))
	case ir.BitAnd, ir.And:
		return r.mask(e, n)
	case ir.BitOr, ir.Or:
		return zip(arg(0), arg(1), r.either)
	case ir.BitXor:
		return zip(arg(0), arg(1), r.plus)
	case ir.Add:
		return r.sum(arg(0), arg(1), nil)
	case ir.Sub: // a − b = a + ~b + 1
		return r.sum(arg(0), r.inverse(arg(1)), one)
	case ir.Neg:
		return r.sum(literal(0, n), r.inverse(arg(0)), one)
	case ir.Mul, ir.Div, ir.Mod:
		return r.scale(e, n)
	case ir.Shl, ir.Shr:
		return r.shift(e, n)
	case ir.Cast:
		w := width(e.Arg(0))
		switch {
		case w == 0:
			return nil
		case e.Type() == ir.Bool: // a ≠ 0
			return []poly{r.not(r.all(r.inverse(r.word(e.Arg(0), w))))}
		}
		return r.window(e.Arg(0), 0, n)
	case ir.Select:
		c := r.word(e.Arg(0), 1)[0]
		switch {
		case len(c) == 0:
			return arg(2)
		case slices.Equal(c, one):
			return arg(1)
		}
		return zip(arg(1), arg(2), func(a, b poly) poly { return r.choose(c, a, b) })
	case ir.Eq, ir.Ne:
		if w := width(e.Arg(0)); w != 0 {
			equal := r.all(r.inverse(zip(r.word(e.Arg(0), w), r.word(e.Arg(1), w), r.plus)))
			if op == ir.Ne {
				equal = r.not(equal)
			}
			return []poly{equal}
		}
	}
	return nil
}

func zip(a, b []poly, f func(a, b poly) poly) []poly {
	out := make([]poly, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func (r *reader) inverse(a []poly) []poly {
	return zip(a, a, func(a, _ poly) poly { return r.not(a) })
}

// all is the product of bits.
func (r *reader) all(a []poly) poly {
	out := one
	for _, bit := range a {
		out = r.times(out, bit)
	}
	return out
}

// mask is a & b. The bits above a literal are not asked of the other operand.
func (r *reader) mask(e ir.Expr, n int) []poly {
	low := n
	for i := range 2 {
		if m := e.Arg(i); m.Op() == ir.Const {
			low = min(low, bits.Len64(m.Value()))
		}
	}
	return append(zip(r.word(e.Arg(0), low), r.word(e.Arg(1), low), r.times), literal(0, n-low)...)
}

// sum adds words and a carry into the lowest bit.
func (r *reader) sum(a, b []poly, carry poly) []poly {
	out := make([]poly, len(a))
	for i := range a {
		half := r.plus(a[i], b[i])
		if out[i] = r.plus(half, carry); i+1 < len(a) {
			carry = r.plus(r.times(a[i], b[i]), r.times(half, carry))
		}
	}
	return out
}

// scale is a product with a literal, or a quotient or a remainder by a power of two.
func (r *reader) scale(e ir.Expr, n int) []poly {
	a, by := e.Arg(0), e.Arg(1)
	if a.Op() == ir.Const && e.Op() == ir.Mul {
		a, by = by, a
	}
	power := by.Op() == ir.Const && bits.OnesCount64(by.Value()) == 1 && (by.Int() > 0 || e.Type().IsUnsigned())
	switch k := 0; {
	case by.Op() == ir.Const && e.Op() == ir.Mul:
		word, out := r.word(a, n), literal(0, n)
		for k = range n {
			if by.Value()>>k&1 != 0 {
				out = r.sum(out, append(literal(0, k), word[:n-k]...), nil)
			}
		}
		return out
	case power && e.Op() == ir.Div: // the quotient is rounded down, as a shift rounds it
		return r.window(a, bits.TrailingZeros64(by.Value()), n)
	case power && e.Op() == ir.Mod: // the remainder is not negative
		k = min(n, bits.TrailingZeros64(by.Value()))
		return slices.Concat(r.word(a, k), literal(0, n-k))
	}
	return nil
}

// window is n bits of a term from bit k on. Above the term's own are its sign, or zeros.
func (r *reader) window(e ir.Expr, k, n int) []poly {
	w, out := width(e), make([]poly, 0, n)
	if k < w {
		out = append(out, r.word(e, min(w, k+n))[k:]...)
	}
	var fill poly
	if len(out) < n && e.Type().IsSigned() {
		fill = r.word(e, w)[w-1]
	}
	return append(out, slices.Repeat([]poly{fill}, n-len(out))...)
}

// shift needs a count whose bits are constants in this case. A count is read as unsigned.
func (r *reader) shift(e ir.Expr, n int) []poly {
	count := uint64(0)
	for i, bit := range r.word(e.Arg(1), width(e)) {
		switch {
		case slices.Equal(bit, one):
			count |= 1 << i
		case len(bit) != 0:
			r.fail("the cases do not decide the shift count %s", e.Arg(1))
		}
	}
	k := int(min(count, uint64(width(e))))
	if e.Op() == ir.Shr {
		return r.window(e.Arg(0), k, n)
	}
	k = min(k, n)
	return append(literal(0, k), r.word(e.Arg(0), n-k)...)
}
