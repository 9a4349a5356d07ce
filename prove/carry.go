package prove

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
)

// maxCases is the largest number of carries of one sum that are told apart.
const maxCases = 4

// carry looks into a modular sum: its value is Σ c·m − q·2^bits for an integer q, of which
// there are few where the coefficients are small. Each q is a case.
func (s *search) carry() *Tree {
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
	tree := &Tree{Kind: Carry, Place: place, Low: lo}
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

// modularSum finds the first sum, in the order facts then goal, whose carry is not told yet.
func (s *search) modularSum() (place int, t ir.Type, p canon.Poly, ok bool) {
	try := func(t ir.Type, p canon.Poly) bool {
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
func (s *search) carryRange(t ir.Type, p canon.Poly) (lo, hi int64, ok bool) {
	least, most := wide{}, wide{}
	for _, term := range s.ps.Terms(p, nil) {
		c := term.Coef.N
		if c > 1<<20 || c < -1<<20 {
			if term.Mono != canon.One {
				return 0, 0, false
			}
		}
		low, high := s.monoLimits(t, term.Mono)
		if term.Mono == canon.One {
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

// monoLimits bounds the value of a monomial of type t by the type from which it was
// widened, if it was.
func (s *search) monoLimits(t ir.Type, m canon.Mono) (lo, hi wide) {
	if a, ok := s.soleAtom(s.ps.OfMono(m)); ok && isOwn(s.ps.Head(a)) && headOp(s.ps.Head(a)) == ir.Cast {
		if from := headFromType(s.ps.Head(a)); widens(from, t) {
			return s.limits(from)
		}
	}
	return s.limits(t)
}
