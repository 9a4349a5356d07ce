package equation

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// The checker's evaluation: a numeric expression becomes a polynomial, a boolean one true
// or false, under the decisions made. What is not decided panics with an opening.

func (c *checker) enter() {
	if c.depth++; c.depth > maxExprDepth {
		poly.Fail("the expression is nested more than %d deep", maxExprDepth)
	}
	c.Burn(1)
}

// number is the value of an expression; of a boolean one 0 or 1.
func (c *checker) number(e ir.Expr) poly.Poly {
	if p, ok := c.values[e]; ok {
		return p
	}
	c.enter()
	var p poly.Poly
	if e.Type() != ir.Bool {
		p = c.evalNumber(e)
	} else if c.evalTruth(e) {
		p = one
	}
	c.depth--
	c.values[e] = p
	c.trail = append(c.trail, e)
	return p
}

var one = poly.Unit()

// mentionsLimit reports whether a float in an expression may be a literal that is no number, of which sums obey other laws than of numbers.
func mentionsLimit(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type().IsFloat() {
			f := ir.Float(e.Type(), e.Value())
			found = found || f-f != 0
		}
	})
	return found
}

// truth is the value of a boolean expression under the decisions.
func (c *checker) truth(e ir.Expr) bool { return c.number(e) != nil }

func (c *checker) evalNumber(e ir.Expr) poly.Poly {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return c.literal(t, e.Value())
	case ir.Var:
		if p, ok := c.bound[e]; ok {
			return p
		}
		return c.Atom(poly.Atom{Op: ir.Var, Type: t, Name: strconv.Itoa(e.ID()), Variable: e})
	case ir.Call:
		return c.call(e)
	case ir.Select:
		if c.choices && !mentionsLimit(e) {
			return c.Atom(poly.Atom{Op: ir.Select, Type: t, Name: strconv.Itoa(e.ID())})
		}
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
		v, ok := c.BitsOf(a)
		switch {
		case c.Ring(t) == poly.NoRing:
			return c.floatNeg(t, a)
		case ok && t.IsFloat() && math.IsNaN(ir.Float(t, v)):
			return a
		}
		return c.Negate(c.Ring(t), a)
	case ir.BitNot:
		if c.Ring(t) == poly.Wholes && !t.IsSigned() { // not −a − 1, which is no value of the type
			return c.Sub(poly.Wholes, c.literal(t, t.Max()), a)
		}
		return c.Complement(c.Ring(t), a)
	case ir.Abs:
		return c.abs(t, a)
	case ir.Cast:
		return c.cast(t, from, a)
	case ir.Floor:
		if c.Ring(t) == poly.Fractions {
			return c.floor(t, a)
		}
	case ir.Exp, ir.Log, ir.Log1p:
		switch {
		case c.Ring(t) != poly.Fractions || !c.Assume.Has(ir.AFN):
		case e.Op() == ir.Exp:
			return c.Exponential(t, a)
		case e.Op() == ir.Log1p:
			return c.Logarithm(t, c.Plus(poly.Fractions, one, a))
		default:
			return c.Logarithm(t, a)
		}
	}
	return c.Apply(e.Op(), t, from, a)
}

// floor: whole terms stand before it, ⌊p + n⌋ = ⌊p⌋ + n. A term is whole whose factors are floors or integers, with a whole coefficient.
func (c *checker) floor(t ir.Type, p poly.Poly) poly.Poly {
	var whole, rest []poly.Term
	for _, term := range p.Terms() {
		switch fraction := slices.ContainsFunc(poly.Factors(term.Mono), func(n int) bool { return !isWhole(c.Atoms[n]) }); {
		case term.Mono == "":
			k := new(big.Rat).SetInt(new(big.Int).Div(term.Coef.Num(), term.Coef.Denom()))
			whole, rest = append(whole, poly.Term{Coef: k}), append(rest, poly.Term{Coef: new(big.Rat).Sub(term.Coef, k)})
		case !fraction && term.Coef.IsInt():
			whole = append(whole, term)
		default:
			rest = append(rest, term)
		}
	}
	r := poly.Fractions
	if left := c.Collect(r, rest); !left.IsConstant() {
		return c.Plus(r, c.Collect(r, whole), c.Apply(ir.Floor, t, t, left))
	}
	return c.Collect(r, whole)
}

