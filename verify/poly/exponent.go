package poly

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Exponential writes exp(Σ k·m) as the product of exp(m)^k; exp(log(a)) is a.
func (s *Space) Exponential(t ir.Type, a Poly) Poly {
	out := Unit()
	for _, summand := range a.Terms() {
		k := new(big.Rat).Abs(summand.Coef)
		base, times := Of(summand.Mono, One), 1
		if k.IsInt() && k.Num().IsInt64() && k.Num().Int64() <= MaxExponent {
			times = int(k.Num().Int64())
		} else {
			base = s.Scale(Fractions, k, base)
		}
		factor := s.Apply(ir.Exp, t, t, base)
		if x, ok := s.SoleOp(base, ir.Log); ok && x.Args[0] != nil {
			factor = x.Args[0]
		}
		if summand.Coef.Sign() < 0 {
			factor = s.Reciprocal(factor)
		}
		for range times {
			out = s.Times(Fractions, out, factor)
		}
	}
	return out
}

// Logarithm takes out of log(a) the exponentials that divide a.
func (s *Space) Logarithm(t ir.Type, a Poly) Poly {
	for _, f := range s.AtomsOf(a) {
		x, without := s.Atoms[f], func(part Term) bool { return !slices.Contains(Factors(part.Mono), f) }
		switch x.Kind {
		case Inverse: // of an exponential, which multiplies it away
			if e, ok := s.SoleOp(x.Args[0], ir.Exp); ok && s.Assume.Has(ir.NNaN) {
				return s.Sub(Fractions, s.Logarithm(t, s.Times(Fractions, a, x.Args[0])), e.Args[0])
			}
		case Opaque:
			if x.Op == ir.Exp && !slices.ContainsFunc(a.Terms(), without) {
				return s.Plus(Fractions, x.Args[0], s.Logarithm(t, s.divided(a, f)))
			}
		}
	}
	if m, ok := a.Monomial(); ok && m == "" {
		return nil
	}
	return s.Apply(ir.Log, t, t, a)
}

// divided divides each term by an atom that is a factor of it.
func (s *Space) divided(a Poly, atom int) Poly {
	var terms []Term
	for _, t := range a.Terms() {
		fs := Factors(t.Mono)
		i := slices.Index(fs, atom)
		terms = append(terms, Term{MonomialOf(slices.Delete(fs, i, i+1)), t.Coef})
	}
	return s.Collect(Fractions, terms)
}

// RealProduct returns a·b over the reals, where two equal roots are what is under them if no root is
// NaN.
func (s *Space) RealProduct(a, b Poly) Poly {
	p := s.Times(Fractions, a, b)
	if !s.Assume.Has(ir.AFN | ir.NNaN) {
		return p
	}
	for _, t := range p.Terms() {
		fs := Factors(t.Mono)
		for i := 1; i < len(fs); i++ {
			if x := s.Atoms[fs[i]]; fs[i] == fs[i-1] && x.Kind == Opaque && x.Op == ir.Sqrt {
				others := s.Sub(Fractions, p, Of(t.Mono, t.Coef))
				rest := Of(MonomialOf(slices.Delete(fs, i-1, i+1)), t.Coef)
				return s.RealProduct(s.Plus(Fractions, others, s.Times(Fractions, rest, x.Args[0])), Unit())
			}
		}
	}
	return p
}

// MaxExponent is the largest n for which exp(n·a) is written as a power.
const MaxExponent = 8
