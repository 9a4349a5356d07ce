package equation

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// The checker's evaluation: a numeric expression becomes a polynomial, a boolean one true
// or false, under the decisions made. What is not decided panics with an opening.

func (c *checker) enter() {
	if c.depth++; c.depth > maxExprDepth {
		fail("the expression is nested more than %d deep", maxExprDepth)
	}
	c.burn(1)
}

// number is the value of an expression; of a boolean one 0 or 1.
func (c *checker) number(e ir.Expr) poly {
	if e.Type() == ir.Bool {
		return c.constant(wholes, int64(b2i(c.truth(e))))
	}
	if p, ok := c.numbers[e]; ok {
		return p
	}
	c.enter()
	p := c.evalNumber(e)
	c.depth--
	c.numbers[e] = p
	c.trail = append(c.trail, e)
	return p
}

func (c *checker) evalNumber(e ir.Expr) poly {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return c.literal(t, e.Value())
	case ir.Var:
		if p, ok := c.bound[e]; ok {
			return p
		}
		return c.atom(atom{op: ir.Var, typ: t, name: strconv.Itoa(e.ID()), variable: e})
	case ir.Call:
		return c.call(e)
	case ir.Select:
		if c.truth(e.Arg(0)) {
			return c.number(e.Arg(1))
		}
		return c.number(e.Arg(2))
	}
	a, from := c.number(e.Arg(0)), e.Arg(0).Type()
	if e.NumArgs() == 2 {
		return c.binary(e.Op(), t, a, c.number(e.Arg(1)))
	}
	switch e.Op() {
	case ir.Neg:
		if c.ring(t) == noRing {
			return c.floatNeg(t, a)
		}
		return c.negate(c.ring(t), a)
	case ir.BitNot:
		if c.ring(t) == wholes && !t.IsSigned() { // not −a − 1, which is no value of the type
			return c.sub(wholes, c.literal(t, t.Max()), a)
		}
		return c.complement(c.ring(t), a)
	case ir.Abs:
		return c.abs(t, a)
	case ir.Cast:
		return c.cast(t, from, a)
	case ir.Exp, ir.Log:
		switch {
		case c.ring(t) != fractions || !c.assume.Has(ir.AFN):
		case e.Op() == ir.Exp:
			return c.exponential(t, a)
		default:
			return c.logarithm(t, a)
		}
	}
	return c.apply(e.Op(), t, from, a)
}

// call: an opaque call is a function of its operands' values.
func (c *checker) call(e ir.Expr) poly {
	a := atom{op: ir.Call, typ: e.Type(), name: fmt.Sprintf("%q[%d]", e.Name(), e.Index())}
	for i := range e.NumArgs() {
		a.args = append(a.args, c.number(e.Arg(i)))
		a.name += " " + e.Arg(i).Type().String()
	}
	return c.atom(a)
}

func (c *checker) literal(t ir.Type, v uint64) poly {
	r := c.ring(t)
	switch {
	case t.IsInt() && r == wholes && t == ir.U64 && v > math.MaxInt64:
	case t.IsInt():
		return c.constant(r, int64(v))
	case t.IsFloat():
		f := ir.Float(t, v)
		if f == 0 && c.assume.Has(ir.NSZ) {
			v, f = 0, 0
		}
		if r == fractions && isSmallDyadic(f) {
			return c.scale(r, new(big.Rat).SetFloat64(f), poly{"": one})
		}
	}
	return c.atom(atom{op: ir.Const, typ: t, name: strconv.FormatUint(v, 16)})
}

// isSmallDyadic reports whether f is n/2^k for k ≤ 40 and |n| < 2^53: the floats that the
// search takes for fractions; others are constants without a known value.
func isSmallDyadic(f float64) bool {
	for k := range 41 {
		if g := math.Ldexp(f, k); g == math.Trunc(g) {
			return math.Abs(g) < 1<<53
		}
	}
	return false
}

