package equation

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// inequality says Σ coef·quantity + k ≤ 0, or < 0 where strict. The coefficients are
// integers; where whole is set the quantities are, too.
type inequality struct {
	terms  []multiple // ascending by quantity, none of them zero
	k      *big.Int
	strict bool
	whole  bool
}

// multiple is an integer times a quantity, given by its number.
type multiple struct {
	quantity int
	coef     *big.Int
}

// system collects what the claims say, and what is known of the quantities in it. A
// quantity is the value of a monomial, or of a sum of words that is not looked into.
type system struct {
	*checker
	ranges  bool // whether the limits of types are stated too
	rounded bool // integers may have been lost by rounding
	all     []inequality
	seen    []quantity     // in the order of their first mention
	numbers map[string]int // by the keys of their polynomials

	mentioned map[int]bool
}

type quantity struct {
	typ    ir.Type
	p      poly.Poly
	number int
}

// contradiction reports whether the claims and some more exclude each other. The certificate
// may say which of the claims suffice; they are tried first, because few claims are quick.
func (c *checker) contradiction(using []int, extra ...claim) bool {
	if using != nil {
		few := slices.Clone(extra)
		for _, place := range using {
			if place < 0 || place >= len(c.claims) {
				poly.Fail("there is no decision number %d to use", place)
			}
			few = append(few, c.claims[place])
		}
		if c.excluded(few, false) {
			return true
		}
	}
	return c.excluded(append(slices.Clone(c.claims), extra...), false)
}

// excluded reports whether claims exclude each other. The limits of types and products are
// added in later attempts: they seldom matter and cost much. What rounding gives depends on
// the order in which quantities are eliminated; with orders each comes first once even where
// there are products.
func (c *checker) excluded(claims []claim, orders bool) bool {
	for _, level := range [3]multiplying{nothing, singles, everything} {
		for _, ranges := range [2]bool{false, true} {
			s := &system{checker: c, ranges: ranges, numbers: map[string]int{}, mentioned: map[int]bool{}}
			for _, cl := range claims {
				s.claim(cl)
			}
			s.relate()
			if level != nothing && !s.products(claims, level) {
				return false
			}
			if ranges && !s.isLimited() {
				continue
			}
			s.limits()
			if s.refute() || (orders || level == nothing) && s.refuteFromAny() {
				return true
			}
		}
	}
	return false
}

// isLimited reports whether some quantity's type has limits that limits leaves out where
// ranges is not set.
func (s *system) isLimited() bool {
	return slices.ContainsFunc(s.seen, func(q quantity) bool {
		r := s.Ring(q.typ)
		return r != poly.Wholes && r != poly.Fractions
	})
}

// forced reports whether the claims exclude a < b and b < a. Exact floats must be known not
// to be NaN, since the order says nothing of it.
func (c *checker) forced(using []int, t ir.Type, a, b poly.Poly) bool {
	if c.Ring(t) == poly.NoRing && !(c.ordered(t, a) && c.ordered(t, b)) {
		return false
	}
	return c.contradiction(using, claim{t, a, b, true, true}) && c.contradiction(using, claim{t, b, a, true, true})
}

// ordered reports whether a float is a literal or was compared: comparisons are decided
// only of what is not NaN.
func (c *checker) ordered(t ir.Type, p poly.Poly) bool {
	if v, ok := c.bitsOf(p); ok {
		f := ir.Float(t, v)
		return f == f
	}
	return slices.ContainsFunc(c.claims, func(cl claim) bool {
		return cl.compares && (cl.left.Key() == p.Key() || cl.right.Key() == p.Key())
	})
}

