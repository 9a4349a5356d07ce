package equation

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// inequality says Σ coef·quantity + k ≤ 0, or < 0 where strict. The coefficients are
// integers; where whole is set the quantities are, too.
type inequality struct {
	coef   map[string]*big.Int
	k      *big.Int
	strict bool
	whole  bool
}

// system collects what the claims say, and what is known of the quantities in it. A
// quantity is the value of a monomial, or of a sum of words that is not looked into.
type system struct {
	*checker
	ranges  bool // whether the limits of types are stated too
	rounded bool // integers may have been lost by rounding
	all     []inequality
	names   []string // of the quantities, in the order of their first mention
	seen    map[string]quantityOf
}

type quantityOf struct {
	typ ir.Type
	p   poly
}

// contradiction reports whether the claims and some more exclude each other. The certificate
// may say which of the claims suffice; they are tried first, because few claims are quick.
func (c *checker) contradiction(using []int, extra ...claim) bool {
	if using != nil {
		few := slices.Clone(extra)
		for _, place := range using {
			if place < 0 || place >= len(c.claims) {
				fail("there is no decision number %d to use", place)
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
			s := &system{checker: c, ranges: ranges, seen: map[string]quantityOf{}}
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
	return slices.ContainsFunc(s.names, func(name string) bool {
		r := s.ring(s.seen[name].typ)
		return r != wholes && r != fractions
	})
}

// forced reports whether the claims exclude a < b and b < a. Exact floats must be known not
// to be NaN, since the order says nothing of it.
func (c *checker) forced(using []int, t ir.Type, a, b poly) bool {
	if c.ring(t) == noRing && !(c.ordered(t, a) && c.ordered(t, b)) {
		return false
	}
	return c.contradiction(using, claim{t, a, b, true}) && c.contradiction(using, claim{t, b, a, true})
}

// ordered reports whether a float is a literal or was compared: comparisons are decided
// only of what is not NaN.
func (c *checker) ordered(t ir.Type, p poly) bool {
	if v, ok := c.bitsOf(p); ok {
		f := ir.Float(t, v)
		return f == f
	}
	return slices.ContainsFunc(c.claims, func(cl claim) bool {
		return cl.left != nil && (cl.left.key() == p.key() || cl.right.key() == p.key())
	})
}

// claim states left < right, as left + 1 ≤ right of integers, or right ≤ left.
func (s *system) claim(cl claim) {
	if cl.left == nil {
		return
	}
	in := inequality{coef: map[string]*big.Int{}, k: new(big.Int), whole: s.ring(cl.typ) != fractions}
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
		d := s.sub(fractions, cl.left, cl.right)
		s.linear(cl.typ, s.scale(fractions, commonDenominator(d), d), sign, &in)
	} else {
		s.linear(cl.typ, cl.left, sign, &in)
		s.linear(cl.typ, cl.right, new(big.Int).Neg(sign), &in)
	}
	s.all = append(s.all, in)
}

// linear adds f times the value of p. A word is a quantity by itself, unless it is a
// literal, or a sum of which it is told how often it wrapped.
func (s *system) linear(t ir.Type, p poly, f *big.Int, in *inequality) {
	r := s.ring(t)
	if r == wholes || r == fractions {
		s.sum(t, p, f, in)
		return
	}
	if n, ok := s.orderOf(t, p); ok {
		in.k.Add(in.k, n.Mul(n, f))
		return
	}
	if told, ok := s.carries[p.key()]; ok {
		s.sum(t, p, f, in)
		wrapped := new(big.Int).Lsh(big.NewInt(told.times), uint(t.Bits()))
		in.k.Sub(in.k, wrapped.Mul(wrapped, f))
		return
	}
	s.multipleOf(t, p, f, in)
}

// multipleOf adds f times a quantity. A remainder p % n by a literal is p − n·(p/n).
func (s *system) multipleOf(t ir.Type, p poly, f *big.Int, in *inequality) {
	name := s.quantity(t, p)
	r, ok := s.remainderOf(t, p)
	if !ok {
		in.add(name, f)
		return
	}
	in.add(r.quotient.key(), new(big.Int).Neg(new(big.Int).Mul(f, big.NewInt(r.divisor))))
	s.linear(t, r.dividend, f, in)
}

// remainderBy is what is left of a dividend by a literal divisor > 1.
type remainderBy struct {
	dividend, quotient poly
	divisor            int64
}

// remainderOf reports whether p is a remainder by a literal, or the low bits of a word.
func (s *system) remainderOf(t ir.Type, p poly) (r remainderBy, ok bool) {
	a, ok := s.sole(p)
	switch {
	case !ok || !t.IsInt():
	case a.kind == opaque && a.op == ir.Mod && a.typ == t && a.name == "":
		if n, ok := a.args[1].whole(); ok && n > 1 {
			return remainderBy{a.args[0], s.apply(ir.Div, t, t, a.args...), n}, true
		}
	case a.kind == conjunction && len(a.args) == 2:
		for i, arg := range a.args {
			mask, ok := arg.whole()
			for k := 1; ok && k < min(t.Bits(), 62); k++ {
				if mask == 1<<k-1 {
					word, count := a.args[1-i], s.constant(s.ring(t), int64(k))
					return remainderBy{word, s.apply(ir.Shr, t, t, word, count), 1 << k}, true
				}
			}
		}
	}
	return r, false
}

func (s *system) sum(t ir.Type, p poly, f *big.Int, in *inequality) {
	for m, k := range p {
		if !k.IsInt() {
			fail("internal: a fraction among integers")
		}
		x := new(big.Int).Mul(k.Num(), f)
		if m == "" {
			in.k.Add(in.k, x)
		} else {
			s.multipleOf(t, poly{m: one}, x, in)
		}
	}
}

func (in *inequality) add(name string, k *big.Int) {
	sum := new(big.Int).Set(k)
	if old := in.coef[name]; old != nil {
		sum.Add(sum, old)
	}
	if sum.Sign() == 0 {
		delete(in.coef, name)
	} else {
		in.coef[name] = sum
	}
}

// quantity names the value of p. Atoms have types, so that equal names mean equal values.
func (s *system) quantity(t ir.Type, p poly) string {
	name := p.key()
	if _, ok := s.seen[name]; !ok {
		s.seen[name] = quantityOf{t, p}
		s.names = append(s.names, name)
	}
	return name
}

// relate states how the quantities mentioned relate to others, which it may mention.
func (s *system) relate() {
	for _, w := range s.carries { // what is left after the carry fits the type
		lo, hi := limits(w.typ)
		s.atMost(w.typ, w.sum, hi, 1)
		s.atMost(w.typ, w.sum, new(big.Int).Neg(lo), -1)
	}
	for i := 0; i < len(s.names); i++ {
		if i == maxQuantities {
			fail("a case has more than %d quantities", maxQuantities)
		}
		s.relations(s.names[i])
	}
}

// limits states the ranges of the quantities mentioned.
func (s *system) limits() {
	for _, name := range s.names {
		q := s.seen[name]
		lo, hi := limits(q.typ)
		switch r := s.ring(q.typ); {
		case r == fractions:
		case r == wholes:
			if q.typ.IsUnsigned() { // ℕ
				s.between(name, new(big.Int), nil)
			}
		case s.ranges:
			s.between(name, lo, hi)
		}
	}
}

// atMost states sign·p ≤ bound.
func (s *system) atMost(t ir.Type, p poly, bound *big.Int, sign int64) {
	in := inequality{coef: map[string]*big.Int{}, k: new(big.Int).Neg(bound), whole: true}
	s.linear(t, p, big.NewInt(sign), &in)
	s.all = append(s.all, in)
}

// between states lo ≤ quantity and, where hi is not nil, quantity ≤ hi.
func (s *system) between(name string, lo, hi *big.Int) {
	s.all = append(s.all, inequality{coef: map[string]*big.Int{name: big.NewInt(-1)}, k: new(big.Int).Set(lo), whole: true})
	if hi != nil {
		s.all = append(s.all, inequality{coef: map[string]*big.Int{name: big.NewInt(1)}, k: new(big.Int).Neg(hi), whole: true})
	}
}

// relations states how a widened value, a remainder, a quotient or a mask relates to its
// operand.
func (s *system) relations(name string) {
	q := s.seen[name]
	a, ok := s.sole(q.p)
	if !ok || !q.typ.IsInt() {
		return
	}
	if r, ok := s.remainderOf(q.typ, q.p); ok { // 0 ≤ p % n < n
		s.atMost(q.typ, q.p, new(big.Int), -1)
		s.atMost(q.typ, q.p, big.NewInt(r.divisor-1), 1)
		return
	}
	if a.kind == conjunction {
		s.mask(name, q, a)
		return
	}
	if a.kind != opaque || !a.typ.IsInt() {
		return
	}
	switch a.op {
	case ir.Cast:
		if a.from.IsInt() && containsType(a.typ, a.from) {
			s.multiple(name, 1, a.from, a.args[0], 0)
		}
	case ir.Div: // n·q ≤ p ≤ n·q + n − 1
		if n, ok := a.args[1].whole(); ok && n > 1 {
			s.multiple(name, n, a.typ, a.args[0], n-1)
		}
	case ir.Shr: // the same for n = 2^count
		if n, ok := a.args[1].whole(); ok && n > 0 && n < int64(min(a.typ.Bits(), 62)) {
			s.multiple(name, 1<<n, a.typ, a.args[0], 1<<n-1)
		}
	}
}

// multiple states n·q ≤ p ≤ n·q + slack.
func (s *system) multiple(name string, n int64, t ir.Type, p poly, slack int64) {
	low := inequality{coef: map[string]*big.Int{}, k: new(big.Int), whole: true}
	low.add(name, big.NewInt(n))
	s.linear(t, p, big.NewInt(-1), &low)
	high := inequality{coef: map[string]*big.Int{}, k: new(big.Int).Neg(low.k), whole: true}
	for v, k := range low.coef {
		high.coef[v] = new(big.Int).Neg(k)
	}
	high.k.Sub(high.k, big.NewInt(slack))
	s.all = append(s.all, low, high)
}

// mask: x & c is in 0 … c for a literal c > 0, and x & y ≤ x of unsigned words.
func (s *system) mask(name string, q quantityOf, a atom) {
	for _, arg := range a.args {
		if n, ok := arg.whole(); ok && n > 0 {
			s.between(name, new(big.Int), big.NewInt(n))
		} else if q.typ.IsUnsigned() {
			in := inequality{coef: map[string]*big.Int{}, k: new(big.Int), whole: true}
			in.add(name, big.NewInt(1))
			s.linear(q.typ, arg, big.NewInt(-1), &in)
			s.all = append(s.all, in)
		}
	}
}

// refuteFromAny is refute with each quantity as the first in turn: what rounding gives
// depends on the order.
func (s *system) refuteFromAny() bool {
	if len(s.names) > maxFirst {
		return false
	}
	for _, name := range s.names {
		if s.refuteFrom(name, 0) {
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
	return s.refuteFrom("", 0) || s.rounded && s.refuteFrom("", rounding)
}

// refuteFrom eliminates one quantity after another by adding multiples of inequalities
// (Fourier–Motzkin), until one says 0 < 0 or nothing is left. The first is given, or the
// cheapest like the others, where to round costs as much as so many combinations.
func (s *system) refuteFrom(first string, rounding int) bool {
	live, made := map[string]inequality{}, 0
	keep := func(into map[string]inequality, in inequality) bool {
		made++
		s.burn(1 + len(in.coef))
		in.tighten()
		if len(in.coef) == 0 {
			return in.k.Sign() > 0 || in.k.Sign() == 0 && in.strict
		}
		key := in.key()
		if old, ok := into[key]; !ok || old.k.Cmp(in.k) < 0 || old.k.Cmp(in.k) == 0 && in.strict {
			into[key] = in
		}
		return false
	}
	for _, in := range s.all {
		if keep(live, in) {
			return true
		}
	}
	for len(live) > 0 && made < maxConsequence {
		v := first
		if first = ""; v == "" {
			v = s.cheapest(live, rounding)
		}
		var ups, downs []inequality
		next := map[string]inequality{}
		for _, key := range sortedKeys(live) {
			switch in := live[key]; {
			case in.coef[v] == nil:
				next[key] = in
			case in.coef[v].Sign() > 0:
				ups = append(ups, in)
			default:
				downs = append(downs, in)
			}
		}
		for _, up := range ups {
			for _, down := range downs {
				if keep(next, combined(up, down, v)) {
					return true
				}
			}
		}
		live = next
	}
	return false
}

func sortedKeys(m map[string]inequality) []string {
	var ks []string
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

// cheapest is the quantity whose elimination makes the fewest combinations. Where inequalities of
// integers have it more than once in both directions it rounds.
func (s *system) cheapest(live map[string]inequality, rounding int) string {
	type uses struct{ n, multiples [2]int } // above and below
	count := map[string]uses{}
	for _, in := range live {
		for v, k := range in.coef {
			u, at := count[v], (1-k.Sign())/2
			u.n[at]++
			if in.whole && k.CmpAbs(bigOne) > 0 {
				u.multiples[at]++
			}
			count[v] = u
		}
	}
	best, fewest := "", -1
	for v, u := range count {
		pairs := u.n[0] * u.n[1]
		if u.multiples[0] > 0 && u.multiples[1] > 0 {
			pairs += rounding
			s.rounded = true
		}
		if fewest < 0 || pairs < fewest || pairs == fewest && v < best {
			best, fewest = v, pairs
		}
	}
	return best
}

var bigOne = big.NewInt(1)

// combined adds positive multiples such that v vanishes.
func combined(up, down inequality, v string) inequality {
	a, b := new(big.Int).Neg(down.coef[v]), up.coef[v]
	out := inequality{coef: map[string]*big.Int{}, whole: up.whole && down.whole, strict: up.strict || down.strict}
	for n, k := range up.coef {
		out.add(n, new(big.Int).Mul(a, k))
	}
	for n, k := range down.coef {
		out.add(n, new(big.Int).Mul(b, k))
	}
	out.k = new(big.Int).Mul(a, up.k)
	out.k.Add(out.k, new(big.Int).Mul(b, down.k))
	return out
}

// tighten divides by the common factor g of the coefficients; of integers k rounds up,
// since Σ ≤ −k/g means Σ ≤ ⌊−k/g⌋.
func (in *inequality) tighten() {
	g := new(big.Int)
	for _, k := range in.coef {
		g.GCD(nil, nil, g, new(big.Int).Abs(k))
	}
	if !in.whole {
		g.GCD(nil, nil, g, new(big.Int).Abs(in.k))
	}
	if g.Cmp(big.NewInt(1)) <= 0 {
		return
	}
	coef := map[string]*big.Int{}
	for v, k := range in.coef {
		coef[v] = new(big.Int).Div(k, g)
	}
	k := new(big.Int).Neg(in.k)
	in.coef, in.k = coef, k.Neg(k.Div(k, g))
}

// key tells left sides apart.
func (in *inequality) key() string {
	var vs []string
	for v := range in.coef {
		vs = append(vs, v)
	}
	slices.Sort(vs)
	var b strings.Builder
	fmt.Fprintf(&b, "%t ", in.whole)
	for _, v := range vs {
		fmt.Fprintf(&b, "%v*%q ", in.coef[v], v)
	}
	return b.String()
}

// rounding is how many combinations are made rather than lose what rounding would.
const rounding = 16