func isWhole(a poly.Atom) bool {
	return a.Kind == poly.Opaque && (a.Op == ir.Floor || a.Op == ir.Round || a.Op == ir.Cast && a.From.IsInt())
}

// call: an opaque call is a function of its operands' values.
func (c *checker) call(e ir.Expr) poly.Poly {
	a := poly.Atom{Op: ir.Call, Type: e.Type(), Name: fmt.Sprintf("%q[%d]", e.Name(), e.Index())}
	for i := range e.NumArgs() {
		a.Args = append(a.Args, c.number(e.Arg(i)))
		a.Name += " " + e.Arg(i).Type().String()
	}
	return c.Atom(a)
}

func (c *checker) literal(t ir.Type, v uint64) poly.Poly {
	r := c.Ring(t)
	switch {
	case t.IsInt() && r == poly.Wholes && t == ir.U64 && v > math.MaxInt64:
	case t.IsInt():
		return c.Number(r, int64(v))
	case t.IsFloat():
		f := ir.Float(t, v)
		if f == 0 && c.Assume.Has(ir.NSZ) {
			v, f = 0, 0
		}
		if r == poly.Fractions && isSmallDyadic(f) {
			return c.Scale(r, new(big.Rat).SetFloat64(f), poly.Unit())
		}
	}
	return c.Atom(poly.Atom{Op: ir.Const, Type: t, Name: strconv.FormatUint(v, 16)})
}

// isSmallDyadic reports whether f is n/2^k for k ≤ 40 and |n| < 2^53: the floats that the
// search takes for Fractions; others are constants without a known value.
func isSmallDyadic(f float64) bool {
	for k := range 41 {
		if g := math.Ldexp(f, k); g == math.Trunc(g) {
			return math.Abs(g) < 1<<53
		}
	}
	return false
}

// isUnbounded reports whether a real number mentions the literal ∞, of which the laws of a field
// say nothing, where NaN is not excluded: ∞ − ∞ is not 0.
func (c *checker) isUnbounded(p poly.Poly) bool {
	return !c.Assume.Has(ir.NNaN) && slices.ContainsFunc(c.AtomsOf(p), func(n int) bool {
		a := c.Atoms[n]
		v, literal := c.BitsOf(poly.OfAtom(n))
		f := ir.Float(a.Type, v)
		return literal && a.Type.IsFloat() && (f-f != 0)
	})
}

func (c *checker) binary(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	r := c.Ring(t)
	if p, ok := c.folded(op, t, a, b); ok {
		return p
	}
	if op <= ir.Div && r == poly.Fractions {
		for _, p := range [2]poly.Poly{a, b} {
			if v, ok := c.BitsOf(p); ok && math.IsNaN(ir.Float(t, v)) {
				return p
			}
		}
	}
	switch op {
	case ir.Add, ir.Sub, ir.Mul:
		switch {
		case r == poly.Fractions && (c.isUnbounded(a) || c.isUnbounded(b)):
			return c.Apply(op, t, t, a, b)
		case r == poly.NoRing:
			return c.floatArithmetic(op, t, a, b)
		case op == ir.Add:
			return c.Plus(r, a, b)
		case op == ir.Sub:
			return c.Sub(r, a, b)
		case r == poly.Fractions && !c.Distributes(a, b):
			return c.ApplySorted(op, t, a, b)
		case r == poly.Fractions:
			return c.RealProduct(a, b)
		}
		if k, ok := poly.Whole(b); ok {
			return c.multiple(t, k, a)
		}
		if k, ok := poly.Whole(a); ok {
			return c.multiple(t, k, b)
		}
		return c.Times(r, a, b)
	case ir.Div:
		switch {
		case r == poly.NoRing, r == poly.Fractions && (b == nil || c.isUnbounded(a) || c.isUnbounded(b)):
			return c.Apply(op, t, t, a, b)
		case r == poly.Fractions:
			return c.Quotient(t, a, b)
		}
		return c.quotient(t, a, b)
	case ir.Mod:
		return c.remainder(t, a, b)
	case ir.Min, ir.Max:
		return c.minMax(op, t, a, b)
	case ir.BitAnd, ir.BitOr, ir.BitXor:
		return c.Bits(op, t, a, b)
	case ir.Shl, ir.Shr:
		return c.shift(op, t, a, b)
	case ir.SatAdd, ir.SatSub:
		return c.saturate(op, t, a, b)
	case ir.Gcd:
		return c.gcd(t, a, b)
	}
	if n, ok := poly.Whole(b); ok && r == poly.Fractions && c.Assume.Has(ir.AFN) && n > 0 && n <= poly.MaxExponent { // pow
		power := a
		for range n - 1 {
			power = c.RealProduct(power, a)
		}
		return power
	}
	return c.Apply(op, t, t, a, b)
}

