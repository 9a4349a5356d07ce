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
		s.All[i].Tighten()
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
	sum := Inequality{K: new(big.Int), Whole: true}
	for i := 0; i+1 < len(line); i += 2 {
		n, factor := line[i], line[i+1]
		if n < 0 || n >= int64(len(all)) || factor <= 0 {
			return sum, false
		}
		in := &all[n]
		s.Burn(4 + 4*len(in.Terms) + len(sum.Terms))
		sum = Combined(&sum, bigOne, in, big.NewInt(factor))
	}
	sum.Tighten()
	return sum, len(line) > 0 && len(line)%2 == 0
}

// claim states left < right, as left + 1 ≤ right of integers, or right ≤ left.
func (s *System) claim(cl Claim) {
	if !cl.Compares {
		return
	}
	in := Inequality{K: new(big.Int), Whole: s.Ring(cl.Type) != poly.Fractions}
	sign := big.NewInt(1)
	switch {
	case !cl.Holds:
		sign.Neg(sign)
	case in.Whole:
		in.K.SetInt64(1)
	default:
		in.Strict = true
	}
	if !in.Whole {
		d := s.Sub(poly.Fractions, cl.Left, cl.Right)
		s.linear(cl.Type, s.Scale(poly.Fractions, commonDenominator(d), d), sign, &in)
	} else {
		s.linear(cl.Type, cl.Left, sign, &in)
		s.linear(cl.Type, cl.Right, new(big.Int).Neg(sign), &in)
	}
	s.All = append(s.All, in)
}

// linear adds f times the value of p. A word is a quantity by itself, unless it is a
// literal, or a sum of which it is told how often it wrapped.
func (s *System) linear(t ir.Type, p poly.Poly, f *big.Int, in *Inequality) {
	r := s.Ring(t)
	if r == poly.Wholes || r == poly.Fractions {
		s.sum(t, p, f, in)
		return
	}
	if n, ok := s.OrderOf(t, p); ok {
		in.K.Add(in.K, n.Mul(n, f))
		return
	}
	if told, ok := s.carry(t, p); ok {
		s.sum(t, p, f, in)
		wrapped := new(big.Int).Lsh(big.NewInt(told.Times), uint(t.Bits()))
		in.K.Sub(in.K, wrapped.Mul(wrapped, f))
		return
	}
	s.multipleOf(t, p, f, in)
}

// multipleOf adds f times a quantity. A remainder p % n by a literal is p − n·(p/n).
func (s *System) multipleOf(t ir.Type, p poly.Poly, f *big.Int, in *Inequality) {
	n := s.quantity(t, p)
	dividend, quotient, divisor := s.remainderOf(t, p)
	if divisor == 0 {
		in.add(n, f)
		return
	}
	in.add(s.number(quotient), new(big.Int).Mul(f, big.NewInt(-divisor)))
	s.linear(t, dividend, f, in)
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

func (s *System) sum(t ir.Type, p poly.Poly, f *big.Int, in *Inequality) {
	for _, part := range p.Terms() {
		m, k := part.Mono, part.Coef
		if !k.IsInt() {
			poly.Fail("internal: a fraction among integers")
		}
		x := new(big.Int).Mul(k.Num(), f)
		if m == "" {
			in.K.Add(in.K, x)
		} else {
			s.multipleOf(t, poly.Of(m, poly.One), x, in)
		}
	}
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
	in := Inequality{K: new(big.Int).Neg(bound), Whole: true}
	s.linear(t, p, big.NewInt(sign), &in)
	s.All = append(s.All, in)
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
	low := Inequality{K: new(big.Int), Whole: true}
	low.add(q, big.NewInt(n))
	s.linear(t, p, big.NewInt(-1), &low)
	// p − n·q − (n − 1) ≤ 0 has the opposite terms
	zero, minus := Inequality{K: big.NewInt(1 - n), Whole: true}, big.NewInt(-1)
	s.All = append(s.All, low, Combined(&zero, bigOne, &low, minus))
}

// mask: x & c is in 0 … c for a literal c > 0, and x & y ≤ x of unsigned words.
func (s *System) mask(q Quantity, a poly.Atom) {
	for _, arg := range a.Args {
		if n, ok := poly.Whole(arg); ok && n > 0 {
			s.between(q, new(big.Int), big.NewInt(n))
		} else if q.Type.IsUnsigned() {
			in := Inequality{K: new(big.Int), Whole: true}
			in.add(q.Number, bigOne)
			s.linear(q.Type, arg, big.NewInt(-1), &in)
			s.All = append(s.All, in)
		}
	}
}
