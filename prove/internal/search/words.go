package search

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Leaves that say nothing but their kind are shared: a tree is not written to once it is made.
var (
	leafEqual   = &proof.Tree{Kind: proof.Equal}
	leafVacuous = &proof.Tree{Kind: proof.Vacuous}
	leafAbsurd  = &proof.Tree{Kind: proof.Absurd}
	leafSqueeze = &proof.Tree{Kind: proof.Squeeze}
)

// maxWords bounds the bytes of the conditions of one proof.
const maxWords = 64 << 10

// nameCases says in words what the cases of a proof are. Most splits of a search are in no proof, so
// that this waits until there is one. It is no part of the work of the search: what is proven does not depend on
// whether it is described. Conditions beyond maxWords are left out.
func (s *Search) nameCases(t *proof.Tree) {
	if t == nil || len(s.splitAt) == 0 {
		return
	}
	if d, ok := s.splitAt[t]; ok {
		t.Cond = "…"
		if s.wordsLeft > 0 {
			t.Cond = s.inWords(s.conds[d.cond], d.holds)
			s.wordsLeft -= len(t.Cond)
		}
	}
	s.nameCases(t.Then)
	s.nameCases(t.Else)
	for _, c := range t.Cases {
		s.nameCases(c)
	}
}

// inWords says that a condition holds, or that it does not.
func (s *symbolic) inWords(c condition, holds bool) string {
	var e ir.Expr
	switch c.kind {
	case condBool:
		e = s.exprOf(c.typ, c.p)
	case condNaN:
		e = ir.Make(ir.IsNaN, s.exprOf(c.typ, c.p))
	case condLt:
		e = ir.Make(ir.Lt, s.exprOf(c.typ, c.p), s.exprOf(c.typ, c.q))
	case condLe:
		e = ir.Make(ir.Le, s.exprOf(c.typ, c.p), s.exprOf(c.typ, c.q))
	case condEq:
		e = ir.Make(ir.Eq, s.exprOf(c.typ, c.p), s.exprOf(c.typ, c.q))
	default:
		return s.orderInWords(c, holds)
	}
	if !holds {
		e = ir.NotOf(e)
	}
	return e.String()
}

// orderInWords says p < q, or where it does not hold q <= p. Over the integers and the reals, where
// q is 0, what p subtracts goes to the other side; and of integers a < b + 1 is a <= b.
func (s *symbolic) orderInWords(c condition, holds bool) string {
	var buf [8]poly.Term
	d := s.domain(c.typ)
	if d != poly.Integer && d != poly.Real {
		return comparison(s.exprOf(c.typ, c.p), s.exprOf(c.typ, c.q), holds, holds)
	}
	left, right, strict := []poly.Term{}, []poly.Term{}, holds
	for _, t := range s.ps.Terms(c.p, buf[:0]) {
		switch {
		case t.Coef.N > 0:
			left = append(left, t)
		case d == poly.Integer && t.Coef.N == -1 && len(s.ps.Factors(t.Mono)) == 0:
			strict = !holds
		default:
			right = append(right, opposite(t))
		}
	}
	return comparison(s.sumOf(c.typ, left), s.sumOf(c.typ, right), holds, strict)
}

// comparison writes that a is below b, or b below a.
func comparison(a, b ir.Expr, forwards, strict bool) string {
	if !forwards {
		a, b = b, a
	}
	if strict {
		return ir.LtOf(a, b).String()
	}
	return ir.LeOf(a, b).String()
}

func opposite(t poly.Term) poly.Term {
	t.Coef.N = -t.Coef.N
	return t
}

// maxKept is how many expressions of words are kept for the next problem.
const maxKept = 1 << 12

// typedPoly is a polynomial as a value of a type.
type typedPoly struct {
	typ ir.Type
	p   poly.Poly
}

