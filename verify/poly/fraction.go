package poly

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Reciprocal returns 1/a for a ≠ 0: atom by atom of a monomial, otherwise an atom of the sum
// brought to leading coefficient 1.
func (s *Space) Reciprocal(a Poly) Poly {
	ts := a.Terms()
	if len(ts) == 0 {
		Fail("a quotient by zero")
	}
	last := ts[len(ts)-1]
	k := new(big.Rat).Inv(last.Coef)
	if len(ts) > 1 {
		return s.Scale(Fractions, k, s.Atom(Atom{Kind: Inverse, Args: []Poly{s.Scale(Fractions, k, a)}}))
	}
	out := Of("", k)
	for _, f := range Factors(last.Mono) {
		part := OfAtom(f)
		if x := s.Atoms[f]; x.Kind == Inverse && isAtom(x.Args[0]) {
			part = x.Args[0] // 1/(1/y)
		} else {
			part = s.Atom(Atom{Kind: Inverse, Args: []Poly{part}})
		}
		out = s.Times(Fractions, out, part)
	}
	return out
}

func isAtom(p Poly) bool {
	_, ok := p.Atom()
	return ok
}

// Quotient returns a/b over the rationals, for b ≠ 0. A quotient by what may be zero is an
// operator of its own where NaN is not excluded, unless it is one of products: (a + c)/0 may
// be ∞ while a/0 + c/0 is NaN. Exponentials, which are not zero, are taken out of b.
func (s *Space) Quotient(t ir.Type, a, b Poly) Poly {
	if !b.IsConstant() && !s.Assume.Has(ir.NNaN) && max(len(a.Terms()), len(b.Terms())) > 1 {
		return s.Apply(ir.Div, t, t, a, b)
	}
	if s.Assume.Has(ir.AFN | ir.NNaN) {
		var taken []exponential
		b, taken = s.withoutExponentials(b)
		for _, f := range taken {
			if f.divides {
				f.of = s.Reciprocal(f.of)
			}
			a = s.Times(Fractions, a, f.of)
		}
	}
	return s.Times(Fractions, a, s.Reciprocal(b))
}

// Distributes reports whether a·b is the sum of the products of their terms: not where one is
// a sum and the other divides by what may be zero, unless NaN is excluded.
func (s *Space) Distributes(a, b Poly) bool {
	divides := func(p Poly) bool {
		return slices.ContainsFunc(s.AtomsOf(p), func(n int) bool { return s.Atoms[n].Kind == Inverse })
	}
	return s.Assume.Has(ir.NNaN) || !(len(a.Terms()) > 1 && divides(b)) && !(len(b.Terms()) > 1 && divides(a))
}

// ClearInverses multiplies by the denominators: the result is zero exactly where a is, as far
// as no denominator is zero.
func (s *Space) ClearInverses(a Poly) Poly {
	for range 64 {
		n := slices.IndexFunc(s.AtomsOf(a), func(f int) bool { return s.Atoms[f].Kind == Inverse })
		if n < 0 {
			return a
		}
		f := s.AtomsOf(a)[n]
		var sum Poly
		for _, t := range a.Terms() {
			fs, by := Factors(t.Mono), s.Atoms[f].Args[0]
			if i := slices.Index(fs, f); i >= 0 {
				fs, by = slices.Delete(fs, i, i+1), Unit()
			}
			sum = s.Plus(Fractions, sum, s.Times(Fractions, Of(MonomialOf(fs), t.Coef), by))
		}
		a = sum
	}
	Fail("fractions are nested too deep")
	return nil
}

// denominator returns an atom 1/q of b, and c, where a is a sum c·q; ok is false where there is none.
func (s *Space) denominator(r Ring, a, b Poly) (atom int, c *big.Rat, ok bool) {
	if r != Fractions || len(a.Terms()) < 2 || !s.Assume.Has(ir.NNaN) {
		return 0, nil, false
	}
	c = a.Terms()[len(a.Terms())-1].Coef
	for _, f := range s.AtomsOf(b) {
		s.Burn(1)
		if x := s.Atoms[f]; x.Kind == Inverse && len(x.Args[0].Terms()) == len(a.Terms()) && s.Scale(Fractions, c, x.Args[0]).Key() == a.Key() {
			return f, c, true
		}
	}
	return 0, nil, false
}

// cancelled returns a·b where a is c·q for an atom 1/q of b: of the terms that have it c times what is divided, a field
// identity; of the others the product.
func (s *Space) cancelled(a, b Poly, atom int, c *big.Rat) Poly {
	var with, without []Term
	for _, t := range b.Terms() {
		fs := Factors(t.Mono)
		if i := slices.Index(fs, atom); i >= 0 {
			with = append(with, Term{MonomialOf(slices.Delete(fs, i, i+1)), new(big.Rat).Mul(c, t.Coef)})
		} else {
			without = append(without, t)
		}
	}
	out := s.Collect(Fractions, with)
	if len(without) > 0 {
		out = s.Plus(Fractions, out, s.Times(Fractions, a, &Sum{terms: without}))
	}
	return out
}