// gcd is that of a set of numbers, without 0. The magnitude of a result is that of its magnitudes, that of tmin
// included, so that gcd(gcd(a, b), c) depends on the set {a, b, c} alone. Of one number it is the magnitude.
func (c *checker) gcd(t ir.Type, operands ...poly.Poly) poly.Poly {
	var set []poly.Poly
	for _, p := range operands {
		inner, ok := c.SoleOp(p, ir.Gcd)
		switch {
		case ok && inner.Type == t:
			set = append(set, inner.Args...)
		case p != nil:
			set = append(set, p)
		}
	}
	order := func(p, q poly.Poly) int { return strings.Compare(p.Key(), q.Key()) }
	slices.SortFunc(set, order)
	set = slices.CompactFunc(set, func(p, q poly.Poly) bool { return order(p, q) == 0 })
	if len(set) == 0 || len(set) == 1 && t.IsUnsigned() {
		return append(set, nil)[0]
	}
	return c.Apply(ir.Gcd, t, t, set...)
}

// folded applies an operator to two literals that are values of the type. A quotient by −1 over ℤ may be no such value.
func (c *checker) folded(op ir.Op, t ir.Type, a, b poly.Poly) (p poly.Poly, ok bool) {
	if c.Ring(t) == poly.NoRing {
		x, known := c.BitsOf(a)
		y, ok := c.BitsOf(b)
		if !known || !ok || op != ir.Add && op != ir.Sub && op != ir.Mul && op != ir.Div {
			return nil, false
		}
		return c.literal(t, ir.Apply2(op, t, x, y)), true
	}
	if !t.IsInt() || op != ir.Div && op != ir.Mod && op != ir.Shr && op != ir.Shl {
		return nil, false
	}
	x, known := poly.Whole(a)
	y, ok := poly.Whole(b)
	if !known || !ok || !c.fits(t, x) || !c.fits(t, y) || c.Ring(t) == poly.Wholes && op == ir.Div && y == -1 {
		return nil, false
	}
	return c.literal(t, ir.Apply2(op, t, t.Wrap(uint64(x)), t.Wrap(uint64(y)))), true
}

// fits reports whether a constant over ℤ is a value of its type, so that an operator which sees the width may be applied to it.
func (c *checker) fits(t ir.Type, n int64) bool {
	if c.Ring(t) != poly.Wholes {
		return true
	}
	lo, hi := poly.Limits(t)
	v := big.NewInt(n)
	return lo.Cmp(v) <= 0 && v.Cmp(hi) <= 0
}