// bitsOf is the value of a literal that is an atom.
func (c *checker) bitsOf(p poly) (uint64, bool) {
	a, ok := c.soleOp(p, ir.Const)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseUint(a.name, 16, 64)
	return v, err == nil
}

func (c *checker) binary(op ir.Op, t ir.Type, a, b poly) poly {
	r := c.ring(t)
	switch op {
	case ir.Add, ir.Sub, ir.Mul:
		switch {
		case r == noRing:
			return c.floatArithmetic(op, t, a, b)
		case op == ir.Add:
			return c.plus(r, a, b)
		case op == ir.Sub:
			return c.sub(r, a, b)
		case r == fractions:
			return c.realProduct(a, b)
		}
		if p := c.multipleOf(t, a, b); p != nil {
			return p
		}
		if p := c.multipleOf(t, b, a); p != nil {
			return p
		}
		return c.times(r, a, b)
	case ir.Div:
		switch {
		case r == noRing || r == fractions && len(b) == 0:
			return c.apply(op, t, t, a, b)
		case r == fractions:
			return c.times(r, a, c.reciprocal(b))
		}
		return c.quotient(t, a, b)
	case ir.Mod:
		return c.remainder(t, a, b)
	case ir.Min, ir.Max:
		return c.minMax(op, t, a, b)
	case ir.BitAnd, ir.BitOr, ir.BitXor:
		return c.bits(op, t, a, b)
	case ir.Shl, ir.Shr:
		return c.shift(op, t, a, b)
	case ir.SatAdd, ir.SatSub:
		return c.saturate(op, t, a, b)
	}
	if n, ok := b.whole(); ok && r == fractions && c.assume.Has(ir.AFN) && n > 0 && n <= maxExponent { // pow
		power := a
		for range n - 1 {
			power = c.realProduct(power, a)
		}
		return power
	}
	return c.apply(op, t, t, a, b)
}

// fits reports whether a constant over ℤ is a value of its type, so that an operator which
// sees the width may be applied to it.
func (c *checker) fits(t ir.Type, n int64) bool {
	if c.ring(t) != wholes {
		return true
	}
	lo, hi := limits(t)
	v := big.NewInt(n)
	return lo.Cmp(v) <= 0 && v.Cmp(hi) <= 0
}

// fold applies an operator to two constants of the type.
func (c *checker) fold(op ir.Op, t ir.Type, x, y int64) poly {
	return c.literal(t, ir.Apply2(op, t, t.Wrap(uint64(x)), t.Wrap(uint64(y))))
}

func (c *checker) shift(op ir.Op, t ir.Type, a, b poly) poly {
	r := c.ring(t)
	x, known := a.whole()
	n, ok := b.whole()
	switch {
	case ok && op == ir.Shl && r == wholes && n >= 0 && n < int64(t.Bits())-1:
		return c.scale(r, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n))), a)
	case known && ok && c.fits(t, x) && c.fits(t, n):
		return c.fold(op, t, x, n)
	case known && x == 0, ok && n == 0:
		return a
	case ok && op == ir.Shl && r.modular() && n > 0 && n < int64(r):
		if n < 62 {
			if p := c.multipleOf(t, a, c.constant(r, 1<<n)); p != nil {
				return p
			}
		}
		return c.scale(r, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n))), a)
	case op == ir.Shl && r.modular(): // times a power of two, or times 0
		return c.times(r, a, c.apply(op, t, t, c.constant(r, 1), b))
	}
	return c.apply(op, t, t, a, b)
}

// euclid is x = q·n + r with 0 ≤ r < |n|; both are 0 for n = 0.
func euclid(x, n *big.Int) (q, r *big.Int) {
	if n.Sign() == 0 {
		return new(big.Int), new(big.Int)
	}
	return new(big.Int).DivMod(x, n, new(big.Int))
}

