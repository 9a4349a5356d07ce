package linear

import (
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// Products over ℤ and ℚ: squares are not negative, the product of two numbers that are not
// negative is not, and of a product the sign of one factor tells that of the other.

// Sign is a polynomial that is ≥ 0, or > 0 where Strict.
type Sign struct {
	Type   ir.Type
	P      poly.Poly
	Strict bool
}

// products states what is known of squares and of the products and quotients that a
// refutation names.
func (s *System) products(claims []Claim, pairs [][2]int) {
	for _, c := range claims {
		if g, ok := s.signOf(c); ok {
			s.Signs = append(s.Signs, g)
		}
	}
	for _, q := range slices.Clone(s.Seen) {
		m, ok := q.P.Monomial()
		if !ok || !s.Multiplies(q.Type, q.P) {
			continue
		}
		fs := poly.Factors(m)
		if len(fs) == 1 && q.Type.IsUnsigned() {
			s.Signs = append(s.Signs, Sign{q.Type, q.P, false})
		}
		if root, ok := RootOf(fs); ok {
			s.square(q, root)
		}
	}
	for _, pair := range pairs {
		s.pair(pair[0], pair[1])
	}
}

// pair states the product of signs i and j ≥ 0, or the quotient of sign i by the atom of sign
// −1−j.
func (s *System) pair(i, j int) {
	by := max(j, -1-j)
	if i < 0 || max(i, by) >= len(s.Signs) || s.Ring(s.Signs[i].Type) != s.Ring(s.Signs[by].Type) {
		poly.Fail("there are no signs %d and %d of numbers of one kind", i, j)
	}
	g, h := s.Signs[i], s.Signs[by]
	if j >= 0 {
		s.notNegative(s.Product(g, h))
		return
	}
	q, ok := s.Quotient(g, h)
	if !ok {
		poly.Fail("sign %d is not divided by that of an atom", i)
	}
	s.Signs = append(s.Signs, q)
	s.notNegative(q)
}

// Product returns the product of two signs of one ring.
func (s *System) Product(g, h Sign) Sign {
	return Sign{g.Type, s.Times(s.Ring(g.Type), g.P, h.P), g.Strict && h.Strict}
}

// Quotient returns the sign of h where g says that a·h − k ≥ 0 with k ≥ 0, and by that the atom
// a is above or below zero. It reports false where they do not, or h is no help.
func (s *System) Quotient(g, by Sign) (Sign, bool) {
	n, sign := signed(by)
	h := Sign{g.Type, nil, g.Strict}
	r := s.Ring(g.Type)
	if sign == 0 || r != s.Ring(by.Type) {
		return h, false
	}
	products := false
	for _, part := range g.P.Terms() {
		fs := poly.Factors(part.Mono)
		at := slices.Index(fs, n)
		switch {
		case len(fs) == 0 && part.Coef.Sign() < 0:
			h.Strict = true
			continue
		case at < 0:
			return h, false
		}
		products = products || len(fs) > 1
		k := new(big.Rat).Mul(part.Coef, big.NewRat(int64(sign), 1))
		h.P = s.Plus(r, h.P, poly.Of(poly.MonomialOf(slices.Delete(fs, at, at+1)), k))
	}
	if h.Strict && r == poly.Wholes {
		h.P, h.Strict = s.Sub(r, h.P, poly.Unit()), false
	}
	return h, products && !h.P.IsConstant()
}

// signed returns the one atom of a polynomial c·a − k ≥ 0 with k > 0, or k = 0 where it is
// strict, and its sign, that of c; 0 where g is not of that form.
func signed(g Sign) (n, sign int) {
	k := g.P.Constant()
	terms := g.P.Terms()
	if k.Sign() != 0 {
		terms = terms[1:] // the empty monomial comes first
	}
	if len(terms) != 1 || len(terms[0].Mono) != 4 || k.Sign() > 0 || k.Sign() == 0 && !g.Strict {
		return 0, 0
	}
	return poly.Factors(terms[0].Mono)[0], terms[0].Coef.Sign()
}

// Multiplies reports whether monomials of the type are products of numbers, as far as p is
// concerned: there is no quotient in it, and no literal that is not a number of the ring.
func (s *System) Multiplies(t ir.Type, p poly.Poly) bool {
	if r := s.Ring(t); r != poly.Wholes && r != poly.Fractions {
		return false
	}
	return !slices.ContainsFunc(s.AtomsOf(p), func(n int) bool {
		return s.Atoms[n].Kind == poly.Inverse || s.Atoms[n].Op == ir.Const
	})
}

// signOf is what a claim says of the sign of a difference.
func (s *System) signOf(c Claim) (g Sign, ok bool) {
	if !c.Compares || !s.Multiplies(c.Type, c.Left) || !s.Multiplies(c.Type, c.Right) {
		return Sign{}, false
	}
	r := s.Ring(c.Type)
	switch {
	case !c.Holds:
		return Sign{c.Type, s.Sub(r, c.Left, c.Right), false}, true
	case r == poly.Wholes:
		return Sign{c.Type, s.Sub(r, s.Sub(r, c.Right, c.Left), poly.Unit()), false}, true
	}
	return Sign{c.Type, s.Sub(r, c.Right, c.Left), true}, true
}

// RootOf returns the monomial whose square is the product of the factors, which are sorted.
func RootOf(fs []int) (poly.Poly, bool) {
	if len(fs)%2 != 0 {
		return nil, false
	}
	var half []int
	for i := 0; i < len(fs); i += 2 {
		if fs[i] != fs[i+1] {
			return nil, false
		}
		half = append(half, fs[i])
	}
	return poly.Of(poly.MonomialOf(half), poly.One), true
}

func (s *System) square(q Quantity, root poly.Poly) {
	s.notNegative(Sign{q.Type, q.P, false})
	if s.Ring(q.Type) == poly.Wholes {
		s.notNegative(Sign{q.Type, s.Plus(poly.Wholes, q.P, root), false})
		s.notNegative(Sign{q.Type, s.Sub(poly.Wholes, q.P, root), false})
	}
}

// notNegative states −p ≤ 0, or −p < 0.
func (s *System) notNegative(g Sign) {
	whole := s.Ring(g.Type) == poly.Wholes
	s.All = append(s.All, Inequality{s.Negate(poly.Fractions, s.value(g.Type, g.P)), g.Strict, whole})
}