// claim states left < right, as left + 1 ≤ right of integers, or right ≤ left.
func (s *system) claim(cl claim) {
	if !cl.compares {
		return
	}
	in := inequality{k: new(big.Int), whole: s.Ring(cl.typ) != poly.Fractions}
	sign := big.NewInt(1)
	switch {
	case !cl.holds:
		sign.Neg(sign)
	case in.whole:
		in.k.SetInt64(1)
	default:
		in.strict = true
	}
	if !in.whole {
		d := s.Sub(poly.Fractions, cl.left, cl.right)
		s.linear(cl.typ, s.Scale(poly.Fractions, commonDenominator(d), d), sign, &in)
	} else {
		s.linear(cl.typ, cl.left, sign, &in)
		s.linear(cl.typ, cl.right, new(big.Int).Neg(sign), &in)
	}
	s.all = append(s.all, in)
}

// linear adds f times the value of p. A word is a quantity by itself, unless it is a
// literal, or a sum of which it is told how often it wrapped.
func (s *system) linear(t ir.Type, p poly.Poly, f *big.Int, in *inequality) {
	r := s.Ring(t)
	if r == poly.Wholes || r == poly.Fractions {
		s.sum(t, p, f, in)
		return
	}
	if n, ok := s.orderOf(t, p); ok {
		in.k.Add(in.k, n.Mul(n, f))
		return
	}
	if told, ok := s.carries[p.Key()]; ok {
		s.sum(t, p, f, in)
		wrapped := new(big.Int).Lsh(big.NewInt(told.times), uint(t.Bits()))
		in.k.Sub(in.k, wrapped.Mul(wrapped, f))
		return
	}
	s.multipleOf(t, p, f, in)
}

// multipleOf adds f times a quantity. A remainder p % n by a literal is p − n·(p/n).
func (s *system) multipleOf(t ir.Type, p poly.Poly, f *big.Int, in *inequality) {
	n := s.quantity(t, p)
	r, ok := s.remainderOf(t, p)
	if !ok {
		in.add(n, f)
		return
	}
	in.add(s.number(r.quotient), new(big.Int).Neg(new(big.Int).Mul(f, big.NewInt(r.divisor))))
	s.linear(t, r.dividend, f, in)
}

// remainderBy is what is left of a dividend by a literal divisor > 1.
type remainderBy struct {
	dividend, quotient poly.Poly
	divisor            int64
}

// remainderOf reports whether p is a remainder by a literal, or the low bits of a word.
func (s *system) remainderOf(t ir.Type, p poly.Poly) (r remainderBy, ok bool) {
	a, ok := s.Sole(p)
	switch {
	case !ok || !t.IsInt():
	case a.Kind == poly.Opaque && a.Op == ir.Mod && a.Type == t && a.Name == "":
		if n, ok := poly.Whole(a.Args[1]); ok && n > 1 {
			return remainderBy{a.Args[0], s.Apply(ir.Div, t, t, a.Args...), n}, true
		}
	case a.Kind == poly.Conjunction && len(a.Args) == 2:
		for i, arg := range a.Args {
			mask, ok := poly.Whole(arg)
			for k := 1; ok && k < min(t.Bits(), 62); k++ {
				if mask == 1<<k-1 {
					word, count := a.Args[1-i], s.Number(s.Ring(t), int64(k))
					return remainderBy{word, s.Apply(ir.Shr, t, t, word, count), 1 << k}, true
				}
			}
		}
	}
	return r, false
}

func (s *system) sum(t ir.Type, p poly.Poly, f *big.Int, in *inequality) {
	for _, part := range p.Terms() {
		m, k := part.Mono, part.Coef
		if !k.IsInt() {
			poly.Fail("internal: a fraction among integers")
		}
		x := new(big.Int).Mul(k.Num(), f)
		if m == "" {
			in.k.Add(in.k, x)
		} else {
			s.multipleOf(t, poly.Of(m, poly.One), x, in)
		}
	}
}

func (in *inequality) add(n int, k *big.Int) {
	i, found := slices.BinarySearchFunc(in.terms, n, func(m multiple, n int) int { return m.quantity - n })
	switch {
	case !found && k.Sign() != 0:
		in.terms = slices.Insert(in.terms, i, multiple{n, new(big.Int).Set(k)})
	case found:
		sum := new(big.Int).Add(in.terms[i].coef, k)
		if in.terms[i].coef = sum; sum.Sign() == 0 {
			in.terms = slices.Delete(in.terms, i, i+1)
		}
	}
}