// quotient is Euclidean division. Division of words by 2^k is an arithmetic or logical
// shift; over ℤ multiples of the divisor leave the dividend.
func (c *checker) quotient(t ir.Type, a, b poly) poly {
	r := c.ring(t)
	n, ok := b.whole()
	x, known := a.whole()
	switch {
	case ok && known && r == wholes:
		q, _ := euclid(big.NewInt(x), big.NewInt(n))
		return c.scale(r, new(big.Rat).SetInt(q), poly{"": one})
	case ok && known:
		return c.fold(ir.Div, t, x, n)
	case ok && n == 0, known && x == 0:
		return poly{}
	case ok && n == 1:
		return a
	case ok && r == wholes && n > 1 && n < 1<<62:
		whole, left := c.quotients(a, n)
		if left.isConstant() { // it is in 0 … n−1
			return whole
		}
		return c.plus(r, whole, c.apply(ir.Div, t, t, left, b))
	case ok && n > 1 && n&(n-1) == 0:
		return c.apply(ir.Shr, t, t, a, c.constant(r, int64(big.NewInt(n).BitLen()-1)))
	}
	return c.apply(ir.Div, t, t, a, b)
}

// multipleOf is q·m for a quotient q = a/n and a literal m = k·n: k·(a − a%n); nil where they are
// none. A shift to the right is a quotient by a power of two.
func (c *checker) multipleOf(t ir.Type, q, m poly) poly {
	k, known := m.whole()
	x, ok := c.sole(q)
	if !known || !ok || x.kind != opaque || x.typ != t || x.op != ir.Div && x.op != ir.Shr {
		return nil
	}
	n, ok := x.args[1].whole()
	switch {
	case !ok || n <= 0:
		return nil
	case x.op == ir.Shr && n >= int64(t.Bits())-1:
		return nil
	case x.op == ir.Shr:
		n = 1 << n
	}
	if n == 1 || k%n != 0 {
		return nil
	}
	r := c.ring(t)
	rest := c.remainder(t, x.args[0], c.constant(r, n))
	return c.scale(r, big.NewRat(k/n, 1), c.sub(r, x.args[0], rest))
}

// quotients divides the coefficients of a by n: a = n·whole + left.
func (c *checker) quotients(a poly, n int64) (whole, left poly) {
	whole, left = poly{}, poly{}
	for m, k := range a {
		q, r := euclid(k.Num(), big.NewInt(n))
		whole = c.plus(wholes, whole, c.scale(wholes, new(big.Rat).SetInt(q), poly{m: one}))
		left = c.plus(wholes, left, c.scale(wholes, new(big.Rat).SetInt(r), poly{m: one}))
	}
	return whole, left
}

// remainder is the Euclidean one. By 2^k it is the low bits, of negative words too.
func (c *checker) remainder(t ir.Type, a, b poly) poly {
	r := c.ring(t)
	n, ok := b.whole()
	x, known := a.whole()
	switch {
	case ok && known && r == wholes:
		_, rest := euclid(big.NewInt(x), big.NewInt(n))
		return c.constant(r, rest.Int64())
	case ok && known:
		return c.fold(ir.Mod, t, x, n)
	case ok && (n == 0 || n == 1), known && x == 0:
		return poly{}
	case ok && n > 1 && n&(n-1) == 0:
		return c.bits(ir.BitAnd, t, a, c.constant(r, n-1))
	}
	if r.modular() && c.staysWithin(t, t, a) {
		sum := c.congruent(t, a, b)
		switch product := func(m string) bool { return len(m) > 4 }; {
		case c.staysWithin(t, t, sum):
			a = sum
		case slices.ContainsFunc(sum.monomials(), product):
			return c.atom(atom{op: ir.Mod, typ: t, from: t, name: ofIntegers, args: []poly{sum, b}})
		}
	}
	if r == wholes {
		a = c.congruent(t, a, b)
		if x, known := a.whole(); known && ok && n > 0 {
			_, rest := euclid(big.NewInt(x), big.NewInt(n))
			return c.constant(r, rest.Int64())
		}
	}
	return c.apply(ir.Mod, t, t, a, b)
}

