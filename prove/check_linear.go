package prove

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
	ranges bool // whether the limits of types are stated too
	all    []inequality
	names  []string // of the quantities, in the order of their first mention
	seen   map[string]quantityOf
}

type quantityOf struct {
	typ ir.Type
	p   poly
}

// contradiction reports whether the claims and some more exclude each other.
func (c *checker) contradiction(extra ...claim) bool {
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
func (c *checker) forced(t ir.Type, a, b poly) bool {
	if c.ring(t) == noRing && !(c.ordered(t, a) && c.ordered(t, b)) {
		return false
	}
	return c.contradiction(claim{t, a, b, true}) && c.contradiction(claim{t, b, a, true})
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
	x, n, ok := s.remainderOf(p)
	if !ok {
		in.add(name, f)
		return
	}
	whole := s.apply(ir.Div, x.typ, x.typ, x.args...).key()
	in.add(whole, new(big.Int).Neg(new(big.Int).Mul(f, big.NewInt(n))))
	s.linear(x.typ, x.args[0], f, in)
}

// remainderOf reports whether p is a remainder by a literal n > 1.
func (s *system) remainderOf(p poly) (x atom, n int64, ok bool) {
	x, ok = s.soleOp(p, ir.Mod)
	if !ok || !x.typ.IsInt() {
		return x, 0, false
	}
	n, ok = x.args[1].whole()
	return x, n, ok && n > 1
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
	case ir.Mod: // 0 ≤ p % n < n
		if _, n, ok := s.remainderOf(q.p); ok {
			s.atMost(q.typ, q.p, new(big.Int), -1)
			s.atMost(q.typ, q.p, big.NewInt(n-1), 1)
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
		if s.refuteFrom(name) {
			return true
		}
	}
	return false
}

// maxFirst is the largest number of quantities of which each is tried as the first.
const maxFirst = 12

func (s *system) refute() bool { return s.refuteFrom("") }

// refuteFrom eliminates one quantity after another by adding multiples of inequalities
// (Fourier–Motzkin), until one says 0 < 0 or nothing is left. The first is given, or the
// cheapest like the others.
func (s *system) refuteFrom(first string) bool {
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
			v = cheapest(live)
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

// cheapest is the quantity whose elimination makes the fewest combinations.
func cheapest(live map[string]inequality) string {
	count := map[string][2]int{}
	for _, in := range live {
		for v, k := range in.coef {
			n := count[v]
			n[(1-k.Sign())/2]++
			count[v] = n
		}
	}
	best, fewest := "", -1
	for v, n := range count {
		if pairs := n[0] * n[1]; fewest < 0 || pairs < fewest || pairs == fewest && v < best {
			best, fewest = v, pairs
		}
	}
	return best
}

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