// of returns the coefficient of a quantity; nil where it is zero.
func (in *inequality) of(n int) *big.Int {
	i, found := slices.BinarySearchFunc(in.terms, n, func(m multiple, n int) int { return m.quantity - n })
	if !found {
		return nil
	}
	return in.terms[i].coef
}

// number numbers the value of p. Atoms have types, so that equal polynomials of atoms have
// equal values.
func (s *system) number(p poly.Poly) int {
	n, ok := s.numbers[p.Key()]
	if !ok {
		n = len(s.numbers)
		s.numbers[p.Key()] = n
	}
	return n
}

// quantity is number for a value whose relations to others are stated.
func (s *system) quantity(t ir.Type, p poly.Poly) int {
	n := s.number(p)
	if !s.mentioned[n] {
		s.mentioned[n] = true
		s.seen = append(s.seen, quantity{t, p, n})
	}
	return n
}

// relate states how the quantities mentioned relate to others, which it may mention.
func (s *system) relate() {
	for _, w := range s.carries { // what is left after the carry fits the type
		lo, hi := limits(w.typ)
		s.atMost(w.typ, w.sum, hi, 1)
		s.atMost(w.typ, w.sum, new(big.Int).Neg(lo), -1)
	}
	for i := 0; i < len(s.seen); i++ {
		if i == maxQuantities {
			poly.Fail("a case has more than %d quantities", maxQuantities)
		}
		s.relations(s.seen[i])
	}
}

// limits states the ranges of the quantities mentioned.
func (s *system) limits() {
	for _, q := range s.seen {
		lo, hi := limits(q.typ)
		switch r := s.Ring(q.typ); {
		case r == poly.Fractions:
		case r == poly.Wholes:
			if q.typ.IsUnsigned() { // ℕ
				s.between(q.number, new(big.Int), nil)
			}
		case s.ranges:
			s.between(q.number, lo, hi)
		}
	}
}

// atMost states sign·p ≤ bound.
func (s *system) atMost(t ir.Type, p poly.Poly, bound *big.Int, sign int64) {
	in := inequality{k: new(big.Int).Neg(bound), whole: true}
	s.linear(t, p, big.NewInt(sign), &in)
	s.all = append(s.all, in)
}

// between states lo ≤ quantity and, where hi is not nil, quantity ≤ hi.
func (s *system) between(n int, lo, hi *big.Int) {
	s.all = append(s.all, inequality{terms: []multiple{{n, big.NewInt(-1)}}, k: lo, whole: true})
	if hi != nil {
		s.all = append(s.all, inequality{terms: []multiple{{n, big.NewInt(1)}}, k: new(big.Int).Neg(hi), whole: true})
	}
}

// relations states how a widened value, a remainder, a quotient or a mask relates to its
// operand.
func (s *system) relations(q quantity) {
	a, ok := s.Sole(q.p)
	if !ok || !q.typ.IsInt() {
		return
	}
	if r, ok := s.remainderOf(q.typ, q.p); ok { // 0 ≤ p % n < n
		s.atMost(q.typ, q.p, new(big.Int), -1)
		s.atMost(q.typ, q.p, big.NewInt(r.divisor-1), 1)
		return
	}
	if a.Kind == poly.Conjunction {
		s.mask(q, a)
		return
	}
	if a.Kind != poly.Opaque || !a.Type.IsInt() {
		return
	}
	switch a.Op {
	case ir.Cast:
		if a.From.IsInt() && containsType(a.Type, a.From) {
			s.multiple(q.number, 1, a.From, a.Args[0], 0)
		}
	case ir.Div: // n·q ≤ p ≤ n·q + n − 1
		if n, ok := poly.Whole(a.Args[1]); ok && n > 1 {
			s.multiple(q.number, n, a.Type, a.Args[0], n-1)
		}
	case ir.Shr: // the same for n = 2^count
		if n, ok := poly.Whole(a.Args[1]); ok && n > 0 && n < int64(min(a.Type.Bits(), 62)) {
			s.multiple(q.number, 1<<n, a.Type, a.Args[0], 1<<n-1)
		}
	}
}

