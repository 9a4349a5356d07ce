package search

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// constraintBuilder turns facts into linear constraints, and adds what is known of the
// quantities in them: the range of the type, and the relations of remainders, quotients,
// masks and widened values to their operands.
type constraintBuilder struct {
	s      *Search
	bounds bool // whether ranges matter: something is compared with a literal
	vars   []quantity
	seen   map[lvar]bool
	buf    []lterm

	base []stated  // the facts that are stated first, and stay while the search keeps them
	end  stated    // what there is after them
	with []carried // the carries that they were stated with

	limited int           // how many of vars have their ranges stated
	factors []nonNegative // the facts, for products
	known   map[lvar]bool // the products of atoms that are mentioned
	degree  int           // of the largest of them
}

// quantity is a variable of the constraints.
type quantity struct {
	v   lvar
	typ ir.Type
	p   poly.Poly
}

// stated is a fact whose constraints the builder has. It keeps the lengths that the builder's lists had before the fact, so
// that they can be cut back to them.
type stated struct {
	fact
	given         [2]int // of the refuter
	vars, factors int
	bounds        bool
}

// restart forgets everything: the polynomials of one proof mean nothing in another.
func (b *constraintBuilder) restart() { b.base, b.end, b.with = b.base[:0], stated{}, b.with[:0] }

// start states the facts of a search as constraints. It keeps the constraints of the facts that are the same as at the last call,
// up to the first that differs.
func (b *constraintBuilder) start(s *Search) {
	b.s, b.limited = s, 0
	if b.seen == nil {
		b.seen = map[lvar]bool{}
	}
	same := 0
	if slices.Equal(b.with, s.carries) {
		for same < min(len(b.base), len(s.facts)) && b.base[same].fact == s.facts[same] {
			same++
		}
	}
	b.with = append(b.with[:0], s.carries...)
	if same < len(b.base) {
		b.end, b.base = b.base[same], b.base[:same]
	}
	b.back(b.end)
	if same == 0 {
		b.bounds = len(s.carries) > 0
	}
	for i, f := range s.facts[same:] {
		b.base = append(b.base, b.here(f))
		s.refuter.stating = ofFact(same + i)
		b.fact(f)
	}
	s.refuter.stating = origin{noOrigin, noOrigin}
	b.end = b.here(fact{})
}

// here returns f with the present sizes of the builder's lists, for back.
func (b *constraintBuilder) here(f fact) stated {
	return stated{f, b.s.refuter.mark(), len(b.vars), len(b.factors), b.bounds}
}

// back removes the constraints that were stated after to was taken by here.
func (b *constraintBuilder) back(to stated) {
	b.s.refuter.cut(to.given)
	for _, q := range b.vars[to.vars:] {
		delete(b.seen, q.v)
	}
	b.vars, b.factors, b.bounds = b.vars[:to.vars], b.factors[:to.factors], to.bounds
}

// linear returns the value of p as an integer (or rational) combination of quantities:
// terms, and a constant. It reports false where a coefficient is no integer.
func (b *constraintBuilder) linear(t ir.Type, p poly.Poly, factor int64, out *constraint) bool {
	d := b.s.domain(t)
	if key, ok := b.s.orderKey(t, p); ok && d != poly.Integer && d != poly.Real {
		b.bounds = true
		return out.addConst(key, factor)
	}
	if d == poly.Integer || d == poly.Real {
		return b.sum(t, p, factor, out)
	}
	for _, c := range b.s.carries {
		if c.p == p && c.typ == t {
			return b.sum(t, p, factor, out) && out.addConst(pow2(t.Bits()), -c.q*factor)
		}
	}
	if x, ok := b.s.negated(t, p); ok { // places in the order of floats run from −0, which is −1
		return b.linear(t, x, -factor, out) && out.addConst(wideOf(-1), factor)
	}
	v := polyVar(uint32(p))
	if m, ok := b.s.ps.IsMono(p); ok {
		v = monoVar(uint32(m))
	}
	return b.quantity(quantity{v, t, p}, factor, out)
}

