package equation

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/linear"
	"github.com/rfactor-go/rfactor/verify/poly"
)

func (c *checker) evalTruth(e ir.Expr) bool {
	switch e.Op() {
	case ir.Const:
		return e.Value() != 0
	case ir.Var:
		return c.decide("variable "+strconv.Itoa(e.ID()), linear.Claim{Type: ir.Bool}, false)
	case ir.Call:
		return c.decide("call "+c.call(e).Key(), linear.Claim{Type: ir.Bool}, false)
	case ir.Not:
		return !c.truth(e.Arg(0))
	case ir.And:
		return c.truth(e.Arg(0)) && c.truth(e.Arg(1))
	case ir.Or:
		return c.truth(e.Arg(0)) || c.truth(e.Arg(1))
	case ir.Select:
		if c.truth(e.Arg(0)) {
			return c.truth(e.Arg(1))
		}
		return c.truth(e.Arg(2))
	}
	first, second := e.Arg(0), ir.Expr{}
	if e.NumArgs() == 2 {
		second = e.Arg(1)
		if x, y, ok := differing(e); ok {
			first, second = x, y
		}
	}
	t := first.Type()
	a := c.number(first)
	switch e.Op() {
	case ir.IsNaN:
		return c.isNaN(t, a)
	case ir.Cast: // a number is true where it is not zero; NaN is
		if t == ir.Bool {
			return a != nil
		}
		return !c.equal(t, a, c.literal(t, 0))
	}
	b := c.number(second)
	if e.Op() == ir.Gt || e.Op() == ir.Ge {
		a, b = b, a
	}
	if c.predicates && t.IsFloat() && c.Ring(t) == poly.NoRing && a.Key() != b.Key() {
		return c.predicate(e.Op(), t, a, b)
	}
	switch e.Op() {
	case ir.Lt, ir.Gt:
		return c.less(t, a, b)
	case ir.Le, ir.Ge: // of what is not NaN a ≤ b is not b < a
		return !c.isNaN(t, a) && !c.isNaN(t, b) && !c.less(t, b, a)
	case ir.Eq, ir.Ne:
		return c.equal(t, a, b) == (e.Op() == ir.Eq)
	}
	poly.Fail("%s is no condition", e.Op())
	return false
}

// predicate is a comparison of floats of which nothing is used but that it depends on both values
// alone, that a ≠ b is the opposite of a = b, and that under nnan a ≤ b is the opposite of b < a.
func (c *checker) predicate(op ir.Op, t ir.Type, a, b poly.Poly) bool {
	holds := func(name string, a, b poly.Poly) bool {
		return c.decide(fmt.Sprintf("%s %d %s %s", name, t, a.Key(), b.Key()), linear.Claim{Type: t}, false)
	}
	switch op {
	case ir.Lt, ir.Gt:
		return holds("lt", a, b)
	case ir.Le, ir.Ge:
		if c.Assume.Has(ir.NNaN) {
			return !holds("lt", b, a)
		}
		return holds("le", a, b)
	}
	return holds("eq", a, b) == (op == ir.Eq)
}

// differing are the integers x and y of x ^ y = 0 and x - y = 0, with = or ≠, either way
// round: a difference modulo 2^n is zero where both are the same.
func differing(e ir.Expr) (x, y ir.Expr, ok bool) {
	d, zero := e.Arg(0), e.Arg(1)
	if d.IsConst(0) {
		d, zero = zero, d
	}
	if e.Op() != ir.Eq && e.Op() != ir.Ne || !zero.IsConst(0) || !d.Type().IsInt() ||
		d.Op() != ir.BitXor && d.Op() != ir.Sub {
		return x, y, false
	}
	return d.Arg(0), d.Arg(1), true
}

// isNaN: nothing is NaN under nnan; signs do not matter to it.
func (c *checker) isNaN(t ir.Type, p poly.Poly) bool {
	if !t.IsFloat() || c.Assume.Has(ir.NNaN) || p.IsConstant() {
		return false
	}
	if nan, ok := c.literalNaN(t, p); ok {
		return nan
	}
	for _, op := range [2]ir.Op{ir.Neg, ir.Abs} {
		if x, ok := c.SoleOp(p, op); ok {
			return c.isNaN(t, x.Args[0])
		}
	}
	return c.decide(nanKey(t, p), linear.Claim{Type: t}, false)
}

// literalNaN reports whether a literal float is NaN; ok is false where p is no literal.
func (c *checker) literalNaN(t ir.Type, p poly.Poly) (nan, ok bool) {
	v, ok := c.BitsOf(p)
	f := ir.Float(t, v)
	return f != f, ok
}

func nanKey(t ir.Type, p poly.Poly) string { return fmt.Sprintf("nan %d %s", t, p.Key()) }

