package search

import (
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// maxCases is the largest number of carries of one sum that are told apart.
const maxCases = 4

// carry tells apart how often a modular sum wraps.
//
//	x + y of u8   →   it is x + y − 256·q over the integers, for q = 0 and for q = 1
//
// The value of a sum is Σ c·m − q·2^bits for an integer q. There are few such q where the
// coefficients are small, and each is a case.
func (s *Search) carry() *proof.Tree {
	if len(s.carries) >= maxCarries {
		return nil
	}
	place, t, p, ok := s.modularSum()
	if !ok {
		return nil
	}
	lo, hi, ok := s.carryRange(t, p)
	if !ok {
		return nil
	}
	tree := &proof.Tree{Kind: proof.Carry, Place: place, Low: lo}
	for q := lo; q <= hi; q++ {
		s.carries = append(s.carries, carried{t, p, q})
		s.depth++
		branch := s.branch()
		s.depth--
		s.carries = s.carries[:len(s.carries)-1]
		if branch == nil {
			return nil
		}
		tree.Cases = append(tree.Cases, branch)
	}
	return tree
}

// modularSum returns the first modular sum, in the facts and then in the goal, whose carry no case has fixed yet.
func (s *Search) modularSum() (place int, t ir.Type, p poly.Poly, ok bool) {
	try := func(t ir.Type, p poly.Poly) bool {
		if s.domain(t).Bits() == 0 {
			return false
		}
		for _, c := range s.carries {
			if c.p == p && c.typ == t {
				return false
			}
		}
		if _, isConst := s.ps.IsConst(p); isConst {
			return false
		}
		if _, isMono := s.ps.IsMono(p); isMono {
			return false
		}
		_, _, ok := s.carryRange(t, p)
		return ok
	}
	for i, f := range s.facts {
		if f.kind != condLess {
			continue
		}
		if try(f.typ, f.p) {
			return 2 * i, f.typ, f.p, true
		}
		if try(f.typ, f.q) {
			return 2*i + 1, f.typ, f.q, true
		}
	}
	if t = s.lhs.Type(); t.IsInt() {
		for i, e := range [2]ir.Expr{s.lhs, s.rhs} {
			if p, ok := s.number(e); ok && try(t, p) {
				return 2*len(s.facts) + i, t, p, true
			}
		}
	}
	return 0, 0, 0, false
}

// carryRange bounds q from the limits of the type.
func (s *symbolic) carryRange(t ir.Type, p poly.Poly) (lo, hi int64, ok bool) {
	least, most := wide{}, wide{}
	for i := range s.ps.Len(p) {
		term := s.ps.Term(p, i)
		c := term.Coef.N
		if c > 1<<20 || c < -1<<20 {
			if term.Mono != poly.One {
				return 0, 0, false
			}
		}
		low, high := s.monoLimits(t, term.Mono)
		if term.Mono == poly.One {
			low, high = wideOf(c), wideOf(c)
			c = 1
		}
		if c < 0 {
			low, high = high.neg(), low.neg()
			c = -c
		}
		low, _ = low.mul(c)
		high, _ = high.mul(c)
		least, _ = least.add(low)
		most, _ = most.add(high)
	}
	tmin, tmax := s.limits(t)
	// tmin ≤ S − q·2^b ≤ tmax, so (S − tmax)/2^b ≤ q ≤ (S − tmin)/2^b
	below, _ := least.add(tmax.neg())
	above, _ := most.add(tmin.neg())
	lo = below.shiftCeil(t.Bits())
	hi = above.neg().shiftCeil(t.Bits())
	hi = -hi
	return lo, hi, hi-lo < maxCases
}

// neverWraps reports whether a sum of products of words has the value that it has over ℤ.
func (s *symbolic) neverWraps(t ir.Type, p poly.Poly) bool {
	for i := range s.ps.Len(p) {
		if _, _, ok := s.productLimits(t, s.ps.Term(p, i).Mono); !ok {
			return false
		}
	}
	lo, hi, ok := s.carryRange(t, p)
	return ok && lo == 0 && hi == 0
}

// monoLimits bounds the value of a monomial of type t.
func (s *symbolic) monoLimits(t ir.Type, m poly.Mono) (lo, hi wide) {
	if lo, hi, ok := s.productLimits(t, m); ok {
		return lo, hi
	}
	return s.limits(t)
}

// productLimits bounds a product of words, where it never wraps.
func (s *symbolic) productLimits(t ir.Type, m poly.Mono) (lo, hi wide, ok bool) {
	factors := s.ps.Factors(m)
	if len(factors) == 1 {
		lo, hi = s.atomLimits(t, poly.Atom(factors[0]))
		return lo, hi, true
	}
	least, most := s.limits(t)
	hi = wideOf(1)
	signed := false
	for _, f := range factors {
		low, high := s.atomLimits(t, poly.Atom(f))
		if low.sign() < 0 {
			signed = true
			if sum, _ := high.add(low); sum.sign() < 0 {
				high = low.neg()
			}
		}
		product, ok := hi.mul(int64(high.lo))
		if !ok || high.hi != 0 || high.lo >= 1<<62 {
			return lo, hi, false
		}
		hi = product
	}
	if signed {
		lo = hi.neg()
	}
	over, _ := hi.add(most.neg())
	under, _ := lo.add(least.neg())
	return lo, hi, over.sign() <= 0 && under.sign() >= 0
}

// atomLimits bounds a word by the type from which it was widened, or by what it is a remainder of.
func (s *symbolic) atomLimits(t ir.Type, a poly.Atom) (lo, hi wide) {
	h := s.ps.Head(a)
	if !isOwn(h) || headType(h) != t {
		return s.limits(t)
	}
	switch from := headFromType(h); {
	case headOp(h) == ir.Cast && widens(from, t) && s.domain(from).Bits() > 0:
		return s.limits(from)
	case headOp(h) == ir.Mod:
		by := s.ps.Arg(a, 1)
		if n, ok := s.ps.IsConst(by); ok && n.N > 0 {
			return wide{}, wideOf(n.N - 1)
		}
		if m, ok := s.ps.IsMono(by); ok {
			if low, high := s.monoLimits(t, m); low.sign() >= 0 {
				return wide{}, high
			}
		}
	}
	return s.limits(t)
}