func (c *checker) shift(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	r := c.Ring(t)
	n, ok := poly.Whole(b)
	switch {
	case a == nil, b == nil:
		return a
	case op == ir.Shr && r == poly.Wholes && ok && n > 0 && n < int64(t.Bits())-1:
		return c.quotient(t, a, c.Number(r, 1<<n))
	case op == ir.Shr && r.IsModular() && c.Ring(t.Unsigned()).IsModular():
		if ok { // by a literal
			return c.shiftRight(t, a, b)
		}
		return c.EachWord(r, t, a, func(word poly.Poly) poly.Poly { return c.shiftRight(t, word, b) })
	case op == ir.Shr || r == poly.Wholes && !(ok && n > 0 && n < int64(t.Bits())-1):
		return c.Apply(op, t, t, a, b)
	case ok && n > 0 && n < int64(t.Bits()):
		if n < 62 && r.IsModular() {
			return c.multiple(t, 1<<n, a)
		}
		return c.Scale(r, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n))), a)
	}
	return c.EachWord(r, t, a, func(word poly.Poly) poly.Poly { return c.shiftLeft(t, word, b) })
}

// shiftRight is the shift of a word. Of a word that is shifted already it is one by both counts, of which a sum beyond the width counts as
// the greatest.
func (c *checker) shiftRight(t ir.Type, word, b poly.Poly) poly.Poly {
	if x, ok := c.SoleOp(word, ir.Shr); ok && x.Type == t {
		u := t.Unsigned() // as which counts are read
		both := c.saturate(ir.SatAdd, u, c.cast(u, t, x.Args[1]), c.cast(u, t, b))
		return c.shift(ir.Shr, t, x.Args[0], c.cast(t, u, both))
	}
	return c.Apply(ir.Shr, t, t, word, b)
}

// shiftLeft is the product of a word with a power of two, or with 0, by a count that is no literal. Counts of words that are
// shifted already add up, and a sum beyond the width counts as the greatest.
func (c *checker) shiftLeft(t ir.Type, word, b poly.Poly) (out poly.Poly) {
	r, u := c.Ring(t), t.Unsigned()
	for _, term := range word.Terms() {
		part, by := poly.Of("", term.Coef), b
		for _, n := range poly.Factors(term.Mono) {
			f := poly.OfAtom(n)
			x, shifted := c.SoleOp(f, ir.Shl)
			if by.Key() != b.Key() || !shifted || x.Type != t {
				part = c.Times(r, part, f)
				continue
			}
			by = c.cast(t, u, c.saturate(ir.SatAdd, u, c.cast(u, t, x.Args[1]), c.cast(u, t, b)))
		}
		power := c.Apply(ir.Shl, t, t, c.Number(r, 1), by)
		if n, ok := poly.Whole(by); ok {
			power = c.literal(t, ir.Apply2(ir.Shl, t, 1, t.Wrap(uint64(n))))
		}
		out = c.Plus(r, out, c.Times(r, part, power))
	}
	return out
}

// quotient is Euclidean division. Division of words by 2^k is an arithmetic or logical
// shift; over ℤ multiples of the divisor leave the dividend.
func (c *checker) quotient(t ir.Type, a, b poly.Poly) poly.Poly {
	r := c.Ring(t)
	n, ok := poly.Whole(b)
	switch {
	case a == nil, ok && n == 0:
		return nil
	case ok && n == 1:
		return a
	case ok && r == poly.Wholes && n > 1 && n < 1<<62:
		left := c.Modulo(a, big.NewInt(n))
		whole := c.Scale(r, big.NewRat(1, n), c.Sub(r, a, left))
		if left.IsConstant() { // it is in 0 … n−1
			return whole
		}
		return c.Plus(r, whole, c.nested(t, left, b))
	case r == poly.Wholes:
		return c.nested(t, a, b)
	case ok && n > 1 && n&(n-1) == 0:
		return c.Apply(ir.Shr, t, t, a, c.Number(r, int64(big.NewInt(n).BitLen()-1)))
	}
	if x, ok := c.SoleOp(a, ir.Div); ok && x.Type == t && t.IsUnsigned() && r.IsModular() {
		return c.divideAgain(t, x.Args[0], x.Args[1], b)
	}
	return c.Apply(ir.Div, t, t, a, b)
}