// ofIntegers names a remainder whose dividend, a polynomial of words, is computed over ℤ.
const ofIntegers = "of integers"

// congruent is a number over ℤ with the same remainder by b as a: factors x % b give way to x,
// where x does not wrap, and coefficients to their remainders.
func (c *checker) congruent(t ir.Type, a, b poly) poly {
	n, ok := b.whole()
	sum := poly{}
	for m, k := range a {
		if ok && n > 0 {
			_, r := euclid(k.Num(), big.NewInt(n))
			k = new(big.Rat).SetInt(r)
		}
		part := poly{"": one}
		for _, f := range factors(m) {
			inner := poly{monomial([]int{f}): one}
			if x, isMod := c.soleOp(inner, ir.Mod); isMod && x.typ == t && x.args[1].key() == b.key() &&
				(c.ring(t) == wholes || x.name == ofIntegers || c.staysWithin(t, t, x.args[0])) {
				inner = x.args[0]
			}
			part = c.times(wholes, part, inner)
		}
		sum = c.plus(wholes, sum, c.scale(wholes, k, part))
	}
	return sum
}

// abs of a word is −a where a < 0, so that of tmin is tmin. Of floats it clears the sign
// bit, which takes a − before it away and is no case of a comparison if zeros or NaN count.
func (c *checker) abs(t ir.Type, a poly) poly {
	r := c.ring(t)
	if t.IsUnsigned() {
		return a
	}
	if r == noRing || r == fractions && !c.assume.Has(ir.NNaN|ir.NSZ) {
		if x, ok := c.soleOp(a, ir.Neg); ok {
			a = x.args[0]
		}
		return c.apply(ir.Abs, t, t, a)
	}
	if c.less(t, a, c.literal(t, 0)) {
		return c.negate(r, a)
	}
	return a
}

// cast converts. A conversion of a converted integer is one conversion where only low bits
// count, or where the value survived the first; narrowing is a homomorphism of rings.
func (c *checker) cast(t, from ir.Type, a poly) poly {
	if n, ok := a.whole(); ok && !from.IsFloat() && c.fits(from, n) {
		return c.literal(t, ir.Apply1(ir.Cast, from, t, from.Wrap(uint64(n))))
	}
	if x, ok := c.soleOp(a, ir.Cast); ok && from.IsInt() && t.IsInt() && x.from.IsInt() &&
		(t.Bits() <= from.Bits() || containsType(from, x.from)) {
		if x.from == t {
			return x.args[0]
		}
		return c.cast(t, x.from, x.args[0])
	} else if ok && x.from == t && t.IsInt() && from.IsInt() && len(x.args[0].key1()) > 0 && c.staysWithin(from, t, x.args[0]) {
		return x.args[0] // nothing was lost on the way
	}
	r, source := c.ring(t), c.ring(from)
	if !r.modular() || !source.modular() || r > source || len(a.key1()) == 4 {
		return c.apply(ir.Cast, t, from, a)
	}
	sum := poly{}
	for m, k := range a {
		part := poly{"": one}
		for _, f := range factors(m) {
			part = c.times(r, part, c.cast(t, from, poly{monomial([]int{f}): one}))
		}
		sum = c.plus(r, sum, c.scale(r, k, part))
	}
	return sum
}

// containsType reports whether every value of the integer type small is one of big.
func containsType(big, small ir.Type) bool {
	if !big.IsInt() || !small.IsInt() {
		return false
	}
	lo, hi := limits(big)
	low, high := limits(small)
	return lo.Cmp(low) <= 0 && high.Cmp(hi) <= 0
}

