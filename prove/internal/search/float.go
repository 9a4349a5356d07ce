package search

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// Exact floats have no ring: their arithmetic stays opaque but for the identities that hold
// for every IEEE value (up to which NaN it is).

func (s *symbolic) floatNeg(t ir.Type, a poly.Poly) poly.Poly {
	if v, ok := s.constBits(a); ok {
		return s.literal(t, ir.Apply1(ir.Neg, t, t, v))
	}
	if x, ok := s.negated(t, a); ok {
		return x
	}
	return s.opaque(ir.Neg, t, t, a)
}

// negated returns x where p is an exact float −x.
func (s *symbolic) negated(t ir.Type, p poly.Poly) (x poly.Poly, ok bool) {
	at, ok := s.soleAtom(p)
	if !ok || !t.IsFloat() || headOp(s.ps.Head(at)) != ir.Neg || !isOwn(s.ps.Head(at)) {
		return 0, false
	}
	return s.ps.Arg(at, 0), true
}

func (s *symbolic) floatArithmetic(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	x, xok := s.constBits(a)
	y, yok := s.constBits(b)
	if xok && yok {
		return s.literal(t, ir.Apply2(op, t, x, y))
	}
	if op == ir.Sub { // a − b = a + (−b), also for NaN and zeros
		return s.floatArithmetic(ir.Add, t, a, s.floatNeg(t, b))
	}
	if op == ir.Mul {
		return s.floatProduct(t, a, b)
	}
	negZero := ir.Apply1(ir.Neg, t, t, 0)
	for _, c := range [2]struct{ lit, other poly.Poly }{{a, b}, {b, a}} {
		if v, ok := s.constBits(c.lit); ok && (v == negZero || v == 0 && s.assume.Has(ir.NSZ)) {
			return c.other
		}
	}
	return s.opaque(ir.Add, t, t, min(a, b), max(a, b))
}

// floatProduct takes signs out of the factors.
func (s *symbolic) floatProduct(t ir.Type, a, b poly.Poly) poly.Poly {
	negative := false
	strip := func(p poly.Poly) poly.Poly {
		if x, ok := s.negated(t, p); ok {
			negative = !negative
			return x
		}
		if v, ok := s.constBits(p); ok && ir.Float(t, v) < 0 {
			negative = !negative
			return s.literal(t, ir.Apply1(ir.Neg, t, t, v))
		}
		return p
	}
	a, b = strip(a), strip(b)
	one := s.literal(t, ir.FloatBits(t, 1))
	var p poly.Poly
	switch {
	case a == one:
		p = b
	case b == one:
		p = a
	default:
		p = s.opaque(ir.Mul, t, t, min(a, b), max(a, b))
	}
	if negative {
		return s.floatNeg(t, p)
	}
	return p
}

// isNaN decides whether p is NaN; never where NaN is assumed away.
func (s *symbolic) isNaN(t ir.Type, p poly.Poly) (nan, ok bool) {
	if !t.IsFloat() || s.assume.Has(ir.NNaN) {
		return false, true
	}
	if v, isConst := s.constBits(p); isConst {
		f := ir.Float(t, v)
		return f != f, true
	}
	if _, isConst := s.ps.IsConst(p); isConst {
		return false, true
	}
	if at, ok := s.soleAtom(p); ok && isOwn(s.ps.Head(at)) && (headOp(s.ps.Head(at)) == ir.Neg || headOp(s.ps.Head(at)) == ir.Abs) {
		return s.isNaN(t, s.ps.Arg(at, 0))
	}
	return s.decide(condition{condNaN, t, p, 0})
}

// floor moves whole terms out of its operand: ⌊p + n⌋ is ⌊p⌋ + n. A term is whole whose factors are floors or integers, with a whole coefficient.
func (s *symbolic) floor(t ir.Type, a poly.Poly) poly.Poly {
	var whole, rest []poly.Term
	for _, term := range s.ps.Terms(a, nil) {
		switch {
		case term.Mono == poly.One:
			q, _ := floorDiv(term.Coef.N, term.Coef.D)
			whole = append(whole, poly.Term{Mono: poly.One, Coef: poly.Coef{N: q, D: 1}})
			rest = append(rest, poly.Term{Mono: poly.One, Coef: poly.Coef{N: term.Coef.N - q*term.Coef.D, D: term.Coef.D}})
		case term.Coef.D == 1 && !slices.ContainsFunc(s.ps.Factors(term.Mono), func(f uint32) bool { return !s.isWhole(poly.Atom(f)) }):
			whole = append(whole, term)
		default:
			rest = append(rest, term)
		}
	}
	out, left := s.ps.Sum(poly.Real, whole), s.ps.Sum(poly.Real, rest)
	if _, ok := s.ps.IsConst(left); ok {
		return out
	}
	return s.ps.Add(poly.Real, out, 1, s.opaque(ir.Floor, t, t, left))
}

func (s *symbolic) isWhole(a poly.Atom) bool {
	h := s.ps.Head(a)
	return isOwn(h) && (headOp(h) == ir.Floor || headOp(h) == ir.Round || headOp(h) == ir.Cast && headFromType(h).IsInt())
}