// divideAgain is a/d/b of unsigned words: a quotient by d·b, or 0 where that product is no word, so that it exceeds a.
func (c *checker) divideAgain(t ir.Type, a, d, b poly.Poly) poly.Poly {
	if most := c.binary(ir.Div, t, c.literal(t, t.Max()), b); c.less(t, most, d) {
		return nil
	}
	return c.quotient(t, a, c.Times(c.Ring(t), d, b))
}

// nested is a quotient over ℤ. Where a term of the dividend is itself a quotient n/d by a positive d, (n/d + rest)/b is (n + d·rest)/(d·b).
func (c *checker) nested(t ir.Type, a, b poly.Poly) poly.Poly {
	r := poly.Wholes
	for _, part := range a.Terms() {
		term := poly.Of(part.Mono, part.Coef)
		if q, ok := c.SoleOp(term, ir.Div); ok && q.Type == t && c.isPositive(q.Args[1]) {
			d := q.Args[1]
			return c.quotient(t, c.Plus(r, q.Args[0], c.Times(r, d, c.Sub(r, a, term))), c.Times(r, d, b))
		}
	}
	return c.Apply(ir.Div, t, t, a, b)
}

// isPositive reports whether an integer is a positive constant and multiples of natural numbers.
func (c *checker) isPositive(p poly.Poly) bool {
	return p.Constant().Sign() > 0 && !slices.ContainsFunc(p.Terms(), func(part poly.Term) bool { return part.Coef.Sign() < 0 }) &&
		!slices.ContainsFunc(c.AtomsOf(p), func(n int) bool { return !c.Atoms[n].Type.IsUnsigned() })
}

// multiple is k·p. In a term k·q·m a quotient q = a/n gives way to a where n divides k: the term is
// k/n·(a − a%n)·m. A shift to the right is a quotient by a power of two.
func (c *checker) multiple(t ir.Type, k int64, p poly.Poly) (sum poly.Poly) {
	r := c.Ring(t)
	for _, part := range p.Terms() {
		times := new(big.Rat).Mul(part.Coef, big.NewRat(k, 1))
		term, atoms := c.Scale(r, times, poly.Of(part.Mono, poly.One)), poly.Factors(part.Mono)
		for i, f := range atoms {
			q := c.Atoms[f]
			n := divisor(t, q)
			share := new(big.Rat).Mul(times, big.NewRat(1, max(n, 1)))
			if n > 1 && share.IsInt() {
				a := c.Sub(r, q.Args[0], c.remainder(t, q.Args[0], c.Number(r, n)))
				term = c.Scale(r, share, c.Times(r, poly.Of(poly.MonomialOf(slices.Delete(atoms, i, i+1)), poly.One), a))
				break
			}
		}
		sum = c.Plus(r, sum, term)
	}
	return sum
}

// divisor is the literal by which an atom of the type divides; 0 where it is no such quotient.
func divisor(t ir.Type, q poly.Atom) int64 {
	if q.Kind != poly.Opaque || q.Type != t || q.Op != ir.Div && q.Op != ir.Shr {
		return 0
	}
	n, ok := poly.Whole(q.Args[1])
	switch {
	case !ok || n <= 0, q.Op == ir.Shr && n >= int64(t.Bits())-1:
		return 0
	case q.Op == ir.Shr:
		return 1 << n
	}
	return n
}

// remainder is the Euclidean one. By 2^k it is the low bits, of negative words too.
func (c *checker) remainder(t ir.Type, a, b poly.Poly) poly.Poly {
	r := c.Ring(t)
	n, ok := poly.Whole(b)
	switch {
	case a == nil, ok && (n == 0 || n == 1):
		return nil
	case ok && n > 1 && n&(n-1) == 0:
		return c.Bits(ir.BitAnd, t, a, c.Number(r, n-1))
	case r == poly.Wholes:
		if a = c.congruent(t, a, b, true); a.IsConstant() && ok && n > 0 { // it is in 0 … n−1
			return a
		}
	case c.staysWithin(t, t, a):
		sum := c.congruent(t, a, b, true)
		switch product := func(part poly.Term) bool { return len(part.Mono) > 4 }; {
		case c.staysWithin(t, t, sum):
			a = sum
		case slices.ContainsFunc(sum.Terms(), product):
			return c.Atom(poly.Atom{Op: ir.Mod, Type: t, From: t, Name: ofIntegers, Args: []poly.Poly{sum, b}})
		default:
			if sum = c.congruent(t, a, b, false); c.staysWithin(t, t, sum) {
				a = sum
			}
		}
	}
	return c.Apply(ir.Mod, t, t, a, b)
}

