package bits

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// reader reads terms as words of bits in a normal form.
type reader struct {
	*poly.Space // which pays
	form
	words   map[lowBits]word
	opaques map[string]word // of operators that are not looked into, by their operands
}

// word returns the bits of a term.
func (r *reader) word(e ir.Expr) word { return r.low(lowBits{e, e.Type().Bits()}) }

// lowBits are the lowest n bits of a term.
type lowBits struct {
	e ir.Expr
	n int
}

// low returns some bits of a term. The higher bits of its sums are not read: they may have large diagrams.
func (r *reader) low(l lowBits) word {
	w, ok := r.words[l]
	if ok {
		return w
	}
	r.Burn(1)
	switch op := l.e.Op(); {
	case op == ir.Add && l.e.Type().IsInt():
		w, _ = r.sum(r.low(lowBits{l.e.Arg(0), l.n}), r.low(lowBits{l.e.Arg(1), l.n}), no)
	case op == ir.Sub && l.e.Type().IsInt():
		w, _ = r.minus(r.low(lowBits{l.e.Arg(0), l.n}), r.low(lowBits{l.e.Arg(1), l.n}))
	case l.n < l.e.Type().Bits():
		w = r.word(l.e)[:l.n]
	default:
		w = r.read(l.e)
	}
	if r.lost() {
		w = r.fresh(l.e.Type(), "")[:l.n]
	}
	r.words[l] = w
	return w
}

func (r *reader) read(e ir.Expr) word {
	t := e.Type()
	switch {
	case e.Op() == ir.Const:
		return constant(e.Value(), t.Bits())
	case e.Op() == ir.Select:
		return r.pick(r.word(e.Arg(0))[0], r.word(e.Arg(1)), r.word(e.Arg(2)))
	case e.Op() == ir.Var:
		return r.fresh(t, e.Name())
	case e.Op() == ir.Call || t.IsFloat() || e.Arg(0).Type().IsFloat():
		return r.fresh(t, "")
	case e.Op() == ir.BitAnd && e.Arg(1).Op() == ir.Const:
		mask := e.Arg(1).Value()
		x := r.low(lowBits{e.Arg(0), min(bits.Len64(mask), t.Bits())})
		return each(r.and, append(slices.Clone(x), repeated(no, t.Bits()-len(x))...), constant(mask, t.Bits()))
	}
	from, x := e.Arg(0).Type(), r.word(e.Arg(0))
	var y word
	if e.NumArgs() == 2 {
		y = r.word(e.Arg(1))
	}
	zero := constant(0, len(x))
	switch e.Op() {
	case ir.Not, ir.BitNot:
		return r.complement(x)
	case ir.IsNaN:
		return word{no}
	case ir.Cast:
		switch {
		case t == ir.Bool:
			return word{r.not(r.same(x, zero))}
		case t.Bits() <= len(x):
			return x[:t.Bits()]
		}
		return append(x[:len(x):len(x)], repeated(x.sign(from), t.Bits()-len(x))...)
	case ir.And, ir.BitAnd:
		return each(r.and, x, y)
	case ir.Or, ir.BitOr:
		return each(r.or, x, y)
	case ir.BitXor:
		return each(r.xor, x, y)
	case ir.Lt:
		return word{r.below(from, x, y)}
	case ir.Ge:
		return word{r.not(r.below(from, x, y))}
	case ir.Gt:
		return word{r.below(from, y, x)}
	case ir.Le:
		return word{r.not(r.below(from, y, x))}
	case ir.Eq:
		return word{r.same(x, y)}
	case ir.Ne:
		return word{r.not(r.same(x, y))}
	case ir.Min:
		return r.pick(r.below(t, x, y), x, y)
	case ir.Max:
		return r.pick(r.below(t, x, y), y, x)
	case ir.Neg:
		x, _ = r.minus(zero, x)
		return x
	case ir.PopCount: // the lowest bit of a count is the parity
		return append(word{r.parity(x)}, r.opaque(e.Op(), x, y, t)[1:]...)
	case ir.BitReverse:
		x = slices.Clone(x)
		slices.Reverse(x)
		return x
	case ir.Abs:
		negative, _ := r.minus(zero, x)
		return r.pick(x.sign(t), negative, x)
	case ir.Mul:
		return r.product(x, y, t)
	case ir.Shl, ir.Shr:
		return r.shift(e, x, y)
	case ir.Div, ir.Mod:
		return r.divide(e, x, y)
	case ir.SatAdd, ir.SatSub:
		return r.saturate(e, x, y)
	}
	return r.opaque(e.Op(), x, y, t)
}

// shift moves a word by each bit of the count, which is read as unsigned.
func (r *reader) shift(e ir.Expr, x, count word) word {
	fill := x.sign(e.Type())
	for i, l := range count {
		n := len(x)
		if i < 6 { // no word has more than 64 bits
			n = min(n, 1<<i)
		}
		moved := x.up(n)
		if e.Op() == ir.Shr {
			moved = x.down(n, fill)
		}
		x = r.pick(l, moved, x)
	}
	return x
}

// divide reads quotients and remainders by zero and by powers of two. Quotients are rounded as shifts
// round them, and remainders are not negative.
func (r *reader) divide(e ir.Expr, x, y word) word {
	by := e.Arg(1)
	k := bits.TrailingZeros64(by.Value())
	power := by.Op() == ir.Const && bits.OnesCount64(by.Value()) == 1 && (by.Int() > 0 || by.Type().IsUnsigned())
	switch {
	case by.IsConst(0):
		return constant(0, len(x))
	case !power:
		return r.opaque(e.Op(), x, y, e.Type())
	case e.Op() == ir.Mod:
		return append(x[:k:k], constant(0, len(x)-k)...)
	}
	return x.down(k, x.sign(e.Type()))
}

// saturate adds or subtracts within the type's limits.
func (r *reader) saturate(e ir.Expr, x, y word) word {
	minus, carry := e.Op() == ir.SatSub, no
	if minus {
		y, carry = r.complement(y), yes
	}
	total, out := r.sum(x, y, carry)
	switch {
	case e.Type().IsSigned(): // it left the type where both operands have one sign and the sum the other
		sign := x.top()
		left := r.and(r.xor(sign, total.top()), r.not(r.xor(sign, y.top())))
		return r.pick(left, append(repeated(r.not(sign), len(x)-1), sign), total)
	case minus:
		return each(r.and, total, repeated(out, len(x)))
	}
	return each(r.or, total, repeated(out, len(x)))
}

// opaque returns a word of inputs for an operator, the same for the same operands.
func (r *reader) opaque(op ir.Op, x, y word, t ir.Type) word {
	r.Burn(len(x))
	key := fmt.Sprint(op, t, x, y)
	w, ok := r.opaques[key]
	if !ok {
		w = r.fresh(t, "")
		r.opaques[key] = w
	}
	return w
}