// exprOf writes a polynomial as an expression of the pool for words, for people: coefficients are
// not checked to fit the type. Polynomials that share atoms can be exponentially larger than the space that
// they are in, so that each is written once.
func (s *symbolic) exprOf(t ir.Type, p poly.Poly) ir.Expr {
	if s.written == nil {
		s.written = map[typedPoly]ir.Expr{}
	}
	if e, ok := s.written[typedPoly{t, p}]; ok {
		return e
	}
	var buf [8]poly.Term
	e := s.sumOf(t, s.ps.Terms(p, buf[:0]))
	s.written[typedPoly{t, p}] = e
	return e
}

// sumOf writes a sum of terms: those that are added, less those that are subtracted.
func (s *symbolic) sumOf(t ir.Type, terms []poly.Term) (sum ir.Expr) {
	for _, term := range slices.Backward(terms) {
		if term.Coef.N > 0 {
			sum = added(sum, s.termExpr(t, term))
		}
	}
	for _, term := range slices.Backward(terms) {
		switch {
		case term.Coef.N >= 0:
		case sum.IsValid():
			sum = ir.SubOf(sum, s.termExpr(t, opposite(term)))
		default:
			sum = s.termExpr(t, term)
		}
	}
	if !sum.IsValid() {
		return s.words.Int(t, 0)
	}
	return sum
}

// added returns a + b, or b where there is no a.
func added(a, b ir.Expr) ir.Expr {
	if !a.IsValid() {
		return b
	}
	return ir.AddOf(a, b)
}

func (s *symbolic) termExpr(t ir.Type, term poly.Term) ir.Expr {
	c := s.words.Int(t, term.Coef.N)
	if t.IsFloat() && term.Coef.D != 1 {
		c = ir.DivOf(c, s.words.Int(t, term.Coef.D))
	}
	var e ir.Expr
	for _, f := range s.ps.Factors(term.Mono) {
		a := s.atomExpr(t, poly.Atom(f))
		if !e.IsValid() {
			e = a
		} else {
			e = ir.MulOf(e, a)
		}
	}
	switch {
	case !e.IsValid():
		return c
	case term.Coef == poly.Coef{N: 1, D: 1}:
		return e
	case term.Coef == poly.Coef{N: -1, D: 1}:
		return ir.Make(ir.Neg, e)
	}
	return ir.MulOf(c, e)
}

func (s *symbolic) atomExpr(t ir.Type, a poly.Atom) ir.Expr {
	if q, ok := s.ps.IsInverse(a); ok {
		return ir.DivOf(s.words.Int(t, 1), s.exprOf(t, q))
	}
	if s.ps.IsConjunction(a) {
		e := s.exprOf(t, s.ps.Arg(a, 0))
		for i := 1; i < s.ps.NumArgs(a); i++ {
			e = ir.Make(ir.BitAnd, e, s.exprOf(t, s.ps.Arg(a, i)))
		}
		return e
	}
	h := s.ps.Head(a)
	switch op := headOp(h); op {
	case ir.Const:
		return s.words.Const(headType(h), uint64(s.ps.Arg(a, 0))|uint64(s.ps.Arg(a, 1))<<32)
	case ir.Var:
		return s.words.Import(s.pool.At(int(headExtra(h))))[0]
	case ir.Call:
		return s.words.Placeholder(ir.Leaf, s.callText(a), 0, headType(h))
	case ir.Cast:
		return ir.CastTo(headType(h), s.exprOf(headFromType(h), s.ps.Arg(a, 0)))
	default:
		args := make([]ir.Expr, s.ps.NumArgs(a))
		for i := range args {
			args[i] = s.exprOf(headFromType(h), s.ps.Arg(a, i))
		}
		return operation(op, args)
	}
}

// operation writes an atom of an operator. That of gcd has a set of operands without 0, of which a single one stands
// for its absolute value.
func operation(op ir.Op, args []ir.Expr) ir.Expr {
	if op != ir.Gcd {
		return ir.Make(op, args...)
	}
	if len(args) == 1 {
		return ir.Make(ir.Abs, args[0])
	}
	e := args[0]
	for _, a := range args[1:] {
		e = ir.Make(ir.Gcd, e, a)
	}
	return e
}