// less is a < b of the language: false of NaN and of −0 and +0.
func (c *checker) less(t ir.Type, a, b poly.Poly) bool {
	if c.isNaN(t, a) || c.isNaN(t, b) || !c.below(t, a, b) {
		return false
	}
	if !t.IsFloat() || c.Ring(t) != poly.NoRing || c.Assume.Has(ir.NSZ) {
		return true
	}
	same := func(p, zero poly.Poly) bool {
		return p.Key() == zero.Key() || !c.below(t, p, zero) && !c.below(t, zero, p)
	}
	return !(same(a, c.literal(t, ir.FloatBits(t, math.Copysign(0, -1)))) && same(b, c.literal(t, 0)))
}

// equal is a == b of the language.
func (c *checker) equal(t ir.Type, a, b poly.Poly) bool {
	if t == ir.Bool {
		return a.Key() == b.Key()
	}
	return !c.isNaN(t, a) && !c.isNaN(t, b) && !c.less(t, a, b) && !c.less(t, b, a)
}

// below is the total order of values that are not NaN, −0 below +0. On ℤ and ℚ it is a condition on the difference alone.
func (c *checker) below(t ir.Type, a, b poly.Poly) bool {
	if a.Key() == b.Key() {
		return false
	}
	switch r := c.Ring(t); r {
	case poly.Wholes:
		return c.negativeWhole(t, c.Sub(r, a, b))
	case poly.Fractions:
		return c.negativeFraction(t, c.Sub(r, a, b))
	}
	x, known := c.OrderOf(t, a)
	y, ok := c.OrderOf(t, b)
	lo, hi := poly.Limits(t)
	switch {
	case known && ok:
		return x.Cmp(y) < 0
	case ok && y.Cmp(lo) == 0, known && x.Cmp(hi) == 0:
		return false
	}
	if t.IsInt() && !hasPositive(a) && !hasPositive(b) { // ~ reverses the order
		r := c.Ring(t)
		a, b = c.Complement(r, b), c.Complement(r, a)
	}
	return c.decide(fmt.Sprintf("less %d %s < %s", t, a.Key(), b.Key()), linear.Less(t, a, b), false)
}

// hasPositive reports whether a coefficient other than the constant is positive.
func hasPositive(p poly.Poly) bool {
	for _, part := range p.Terms() {
		if part.Mono != "" && part.Coef.Sign() > 0 {
			return true
		}
	}
	return false
}

// negativeWhole is d < 0 over ℤ. With coprime coefficients that is Σ k·m ≤ some integer, or the opposite of a like condition on −d.
func (c *checker) negativeWhole(t ir.Type, d poly.Poly) bool {
	if n, ok := poly.Whole(d); ok {
		return n < 0
	}
	g := new(big.Int)
	var last string
	for _, part := range d.Terms() {
		if part.Mono != "" {
			g.GCD(nil, nil, g, new(big.Int).Abs(part.Coef.Num()))
			last = part.Mono
		}
	}
	k := d.Constant().Num()
	// g·S + k < 0  ⇔  S ≤ ⌊(−k−1)/g⌋  ⇔  S − ⌊(−k−1)/g⌋ − 1 < 0
	bound := new(big.Int).Not(k) // −k−1
	bound.Div(bound, g)          // rounds down, as g > 0
	s := c.Scale(poly.Wholes, new(big.Rat).SetFrac(big.NewInt(1), g), c.Sub(poly.Wholes, d, constant(k)))
	s = c.Plus(poly.Wholes, s, constant(new(big.Int).Not(bound)))
	flip := s.Coef(last).Sign() < 0
	if flip { // s < 0 is the opposite of −s − 1 < 0
		s = c.Sub(poly.Wholes, c.Number(poly.Wholes, -1), s)
	}
	return c.decide(fmt.Sprintf("negative %d %s", t, s.Key()), linear.Less(t, s, nil), flip)
}

// constant is the polynomial of a whole number.
func constant(k *big.Int) poly.Poly {
	if k.Sign() == 0 {
		return nil
	}
	return poly.Of("", new(big.Rat).SetInt(k))
}

// negativeFraction decides d < 0 over ℚ, once d is divided by the size of its last coefficient.
func (c *checker) negativeFraction(t ir.Type, d poly.Poly) bool {
	if d.IsConstant() {
		return d.Constant().Sign() < 0
	}
	ts := d.Terms()
	lead := new(big.Rat).Abs(ts[len(ts)-1].Coef)
	d = c.Scale(poly.Fractions, lead.Inv(lead), d)
	for _, sign := range [2]float64{1, -1} { // of a literal that is an atom, such as 0.9
		v, literal := c.BitsOf(c.Scale(poly.Fractions, new(big.Rat).SetFloat64(sign), d))
		if f := ir.Float(t, v); literal && f-f == 0 {
			return sign*f < 0
		}
	}
	return c.decide(fmt.Sprintf("negative %d %s", t, d.Key()), linear.Less(t, d, nil), false)
}

// decide looks a condition up. Evaluation asks for the negation where flip is set.
func (c *checker) decide(key string, cl linear.Claim, flip bool) bool {
	holds, ok := c.decided[key]
	if !ok {
		panic(&opening{key, cl, flip})
	}
	return holds != flip
}
