package search

import (
	"maps"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// equality says that the two sides of decision number place differ by delta: p − q = delta.
type equality struct {
	typ   ir.Type
	p, q  poly.Poly // equal
	place int
	delta int64
	using []int // the facts that it follows from; nil where these may be all
}

// rewrite replaces an atom by what it equals.
type rewrite struct {
	domain poly.Domain
	atom   poly.Atom
	to     poly.Poly
}

// maxRewrites is the largest number of equations used on one path.
const maxRewrites = 4

// useEquations uses an equation that the decisions imply.
//
//	f(x) = f(y), where neither x < y nor y < x   →   f(y) = f(y)
//
// It rewrites what is left of the difference of both sides first; then it replaces a variable
// everywhere.
func (s *Search) useEquations() *proof.Tree {
	if len(s.rewrites)+len(s.bound) >= maxRewrites {
		return nil
	}
	for i, f := range s.facts {
		if f.kind != condLess {
			continue
		}
		for _, delta := range s.deltas(f) {
			if s.stopped() {
				return nil
			}
			e, ok := s.implied(i, f, delta)
			if !ok {
				continue
			}
			if tree := s.rewriteWith(e); tree != nil {
				return tree
			}
			if tree := s.substituteWith(e); tree != nil {
				return tree
			}
		}
	}
	return nil
}

// deltas returns the differences p − q that may follow from a fact and others: of numbers, p < q
// excludes all but −1, and only integers have neighbours.
func (s *Search) deltas(f fact) []int64 {
	switch d := s.domain(f.typ); {
	case d == poly.Integer && f.holds:
		return []int64{-1}
	case d == poly.Integer:
		return []int64{0, 1}
	case d == poly.Real && f.holds:
		return nil
	case d == poly.Real || d == 0:
		return []int64{0}
	}
	return []int64{0, 1, -1}
}

// implied returns the equation p = q + delta, where the facts force it.
func (s *Search) implied(place int, f fact, delta int64) (equality, bool) {
	d := s.domain(f.typ)
	e := equality{typ: f.typ, p: f.p, q: f.q, place: place, delta: delta}
	if delta != 0 {
		e.q = s.ps.Add(d, f.q, delta, s.ps.Int(d, 1))
	}
	s.using, s.usesAll = nil, false
	first, last := e.p, e.q
	if !f.holds && delta == 0 { // the fact excludes p < q already: what may be open comes first
		first, last = last, first
	}
	ok := s.forcedEqual(bounds, e.typ, first, last)
	e.using = s.used()
	return e, ok
}

// rewriteWith uses the equation on the difference of both sides.
func (s *Search) rewriteWith(e equality) *proof.Tree {
	d := s.domain(e.typ)
	if d == 0 || e.typ != s.lhs.Type() {
		return nil
	}
	diff := s.ps.Add(d, e.p, -1, e.q)
	for _, term := range s.ps.Terms(diff, nil) {
		atom, to, ok := s.isolate(d, diff, term)
		if !ok || s.rewritten(atom) {
			continue
		}
		s.rewrites = append(s.rewrites, rewrite{d, atom, to})
		s.depth++
		tree := s.solve()
		s.depth--
		s.rewrites = s.rewrites[:len(s.rewrites)-1]
		if tree != nil {
			return &proof.Tree{Kind: proof.Rewrite, Why: hint(e.using), Place: e.place, Delta: e.delta, Term: s.exprOf(e.typ, s.ps.OfAtom(atom)).String(), Then: tree}
		}
		return nil // the other atoms of the same equality say no more
	}
	return nil
}

func (s *Search) rewritten(a poly.Atom) bool {
	for _, r := range s.rewrites {
		if r.atom == a {
			return true
		}
	}
	return false
}

// isolate solves diff = 0 for the atom that a term consists of.
func (s *Search) isolate(d poly.Domain, diff poly.Poly, term poly.Term) (poly.Atom, poly.Poly, bool) {
	atom, ok := s.soleAtom(s.ps.OfMono(term.Mono))
	c := term.Coef
	if !ok || term.Mono == poly.One || d != poly.Real && c.N != 1 && c.N != -1 {
		return 0, 0, false
	}
	inverse := poly.Coef{N: -c.D, D: c.N}
	if inverse.D < 0 {
		inverse = poly.Coef{N: -inverse.N, D: -inverse.D}
	}
	rest := s.ps.Sum(d, append(s.ps.Terms(diff, nil), poly.Term{Mono: term.Mono, Coef: poly.Coef{N: -c.N, D: c.D}}))
	return atom, s.ps.Scale(d, inverse, rest), !s.occurs(atom, rest)
}

// equalAfterRewriting compares two values by their difference, in which atoms are replaced
// by what they equal and, over the reals, denominators are cleared.
func (s *Search) equalAfterRewriting(a, b poly.Poly) bool {
	d := s.domain(s.lhs.Type())
	if d == 0 || len(s.rewrites) == 0 && d != poly.Real {
		return false
	}
	before := s.ps.Summed
	diff := s.ps.Add(d, a, -1, b)
	for _, r := range s.rewrites {
		diff = s.replace(r, diff)
	}
	if d == poly.Real {
		diff = s.ps.ClearInverses(diff)
	}
	s.refuter.work += workOfTerm * (s.ps.Summed - before)
	return diff == poly.Zero && !s.ps.Overflow
}

// replace puts r.to for each factor r.atom of p.
func (s *Search) replace(r rewrite, p poly.Poly) poly.Poly {
	var sum []poly.Term
	for _, t := range s.ps.Terms(p, nil) {
		part := s.ps.Const(r.domain, t.Coef)
		for _, f := range append([]uint32{}, s.ps.Factors(t.Mono)...) {
			if poly.Atom(f) == r.atom {
				part = s.ps.Mul(r.domain, part, r.to)
			} else {
				part = s.ps.Mul(r.domain, part, s.ps.OfAtom(poly.Atom(f)))
			}
		}
		sum = s.ps.Terms(part, sum)
	}
	return s.ps.Sum(r.domain, sum)
}

// substituteWith replaces, everywhere, a variable that the equation determines.
func (s *Search) substituteWith(e equality) *proof.Tree {
	v, to, ok := s.solveFor(e)
	if !ok {
		return nil
	}
	tree := s.withBinding(v, to)
	if tree == nil {
		return nil
	}
	return &proof.Tree{Kind: proof.Substitute, Why: hint(e.using), Place: e.place, Delta: e.delta, Term: v.Name(), Then: tree}
}

// solveFor finds a variable that the equation determines, and its value.
func (s *Search) solveFor(e equality) (ir.Expr, poly.Poly, bool) {
	d := s.domain(e.typ)
	if d == 0 {
		return s.solveOrder(e)
	}
	diff := s.ps.Add(d, e.p, -1, e.q)
	for _, term := range s.ps.Terms(diff, nil) {
		if v, ok := s.variable(s.ps.OfMono(term.Mono)); ok && !s.isBound(v) {
			if _, to, ok := s.isolate(d, diff, term); ok {
				return v, to, true
			}
		}
	}
	return ir.Expr{}, 0, false
}

// solveOrder does what solveFor does on exact floats, where p = q means the same value.
func (s *Search) solveOrder(e equality) (ir.Expr, poly.Poly, bool) {
	for _, side := range [2][2]poly.Poly{{e.p, e.q}, {e.q, e.p}} {
		if v, ok := s.variable(side[0]); ok && !s.isBound(v) {
			if a, _ := s.soleAtom(side[0]); !s.occurs(a, side[1]) {
				return v, side[1], true
			}
		}
	}
	return ir.Expr{}, 0, false
}

// variable returns the ir variable that p consists of.
func (s *Search) variable(p poly.Poly) (ir.Expr, bool) {
	a, ok := s.soleAtom(p)
	if !ok || !isOwn(s.ps.Head(a)) || headOp(s.ps.Head(a)) != ir.Var {
		return ir.Expr{}, false
	}
	return s.pool.At(int(headExtra(s.ps.Head(a)))), true
}

func (s *Search) isBound(v ir.Expr) bool {
	_, ok := s.bound[v]
	return ok
}

// occurs reports whether an atom occurs in p, at any depth.
func (s *Search) occurs(a poly.Atom, p poly.Poly) bool {
	for _, t := range s.ps.Terms(p, nil) {
		for _, f := range s.ps.Factors(t.Mono) {
			if poly.Atom(f) == a {
				return true
			}
			if h := s.ps.Head(poly.Atom(f)); isOwn(h) && headOp(h) == ir.Const {
				continue
			}
			for i := range s.ps.NumArgs(poly.Atom(f)) {
				if s.occurs(a, s.ps.Arg(poly.Atom(f), i)) {
					return true
				}
			}
		}
	}
	return false
}

// withBinding goes on with v replaced by to. The facts so far stay true of the old values,
// but their quantities are named by v; they are decided anew, in terms of what is left.
// What other variables were replaced by may mention v, too.
func (s *Search) withBinding(v ir.Expr, to poly.Poly) *proof.Tree {
	facts, carries, rewrites, signed, decided := s.facts, s.carries, s.rewrites, s.signed, append([]int8{}, s.decided...)
	s.facts, s.carries, s.rewrites, s.signed = nil, nil, nil, nil
	bound := maps.Clone(s.bound)
	atom := s.ps.AtomOf(head(ir.Var, v.Type(), 0, uint32(v.ID())))
	for e, p := range bound {
		switch d := s.domain(v.Type()); {
		case e.Type() != v.Type():
		case d != 0:
			s.bound[e] = s.replace(rewrite{d, atom, to}, p)
		case p == s.ps.OfAtom(atom):
			s.bound[e] = to
		}
	}
	s.bound[v] = to
	clear(s.decided)
	s.forget()
	s.depth++
	t := s.solve()
	s.depth--
	s.bound = bound
	s.facts, s.carries, s.rewrites, s.signed = facts, carries, rewrites, signed
	clear(s.decided)
	copy(s.decided, decided)
	s.forget()
	return t
}
