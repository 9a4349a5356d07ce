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

// logarithm returns log(a), with the exponentials that are factors of a outside of it, and the sums of such that a is divided by, which are above 0.
func (s *symbolic) logarithm(t ir.Type, a poly.Poly) poly.Poly {
	if a == poly.Zero {
		return s.opaque(ir.Log, t, t, a)
	}
	sum := poly.Zero
	for range maxExponent {
		q, ok := s.dividedBySum(a)
		if !ok {
			break
		}
		a, sum = s.ps.Mul(poly.Real, a, q), s.ps.Add(poly.Real, sum, -1, s.logarithm(t, q))
	}
	a, sum = s.withoutExponentials(a, sum, func(sum poly.Poly, e poly.Atom, n int) poly.Poly {
		return s.ps.Add(poly.Real, sum, int64(n), s.ps.Arg(e, 0))
	})
	if c, ok := s.ps.IsConst(a); ok && c.N == 1 && c.D == 1 {
		return sum
	}
	return s.ps.Add(poly.Real, sum, 1, s.opaque(ir.Log, t, t, a))
}

// quotient returns a/b, without exponentials that are factors of b and sums of such that b is divided by: denominators of exponentials are alike then.
func (s *symbolic) quotient(a, b poly.Poly) poly.Poly {
	if !s.assume.Has(ir.AFN | ir.NNaN) {
		return s.ps.Mul(poly.Real, a, s.ps.Inverse(b))
	}
	for range maxExponent {
		q, ok := s.dividedBySum(b)
		if !ok {
			break
		}
		a, b = s.ps.Mul(poly.Real, a, q), s.ps.Mul(poly.Real, b, q)
	}
	b, a = s.withoutExponentials(b, a, func(a poly.Poly, e poly.Atom, n int) poly.Poly { return s.ps.Mul(poly.Real, a, s.power(e, -n)) })
	return s.ps.Mul(poly.Real, a, s.ps.Inverse(b))
}

// power returns the power of an atom.
func (s *symbolic) power(e poly.Atom, n int) poly.Poly {
	out, factor := s.ps.Int(poly.Real, 1), s.ps.OfAtom(e)
	if n < 0 {
		factor = s.ps.Inverse(factor)
	}
	for range max(n, -n) {
		out = s.ps.Mul(poly.Real, out, factor)
	}
	return out
}

// withoutExponentials returns a without the exponentials that are factors of it, and what take makes of these one after the other, by their powers.
func (s *symbolic) withoutExponentials(a, taken poly.Poly, take func(taken poly.Poly, e poly.Atom, n int) poly.Poly) (rest, all poly.Poly) {
	least := map[poly.Atom]int{} // exponents over all terms
	for i, term := range s.ps.Terms(a, nil) {
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
	for _, e := range slices.Sorted(maps.Keys(least)) {
		a, taken = s.ps.Mul(poly.Real, a, s.power(e, -least[e])), take(taken, e, least[e])
	}
	return a, taken
}

// dividedBySum returns a sum of exponentials that some term of a is divided by.
func (s *symbolic) dividedBySum(a poly.Poly) (q poly.Poly, ok bool) {
	for _, term := range s.ps.Terms(a, nil) {
		for _, f := range s.ps.Factors(term.Mono) {
			if q, ok := s.ps.IsInverse(poly.Atom(f)); ok && s.ps.Len(q) > 1 && s.assume.Has(ir.NNaN) && s.addsExponentials(q) {
				return q, true
			}
		}
	}
	return q, false
}

// addsExponentials reports whether a sum has no terms but products of exponentials with factors above 0.
func (s *symbolic) addsExponentials(a poly.Poly) bool {
	other := func(f uint32) bool {
		h := s.ps.Head(poly.Atom(f))
		return !isOwn(h) || headOp(h) != ir.Exp
	}
	return !slices.ContainsFunc(s.ps.Terms(a, nil), func(t poly.Term) bool {
		return t.Coef.N < 0 || t.Mono == poly.One || slices.ContainsFunc(s.ps.Factors(t.Mono), other)
	})
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
