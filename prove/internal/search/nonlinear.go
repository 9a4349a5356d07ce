package search

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// This file knows of products over ℤ and ℚ what linear arithmetic on monomials does not see:
// squares are not negative, the product of what is not negative is not, and a variable is
// below zero, zero, or above.

const (
	maxSigns    = 4  // variables told apart by their sign on one path, since one was replaced
	maxSplits   = 64 // times that this is done in one proof
	maxFactors  = 16 // facts that are multiplied with each other
	maxSummands = 64 // of a product, before they are added up
)

// nonNegative is a polynomial that is ≥ 0, or > 0 where strict.
type nonNegative struct {
	typ    ir.Type
	p      poly.Poly
	strict bool

	// known of those that are multiplied
	degree int  // of p
	single bool // p has one atom
}

// isNumbers reports whether values of a domain are the numbers themselves, so that monomials
// multiply as they do.
func isNumbers(d poly.Domain) bool { return d == poly.Integer || d == poly.Real }

// nonlinear reports whether p has a product of atoms and is plain.
func (s *symbolic) nonlinear(p poly.Poly) (found bool) {
	var buf [8]poly.Term
	for _, t := range s.ps.Terms(p, buf[:0]) {
		found = found || len(s.ps.Factors(t.Mono)) > 1
	}
	return found && s.isPlain(p)
}

// isPlain reports whether p has no quotient, which may have no value, and no literal that is
// not among the numbers, such as an infinity.
func (s *symbolic) isPlain(p poly.Poly) bool {
	var buf [8]poly.Term
	for _, t := range s.ps.Terms(p, buf[:0]) {
		for _, f := range s.ps.Factors(t.Mono) {
			h := s.ps.Head(poly.Atom(f))
			if _, ok := s.ps.IsInverse(poly.Atom(f)); ok || isOwn(h) && headOp(h) == ir.Const {
				return false
			}
		}
	}
	return true
}

// factor keeps a fact for products: p < q, or q ≤ p.
func (b *constraintBuilder) factor(f fact) {
	d := b.s.domain(f.typ)
	if !isNumbers(d) || !b.s.isPlain(f.p) || !b.s.isPlain(f.q) {
		return
	}
	g := nonNegative{typ: f.typ, p: b.s.ps.Add(d, f.p, -1, f.q)}
	if f.holds {
		g.p = b.s.ps.Scale(d, poly.Coef{N: -1, D: 1}, g.p)
		if d == poly.Integer {
			g.p = b.s.ps.Add(d, g.p, -1, b.s.ps.Int(d, 1))
		} else {
			g.strict = true
		}
	}
	if _, constant := b.s.ps.IsConst(g.p); !constant {
		b.keep(g)
	}
}

// keep lists a fact for products; false where it is listed already, or there are too many.
func (b *constraintBuilder) keep(g nonNegative) bool {
	b.measure(&g)
	if len(b.factors) == maxFactors || slices.Contains(b.factors, g) {
		return false
	}
	b.factors = append(b.factors, g)
	return true
}

// multiplied says which facts are multiplied with each other. Fewer products are tried first, since elimination gives up
// where there are many constraints.
type multiplied int

const (
	noFacts  multiplied = iota
	bounds              // those on single atoms
	allFacts            // the others, too
)

// multiply states what is known of the products of atoms that are mentioned, beyond the
// level before; false where that is nothing.
func (b *constraintBuilder) multiply(level multiplied) bool {
	switch level {
	case noFacts:
		return true
	case bounds:
		b.atoms()
	}
	if len(b.known) == 0 {
		return false
	}
	for i, g := range b.factors {
		for _, h := range b.factors[:i+1] {
			if (level == bounds) == (g.single && h.single) {
				b.product(g, h)
			}
		}
	}
	return true
}

// atoms finds the products of atoms that are mentioned, and states what is known of squares
// and quotients.
func (b *constraintBuilder) atoms() {
	if b.known == nil {
		b.known = map[lvar]bool{}
	}
	clear(b.known)
	b.degree = 0
	var roots []quantity // of the squares
	for _, q := range b.vars[:len(b.vars):len(b.vars)] {
		m, ok := b.s.ps.IsMono(q.p)
		if !ok || !isNumbers(b.s.domain(q.typ)) || !b.s.isPlain(q.p) {
			continue
		}
		fs := b.s.ps.Factors(m)
		if len(fs) == 1 && q.typ.IsUnsigned() {
			b.keep(nonNegative{typ: q.typ, p: q.p})
		}
		if len(fs) < 2 {
			continue
		}
		b.known[q.v] = true
		b.degree = max(b.degree, len(fs))
		if root, ok := b.root(q.typ, fs); ok {
			b.square(q, root)
			roots = append(roots, quantity{typ: q.typ, p: root})
		}
	}
	if len(b.known) == 0 {
		return
	}
	b.quotients()
	for i, r := range roots {
		for _, o := range roots[:i] {
			if m, ok := b.s.ps.IsMono(b.s.ps.Mul(b.s.domain(r.typ), r.p, o.p)); ok && r.typ == o.typ {
				b.known[monoVar(uint32(m))] = true
			}
		}
	}
}

