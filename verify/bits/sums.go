package bits

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// choice is one of two by the literal p, or else a polynomial in numbers of words, modulo 2^width.
type choice struct {
	p           literal
	then, other *choice
	sum         poly.Poly
	built       bool
	number      int // of its word, once it is built
}

// Limits of what a term is gathered into. The search has the same.
const (
	maxLeaves   = 8
	maxProducts = 24
)

// choice gathers a term.
func (c *circuit) choice(e ir.Expr) *choice {
	out, ok := c.choices[e]
	if !ok {
		c.Burn(16)
		if e.Type().IsInt() {
			out = c.gather(e)
		}
		if out == nil {
			out = leaf(c.number(c.apply(e)))
		} else if leaves, products := out.size(); leaves > maxLeaves || products > maxProducts {
			out = leaf(c.build(e.Type(), out))
		}
		c.choices[e] = out
	}
	return out
}

// leaf is a word that is made.
func leaf(number int) *choice { return &choice{sum: poly.OfAtom(number), built: true, number: number} }

// gather writes a term as polynomials in words. It returns nil for a term that is no sum.
func (c *circuit) gather(e ir.Expr) *choice {
	t := e.Type()
	r := poly.Ring(t.Bits())
	unary := func(f func(poly.Ring, poly.Poly) poly.Poly) *choice {
		return c.choice(e.Arg(0)).with(&choice{}, func(p, _ poly.Poly) poly.Poly { return f(r, p) })
	}
	binary := func(f func(r poly.Ring, p, q poly.Poly) poly.Poly) *choice {
		x := c.choice(e.Arg(0))
		y := c.choice(e.Arg(1))
		_, m := x.size()
		_, n := y.size()
		if e.Op() == ir.Mul && m*n > maxProducts {
			x = leaf(c.read(e.Arg(0)))
			y = leaf(c.read(e.Arg(1)))
		}
		return x.with(y, func(p, q poly.Poly) poly.Poly { return f(r, p, q) })
	}
	switch e.Op() {
	case ir.Const:
		return &choice{sum: c.Number(r, int64(e.Value()))}
	case ir.Select:
		p := c.bit(e.Arg(0))
		x := c.choice(e.Arg(1))
		return choose(p, x, c.choice(e.Arg(2)))
	case ir.Min, ir.Max:
		return c.extremum(e)
	case ir.Neg:
		return unary(c.Negate)
	case ir.BitNot:
		return unary(c.Complement)
	case ir.Abs:
		x := c.choice(e.Arg(0))
		if t.IsUnsigned() {
			return x
		}
		return choose(c.word(e.Arg(0)).top(), unary(c.Negate), x)
	case ir.Add:
		return binary(c.Plus)
	case ir.Sub:
		return binary(c.Sub)
	case ir.Mul:
		return binary(c.Times)
	case ir.Shl:
		if by := e.Arg(1); by.Op() == ir.Const {
			k := ir.Apply2(ir.Shl, t, 1, by.Value())
			return unary(func(r poly.Ring, p poly.Poly) poly.Poly { return c.Times(r, c.Number(r, int64(k)), p) })
		}
	case ir.Cast:
		if from := e.Arg(0).Type(); from.IsInt() && from.Bits() >= t.Bits() {
			return unary(c.narrow)
		}
	}
	return nil
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
func (c *circuit) narrow(r poly.Ring, p poly.Poly) poly.Poly {
	var terms []poly.Term
	for _, part := range p.Terms() {
		var low []int
		for _, n := range poly.Factors(part.Mono) {
			low = append(low, c.number(c.words[n][:r]))
		}
		terms = append(terms, poly.Term{Mono: poly.MonomialOf(low), Coef: part.Coef})
	}
	return c.Collect(r, terms)
}

// build returns the number of the word of a gathered term.
func (c *circuit) build(t ir.Type, x *choice) int {
	switch {
	case x.built:
		return x.number
	case x.then == nil:
		x.number = c.number(c.total(t, x.sum))
	default:
		m := c.build(t, x.then)
		n := c.build(t, x.other)
		x.number = c.number(c.pick(x.p, c.words[m], c.words[n]))
	}
	x.built = true
	return x.number
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

// choiceOf is choose for choices that do not ask for p.
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
