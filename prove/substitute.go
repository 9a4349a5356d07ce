package prove

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
)

// substitute uses an equation that the facts imply, p = q for a decided p < q: a variable
// that occurs in it once is replaced by what it equals, everywhere.
func (s *search) substitute() *Tree {
	for i, f := range s.facts {
		if f.kind != condLess || !s.forcedEqual(f.typ, f.p, f.q) {
			continue
		}
		v, to, ok := s.solveFor(f)
		if !ok {
			continue
		}
		tree := s.withBinding(v, to)
		if tree == nil {
			return nil
		}
		return &Tree{Kind: Substitute, Place: i, Var: v.Name(), Then: tree}
	}
	return nil
}

// solveFor finds a variable of the equation p = q that it determines, and its value.
func (s *search) solveFor(f fact) (ir.Expr, canon.Poly, bool) {
	d := s.domain(f.typ)
	if d == 0 {
		return s.solveOrder(f)
	}
	diff := s.ps.Add(d, f.p, -1, f.q)
	for _, term := range s.ps.Terms(diff, nil) {
		v, ok := s.variable(s.ps.OfMono(term.Mono))
		c := term.Coef
		if !ok || d != canon.Real && c.N != 1 && c.N != -1 {
			continue
		}
		atom, _ := s.soleAtom(s.ps.OfMono(term.Mono))
		inverse := canon.Coef{N: -c.D, D: c.N}
		if inverse.D < 0 {
			inverse = canon.Coef{N: -inverse.N, D: -inverse.D}
		}
		rest := s.ps.Sum(d, append(s.ps.Terms(diff, nil), canon.Term{Mono: term.Mono, Coef: canon.Coef{N: -c.N, D: c.D}}))
		if !s.occurs(atom, rest) {
			return v, s.ps.Scale(d, inverse, rest), true
		}
	}
	return ir.Expr{}, 0, false
}

// solveOrder is solveFor on exact floats, where p = q means the same value.
func (s *search) solveOrder(f fact) (ir.Expr, canon.Poly, bool) {
	for _, side := range [2][2]canon.Poly{{f.p, f.q}, {f.q, f.p}} {
		if v, ok := s.variable(side[0]); ok {
			if a, _ := s.soleAtom(side[0]); !s.occurs(a, side[1]) {
				return v, side[1], true
			}
		}
	}
	return ir.Expr{}, 0, false
}

// variable is the ir variable that p consists of.
func (s *search) variable(p canon.Poly) (ir.Expr, bool) {
	a, ok := s.soleAtom(p)
	if !ok || !isOwn(s.ps.Head(a)) || headOp(s.ps.Head(a)) != ir.Var {
		return ir.Expr{}, false
	}
	return s.pool.At(int(headExtra(s.ps.Head(a)))), true
}

// occurs reports whether an atom occurs in p, at any depth.
func (s *search) occurs(a canon.Atom, p canon.Poly) bool {
	for _, t := range s.ps.Terms(p, nil) {
		for _, f := range s.ps.Factors(t.Mono) {
			if canon.Atom(f) == a {
				return true
			}
			if h := s.ps.Head(canon.Atom(f)); isOwn(h) && headOp(h) == ir.Const {
				continue
			}
			for i := range s.ps.NumArgs(canon.Atom(f)) {
				if s.occurs(a, s.ps.Arg(canon.Atom(f), i)) {
					return true
				}
			}
		}
	}
	return false
}

// withBinding goes on with v replaced by to. The facts so far stay true of the old values,
// but their quantities are named by v; they are decided anew, in terms of what is left.
func (s *search) withBinding(v ir.Expr, to canon.Poly) *Tree {
	if len(s.bound) >= 4 {
		return nil
	}
	facts, carries, decided := s.facts, s.carries, append([]int8{}, s.decided...)
	s.facts, s.carries = nil, map[canon.Poly]int64{}
	s.bound[v] = to
	clear(s.decided)
	s.forget()
	s.depth++
	t := s.solve()
	s.depth--
	delete(s.bound, v)
	s.facts, s.carries = facts, carries
	clear(s.decided)
	copy(s.decided, decided)
	s.forget()
	return t
}
