package bits

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// bit returns the literal of a condition.
func (c *circuit) bit(e ir.Expr) literal { return c.word(e)[0] }

// word returns the bits of a term.
func (c *circuit) word(e ir.Expr) word { return c.words[c.read(e)] }

// read returns the number of a term's word.
func (c *circuit) read(e ir.Expr) int { return c.build(e.Type(), c.choice(e)) }

// apply returns the word of a term that is no sum.
func (c *circuit) apply(e ir.Expr) word {
	t := e.Type()
	switch {
	case e.Op() == ir.Const:
		return constant(e.Value(), t.Bits())
	case e.Op() == ir.Select:
		p := c.bit(e.Arg(0))
		x := c.word(e.Arg(1))
		return c.pick(p, x, c.word(e.Arg(2)))
	case e.NumArgs() == 0 || e.Op() == ir.Call || t.IsFloat() || e.Arg(0).Type().IsFloat():
		return c.fresh(t)
	}
	x := c.word(e.Arg(0))
	var y word
	if e.NumArgs() == 2 {
		y = c.word(e.Arg(1))
	}
	from := e.Arg(0).Type()
	switch e.Op() {
	case ir.Not:
		return x.not()
	case ir.IsNaN:
		return word{no}
	case ir.Cast:
		if t != ir.Bool {
			return append(x[:len(x):len(x)], repeated(x.sign(from), t.Bits()-len(x))...)
		}
		some := no
		for _, l := range x {
			some = c.or(some, l)
		}
		return word{some}
	case ir.And, ir.BitAnd:
		return each(c.and, x, y)
	case ir.Or, ir.BitOr:
		return each(c.or, x, y)
	case ir.BitXor:
		return each(c.xor, x, y)
	case ir.Lt:
		return word{c.below(from, x, y)}
	case ir.Ge:
		return word{c.below(from, x, y).not()}
	case ir.Gt:
		return word{c.below(from, y, x)}
	case ir.Le:
		return word{c.below(from, y, x).not()}
	case ir.Eq:
		return word{c.same(x, y)}
	case ir.Ne:
		return word{c.same(x, y).not()}
	case ir.Shl, ir.Shr:
		return c.shift(e, x, y)
	case ir.Div, ir.Mod:
		return c.divide(e, x)
	case ir.SatAdd, ir.SatSub:
		return c.saturate(e, x, y)
	}
	poly.Fail("there are no bits of %s", e.Op())
	return nil
}

// shift moves a word by each bit of the count, which is read as unsigned.
func (c *circuit) shift(e ir.Expr, x, count word) word {
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
		x = c.pick(l, moved, x)
	}
	return x
}

// divide reads quotients and remainders by zero and by powers of two. Quotients are rounded as shifts
// round them, and remainders are not negative.
func (c *circuit) divide(e ir.Expr, x word) word {
	by := e.Arg(1)
	k := bits.TrailingZeros64(by.Value())
	power := by.Op() == ir.Const && bits.OnesCount64(by.Value()) == 1 && (by.Int() > 0 || by.Type().IsUnsigned())
	switch {
	case by.IsConst(0):
		return constant(0, len(x))
	case !power:
		return c.opaque(e.Op(), e.Type(), c.read(e.Arg(0)), c.read(by))
	case e.Op() == ir.Mod:
		return append(x[:k:k], constant(0, len(x)-k)...)
	}
	return x.down(k, x.sign(e.Type()))
}

// saturate adds or subtracts within the type's limits.
func (c *circuit) saturate(e ir.Expr, x, y word) word {
	minus := e.Op() == ir.SatSub
	carry := no
	if minus {
		y, carry = y.not(), yes
	}
	total, out := c.sum(x, y, carry)
	switch {
	case e.Type().IsSigned(): // it left the type where both operands have one sign and the sum the other
		sign := x.top()
		left := c.xor(sign, total.top())
		left = c.and(left, c.xor(sign, y.top()).not())
		return c.pick(left, append(repeated(sign.not(), len(x)-1), sign), total)
	case minus:
		return each(c.and, total, repeated(out, len(x)))
	}
	return each(c.or, total, repeated(out, len(x)))
}