// quantity adds a multiple of a quantity. A remainder by a literal is spelled out, p % n as
// p − n·(p/n): so the quotient, an integer, is what is left of an inequality between them.
func (b *constraintBuilder) quantity(q quantity, factor int64, out *constraint) bool {
	b.mention(q)
	r, ok := b.s.remainder(q)
	if !ok {
		out.terms = append(out.terms, lterm{q.v, factor})
		return true
	}
	c, fits := mulOK(r.by, factor)
	whole, _ := b.s.ps.IsMono(r.whole)
	out.terms = append(out.terms, lterm{monoVar(uint32(whole)), -c})
	return fits && b.linear(q.typ, r.of, factor, out)
}

// remainder is the term of % by, where by is a literal. Its quotient of / by is whole.
type remainder struct {
	of    poly.Poly
	by    int64
	whole poly.Poly
}

// remainder reports whether a quantity is one: p % n, or p & (2^k − 1).
func (s *symbolic) remainder(q quantity) (r remainder, ok bool) {
	a, sole := s.soleAtom(q.p)
	if !sole || !q.typ.IsInt() {
		return r, false
	}
	if s.ps.IsConjunction(a) {
		return s.lowBits(q.typ, a)
	}
	if h := s.ps.Head(a); !isOwn(h) || headOp(h) != ir.Mod || headExtra(h) == ofInteger {
		return r, false
	}
	p, by := s.ps.Arg(a, 0), s.ps.Arg(a, 1)
	if c, literal := s.ps.IsConst(by); literal && c.N > 1 {
		return remainder{p, c.N, s.opaque(ir.Div, q.typ, q.typ, p, by)}, true
	}
	return r, false
}

// lowBits returns the remainder that a conjunction of a word and the literal 2^k − 1 is.
func (s *symbolic) lowBits(t ir.Type, a poly.Atom) (r remainder, ok bool) {
	if s.ps.NumArgs(a) != 2 {
		return r, false
	}
	for i := range 2 {
		c, literal := s.ps.IsConst(s.ps.Arg(a, i))
		if k := bits.Len64(uint64(c.N)); literal && c.N == 1<<k-1 && k > 0 && k < min(t.Bits(), 62) {
			p := s.ps.Arg(a, 1-i)
			return remainder{p, c.N + 1, s.opaque(ir.Shr, t, t, p, s.ps.Int(s.domain(t), int64(k)))}, true
		}
	}
	return r, false
}

// sum spells a polynomial out, monomial by monomial.
func (b *constraintBuilder) sum(t ir.Type, p poly.Poly, factor int64, out *constraint) bool {
	for i := range b.s.ps.Len(p) {
		term := b.s.ps.Term(p, i)
		c, ok := mulOK(term.Coef.N, factor)
		if !ok || term.Coef.D != 1 {
			return false
		}
		if term.Mono == poly.One {
			if !out.addConst(wideOf(c), 1) {
				return false
			}
			continue
		}
		if !b.quantity(quantity{monoVar(uint32(term.Mono)), t, b.s.ps.OfMono(term.Mono)}, c, out) {
			return false
		}
	}
	return true
}

func (c *constraint) addConst(k wide, factor int64) bool {
	m := max(factor, -factor)
	x, ok := k.mul(m)
	if factor < 0 {
		x = x.neg()
	}
	sum, ok2 := c.k.add(x)
	c.k = sum
	return ok && ok2
}

func (b *constraintBuilder) mention(q quantity) {
	if !b.seen[q.v] {
		b.seen[q.v] = true
		b.vars = append(b.vars, q)
	}
}