// multiple states n·q ≤ p ≤ n·q + slack.
func (s *system) multiple(q int, n int64, t ir.Type, p poly.Poly, slack int64) {
	low := inequality{k: new(big.Int), whole: true}
	low.add(q, big.NewInt(n))
	s.linear(t, p, big.NewInt(-1), &low)
	high := inequality{k: new(big.Int).Neg(low.k), whole: true}
	for _, m := range low.terms {
		high.terms = append(high.terms, multiple{m.quantity, new(big.Int).Neg(m.coef)})
	}
	high.k.Sub(high.k, big.NewInt(slack))
	s.all = append(s.all, low, high)
}

// mask: x & c is in 0 … c for a literal c > 0, and x & y ≤ x of unsigned words.
func (s *system) mask(q quantity, a poly.Atom) {
	for _, arg := range a.Args {
		if n, ok := poly.Whole(arg); ok && n > 0 {
			s.between(q.number, new(big.Int), big.NewInt(n))
		} else if q.typ.IsUnsigned() {
			in := inequality{k: new(big.Int), whole: true}
			in.add(q.number, big.NewInt(1))
			s.linear(q.typ, arg, big.NewInt(-1), &in)
			s.all = append(s.all, in)
		}
	}
}

// refuteFromAny is refute with each quantity as the first in turn: what rounding gives
// depends on the order.
func (s *system) refuteFromAny() bool {
	if len(s.seen) > maxFirst {
		return false
	}
	for _, q := range s.seen {
		if s.refuteFrom(q.number, 0) {
			return true
		}
	}
	return false
}

// maxFirst is the largest number of quantities of which each is tried as the first.
const maxFirst = 12

// refute is refuteFrom where the first is the cheapest; where that rounds, it tries to avoid it.
func (s *system) refute() bool {
	s.rounded = false
	return s.refuteFrom(-1, 0) || s.rounded && s.refuteFrom(-1, rounding)
}

// rounding is how many combinations are made rather than lose what rounding would.
const rounding = 16

// refuteFrom eliminates one quantity after another by adding multiples of inequalities
// (Fourier–Motzkin), until one says 0 < 0 or nothing is left. The first is given, or for −1 the
// cheapest like the others, where to round costs as much as so many combinations.
func (s *system) refuteFrom(first int, rounding int) bool {
	e := elimination{system: s}
	var live []inequality
	for _, in := range s.all {
		in.terms = slices.Clone(in.terms)
		if e.keep(&live, in) {
			return true
		}
	}
	for len(live) > 0 && e.made < maxConsequence {
		v := first
		if first = -1; v < 0 {
			v = s.cheapest(live, rounding)
		}
		var ups, downs, next []inequality
		e.at = nil
		for _, in := range live {
			switch k := in.of(v); {
			case k == nil:
				e.keep(&next, in)
			case k.Sign() > 0:
				ups = append(ups, in)
			default:
				downs = append(downs, in)
			}
		}
		for i := range ups {
			for j := range downs {
				if e.keep(&next, combined(&ups[i], &downs[j], v)) {
					return true
				}
			}
		}
		live = next
	}
	return false
}

// elimination keeps of the inequalities with one left side the one that says most.
type elimination struct {
	*system
	made int            // inequalities so far
	at   map[string]int // where a left side is kept
}