// quotients states facts about h that follow from facts about v·h, where the sign of v is known.
func (b *constraintBuilder) quotients() {
	for i := 0; i < len(b.factors); i++ {
		for _, v := range b.factors {
			if a, sign, ok := b.signOf(v); ok {
				if h, ok := b.over(b.factors[i], a, sign); ok && b.keep(h) {
					b.notNegative(h)
				}
			}
		}
	}
}

// signOf returns the sign of an atom, where a fact says that it is not zero.
func (b *constraintBuilder) signOf(g nonNegative) (a poly.Atom, sign int64, ok bool) {
	var buf [8]poly.Term
	if !g.single {
		return 0, 0, false
	}
	var bound int64 // g is sign·a + bound
	for _, t := range b.s.ps.Terms(g.p, buf[:0]) {
		switch fs := b.s.ps.Factors(t.Mono); {
		case len(fs) == 0:
			bound = t.Coef.N
		case len(fs) == 1 && a == 0 && sign == 0:
			a, sign = poly.Atom(fs[0]), t.Coef.N
		default:
			return 0, 0, false
		}
	}
	switch {
	case sign == 0 || bound > 0 || bound == 0 && !g.strict:
		return 0, 0, false
	case sign > 0:
		return a, 1, true
	}
	return a, -1, true
}

// over returns sign·h where g is a·h: from 0 < sign·a and 0 ≤ a·h follows 0 ≤ sign·h.
func (b *constraintBuilder) over(g nonNegative, a poly.Atom, sign int64) (nonNegative, bool) {
	var buf [8]poly.Term
	d := b.s.domain(g.typ)
	h := nonNegative{typ: g.typ, p: poly.Zero, strict: g.strict}
	products := false
	for _, t := range b.s.ps.Terms(g.p, buf[:0]) {
		fs := b.s.ps.Factors(t.Mono)
		if len(fs) == 0 { // a·h + c ≥ 0
			if t.Coef.N > 0 {
				return h, false
			}
			h.strict = true
			continue
		}
		at := slices.Index(fs, uint32(a))
		if at < 0 {
			return h, false
		}
		products = products || len(fs) > 1
		part := b.s.ps.Const(d, t.Coef)
		for i, f := range slices.Clone(fs) {
			if i != at {
				part = b.s.ps.Mul(d, part, b.s.ps.OfAtom(poly.Atom(f)))
			}
		}
		h.p = b.s.ps.Add(d, h.p, sign, part)
	}
	if h.strict && d == poly.Integer {
		h.p, h.strict = b.s.ps.Add(d, h.p, -1, b.s.ps.Int(d, 1)), false
	}
	_, constant := b.s.ps.IsConst(h.p)
	return h, products && !constant
}

func (b *constraintBuilder) measure(g *nonNegative) {
	var buf [8]poly.Term
	atoms := 0
	for _, t := range b.s.ps.Terms(g.p, buf[:0]) {
		n := len(b.s.ps.Factors(t.Mono))
		atoms += n
		g.degree = max(g.degree, n)
	}
	g.single = atoms == 1
}

// root returns the monomial whose square consists of the factors, which ascend.
func (b *constraintBuilder) root(t ir.Type, fs []uint32) (poly.Poly, bool) {
	if len(fs)%2 != 0 {
		return 0, false
	}
	d := b.s.domain(t)
	p := b.s.ps.Int(d, 1)
	for i := 0; i < len(fs); i += 2 {
		if fs[i] != fs[i+1] {
			return 0, false
		}
		p = b.s.ps.Mul(d, p, b.s.ps.OfAtom(poly.Atom(fs[i])))
	}
	return p, true
}

// square: 0 ≤ r², and r ≤ r² and −r ≤ r² over ℤ.
func (b *constraintBuilder) square(q quantity, root poly.Poly) {
	d := b.s.domain(q.typ)
	b.notNegative(nonNegative{typ: q.typ, p: q.p})
	if d == poly.Integer {
		b.notNegative(nonNegative{typ: q.typ, p: b.s.ps.Add(d, q.p, 1, root)})
		b.notNegative(nonNegative{typ: q.typ, p: b.s.ps.Add(d, q.p, -1, root)})
	}
}

