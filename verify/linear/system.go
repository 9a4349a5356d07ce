// Package linear checks that decided comparisons contradict each other: it states them as
// linear inequalities between quantities, with what is known of these, and adds up multiples
// of them as a certificate says until one reads 0 < 0.
//
//	x < y,  y < z,  z ≤ x   →   x − y + 1 ≤ 0, y − z + 1 ≤ 0, z − x ≤ 0;  their sum is 2 ≤ 0
package linear

import (
	"math/big"
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// maxQuantities bounds the quantities that are related to their operands in one refutation.
const maxQuantities = 256

// Claim is a decided condition: the comparison Left < Right, or its opposite, where Compares
// is set.
type Claim struct {
	Type        ir.Type
	Left, Right poly.Poly
	Compares    bool
	Holds       bool
}

// Less returns the claim a < b.
func Less(t ir.Type, a, b poly.Poly) Claim { return Claim{t, a, b, true, true} }

// Carry is a modular sum whose value is the sum over ℤ minus Times·2^width.
type Carry struct {
	Type  ir.Type
	Sum   poly.Poly
	Times int64
}

// System is what some claims say, as inequalities, and what is known of the quantities in
// them. A quantity is the value of a monomial, or of a sum of words that is not looked into.
type System struct {
	*poly.Space
	All    []Inequality
	Claims int        // how many of All the claims state; they come first
	Seen   []Quantity // in the order of their first mention
	Signs  []Sign     // what may be multiplied

	carries   []Carry
	numbers   map[string]int // of quantities, by the keys of their polynomials
	mentioned map[int]bool
}

// Quantity is a value with its number in a system.
type Quantity struct {
	Type   ir.Type
	P      poly.Poly
	Number int
}

// State states claims, and what the carries, the relations and the products that the
// refutation names say of the quantities.
func State(space *poly.Space, claims []Claim, carries []Carry, why *proof.Refutation) *System {
	s := &System{Space: space, carries: carries, numbers: map[string]int{}, mentioned: map[int]bool{}}
	for _, c := range claims {
		s.claim(c)
	}
	s.Claims = len(s.All)
	s.relate()
	if why.Products != nil {
		s.products(claims, why.Products)
	}
	s.limits(why.Ranges)
	for i := range s.All {
		s.All[i] = s.All[i].Tightened(space)
	}
	return s
}

// Contradicts reports whether the refutation derives 0 < 0 from claims.
func Contradicts(space *poly.Space, claims []Claim, carries []Carry, why *proof.Refutation) bool {
	s := State(space, claims, carries, why)
	all, lines := s.All, why.Lines
	if len(lines) == 0 { // the claims add up to it
		var line []int64
		for i := range s.Claims {
			line = append(line, int64(i), 1)
		}
		lines = [][]int64{line}
	}
	for _, line := range lines {
		in, ok := s.combine(all, line)
		if !ok {
			return false
		}
		all = append(all, in)
	}
	return len(lines) > 0 && all[len(all)-1].IsAbsurd()
}

// combine adds up positive multiples of inequalities: a line is number, factor, number, ….
func (s *System) combine(all []Inequality, line []int64) (Inequality, bool) {
	sum := Inequality{Whole: true}
	for i := 0; i+1 < len(line); i += 2 {
		n, factor := line[i], line[i+1]
		if n < 0 || n >= int64(len(all)) || factor <= 0 {
			return sum, false
		}
		s.Burn(4)
		sum = sum.Plus(s.Space, big.NewRat(factor, 1), &all[n])
	}
	return sum.Tightened(s.Space), len(line) > 0 && len(line)%2 == 0
}

// state states p ≤ 0 of integers.
func (s *System) state(p poly.Poly) { s.All = append(s.All, Inequality{P: p, Whole: true}) }

// claim states left < right, as left + 1 ≤ right of integers, or right ≤ left.
func (s *System) claim(cl Claim) {
	if !cl.Compares {
		return
	}
	in := Inequality{Whole: s.Ring(cl.Type) != poly.Fractions}
	if in.Whole {
		left := s.value(cl.Type, cl.Left)
		in.P = s.minus(left, s.value(cl.Type, cl.Right))
	} else {
		in.P = s.value(cl.Type, s.minus(cl.Left, cl.Right))
	}
	switch {
	case !cl.Holds:
		in.P = s.Negate(poly.Fractions, in.P)
	case in.Whole:
		in.P = s.Plus(poly.Fractions, in.P, poly.Unit())
	default:
		in.Strict = true
	}
	s.All = append(s.All, in)
}

func (s *System) minus(p, q poly.Poly) poly.Poly { return s.Sub(poly.Fractions, p, q) }

// times returns k·p.
func (s *System) times(k *big.Int, p poly.Poly) poly.Poly {
	return s.Scale(poly.Fractions, new(big.Rat).SetInt(k), p)
}

// constant returns the linear sum k.
func (s *System) constant(k *big.Int) poly.Poly { return s.times(k, poly.Unit()) }

// value returns the value of p as a linear sum of quantities. A word is a quantity by itself,
// unless it is a literal, or a sum of which it is told how often it wrapped.
func (s *System) value(t ir.Type, p poly.Poly) poly.Poly {
	if !s.Ring(t).IsModular() && s.Ring(t) != poly.NoRing {
		return s.sum(t, p)
	}
	if n, ok := s.OrderOf(t, p); ok {
		return s.constant(n)
	}
	if x, ok := s.SoleOp(p, ir.Neg); ok && t.IsFloat() { // places run from −0, which is −1
		return s.minus(s.constant(big.NewInt(-1)), s.value(t, x.Args[0]))
	}
	if told, ok := s.carry(t, p); ok {
		return s.minus(s.sum(t, p), s.constant(new(big.Int).Lsh(big.NewInt(told.Times), uint(t.Bits()))))
	}
	return s.alone(t, p)
}

// sum returns the value of p over ℤ or ℚ, where its monomials are quantities.
func (s *System) sum(t ir.Type, p poly.Poly) poly.Poly {
	var terms []poly.Term
	for _, part := range p.Terms() {
		if part.Mono == "" {
			terms = append(terms, part)
			continue
		}
		terms = append(terms, s.Scale(poly.Fractions, part.Coef, s.alone(t, poly.Of(part.Mono, poly.One))).Terms()...)
	}
	return s.Collect(poly.Fractions, terms)
}

// alone returns a quantity. A remainder p % n by a literal is p − n·(p/n).
func (s *System) alone(t ir.Type, p poly.Poly) poly.Poly {
	n := s.quantity(t, p)
	dividend, quotient, divisor := s.remainderOf(t, p)
	if divisor == 0 {
		return poly.OfAtom(n)
	}
	whole := s.times(big.NewInt(divisor), poly.OfAtom(s.number(quotient)))
	return s.minus(s.value(t, dividend), whole)
}

// carry returns what is told of the carries of a sum.
func (s *System) carry(t ir.Type, p poly.Poly) (Carry, bool) {
	for _, c := range s.carries {
		if c.Type == t && c.Sum.Key() == p.Key() {
			return c, true
		}
	}
	return Carry{}, false
}

// remainderOf returns the operands of a remainder by a literal, or of the low bits of a word, and
// the quotient. The divisor is 0 where p is neither.
func (s *System) remainderOf(t ir.Type, p poly.Poly) (dividend, quotient poly.Poly, divisor int64) {
	a, ok := s.Sole(p)
	switch {
	case !ok || !t.IsInt():
	case a.Kind == poly.Opaque && a.Op == ir.Mod && a.Type == t && a.Name == "":
		if n, ok := poly.Whole(a.Args[1]); ok && n > 1 {
			return a.Args[0], s.Apply(ir.Div, t, t, a.Args...), n
		}
	case a.Kind == poly.Conjunction && len(a.Args) == 2:
		for i, arg := range a.Args {
			mask, ok := poly.Whole(arg)
			if k := bits.Len64(uint64(mask)); ok && mask > 0 && mask&(mask+1) == 0 && k < min(t.Bits(), 62) {
				word, count := a.Args[1-i], s.Number(s.Ring(t), int64(k))
				return word, s.Apply(ir.Shr, t, t, word, count), mask + 1
			}
		}
	}
	return nil, nil, 0
}

// number numbers the value of p. Atoms have types, so that equal polynomials of atoms have
// equal values.
func (s *System) number(p poly.Poly) int {
	n, ok := s.numbers[p.Key()]
	if !ok {
		n = len(s.numbers)
		s.numbers[p.Key()] = n
	}
	return n
}

// quantity is number for a value whose relations to others are stated.
func (s *System) quantity(t ir.Type, p poly.Poly) int {
	n := s.number(p)
	if !s.mentioned[n] {
		s.mentioned[n] = true
		s.Seen = append(s.Seen, Quantity{t, p, n})
	}
	return n
}

// relate states how the quantities mentioned relate to others, which it may mention.
func (s *System) relate() {
	for _, w := range s.carries { // what is left after the carry fits the type
		lo, hi := poly.Limits(w.Type)
		s.atMost(w.Type, w.Sum, hi, 1)
		s.atMost(w.Type, w.Sum, new(big.Int).Neg(lo), -1)
	}
	for i := 0; i < len(s.Seen); i++ {
		if i == maxQuantities {
			poly.Fail("a case has more than %d quantities", maxQuantities)
		}
		s.relations(s.Seen[i])
	}
}

// limits states the ranges of the quantities mentioned.
func (s *System) limits(ranges bool) {
	for _, q := range s.Seen {
		switch r := s.Ring(q.Type); {
		case r == poly.Wholes && q.Type.IsUnsigned(): // ℕ
			s.atMost(q.Type, q.P, new(big.Int), -1)
		case ranges && r != poly.Wholes && r != poly.Fractions:
			lo, hi := poly.Limits(q.Type)
			s.between(q, lo, hi)
		}
	}
}

// atMost states sign·p ≤ bound.
func (s *System) atMost(t ir.Type, p poly.Poly, bound *big.Int, sign int64) {
	s.state(s.minus(s.times(big.NewInt(sign), s.value(t, p)), s.constant(bound)))
}

// between states lo ≤ quantity ≤ hi.
func (s *System) between(q Quantity, lo, hi *big.Int) {
	s.atMost(q.Type, q.P, new(big.Int).Neg(lo), -1)
	s.atMost(q.Type, q.P, hi, 1)
}

// relations states how a widened value, a remainder, a quotient or a mask relates to its
// operand.
func (s *System) relations(q Quantity) {
	a, ok := s.Sole(q.P)
	if !ok || !q.Type.IsInt() {
		return
	}
	_, _, divisor := s.remainderOf(q.Type, q.P)
	switch {
	case divisor > 0: // 0 ≤ p % n < n
		s.between(q, new(big.Int), big.NewInt(divisor-1))
	case a.Kind == poly.Conjunction:
		s.mask(q, a)
	case a.Kind != poly.Opaque || !a.Type.IsInt():
	case a.Op == ir.Cast && poly.Contains(a.Type, a.From):
		s.multiple(q.Number, 1, a.From, a.Args[0])
	case a.Op == ir.Mod: // of what is computed over ℤ
		if n, ok := poly.Whole(a.Args[1]); ok && n > 1 {
			s.between(q, new(big.Int), big.NewInt(n-1))
		}
	case a.Op == ir.Div || a.Op == ir.Shr:
		n, ok := poly.Whole(a.Args[1])
		if a.Op == ir.Shr {
			ok = ok && n > 0 && n < int64(min(a.Type.Bits(), 62))
			n = 1 << (n & 63)
		}
		if ok && n > 1 {
			s.multiple(q.Number, n, a.Type, a.Args[0])
		}
	}
}

// multiple states n·q ≤ p ≤ n·q + n − 1.
func (s *System) multiple(q int, n int64, t ir.Type, p poly.Poly) {
	low := s.minus(s.times(big.NewInt(n), poly.OfAtom(q)), s.value(t, p))
	s.state(low)
	s.state(s.minus(s.constant(big.NewInt(1-n)), low))
}

// mask: x & c is in 0 … c for a literal c > 0, and x & y ≤ x of unsigned words.
func (s *System) mask(q Quantity, a poly.Atom) {
	for _, arg := range a.Args {
		if n, ok := poly.Whole(arg); ok && n > 0 {
			s.between(q, new(big.Int), big.NewInt(n))
		} else if q.Type.IsUnsigned() {
			s.state(s.minus(poly.OfAtom(q.Number), s.value(q.Type, arg)))
		}
	}
}
