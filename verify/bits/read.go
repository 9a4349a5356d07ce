package bits

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// word returns the bits of a term.
func (d *diagrams) word(e ir.Expr) word { return d.low(lowBits{e, e.Type().Bits()}) }

// lowBits are the lowest n bits of a term.
type lowBits struct {
	e ir.Expr
	n int
}

// low returns some bits of a term. The higher bits of its sums are not read: they may have large diagrams.
func (d *diagrams) low(l lowBits) word {
	w, ok := d.words[l]
	if ok {
		return w
	}
	d.Burn(1)
	switch op := l.e.Op(); {
	case op == ir.Add && l.e.Type().IsInt():
		w, _ = d.sum(d.low(lowBits{l.e.Arg(0), l.n}), d.low(lowBits{l.e.Arg(1), l.n}), no)
	case op == ir.Sub && l.e.Type().IsInt():
		w, _ = d.minus(d.low(lowBits{l.e.Arg(0), l.n}), d.low(lowBits{l.e.Arg(1), l.n}))
	case l.n < l.e.Type().Bits():
		w = d.word(l.e)[:l.n]
	default:
		w = d.read(l.e)
	}
	d.words[l] = w
	return w
}

func (d *diagrams) read(e ir.Expr) word {
	t := e.Type()
	switch {
	case e.Op() == ir.Const:
		return constant(e.Value(), t.Bits())
	case e.Op() == ir.Select:
		return d.pick(d.word(e.Arg(0))[0], d.word(e.Arg(1)), d.word(e.Arg(2)))
	case e.Op() == ir.Var:
		return d.fresh(t, e.Name())
	case e.Op() == ir.Call || t.IsFloat() || e.Arg(0).Type().IsFloat():
		return d.fresh(t, "")
	case e.Op() == ir.BitAnd && e.Arg(1).Op() == ir.Const:
		mask := e.Arg(1).Value()
		x := d.low(lowBits{e.Arg(0), min(bits.Len64(mask), t.Bits())})
		return each(d.and, append(slices.Clone(x), repeated(no, t.Bits()-len(x))...), constant(mask, t.Bits()))
	}
	from, x := e.Arg(0).Type(), d.word(e.Arg(0))
	var y word
	if e.NumArgs() == 2 {
		y = d.word(e.Arg(1))
	}
	zero := constant(0, len(x))
	switch e.Op() {
	case ir.Not, ir.BitNot:
		return d.complement(x)
	case ir.IsNaN:
		return word{no}
	case ir.Cast:
		switch {
		case t == ir.Bool:
			return word{d.not(d.same(x, zero))}
		case t.Bits() <= len(x):
			return x[:t.Bits()]
		}
		return append(x[:len(x):len(x)], repeated(x.sign(from), t.Bits()-len(x))...)
	case ir.And, ir.BitAnd:
		return each(d.and, x, y)
	case ir.Or, ir.BitOr:
		return each(d.or, x, y)
	case ir.BitXor:
		return each(d.xor, x, y)
	case ir.Lt:
		return word{d.below(from, x, y)}
	case ir.Ge:
		return word{d.not(d.below(from, x, y))}
	case ir.Gt:
		return word{d.below(from, y, x)}
	case ir.Le:
		return word{d.not(d.below(from, y, x))}
	case ir.Eq:
		return word{d.same(x, y)}
	case ir.Ne:
		return word{d.not(d.same(x, y))}
	case ir.Min:
		return d.pick(d.below(t, x, y), x, y)
	case ir.Max:
		return d.pick(d.below(t, x, y), y, x)
	case ir.Neg:
		x, _ = d.minus(zero, x)
		return x
	case ir.Abs:
		negative, _ := d.minus(zero, x)
		return d.pick(x.sign(t), negative, x)
	case ir.Mul:
		return d.product(x, y, t)
	case ir.Shl, ir.Shr:
		return d.shift(e, x, y)
	case ir.Div, ir.Mod:
		return d.divide(e, x, y)
	case ir.SatAdd, ir.SatSub:
		return d.saturate(e, x, y)
	}
	return d.opaque(e.Op(), x, y, t)
}

// shift moves a word by each bit of the count, which is read as unsigned.
func (d *diagrams) shift(e ir.Expr, x, count word) word {
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
		x = d.pick(l, moved, x)
	}
	return x
}

// divide reads quotients and remainders by zero and by powers of two. Quotients are rounded as shifts
// round them, and remainders are not negative.
func (d *diagrams) divide(e ir.Expr, x, y word) word {
	by := e.Arg(1)
	k := bits.TrailingZeros64(by.Value())
	power := by.Op() == ir.Const && bits.OnesCount64(by.Value()) == 1 && (by.Int() > 0 || by.Type().IsUnsigned())
	switch {
	case by.IsConst(0):
		return constant(0, len(x))
	case !power:
		return d.opaque(e.Op(), x, y, e.Type())
	case e.Op() == ir.Mod:
		return append(x[:k:k], constant(0, len(x)-k)...)
	}
	return x.down(k, x.sign(e.Type()))
}

// saturate adds or subtracts within the type's limits.
func (d *diagrams) saturate(e ir.Expr, x, y word) word {
	minus, carry := e.Op() == ir.SatSub, no
	if minus {
		y, carry = d.complement(y), yes
	}
	total, out := d.sum(x, y, carry)
	switch {
	case e.Type().IsSigned(): // it left the type where both operands have one sign and the sum the other
		sign := x.top()
		left := d.and(d.xor(sign, total.top()), d.not(d.xor(sign, y.top())))
		return d.pick(left, append(repeated(d.not(sign), len(x)-1), sign), total)
	case minus:
		return each(d.and, total, repeated(out, len(x)))
	}
	return each(d.or, total, repeated(out, len(x)))
}