// product states 0 ≤ g·h where all products of atoms in it are known.
func (b *constraintBuilder) product(g, h nonNegative) {
	var buf [8]poly.Term
	d := b.s.domain(g.typ)
	if d != b.s.domain(h.typ) || g.degree+h.degree > b.degree || b.s.ps.Len(g.p)*b.s.ps.Len(h.p) > maxSummands || b.s.ps.Overflow {
		return
	}
	b.s.refuter.work += workOfProduct
	p := b.s.ps.Mul(d, g.p, h.p)
	if b.s.ps.Overflow { // of this product alone
		b.s.ps.Overflow = false
		return
	}
	for _, t := range b.s.ps.Terms(p, buf[:0]) {
		if len(b.s.ps.Factors(t.Mono)) > 1 && !b.known[monoVar(uint32(t.Mono))] {
			return
		}
	}
	b.notNegative(nonNegative{typ: g.typ, p: p, strict: g.strict && h.strict})
}

// notNegative states 0 ≤ p, or 0 < p.
func (b *constraintBuilder) notNegative(g nonNegative) {
	d := b.s.domain(g.typ)
	c := constraint{exact: d == poly.Integer, strict: g.strict, terms: b.buf[:0]}
	p := g.p
	if d == poly.Real {
		p = b.s.ps.Scale(d, poly.Coef{N: b.s.denominator(p), D: 1}, p)
	}
	if b.linear(g.typ, p, -1, &c) {
		b.add(c)
	}
}

// signs tells apart the sign of a variable that occurs in a product.
//
//	max(x*y*y, 0) = x*y*y, given 0 <= x   →   x < 0, x = 0 and 0 < x
func (s *Search) signs() *proof.Tree {
	if len(s.signed) == maxSigns || s.splits == maxSplits {
		return nil
	}
	v, ok := s.factorVariable()
	if !ok {
		return nil
	}
	s.splits++
	p, _ := s.number(v)
	t := &proof.Tree{Kind: proof.Signs, Term: v.Name(), Cases: make([]*proof.Tree, 3)}
	s.signed = append(s.signed, v)
	defer func() { s.signed = s.signed[:len(s.signed)-1] }()
	for i, f := range [3]fact{
		{condition{condLess, v.Type(), p, poly.Zero}, true},
		{},
		{condition{condLess, v.Type(), s.ps.Scale(s.domain(v.Type()), poly.Coef{N: -1, D: 1}, p), poly.Zero}, true},
	} {
		if i == 1 {
			t.Cases[i] = s.withBinding(v, poly.Zero)
		} else {
			t.Cases[i] = s.supposing(f)
		}
		if t.Cases[i] == nil {
			return nil
		}
	}
	return t
}

// supposing proves the goal with one more fact, which evaluation does not ask for.
func (s *Search) supposing(f fact) *proof.Tree {
	s.facts = append(s.facts, f)
	s.depth++
	t := s.branch()
	s.depth--
	s.facts = s.facts[:len(s.facts)-1]
	return t
}

// factorVariable returns the variable that occurs most often in the products of the facts and of
// the sides, and whose sign is not known yet. Where no fact restricts the variables, or only
// linear ones do over the reals, signs do not make different polynomials equal.
func (s *Search) factorVariable() (ir.Expr, bool) {
	if !slices.ContainsFunc(s.facts, func(f fact) bool {
		d := s.domain(f.typ)
		return f.kind == condLess && (d == poly.Integer || d == poly.Real && (s.nonlinear(f.p) || s.nonlinear(f.q)))
	}) {
		return ir.Expr{}, false
	}
	var vars []ir.Expr
	count := map[ir.Expr]int{}
	look := func(t ir.Type, p poly.Poly) {
		var buf [8]poly.Term
		if !isNumbers(s.domain(t)) || !s.nonlinear(p) {
			return
		}
		for _, term := range s.ps.Terms(p, buf[:0]) {
			fs := s.ps.Factors(term.Mono)
			for _, f := range fs {
				v, ok := s.variable(s.ps.OfAtom(poly.Atom(f)))
				if len(fs) < 2 || !ok || s.isBound(v) || slices.Contains(s.signed, v) {
					continue
				}
				if count[v]++; count[v] == 1 {
					vars = append(vars, v)
				}
			}
		}
	}
	for _, f := range s.facts {
		if f.kind == condLess {
			look(f.typ, f.p)
			look(f.typ, f.q)
		}
	}
	if t := s.lhs.Type(); t.IsNumeric() {
		for _, side := range [2]ir.Expr{s.lhs, s.rhs} {
			p, _ := s.number(side)
			look(t, p)
		}
	}
	best, found := ir.Expr{}, false
	for _, v := range vars {
		if !found || count[v] > count[best] || count[v] == count[best] && v.ID() < best.ID() {
			best, found = v, true
		}
	}
	return best, found
}