// ofIntegers names a remainder whose dividend, a polynomial of words, is computed over ℤ.
const ofIntegers = "of integers"

// congruent is a number over ℤ with the same remainder by b as a: factors x % b give way to x,
// where x does not wrap and, unless atoms is set, is a sum; and coefficients to their remainders.
func (c *checker) congruent(t ir.Type, a, b poly.Poly, atoms bool) poly.Poly {
	reduced := func(a poly.Poly) poly.Poly {
		if n, ok := poly.Whole(b); ok && n > 0 {
			return c.Modulo(a, big.NewInt(n))
		}
		return a
	}
	return reduced(c.Map(poly.Wholes, reduced(a), func(f int) poly.Poly {
		p := poly.OfAtom(f)
		if x, ok := c.SoleOp(p, ir.Mod); ok && x.Type == t && x.Args[1].Key() == b.Key() && (atoms || !isAtom(x.Args[0])) &&
			(c.Ring(t) == poly.Wholes || x.Name == ofIntegers || c.staysWithin(t, t, x.Args[0])) {
			return c.congruent(t, x.Args[0], b, atoms)
		}
		return p
	}))
}

// abs of a word is −a where a < 0, so that of tmin is tmin. Of floats it clears the sign
// bit, which takes a − before it away and is no case of a comparison if zeros or NaN count.
func (c *checker) abs(t ir.Type, a poly.Poly) poly.Poly {
	r := c.Ring(t)
	if t.IsUnsigned() {
		return a
	}
	if v, ok := c.BitsOf(a); ok && r == poly.NoRing {
		return c.literal(t, ir.Apply1(ir.Abs, t, t, v))
	}
	if r == poly.NoRing || r == poly.Fractions && !c.Assume.Has(ir.NNaN|ir.NSZ) && !a.IsConstant() {
		if x, ok := c.SoleOp(a, ir.Neg); ok {
			a = x.Args[0]
		}
		return c.Apply(ir.Abs, t, t, a)
	}
	if c.less(t, a, c.literal(t, 0)) {
		return c.Negate(r, a)
	}
	return a
}

// cast converts. A conversion of a converted integer is one conversion where only low bits count, or where the value survived the first.
// Narrowing is a homomorphism of rings, and so is the way from the integers to the fractions.
func (c *checker) cast(t, from ir.Type, a poly.Poly) poly.Poly {
	if n, ok := poly.Whole(a); ok && !from.IsFloat() && c.fits(from, n) {
		return c.literal(t, ir.Apply1(ir.Cast, from, t, from.Wrap(uint64(n))))
	}
	if x, ok := c.SoleOp(a, ir.Cast); ok && from.IsInt() && t.IsInt() && x.From.IsInt() &&
		(t.Bits() <= from.Bits() || poly.Contains(from, x.From)) {
		if x.From == t {
			return x.Args[0]
		}
		return c.cast(t, x.From, x.Args[0])
	} else if ok && x.From == t && t.IsInt() && from.IsInt() && isProduct(x.Args[0]) && c.staysWithin(from, t, x.Args[0]) {
		return x.Args[0] // nothing was lost on the way
	}
	r, source := c.Ring(t), c.Ring(from)
	if r == poly.Fractions && source == poly.Wholes && !isAtom(a) {
		return c.Map(r, a, func(f int) poly.Poly { return c.Apply(ir.Cast, t, from, poly.OfAtom(f)) })
	}
	if !r.IsModular() || !source.IsModular() || r > source || isAtom(a) {
		return c.Apply(ir.Cast, t, from, a)
	}
	return c.Map(r, a, func(f int) poly.Poly { return c.cast(t, from, poly.OfAtom(f)) })
}

