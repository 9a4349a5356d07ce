package search

import (
	"math"
	"math/bits"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// This file evaluates the operations on integers that no ring has.

func (s *symbolic) cast(t, from ir.Type, a poly.Poly) poly.Poly {
	df, dt := s.domain(from), s.domain(t)
	if c, ok := s.ps.IsConst(a); ok && !from.IsFloat() && s.fits(from, c.N) {
		return s.literal(t, ir.Apply1(ir.Cast, from, t, from.Wrap(uint64(c.N))))
	}
	if at, ok := s.soleAtom(a); ok && from.IsInt() && t.IsInt() && isOwn(s.ps.Head(at)) && headOp(s.ps.Head(at)) == ir.Cast {
		// i8(i32(x)) = i8(x): only low bits count, or the value survived the way up
		inner := headFromType(s.ps.Head(at))
		switch {
		case inner == t && s.isWithin(from, t, s.ps.Arg(at, 0)):
			return s.ps.Arg(at, 0)
		case !inner.IsInt() || t.Bits() > from.Bits() && !widens(inner, from):
		case inner == t:
			return s.ps.Arg(at, 0)
		default:
			return s.cast(t, inner, s.ps.Arg(at, 0))
		}
	}
	if df == poly.Integer && dt == poly.Real || df.Bits() > 0 && dt.Bits() > 0 && dt.Bits() <= df.Bits() {
		return s.homomorphic(t, from, a)
	}
	return s.opaque(ir.Cast, t, from, a)
}

// isWithin reports whether a word of type t, which is no sum, has only values of a narrower type.
func (s *symbolic) isWithin(narrow, t ir.Type, p poly.Poly) bool {
	m, ok := s.ps.IsMono(p)
	if !ok || s.domain(t).Bits() == 0 {
		return false
	}
	lo, hi := s.monoLimits(t, m)
	low, high := s.limits(narrow)
	below, _ := lo.add(low.neg())
	above, _ := high.add(hi.neg())
	return below.sign() >= 0 && above.sign() >= 0
}

// widens reports whether every value of from is one of to.
func widens(from, to ir.Type) bool {
	if !from.IsInt() || !to.IsInt() {
		return false
	}
	if from.IsSigned() == to.IsSigned() {
		return from.Bits() <= to.Bits()
	}
	return from.IsUnsigned() && from.Bits() < to.Bits()
}

// homomorphic converts a sum of products term by term: to fewer bits, or from integers to reals.
func (s *symbolic) homomorphic(t, from ir.Type, a poly.Poly) poly.Poly {
	d := s.domain(t)
	sum := poly.Zero
	for _, term := range s.ps.Terms(a, nil) {
		part := s.ps.Int(d, 1)
		for _, f := range s.ps.Factors(term.Mono) {
			whole := s.ps.OfAtom(poly.Atom(f))
			if len(s.ps.Factors(term.Mono)) == 1 && s.ps.Len(a) == 1 && term.Coef.N == 1 {
				return s.opaque(ir.Cast, t, from, whole)
			}
			part = s.ps.Mul(d, part, s.cast(t, from, whole))
		}
		sum = s.ps.Add(d, sum, term.Coef.N, part)
	}
	return sum
}

func (s *symbolic) bitwise(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	table := map[ir.Op]poly.BitOp{ir.BitAnd: poly.BitAnd, ir.BitOr: poly.BitOr, ir.BitXor: poly.BitXor}[op]
	if d := s.domain(t); d.Bits() > 0 || t.IsSigned() {
		if op == ir.BitAnd {
			a, b = s.maskedBy(d, a, b), s.maskedBy(d, b, a)
		}
		if p, ok := s.ps.Bitwise(d, table, a, b); ok {
			return p
		}
	}
	return s.opaque(op, t, t, min(a, b), max(a, b))
}

// maskedBy removes the parts of a that the mask 2^n − 1 clears. A literal stays as it is, since it may be the mask of the
// other operand.
func (s *symbolic) maskedBy(d poly.Domain, a, mask poly.Poly) poly.Poly {
	c, ok := s.ps.IsConst(mask)
	if _, literal := s.ps.IsConst(a); literal || !ok || c.N <= 0 || c.N >= 1<<61 || c.N&(c.N+1) != 0 {
		return a
	}
	return s.ps.LowBits(d, a, bits.Len64(uint64(c.N)))
}

func (s *symbolic) shift(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	d := s.domain(t)
	n, ok := s.ps.IsConst(b)
	if ok && op == ir.Shl && d == poly.Integer && n.N >= 0 && n.N < int64(t.Bits())-1 {
		return s.ps.Scale(d, poly.Coef{N: int64(1) << n.N, D: 1}, a)
	}
	if c, isConst := s.ps.IsConst(a); ok && isConst && s.fits(t, c.N) && s.fits(t, n.N) {
		return s.literal(t, ir.Apply2(op, t, t.Wrap(uint64(c.N)), t.Wrap(uint64(n.N))))
	}
	if a == poly.Zero || ok && n.N == 0 {
		return a
	}
	if ok && op == ir.Shr && d == poly.Integer && n.N > 0 && n.N < int64(t.Bits())-1 { // rounds down
		return s.divide(t, a, s.ps.Int(d, int64(1)<<n.N))
	}
	if ok && op == ir.Shl && d.Bits() > 0 && n.N > 0 && n.N < int64(d.Bits()) {
		if p, ok := s.multiple(t, a, int64(uint64(1)<<n.N)); ok {
			return p
		}
		return s.ps.Scale(d, poly.Coef{N: int64(uint64(1) << n.N), D: 1}, a)
	}
	if op == ir.Shl && d.Bits() > 0 { // a power of two, or 0
		if ok {
			return s.ps.Mul(d, a, s.literal(t, ir.Apply2(op, t, 1, t.Wrap(uint64(n.N)))))
		}
		return s.ps.Mul(d, a, s.opaque(op, t, t, s.ps.Int(d, 1), b))
	}
	return s.opaque(op, t, t, a, b)
}

// shiftLeft reads a shift of a word to the left. By a count that is no literal it is a product with a power of two, or with 0. It distributes
// over bitwise functions, and counts of words that are shifted already add up as in shiftAgain.
func (s *symbolic) shiftLeft(t ir.Type, a, b poly.Poly) (poly.Poly, bool) {
	d := s.domain(t)
	if _, literal := s.ps.IsConst(b); literal || d.Bits() == 0 || a == poly.Zero {
		return s.shift(ir.Shl, t, a, b), true
	}
	return s.ps.EachWord(d, a, func(word poly.Poly) (out poly.Poly, ok bool) {
		out = poly.Zero
		for i := range s.ps.Len(word) {
			term := s.ps.Term(word, i)
			part, by := s.ps.Int(d, 1), b
			for _, f := range s.ps.Factors(term.Mono) {
				at := poly.Atom(f)
				if by != b || s.ps.Head(at) != head(ir.Shl, t, t, 0) {
					part = s.ps.Mul(d, part, s.ps.OfAtom(at))
					continue
				}
				u := t.Unsigned()
				if by, ok = s.saturate(ir.SatAdd, u, s.cast(u, t, s.ps.Arg(at, 1)), s.cast(u, t, b)); !ok {
					return 0, false
				}
				by = s.cast(t, u, by)
			}
			power := s.shift(ir.Shl, t, s.ps.Int(d, 1), by)
			out = s.ps.Add(d, out, term.Coef.N, s.ps.Mul(d, part, power))
		}
		return out, true
	})
}

// shiftRight reads a shift to the right. By a count that is no literal it distributes over bitwise functions of words.
func (s *symbolic) shiftRight(t ir.Type, a, b poly.Poly) (poly.Poly, bool) {
	shift := func(word poly.Poly) (poly.Poly, bool) {
		if p, again, ok := s.shiftAgain(t, word, b); again || !ok {
			return p, ok
		}
		return s.shift(ir.Shr, t, word, b), true
	}
	if _, literal := s.ps.IsConst(b); literal || s.domain(t).Bits() == 0 {
		return shift(a)
	}
	return s.ps.EachWord(s.domain(t), a, shift)
}

// shiftAgain reads a shift to the right of a word that is shifted to the right already: the counts add up, and a
// sum beyond the width counts as the greatest number.
func (s *symbolic) shiftAgain(t ir.Type, a, b poly.Poly) (p poly.Poly, again, ok bool) {
	if s.domain(t).Bits() == 0 || s.domain(t.Unsigned()).Bits() == 0 || b == poly.Zero {
		return 0, false, true
	}
	at, own := s.soleAtom(a)
	if !own || s.ps.Head(at) != head(ir.Shr, t, t, 0) {
		return 0, false, true
	}
	u := t.Unsigned() // as which counts are read
	by, ok := s.saturate(ir.SatAdd, u, s.cast(u, t, s.ps.Arg(at, 1)), s.cast(u, t, b))
	if !ok {
		return 0, true, false
	}
	return s.shift(ir.Shr, t, s.ps.Arg(at, 0), s.cast(t, u, by)), true, true
}

// divideWord reads Euclidean division. A quotient of unsigned words that is divided again is one by the product of both divisors, or 0 where
// that product is no word.
func (s *symbolic) divideWord(t ir.Type, a, b poly.Poly) (poly.Poly, bool) {
	d := s.domain(t)
	n, literal := s.ps.IsConst(b)
	at, own := s.soleAtom(a)
	if d.Bits() == 0 || !t.IsUnsigned() || literal && n.N&(n.N-1) == 0 || !own || s.ps.Head(at) != head(ir.Div, t, t, 0) {
		return s.divide(t, a, b), true
	}
	by := s.ps.Arg(at, 1)
	switch far, ok := s.less(t, s.divide(t, s.literal(t, t.Max()), b), by); {
	case !ok:
		return 0, false
	case far:
		return poly.Zero, true
	}
	return s.divideWord(t, s.ps.Arg(at, 0), s.ps.Mul(d, by, b))
}

// divide returns Euclidean division of integers, or IEEE division.
func (s *symbolic) divide(t ir.Type, a, b poly.Poly) poly.Poly {
	d := s.domain(t)
	n, ok := s.ps.IsConst(b)
	switch {
	case d != 0 && a == poly.Zero:
		return a
	case d == poly.Integer && !ok:
		return s.nested(t, a, b)
	case d == 0 || !ok:
		return s.opaque(ir.Div, t, t, a, b)
	}
	if c, isConst := s.ps.IsConst(a); isConst && d == poly.Integer {
		q, _ := s.euclid(c.N, n.N)
		return s.ps.Int(d, q)
	} else if isConst {
		return s.literal(t, ir.Apply2(ir.Div, t, t.Wrap(uint64(c.N)), t.Wrap(uint64(n.N))))
	}
	switch {
	case n.N == 0:
		return poly.Zero
	case n.N == 1:
		return a
	case d == poly.Integer && n.N > 1 && n.N < 1<<62:
		return s.divideInteger(t, a, n.N)
	case n.N > 1 && n.N&(n.N-1) == 0:
		shift := int64(0)
		for n.N>>shift > 1 {
			shift++
		}
		return s.opaque(ir.Shr, t, t, a, s.ps.Int(d, shift))
	}
	return s.opaque(ir.Div, t, t, a, b)
}

// multiple returns c·q where q is the quotient p/n and n divides c. That is (c/n)·(p − p % n).
func (s *symbolic) multiple(t ir.Type, q poly.Poly, c int64) (poly.Poly, bool) {
	at, ok := s.soleAtom(q)
	if !ok || !isOwn(s.ps.Head(at)) || headType(s.ps.Head(at)) != t {
		return 0, false
	}
	op := headOp(s.ps.Head(at))
	if op != ir.Div && op != ir.Shr {
		return 0, false
	}
	by, ok := s.ps.IsConst(s.ps.Arg(at, 1))
	n := by.N
	if op == ir.Shr && ok {
		if n <= 0 || n >= int64(t.Bits())-1 {
			return 0, false
		}
		n = 1 << n
	}
	if !ok || n <= 1 || c%n != 0 {
		return 0, false
	}
	d, a := s.domain(t), s.ps.Arg(at, 0)
	rest := s.modulo(t, a, s.ps.Int(d, n))
	return s.ps.Scale(d, poly.Coef{N: c / n, D: 1}, s.ps.Add(d, a, -1, rest)), true
}

// divideInteger moves multiples of the divisor out of an unbounded dividend.
func (s *symbolic) divideInteger(t ir.Type, a poly.Poly, n int64) poly.Poly {
	var out, rest []poly.Term
	for _, term := range s.ps.Terms(a, nil) {
		q, r := floorDiv(term.Coef.N, n)
		out = append(out, poly.Term{Mono: term.Mono, Coef: poly.Coef{N: q, D: 1}})
		rest = append(rest, poly.Term{Mono: term.Mono, Coef: poly.Coef{N: r, D: 1}})
	}
	whole, left := s.ps.Sum(poly.Integer, out), s.ps.Sum(poly.Integer, rest)
	if _, ok := s.ps.IsConst(left); ok { // 0 ≤ left < n
		return whole
	}
	return s.ps.Add(poly.Integer, whole, 1, s.nested(t, left, s.ps.Int(poly.Integer, n)))
}

// nested returns a quotient of unbounded integers. Where a term of the dividend is itself a quotient n/d by a
// positive d, (n/d + rest)/b is (n + d·rest)/(d·b).
func (s *symbolic) nested(t ir.Type, a, b poly.Poly) poly.Poly {
	for _, term := range s.ps.Terms(a, nil) {
		fs := s.ps.Factors(term.Mono)
		if term.Coef != (poly.Coef{N: 1, D: 1}) || len(fs) != 1 || s.ps.Head(poly.Atom(fs[0])) != head(ir.Div, t, t, 0) {
			continue
		}
		q := poly.Atom(fs[0])
		n, d := s.ps.Arg(q, 0), s.ps.Arg(q, 1)
		if !s.isPositive(t, d) {
			continue
		}
		rest := s.ps.Mul(poly.Integer, d, s.ps.Add(poly.Integer, a, -1, s.ps.OfAtom(q)))
		return s.divide(t, s.ps.Add(poly.Integer, n, 1, rest), s.ps.Mul(poly.Integer, d, b))
	}
	return s.opaque(ir.Div, t, t, a, b)
}

// isPositive reports whether an integer is a positive constant and multiples of natural numbers.
func (s *symbolic) isPositive(t ir.Type, p poly.Poly) bool {
	constant := false
	for _, term := range s.ps.Terms(p, nil) {
		if term.Coef.N < 0 || term.Mono != poly.One && !t.IsUnsigned() {
			return false
		}
		constant = constant || term.Mono == poly.One
	}
	return constant
}

// modulo returns the Euclidean remainder.
func (s *symbolic) modulo(t ir.Type, a, b poly.Poly) poly.Poly {
	d := s.domain(t)
	n, ok := s.ps.IsConst(b)
	if c, isConst := s.ps.IsConst(a); ok && isConst && d == poly.Integer {
		_, r := s.euclid(c.N, n.N)
		return s.ps.Int(d, r)
	} else if ok && isConst {
		return s.literal(t, ir.Apply2(ir.Mod, t, t.Wrap(uint64(c.N)), t.Wrap(uint64(n.N))))
	}
	if a == poly.Zero {
		return a
	}
	if ok {
		switch {
		case n.N == 0 || n.N == 1:
			return poly.Zero
		case n.N > 1 && n.N&(n.N-1) == 0: // also of negative words: the low bits
			return s.bitwise(ir.BitAnd, t, a, s.ps.Int(d, n.N-1))
		}
	}
	switch {
	case d == poly.Integer:
		a = s.reduceModulo(t, a, b, true)
		if c, isConst := s.ps.IsConst(a); isConst && ok && n.N > 0 {
			_, r := floorDiv(c.N, n.N)
			return s.ps.Int(d, r)
		}
	case s.neverWraps(t, a):
		sum := s.reduceModulo(t, a, b, true)
		switch {
		case s.neverWraps(t, sum):
			a = sum
		case s.hasProduct(sum):
			return s.ps.OfAtom(s.ps.AtomOf(head(ir.Mod, t, t, ofInteger), sum, b))
		default:
			if sum = s.reduceModulo(t, a, b, false); s.neverWraps(t, sum) {
				a = sum
			}
		}
	}
	return s.opaque(ir.Mod, t, t, a, b)
}

// ofInteger marks a remainder whose dividend, a polynomial of words, is computed over ℤ.
const ofInteger = 1

func (s *symbolic) hasProduct(p poly.Poly) bool {
	for i := range s.ps.Len(p) {
		if len(s.ps.Factors(s.ps.Term(p, i).Mono)) > 1 {
			return true
		}
	}
	return false
}

// reduceModulo replaces, in a dividend over ℤ, t % b by t, where t does not wrap and, unless atoms is set, is a sum; and
// coefficients by their remainders: both leave the remainder by b as it is.
func (s *symbolic) reduceModulo(t ir.Type, a, b poly.Poly, atoms bool) poly.Poly {
	reduced := func(a poly.Poly) poly.Poly {
		n, ok := s.ps.IsConst(b)
		if !ok || n.N <= 0 {
			return a
		}
		terms := s.ps.Terms(a, nil)
		for i, term := range terms {
			_, terms[i].Coef.N = floorDiv(term.Coef.N, n.N)
		}
		return s.ps.Sum(poly.Integer, terms)
	}
	sum := poly.Zero
	for _, term := range s.ps.Terms(reduced(a), nil) {
		part := s.ps.Int(poly.Integer, 1)
		for _, f := range s.ps.Factors(term.Mono) {
			at := poly.Atom(f)
			h := s.ps.Head(at)
			inner := s.ps.OfAtom(at)
			if isOwn(h) && headOp(h) == ir.Mod && headType(h) == t && s.ps.Arg(at, 1) == b {
				p := s.ps.Arg(at, 0)
				_, sole := s.soleAtom(p)
				if (atoms || !sole) && (s.domain(t) == poly.Integer || headExtra(h) == ofInteger || s.neverWraps(t, p)) {
					inner = s.reduceModulo(t, p, b, atoms)
				}
			}
			part = s.ps.Mul(poly.Integer, part, inner)
		}
		sum = s.ps.Add(poly.Integer, sum, term.Coef.N, part)
	}
	return reduced(sum)
}

// euclid divides unbounded integers: the machine's division would wrap tmin/−1.
func (s *symbolic) euclid(a, n int64) (q, r int64) {
	switch {
	case n == 0:
		return 0, 0
	case n == math.MinInt64 || a == math.MinInt64:
		s.ps.Overflow = true
		return 0, 0
	case n < 0:
		q, r = floorDiv(a, -n)
		return -q, r
	}
	return floorDiv(a, n)
}

// fits reports whether a constant is a value of its type: where integers are unbounded it
// need not be, and an operator that sees the width may not be applied to it.
func (s *symbolic) fits(t ir.Type, n int64) bool {
	if s.domain(t) != poly.Integer {
		return true
	}
	return t.Wrap(uint64(n)) == uint64(n) && (n >= 0 || t.IsSigned())
}

func floorDiv(a, n int64) (q, r int64) {
	q, r = a/n, a%n
	if r < 0 {
		q, r = q-1, r+n
	}
	return q, r
}

// saturate is defined by comparisons that do not wrap themselves.
func (s *symbolic) saturate(op ir.Op, t ir.Type, a, b poly.Poly) (poly.Poly, bool) {
	d := s.domain(t)
	if d == poly.Integer {
		return s.opaque(op, t, t, a, b), true
	}
	lo, hi := s.literal(t, t.Min()), s.literal(t, t.Max())
	sign := int64(1)
	if op == ir.SatSub {
		sign = -1
	}
	sum := s.ps.Add(d, a, sign, b)
	down := op == ir.SatSub // whether a positive b moves the result down
	if t.IsSigned() {
		neg, ok := s.less(t, b, poly.Zero)
		if !ok {
			return 0, false
		}
		down = down != neg
	}
	if down { // below lo where a < lo − (±b)
		under, ok := s.less(t, a, s.ps.Add(d, lo, -sign, b))
		if under {
			return lo, ok
		}
		return sum, ok
	}
	over, ok := s.less(t, s.ps.Add(d, hi, -sign, b), a)
	if over {
		return hi, ok
	}
	return sum, ok
}
