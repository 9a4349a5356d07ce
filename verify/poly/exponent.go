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

// Logarithm takes out of log(a) the exponentials that divide a, and the sums of such that a is divided by, which are above 0.
func (s *Space) Logarithm(t ir.Type, a Poly) Poly {
	a, taken := s.withoutExponentials(a)
	var sum Poly
	for _, f := range taken {
		if f.divides {
			sum = s.Plus(Fractions, sum, s.Atoms[f.atom].Args[0])
		} else {
			sum = s.Sub(Fractions, sum, s.Logarithm(t, f.of))
		}
	}
	if m, ok := a.Monomial(); ok && m == "" && a.Constant().Cmp(One) == 0 {
		return sum
	}
	return s.Plus(Fractions, sum, s.Apply(ir.Log, t, t, a))
}

// exponential is a factor of a polynomial: an exponential, or 1/of for a sum of such.
type exponential struct {
	divides bool
	atom    int
	of      Poly
}

// withoutExponentials divides a by exponentials that are factors of all its terms, and multiplies it by sums of such that it is divided by, some times
// at most.
func (s *Space) withoutExponentials(a Poly) (rest Poly, taken []exponential) {
	for range 2 * MaxExponent {
		next := slices.IndexFunc(s.AtomsOf(a), func(f int) bool {
			x, without := s.Atoms[f], func(part Term) bool { return !slices.Contains(Factors(part.Mono), f) }
			return x.Kind == Inverse && s.addsExponentials(x.Args[0]) && s.Assume.Has(ir.NNaN) ||
				x.Kind == Opaque && x.Op == ir.Exp && !slices.ContainsFunc(a.Terms(), without)
		})
		if next < 0 {
			break
		}
		f := s.AtomsOf(a)[next]
		e := exponential{divides: s.Atoms[f].Kind == Opaque, atom: f, of: OfAtom(f)}
		if e.divides {
			a = s.divided(a, f)
		} else {
			e.of = s.Atoms[f].Args[0]
			a = s.Times(Fractions, a, e.of)
		}
		taken = append(taken, e)
	}
	return a, taken
}

// addsExponentials reports whether a sum has no terms but products of exponentials with factors above 0.
func (s *Space) addsExponentials(a Poly) bool {
	other := func(f int) bool { return s.Atoms[f].Kind != Opaque || s.Atoms[f].Op != ir.Exp }
	return !slices.ContainsFunc(a.Terms(), func(t Term) bool {
		return t.Coef.Sign() < 0 || t.Mono == "" || slices.ContainsFunc(Factors(t.Mono), other)
	})
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