// fact states a decided comparison p < q, or its opposite q ≤ p.
func (b *constraintBuilder) fact(f fact) {
	if f.kind != condLess {
		return
	}
	p, q := f.p, f.q
	if d := b.s.domain(f.typ); d == poly.Real {
		scale := b.s.denominator(p)
		p = b.s.ps.Scale(d, poly.Coef{N: scale, D: 1}, p)
	}
	c := constraint{exact: b.s.domain(f.typ) != poly.Real, terms: b.buf[:0]}
	sign := int64(1)
	if !f.holds { // q − p ≤ 0
		sign = -1
	}
	if !b.linear(f.typ, p, sign, &c) || !b.linear(f.typ, q, -sign, &c) {
		return
	}
	if f.holds {
		c.strict = !c.exact
		if c.exact && !c.addConst(wideOf(1), 1) {
			return
		}
	}
	b.add(c)
	b.factor(f)
}

func (b *constraintBuilder) add(c constraint) {
	c.terms = combine(sortTerms(c.terms))
	c.tighten()
	b.buf = c.terms
	b.s.refuter.add(c)
}

// combine adds up neighbouring terms of one quantity.
func combine(ts []lterm) []lterm {
	out := ts[:0]
	for _, t := range ts {
		if n := len(out); n > 0 && out[n-1].v == t.v {
			out[n-1].c += t.c
			if out[n-1].c == 0 {
				out = out[:n-1]
			}
			continue
		}
		out = append(out, t)
	}
	return out
}

// denominator returns a common denominator of the coefficients, 1 where it gets too large.
func (s *symbolic) denominator(p poly.Poly) int64 {
	l := int64(1)
	for i := range s.ps.Len(p) {
		t := s.ps.Term(p, i)
		m, ok := mulOK(l/gcd(l, t.Coef.D), t.Coef.D)
		if !ok {
			return 1
		}
		l = m
	}
	return l
}

// relate states how the quantities of the constraints relate to others. It adds those to the quantities, and relates them too.
func (b *constraintBuilder) relate() {
	for _, c := range b.s.carries {
		b.carried(c)
	}
	for i := 0; i < len(b.vars) && i < 64; i++ {
		b.relations(b.vars[i])
	}
}

// limit states the ranges of the quantities that were mentioned since it was called last.
func (b *constraintBuilder) limit() {
	for ; b.limited < len(b.vars); b.limited++ {
		b.ranges(b.vars[b.limited])
	}
}

// carried states that a modular sum minus its carry, q·2^bits, is within the limits of its type.
func (b *constraintBuilder) carried(c carried) {
	lo, hi := b.s.limits(c.typ)
	least := constraint{terms: b.buf[:0], k: lo, exact: true}
	if b.linear(c.typ, c.p, -1, &least) {
		b.add(least)
	}
	most := constraint{terms: b.buf[:0], k: hi.neg(), exact: true}
	if b.linear(c.typ, c.p, 1, &most) {
		b.add(most)
	}
}

// ranges states the limits of a quantity's type. Over ℤ only an unsigned value has one.
func (b *constraintBuilder) ranges(q quantity) {
	d := b.s.domain(q.typ)
	switch {
	case d == poly.Real:
		return
	case d == poly.Integer:
		if q.typ.IsUnsigned() {
			b.atLeast(q, wide{})
		}
		return
	case !b.bounds:
		return
	}
	lo, hi := b.s.limits(q.typ)
	b.atLeast(q, lo)
	b.atMost(q, hi)
}

// limits returns the order keys of a type's smallest and largest value.
func (s *symbolic) limits(t ir.Type) (lo, hi wide) {
	if t.IsFloat() {
		return wideOf(floatKey(t, t.Min())), wideOf(floatKey(t, t.Max()))
	}
	return wideOfValue(t.IsSigned(), t.Min()), wideOfValue(t.IsSigned(), t.Max())
}

func (b *constraintBuilder) atLeast(q quantity, lo wide) {
	b.add(constraint{terms: append(b.buf[:0], lterm{q.v, -1}), k: lo, exact: true})
}

func (b *constraintBuilder) atMost(q quantity, hi wide) {
	b.add(constraint{terms: append(b.buf[:0], lterm{q.v, 1}), k: hi.neg(), exact: true})
}