// minMax is one of its operands; of floats NaN where one is.
func (c *checker) minMax(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	if a.Key() == b.Key() {
		return a
	}
	if c.isNaN(t, a) || c.isNaN(t, b) {
		return c.literal(t, ir.FloatBits(t, math.NaN()))
	}
	if c.Ring(t) == poly.Fractions { // −∞ and ∞ are no Fractions, but still limits
		neutral := t.Min()
		if op == ir.Min {
			neutral = t.Max()
		}
		if v, ok := c.BitsOf(b); ok && v == neutral {
			return a
		}
		if v, ok := c.BitsOf(a); ok && v == neutral {
			return b
		}
	}
	if c.below(t, a, b) == (op == ir.Min) {
		return a
	}
	return b
}

// saturate compares with a limit less the operand, which cannot wrap on the side where the result could.
func (c *checker) saturate(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	r := c.Ring(t)
	if r == poly.Wholes {
		return c.Apply(op, t, t, a, b)
	}
	plus, minus := c.Plus, c.Sub
	if op == ir.SatSub {
		plus, minus = c.Sub, c.Plus
	}
	falls := op == ir.SatSub
	if t.IsSigned() {
		falls = c.less(t, b, nil) != falls
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

func (c *checker) floatNeg(t ir.Type, a poly.Poly) poly.Poly {
	if v, ok := c.BitsOf(a); ok {
		return c.literal(t, ir.Apply1(ir.Neg, t, t, v))
	}
	if x, ok := c.SoleOp(a, ir.Neg); ok {
		return x.Args[0]
	}
	return c.Apply(ir.Neg, t, t, a)
}

// floatArithmetic: a − b = a + (−b); −0 is the neutral element of +, under nsz +0 is too; a product's sign is the product of the signs.
func (c *checker) floatArithmetic(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	x, known := c.BitsOf(a)
	y, ok := c.BitsOf(b)
	switch {
	case op == ir.Sub:
		return c.floatArithmetic(ir.Add, t, a, c.floatNeg(t, b))
	case op == ir.Mul:
		return c.floatProduct(t, a, b)
	case known && c.isNeutral(t, x):
		return b
	case ok && c.isNeutral(t, y):
		return a
	}
	return c.ApplySorted(op, t, a, b)
}

func (c *checker) isNeutral(t ir.Type, v uint64) bool {
	f := ir.Float(t, v)
	return f == 0 && (math.Signbit(f) || c.Assume.Has(ir.NSZ))
}

func (c *checker) floatProduct(t ir.Type, a, b poly.Poly) poly.Poly {
	a, odd := c.magnitude(t, a)
	b, odd2 := c.magnitude(t, b)
	unit := c.literal(t, ir.FloatBits(t, 1)).Key()
	var p poly.Poly
	switch {
	case a.Key() == unit:
		p = b
	case b.Key() == unit:
		p = a
	default:
		p = c.ApplySorted(ir.Mul, t, a, b)
	}
	if odd != odd2 {
		return c.floatNeg(t, p)
	}
	return p
}

// magnitude takes a − or the sign of a literal off a factor.
func (c *checker) magnitude(t ir.Type, p poly.Poly) (rest poly.Poly, negative bool) {
	if x, ok := c.SoleOp(p, ir.Neg); ok {
		return x.Args[0], true
	}
	if v, ok := c.BitsOf(p); ok && ir.Float(t, v) < 0 {
		return c.literal(t, ir.Apply1(ir.Neg, t, t, v)), true
	}
	return p, false
}

func isAtom(p poly.Poly) bool {
	_, ok := p.Atom()
	return ok
}

// isProduct reports whether p is one atom or a product of some.
func isProduct(p poly.Poly) bool {
	m, ok := p.Monomial()
	return ok && m != ""
}
