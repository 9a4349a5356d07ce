package search

import (
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// Under afn sums of exponents are products of exponentials: exp(a + b) = exp(a)·exp(b),
// exp(n·a) = exp(a)ⁿ, exp(log(a)) = a; and log(exp(a)·b) = a + log(b). What is left inside of a
// logarithm has no exponential as a factor.

// maxExponent is the largest n for which exp(n·a) is written as a power.
const maxExponent = 8

// exponential returns exp(a) as a product.
func (s *symbolic) exponential(t ir.Type, a poly.Poly) poly.Poly {
	out := s.ps.Int(poly.Real, 1)
	for _, term := range s.ps.Terms(a, nil) {
		base := s.ps.Int(poly.Real, 1)
		if term.Mono != poly.One {
			base = s.ps.OfMono(term.Mono)
		}
		n, times := max(term.Coef.N, -term.Coef.N), int64(1)
		if term.Coef.D == 1 && n <= maxExponent {
			times = n
		} else {
			base = s.ps.Scale(poly.Real, poly.Coef{N: n, D: term.Coef.D}, base)
		}
		factor := s.opaque(ir.Exp, t, t, base)
		if at, ok := s.soleAtom(base); ok && isOwn(s.ps.Head(at)) && headOp(s.ps.Head(at)) == ir.Log && s.ps.Arg(at, 0) != poly.Zero {
			factor = s.ps.Arg(at, 0)
		}
		if term.Coef.N < 0 {
			factor = s.ps.Inverse(factor)
		}
		for range times {
			out = s.ps.Mul(poly.Real, out, factor)
		}
	}
	return out
}

// logarithm returns log(a), with the exponentials that are factors of a outside of it.
func (s *symbolic) logarithm(t ir.Type, a poly.Poly) poly.Poly {
	if a == poly.Zero {
		return s.opaque(ir.Log, t, t, a)
	}
	terms := s.ps.Terms(a, nil)
	least := map[poly.Atom]int{} // exponents over all terms
	for i, term := range terms {
		here := s.exponents(term.Mono)
		for e := range here {
			if _, ok := least[e]; !ok && i > 0 {
				least[e] = 0 // it is not in the terms before
			}
		}
		for e, n := range least {
			least[e] = min(n, here[e])
		}
		for e, n := range here {
			if _, ok := least[e]; !ok {
				least[e] = n
			}
		}
	}
	sum := poly.Zero
	for _, e := range slices.Sorted(maps.Keys(least)) {
		n, factor := least[e], s.ps.OfAtom(e)
		if n > 0 {
			factor = s.ps.Inverse(factor)
		}
		for range max(n, -n) {
			a = s.ps.Mul(poly.Real, a, factor)
		}
		sum = s.ps.Add(poly.Real, sum, int64(n), s.ps.Arg(e, 0))
	}
	if c, ok := s.ps.IsConst(a); ok && c.N == 1 && c.D == 1 {
		return sum
	}
	return s.ps.Add(poly.Real, sum, 1, s.opaque(ir.Log, t, t, a))
}

// exponents returns those of the exponentials in a product, less than 0 in its denominator.
func (s *symbolic) exponents(m poly.Mono) map[poly.Atom]int {
	out := map[poly.Atom]int{}
	for _, f := range s.ps.Factors(m) {
		at, n := poly.Atom(f), 1
		if q, ok := s.ps.IsInverse(at); ok {
			under, sole := s.soleAtom(q)
			if !sole {
				continue
			}
			at, n = under, -1
		}
		if h := s.ps.Head(at); isOwn(h) && headOp(h) == ir.Exp {
			out[at] += n
		}
	}
	return out
}

// product returns a·b over the reals; under afn and nnan, where no root is of a number below 0,
// sqrt(a)² is a.
func (s *symbolic) product(a, b poly.Poly) poly.Poly {
	p := s.ps.Mul(poly.Real, a, b)
	if s.assume.Has(ir.AFN | ir.NNaN) {
		p = s.withoutSquaredRoots(p)
	}
	return p
}

func (s *symbolic) withoutSquaredRoots(p poly.Poly) poly.Poly {
	for _, term := range s.ps.Terms(p, nil) {
		fs := slices.Clone(s.ps.Factors(term.Mono))
		for i := 1; i < len(fs); i++ {
			at := poly.Atom(fs[i])
			if fs[i] != fs[i-1] || !isOwn(s.ps.Head(at)) || headOp(s.ps.Head(at)) != ir.Sqrt {
				continue
			}
			with := s.ps.Scale(poly.Real, term.Coef, s.ps.OfMono(term.Mono))
			without := s.ps.Scale(poly.Real, term.Coef, s.ps.Arg(at, 0))
			for _, f := range slices.Delete(fs, i-1, i+1) {
				without = s.ps.Mul(poly.Real, without, s.ps.OfAtom(poly.Atom(f)))
			}
			return s.withoutSquaredRoots(s.ps.Add(poly.Real, s.ps.Add(poly.Real, p, -1, with), 1, without))
		}
	}
	return p
}
