package bits

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// read returns the low n bits of an operator's value, or nil for a term that is not read.
func (r *reader) read(e ir.Expr, n int) []poly {
	arg := func(i int) []poly { return r.word(e.Arg(i), n) }
	switch e.Op() {
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
	case ir.Add, ir.Sub, ir.Neg, ir.Mul:
		if !e.Type().IsFloat() {
			return r.arithmetic(e, n)
		}
	case ir.Div, ir.Mod:
		by := e.Arg(1)
		if by.Op() != ir.Const || bits.OnesCount64(by.Value()) != 1 || e.Type().IsSigned() && by.Int() < 0 || e.Type().IsFloat() {
			return nil
		}
		k := bits.TrailingZeros64(by.Value())
		if e.Op() == ir.Div { // the quotient is rounded down, as a shift rounds it
			return r.window(e.Arg(0), k, n)
		}
		return slices.Concat(r.word(e.Arg(0), min(n, k)), literal(0, n-min(n, k))) // the remainder is not negative
	case ir.Shl, ir.Shr:
		return r.shift(e, n)
	case ir.Cast:
		return r.cast(e, n)
	case ir.Select:
		return r.selected(e, n)
	case ir.Eq, ir.Ne:
		if w := width(e.Arg(0)); w != 0 {
			equal := r.all(r.inverse(zip(r.word(e.Arg(0), w), r.word(e.Arg(1), w), r.plus)))
			if e.Op() == ir.Ne {
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

// mask is a & b. The bits above a literal mask are not asked of the other operand.
func (r *reader) mask(e ir.Expr, n int) []poly {
	for i := range 2 {
		if m := e.Arg(i); m.Op() == ir.Const && bits.Len64(m.Value()) < n {
			low := bits.Len64(m.Value())
			return append(zip(r.word(m, low), r.word(e.Arg(1-i), low), r.times), literal(0, n-low)...)
		}
	}
	return zip(r.word(e.Arg(0), n), r.word(e.Arg(1), n), r.times)
}

func (r *reader) arithmetic(e ir.Expr, n int) []poly {
	switch e.Op() {
	case ir.Add:
		return r.sum(r.word(e.Arg(0), n), r.word(e.Arg(1), n), nil)
	case ir.Sub: // a − b = a + ~b + 1
		return r.sum(r.word(e.Arg(0), n), r.inverse(r.word(e.Arg(1), n)), one)
	case ir.Neg:
		return r.sum(literal(0, n), r.inverse(r.word(e.Arg(0), n)), one)
	}
	for i := range 2 {
		if f := e.Arg(i); f.Op() == ir.Const {
			a, out := r.word(e.Arg(1-i), n), literal(0, n)
			for k := range n {
				if f.Value()>>k&1 != 0 {
					out = r.sum(out, append(literal(0, k), a[:n-k]...), nil)
				}
			}
			return out
		}
	}
	return nil
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

// window is the bits of a term from bit k on. Above them are its sign, or zeros.
func (r *reader) window(e ir.Expr, k, n int) []poly {
	w := width(e)
	out := make([]poly, 0, n)
	if k < w {
		out = append(out, r.word(e, min(w, k+n))[k:]...)
	}
	fill := poly(nil)
	if len(out) < n && e.Type().IsSigned() {
		fill = r.word(e, w)[w-1]
	}
	for len(out) < n {
		out = append(out, fill)
	}
	return out
}

// shift needs a count whose bits are constants in this case.
func (r *reader) shift(e ir.Expr, n int) []poly {
	w, count := width(e), 0
	for i, bit := range r.word(e.Arg(1), w) {
		switch {
		case len(bit) > 1 || len(bit) == 1 && bit[0] != "":
			r.fail("the cases do not decide the shift count %s", e.Arg(1))
		case len(bit) == 1 && i < 7:
			count |= 1 << i
		case len(bit) == 1:
			count |= 64
		}
	}
	if count = min(count, w); e.Op() == ir.Shr {
		return r.window(e.Arg(0), count, n)
	}
	count = min(count, n)
	return append(literal(0, count), r.word(e.Arg(0), n-count)...)
}

func (r *reader) cast(e ir.Expr, n int) []poly {
	a := e.Arg(0)
	switch w := width(a); {
	case w == 0 || e.Type().IsFloat():
		return nil
	case e.Type() == ir.Bool: // a ≠ 0
		return []poly{r.not(r.all(r.inverse(r.word(a, w))))}
	}
	return r.window(a, 0, n)
}

func (r *reader) selected(e ir.Expr, n int) []poly {
	c := r.word(e.Arg(0), 1)[0]
	switch {
	case len(c) == 0:
		return r.word(e.Arg(2), n)
	case len(c) == 1 && c[0] == "":
		return r.word(e.Arg(1), n)
	}
	return zip(r.word(e.Arg(1), n), r.word(e.Arg(2), n), func(a, b poly) poly { return r.choose(c, a, b) })
}