// keep adds an inequality to a list. It reports whether the inequality says 0 < 0.
func (e *elimination) keep(into *[]inequality, in inequality) bool {
	e.made++
	e.Burn(4 + 4*len(in.terms))
	in.tighten()
	if len(in.terms) == 0 {
		return in.k.Sign() > 0 || in.k.Sign() == 0 && in.strict
	}
	if e.at == nil {
		e.at = map[string]int{}
	}
	key := in.key()
	i, ok := e.at[key]
	if !ok {
		e.at[key] = len(*into)
		*into = append(*into, in)
		return false
	}
	if c := (*into)[i].k.Cmp(in.k); c < 0 || c == 0 && in.strict {
		(*into)[i] = in
	}
	return false
}

// cheapest is the quantity whose elimination makes the fewest combinations. Where inequalities of
// integers have it more than once in both directions it rounds.
func (s *system) cheapest(live []inequality, rounding int) int {
	type uses struct{ n, multiples [2]int } // above and below
	count := make([]uses, len(s.numbers))
	for _, in := range live {
		for _, m := range in.terms {
			u, at := &count[m.quantity], (1-m.coef.Sign())/2
			u.n[at]++
			if in.whole && m.coef.CmpAbs(bigOne) > 0 {
				u.multiples[at]++
			}
		}
	}
	best, fewest := -1, -1
	for v, u := range count {
		if u.n == [2]int{} {
			continue
		}
		pairs := u.n[0] * u.n[1]
		if u.multiples[0] > 0 && u.multiples[1] > 0 {
			pairs += rounding
			s.rounded = true
		}
		if fewest < 0 || pairs < fewest {
			best, fewest = v, pairs
		}
	}
	return best
}

var bigOne = big.NewInt(1)

// combined adds positive multiples such that v vanishes.
func combined(up, down *inequality, v int) inequality {
	a, b := new(big.Int).Neg(down.of(v)), up.of(v)
	out := inequality{whole: up.whole && down.whole, strict: up.strict || down.strict, terms: make([]multiple, 0, len(up.terms)+len(down.terms))}
	x, y := up.terms, down.terms
	for len(x) > 0 || len(y) > 0 {
		var m multiple
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].quantity < y[0].quantity:
			m = multiple{x[0].quantity, new(big.Int).Mul(a, x[0].coef)}
			x = x[1:]
		case len(x) == 0 || y[0].quantity < x[0].quantity:
			m = multiple{y[0].quantity, new(big.Int).Mul(b, y[0].coef)}
			y = y[1:]
		default:
			m = multiple{x[0].quantity, new(big.Int).Mul(a, x[0].coef)}
			m.coef.Add(m.coef, new(big.Int).Mul(b, y[0].coef))
			x, y = x[1:], y[1:]
		}
		if m.coef.Sign() != 0 {
			out.terms = append(out.terms, m)
		}
	}
	out.k = new(big.Int).Mul(a, up.k)
	out.k.Add(out.k, new(big.Int).Mul(b, down.k))
	return out
}

// tighten divides by the common factor g of the coefficients; of integers k rounds up,
// since Σ ≤ −k/g means Σ ≤ ⌊−k/g⌋.
func (in *inequality) tighten() {
	g := new(big.Int)
	for _, m := range in.terms {
		if m.coef.CmpAbs(bigOne) == 0 {
			return
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(m.coef))
	}
	if !in.whole {
		g.GCD(nil, nil, g, new(big.Int).Abs(in.k))
	}
	if g.Cmp(bigOne) <= 0 {
		return
	}
	for i, m := range in.terms {
		in.terms[i].coef = new(big.Int).Div(m.coef, g)
	}
	k := new(big.Int).Neg(in.k)
	in.k = k.Neg(k.Div(k, g))
}

// key tells left sides apart.
func (in *inequality) key() string {
	b := []byte{0}
	if in.whole {
		b[0] = 1
	}
	for _, m := range in.terms {
		b = binary.AppendUvarint(b, uint64(m.quantity))
		b = append(m.coef.Append(b, 16), '*')
	}
	return string(b)
}