// special reports whether relate has relations for p: those of remainders, quotients, masks and widened values.
func (b *constraintBuilder) special(s *Search, p poly.Poly) bool {
	a, ok := s.soleAtom(p)
	if !ok {
		return false
	}
	h := s.ps.Head(a)
	if s.ps.IsConjunction(a) {
		return true
	}
	if !isOwn(h) {
		return false
	}
	switch headOp(h) {
	case ir.Mod, ir.Cast, ir.Shr, ir.Div:
		return headType(h).IsInt()
	}
	return false
}

// relations states how a remainder, quotient, mask or widened value relates to its operand.
func (b *constraintBuilder) relations(q quantity) {
	if !b.special(b.s, q.p) {
		return
	}
	if r, ok := b.s.remainder(q); ok {
		b.between(q, r.by-1)
		return
	}
	a, _ := b.s.soleAtom(q.p)
	ps := b.s.ps
	if ps.IsConjunction(a) {
		b.mask(q, a)
		return
	}
	h := ps.Head(a)
	switch headOp(h) {
	case ir.Cast:
		if from := headFromType(h); widens(from, q.typ) {
			c := constraint{terms: append(b.buf[:0], lterm{q.v, 1}), exact: true}
			if b.linear(from, ps.Arg(a, 0), -1, &c) {
				b.bounds = true
				b.equality(c)
			}
		}
	case ir.Div:
		if n, ok := ps.IsConst(ps.Arg(a, 1)); ok && n.N > 1 {
			b.quotient(q, ps.Arg(a, 0), n.N)
		}
	case ir.Mod: // of what is computed over ℤ
		if n, ok := ps.IsConst(ps.Arg(a, 1)); ok && n.N > 1 {
			b.between(q, n.N-1)
		}
	case ir.Shr:
		if n, ok := ps.IsConst(ps.Arg(a, 1)); ok && n.N > 0 && n.N < int64(min(q.typ.Bits(), 62)) {
			b.quotient(q, ps.Arg(a, 0), 1<<n.N)
		}
	}
}

// between states 0 ≤ q ≤ most.
func (b *constraintBuilder) between(q quantity, most int64) {
	low := constraint{terms: b.buf[:0], exact: true}
	if b.linear(q.typ, q.p, -1, &low) {
		b.add(low)
	}
	high := constraint{terms: b.buf[:0], k: wideOf(-most), exact: true}
	if b.linear(q.typ, q.p, 1, &high) {
		b.add(high)
	}
}

// mask: x & c is in 0..c for a literal c ≥ 0, and x & y ≤ x on unsigned words.
func (b *constraintBuilder) mask(q quantity, a poly.Atom) {
	ps := b.s.ps
	for i := range ps.NumArgs(a) {
		arg := ps.Arg(a, i)
		if c, ok := ps.IsConst(arg); ok && c.N > 0 {
			b.atLeast(q, wide{})
			b.atMost(q, wideOf(c.N))
		} else if q.typ.IsUnsigned() {
			c := constraint{terms: append(b.buf[:0], lterm{q.v, 1}), exact: true}
			if b.linear(q.typ, arg, -1, &c) {
				b.add(c)
			}
		}
	}
}

// quotient: n·q ≤ p < n·q + n.
func (b *constraintBuilder) quotient(q quantity, p poly.Poly, n int64) {
	low := constraint{terms: append(b.buf[:0], lterm{q.v, n}), exact: true}
	if !b.linear(q.typ, p, -1, &low) {
		return
	}
	low.terms = append([]lterm{}, low.terms...)
	high := constraint{exact: true, k: low.k.neg()}
	for _, t := range low.terms {
		high.terms = append(high.terms, lterm{t.v, -t.c})
	}
	high.addConst(wideOf(1-n), 1)
	b.add(low)
	b.add(high)
}

func (b *constraintBuilder) equality(c constraint) {
	c.terms = append([]lterm{}, c.terms...)
	opposite := constraint{exact: true, k: c.k.neg()}
	for _, t := range c.terms {
		opposite.terms = append(opposite.terms, lterm{t.v, -t.c})
	}
	b.add(c)
	b.add(opposite)
}
