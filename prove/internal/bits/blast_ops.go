package bits

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// evaluate returns the word of an expression that is no sum.
func (b *blaster) evaluate(e ir.Expr) int {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return b.numberOf(literalWord(e.Value(), t.Bits()))
	case ir.Var, ir.Call:
		return b.fresh(e, t)
	case ir.Select: // of truths or floats
		p := b.bit(e.Arg(0))
		x := b.word(e.Arg(1))
		y := b.word(e.Arg(2))
		return b.numberOf(b.chooseWord(p, b.words[x], b.words[y]))
	}
	from := e.Arg(0).Type()
	if from.IsFloat() || t.IsFloat() {
		return b.fresh(e, t)
	}
	x := b.word(e.Arg(0))
	switch e.Op() {
	case ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse:
		return b.result(e, e.Op(), t, x, x)
	case ir.Gcd:
		return b.result(e, e.Op(), t, x, b.word(e.Arg(1)))
	}
	if e.NumArgs() == 1 {
		return b.numberOf(b.unary(e.Op(), from, t, b.words[x]))
	}
	y := b.word(e.Arg(1))
	if e.Op() == ir.Div || e.Op() == ir.Mod {
		return b.divide(e, x, y)
	}
	return b.numberOf(b.binary(e.Op(), from, b.words[x], b.words[y]))
}

func (b *blaster) unary(op ir.Op, from, t ir.Type, x []lit) []lit {
	top := x[len(x)-1]
	switch op {
	case ir.Not:
		return complement(x)
	case ir.IsNaN:
		return []lit{no}
	}
	if t == ir.Bool { // a cast
		any := no
		for _, l := range x {
			any = b.or(any, l)
		}
		return []lit{any}
	}
	fill := no
	if from.IsSigned() {
		fill = top
	}
	out := append([]lit{}, x...)
	for len(out) < t.Bits() {
		out = append(out, fill)
	}
	return out
}

func (b *blaster) binary(op ir.Op, t ir.Type, x, y []lit) []lit {
	switch op {
	case ir.And, ir.BitAnd:
		return b.bitwise(b.and, x, y)
	case ir.Or, ir.BitOr:
		return b.bitwise(b.or, x, y)
	case ir.BitXor:
		return b.bitwise(b.xor, x, y)
	case ir.Lt:
		return []lit{b.below(t, x, y)}
	case ir.Ge:
		return []lit{b.below(t, x, y).not()}
	case ir.Gt:
		return []lit{b.below(t, y, x)}
	case ir.Le:
		return []lit{b.below(t, y, x).not()}
	case ir.Eq:
		return []lit{b.same(x, y)}
	case ir.Ne:
		return []lit{b.same(x, y).not()}
	case ir.Shl, ir.Shr:
		return b.shift(op, t, x, y)
	}
	return b.saturate(op, t, x, y)
}

func (b *blaster) bitwise(f func(x, y lit) lit, x, y []lit) []lit {
	out := make([]lit, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

// shift goes by the powers of two of which the count consists. Higher bits of the count
// shift everything out.
func (b *blaster) shift(op ir.Op, t ir.Type, x, count []lit) []lit {
	fill := no
	if op == ir.Shr && t.IsSigned() {
		fill = x[len(x)-1]
	}
	for i, l := range count {
		n := len(x)
		if i < bits.Len(uint(n))-1 {
			n = 1 << i
		}
		if op == ir.Shl {
			x = b.chooseWord(l, shiftedUp(x, n, fill), x)
		} else {
			x = b.chooseWord(l, shiftedDown(x, n, fill), x)
		}
	}
	return x
}

// saturate adds or subtracts. Where that leaves the type it is the limit on the side of x,
// which is zero of differences and all ones of sums that have no sign.
func (b *blaster) saturate(op ir.Op, t ir.Type, x, y []lit) []lit {
	carry := no
	if op == ir.SatSub {
		y, carry = complement(y), yes
	}
	total, out := b.addWords(x, y, carry)
	top := len(x) - 1
	if t.IsSigned() {
		turned := b.and(b.xor(x[top], total[top]), b.xor(x[top], y[top]).not())
		limit := repeated(x[top].not(), len(x))
		limit[top] = x[top]
		return b.chooseWord(turned, limit, total)
	}
	if op == ir.SatSub {
		return b.bitwise(b.and, total, repeated(out, len(x)))
	}
	return b.bitwise(b.or, total, repeated(out, len(x)))
}

func repeated(l lit, n int) []lit { return slices.Repeat([]lit{l}, n) }

// divide looks into division by powers of two only: they shift, and the remainder is what
// they shift out, of negative words too.
func (b *blaster) divide(e ir.Expr, x, y int) int {
	t, n := e.Type(), e.Arg(1)
	power := n.Op() == ir.Const && bits.OnesCount64(n.Value()) == 1 && (t.IsUnsigned() || int64(n.Value()) > 0)
	switch {
	case n.IsConst(0):
		return b.numberOf(literalWord(0, t.Bits()))
	case !power:
		return b.result(e, e.Op(), t, x, y)
	}
	w := b.words[x]
	k := bits.TrailingZeros64(n.Value())
	fill := no
	if e.Op() == ir.Div {
		if t.IsSigned() {
			fill = w[len(w)-1]
		}
		return b.numberOf(shiftedDown(w, k, fill))
	}
	out := literalWord(0, t.Bits())
	copy(out, w[:k])
	return b.numberOf(out)
}