// minMax is one of its operands; of floats NaN where one is.
func (c *checker) minMax(op ir.Op, t ir.Type, a, b poly) poly {
	if a.key() == b.key() {
		return a
	}
	if c.isNaN(t, a) || c.isNaN(t, b) {
		return c.literal(t, ir.FloatBits(t, math.NaN()))
	}
	if c.ring(t) == fractions { // −∞ and ∞ are no fractions, but still limits
		neutral := t.Min()
		if op == ir.Min {
			neutral = t.Max()
		}
		if v, ok := c.bitsOf(b); ok && v == neutral {
			return a
		}
		if v, ok := c.bitsOf(a); ok && v == neutral {
			return b
		}
	}
	if c.below(t, a, b) == (op == ir.Min) {
		return a
	}
	return b
}

// saturate compares with a limit less the operand, which cannot wrap on the side where the
// result could.
func (c *checker) saturate(op ir.Op, t ir.Type, a, b poly) poly {
	r := c.ring(t)
	if r == wholes {
		return c.apply(op, t, t, a, b)
	}
	plus, minus := c.plus, c.sub
	if op == ir.SatSub {
		plus, minus = c.sub, c.plus
	}
	falls := op == ir.SatSub
	if t.IsSigned() {
		falls = c.less(t, b, poly{}) != falls
	}
	switch lo, hi := c.literal(t, t.Min()), c.literal(t, t.Max()); {
	case falls && c.less(t, a, minus(r, lo, b)):
		return lo
	case !falls && c.less(t, minus(r, hi, b), a):
		return hi
	}
	return plus(r, a, b)
}

// Exact floats: identities that hold for every IEEE value, up to which NaN it is.

func (c *checker) floatNeg(t ir.Type, a poly) poly {
	if v, ok := c.bitsOf(a); ok {
		return c.literal(t, ir.Apply1(ir.Neg, t, t, v))
	}
	if x, ok := c.soleOp(a, ir.Neg); ok {
		return x.args[0]
	}
	return c.apply(ir.Neg, t, t, a)
}

// floatArithmetic: a − b = a + (−b); −0 is the neutral element of +, under nsz +0 is too;
// a product's sign is the product of the signs.
func (c *checker) floatArithmetic(op ir.Op, t ir.Type, a, b poly) poly {
	x, known := c.bitsOf(a)
	y, ok := c.bitsOf(b)
	switch {
	case known && ok:
		return c.literal(t, ir.Apply2(op, t, x, y))
	case op == ir.Sub:
		return c.floatArithmetic(ir.Add, t, a, c.floatNeg(t, b))
	case op == ir.Mul:
		return c.floatProduct(t, a, b)
	case known && c.isNeutral(t, x):
		return b
	case ok && c.isNeutral(t, y):
		return a
	}
	return c.applySorted(op, t, a, b)
}

func (c *checker) isNeutral(t ir.Type, v uint64) bool {
	f := ir.Float(t, v)
	return f == 0 && (math.Signbit(f) || c.assume.Has(ir.NSZ))
}

func (c *checker) floatProduct(t ir.Type, a, b poly) poly {
	a, odd := c.magnitude(t, a)
	b, odd2 := c.magnitude(t, b)
	unit := c.literal(t, ir.FloatBits(t, 1)).key()
	var p poly
	switch {
	case a.key() == unit:
		p = b
	case b.key() == unit:
		p = a
	default:
		p = c.applySorted(ir.Mul, t, a, b)
	}
	if odd != odd2 {
		return c.floatNeg(t, p)
	}
	return p
}

// magnitude takes a − or the sign of a literal off a factor.
func (c *checker) magnitude(t ir.Type, p poly) (rest poly, negative bool) {
	if x, ok := c.soleOp(p, ir.Neg); ok {
		return x.args[0], true
	}
	if v, ok := c.bitsOf(p); ok && ir.Float(t, v) < 0 {
		return c.literal(t, ir.Apply1(ir.Neg, t, t, v)), true
	}
	return p, false
}
