package bits

import (
	"math/big"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// choice is one of two by the literal p, or else a polynomial in numbers of words, modulo 2^width.
type choice struct {
	p           literal
	then, other *choice
	sum         poly.Poly
}

func leaf(word int) *choice { return &choice{sum: poly.OfAtom(word)} }

// Limits of what a term is gathered into. The search has the same.
const (
	maxLeaves   = 8
	maxProducts = 24
)

// isSum reports whether a term is gathered into polynomials in words.
func isSum(e ir.Expr) bool {
	if !e.Type().IsInt() {
		return false
	}
	switch e.Op() {
	case ir.Const, ir.Neg, ir.BitNot, ir.Abs, ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.Select:
		return true
	case ir.Shl:
		return e.Arg(1).Op() == ir.Const
	case ir.Cast:
		return e.Arg(0).Type().IsInt() && e.Arg(0).Type().Bits() >= e.Type().Bits()
	}
	return false
}

// choice gathers a term.
func (c *circuit) choice(e ir.Expr) *choice {
	if !isSum(e) {
		return leaf(c.read(e))
	}
	out, ok := c.choices[e]
	if !ok {
		c.burn(16)
		out = c.gather(e)
		if leaves, products := out.size(); leaves > maxLeaves || products > maxProducts {
			out = leaf(c.build(e.Type(), out))
		}
		c.choices[e] = out
	}
	return out
}

func (c *circuit) gather(e ir.Expr) *choice {
	t, s := e.Type(), c.space
	r := poly.Ring(t.Bits())
	switch e.Op() {
	case ir.Const:
		return &choice{sum: s.Number(r, int64(e.Value()))}
	case ir.Select:
		p := c.bit(e.Arg(0))
		x := c.choice(e.Arg(1))
		return choose(p, x, c.choice(e.Arg(2)))
	case ir.Min, ir.Max:
		return c.extremum(e)
	}
	x := c.choice(e.Arg(0))
	var y *choice
	if e.NumArgs() == 2 {
		y = c.choice(e.Arg(1))
	}
	minus := func(p poly.Poly) poly.Poly { return s.Negate(r, p) }
	switch e.Op() {
	case ir.Neg:
		return x.each(minus)
	case ir.Abs:
		if t.IsUnsigned() {
			return x
		}
		return choose(c.value(e.Arg(0)).top(), x.each(minus), x)
	case ir.BitNot:
		return x.each(func(p poly.Poly) poly.Poly { return s.Complement(r, p) })
	case ir.Shl:
		k := new(big.Rat)
		if count := t.Unsigned().Wrap(e.Arg(1).Value()); count < 64 {
			k.SetInt(new(big.Int).Lsh(big.NewInt(1), uint(count)))
		}
		return x.each(func(p poly.Poly) poly.Poly { return s.Scale(r, k, p) })
	case ir.Cast:
		return x.each(func(p poly.Poly) poly.Poly { return c.narrow(t, p) })
	case ir.Add:
		return x.with(y, func(p, q poly.Poly) poly.Poly { return s.Plus(r, p, q) })
	case ir.Sub:
		return x.with(y, func(p, q poly.Poly) poly.Poly { return s.Sub(r, p, q) })
	}
	_, m := x.size()
	_, n := y.size()
	if m*n > maxProducts {
		x = leaf(c.read(e.Arg(0)))
		y = leaf(c.read(e.Arg(1)))
	}
	return x.with(y, func(p, q poly.Poly) poly.Poly { return s.Times(r, p, q) })
}

// extremum compares the operand with the smaller number to the other.
func (c *circuit) extremum(e ir.Expr) *choice {
	low, high := e.Arg(0), e.Arg(1)
	m := c.read(low)
	n := c.read(high)
	if m > n {
		m, n, low, high = n, m, high, low
	}
	p := c.below(e.Type(), c.words[m], c.words[n])
	if e.Op() == ir.Max {
		low, high = high, low
	}
	x := c.choice(low)
	return choose(p, x, c.choice(high))
}

// narrow returns a polynomial for a narrower type.
func (c *circuit) narrow(t ir.Type, p poly.Poly) poly.Poly {
	var terms []poly.Term
	for _, part := range p.Terms() {
		var low []int
		for _, n := range poly.Factors(part.Mono) {
			low = append(low, c.number(c.words[n][:t.Bits()]))
		}
		terms = append(terms, poly.Term{Mono: poly.MonomialOf(low), Coef: part.Coef})
	}
	return c.space.Collect(poly.Ring(t.Bits()), terms)
}

// build returns the number of the word of a gathered term.
func (c *circuit) build(t ir.Type, x *choice) int {
	if x.then == nil {
		return c.number(c.total(t, x.sum))
	}
	m := c.build(t, x.then)
	n := c.build(t, x.other)
	return c.number(c.pick(x.p, c.words[m], c.words[n]))
}

// total adds up a polynomial. A word is added once for each bit of its coefficient, or its complement for
// each bit of the negated one where those are fewer: −w = ^w + 1.
func (c *circuit) total(t ir.Type, p poly.Poly) word {
	mask := t.Unsigned().Max()
	var rest uint64
	var rows []word
	for _, part := range p.Terms() {
		coef := uint64(part.Coef.Num().Int64()) & mask
		if part.Mono == "" {
			rest += coef
			continue
		}
		factors := poly.Factors(part.Mono)
		n := factors[0]
		for _, m := range factors[1:] {
			n = c.product(t, min(m, n), max(m, n))
		}
		w := c.words[n]
		if minus := -coef & mask; bits.OnesCount64(minus) < bits.OnesCount64(coef) {
			coef, w = minus, w.not()
			rest += minus
		}
		for ; coef != 0; coef &= coef - 1 {
			rows = append(rows, w.up(bits.TrailingZeros64(coef)))
		}
	}
	rest &= mask
	carry := no
	if rest == 1 && len(rows) > 1 {
		carry, rest = yes, 0
	}
	if rest != 0 || len(rows) == 0 {
		rows = append(rows, constant(rest, t.Bits()))
	}
	out := rows[0]
	for _, row := range rows[1:] {
		out, _ = c.sum(out, row, carry)
		carry = no
	}
	return out
}

// choose returns x where p is true, else y.
func choose(p literal, x, y *choice) *choice {
	switch p {
	case yes:
		return x
	case no:
		return y
	}
	return choiceOf(p, x.where(p), y.where(p.not()))
}

func choiceOf(p literal, x, y *choice) *choice {
	if x.then == nil && y.then == nil && x.sum.Key() == y.sum.Key() {
		return x
	}
	return &choice{p: p, then: x, other: y}
}

// where returns x, of which p is known to be true.
func (x *choice) where(p literal) *choice {
	switch {
	case x.then == nil:
		return x
	case x.p == p:
		return x.then.where(p)
	case x.p == p.not():
		return x.other.where(p)
	}
	return choiceOf(x.p, x.then.where(p), x.other.where(p))
}

// with applies a function to the polynomials of x and y that go together.
func (x *choice) with(y *choice, f func(p, q poly.Poly) poly.Poly) *choice {
	switch {
	case x.then != nil:
		then := x.then.with(y.where(x.p), f)
		return choiceOf(x.p, then, x.other.with(y.where(x.p.not()), f))
	case y.then != nil:
		then := x.with(y.then, f)
		return choiceOf(y.p, then, x.with(y.other, f))
	}
	return &choice{sum: f(x.sum, y.sum)}
}

// each applies a function to the polynomials.
func (x *choice) each(f func(poly.Poly) poly.Poly) *choice {
	return x.with(&choice{}, func(p, _ poly.Poly) poly.Poly { return f(p) })
}

// size returns the number of polynomials, and the most products in one.
func (x *choice) size() (leaves, products int) {
	if x.then != nil {
		k, m := x.then.size()
		l, n := x.other.size()
		return k + l, max(m, n)
	}
	for _, part := range x.sum.Terms() {
		if part.Mono != "" {
			products++
		}
	}
	return 1, products
}
