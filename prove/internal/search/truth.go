package search

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
)

// truth returns the value of a boolean expression.
func (s *symbolic) truth(e ir.Expr) (value, ok bool) {
	switch s.lookup(e) {
	case knownFalse:
		return false, true
	case knownTrue:
		return true, true
	}
	s.evaluated++
	value, ok = s.evalTruth(e)
	if ok {
		k := knownFalse
		if value {
			k = knownTrue
		}
		s.remember(e, k, 0)
	}
	return value, ok
}

func (s *symbolic) evalTruth(e ir.Expr) (bool, bool) {
	switch e.Op() {
	case ir.Const:
		return e.Value() != 0, true
	case ir.Var:
		return s.decide(condition{condBool, ir.Bool, s.ps.OfAtom(s.ps.AtomOf(head(ir.Var, ir.Bool, 0, uint32(e.ID())))), 0})
	case ir.Call:
		p, ok := s.call(e)
		if !ok {
			return false, false
		}
		return s.decide(condition{condBool, ir.Bool, p, 0})
	case ir.Not:
		v, ok := s.truth(e.Arg(0))
		return !v, ok
	case ir.And:
		v, ok := s.truth(e.Arg(0))
		if !ok || !v {
			return false, ok
		}
		return s.truth(e.Arg(1))
	case ir.Or:
		v, ok := s.truth(e.Arg(0))
		if !ok || v {
			return v, ok
		}
		return s.truth(e.Arg(1))
	case ir.Select:
		v, ok := s.truth(e.Arg(0))
		if !ok {
			return false, false
		}
		if v {
			return s.truth(e.Arg(1))
		}
		return s.truth(e.Arg(2))
	}
	left, right := e.Arg(0), ir.Expr{}
	if e.NumArgs() == 2 {
		left, right = compared(e)
	}
	a, ok := s.number(left)
	if !ok {
		return false, false
	}
	t := left.Type()
	switch e.Op() {
	case ir.IsNaN:
		return s.isNaN(t, a)
	case ir.Cast:
		v, ok := s.equal(t, a, s.literal(t, 0))
		return !v, ok
	}
	b, ok := s.number(right)
	if !ok {
		return false, false
	}
	return s.compare(e.Op(), t, a, b)
}

// compared returns the operands of a comparison: x ^ y == 0 is x == y, and so is x - y == 0,
// whether integers wrap or not.
func compared(e ir.Expr) (a, b ir.Expr) {
	a, b = e.Arg(0), e.Arg(1)
	if e.Op() != ir.Eq && e.Op() != ir.Ne || !a.Type().IsInt() {
		return a, b
	}
	if a.IsConst(0) {
		a, b = b, a
	}
	if b.IsConst(0) && (a.Op() == ir.BitXor || a.Op() == ir.Sub) {
		return a.Arg(0), a.Arg(1)
	}
	return e.Arg(0), e.Arg(1)
}

func (s *symbolic) compare(op ir.Op, t ir.Type, a, b poly.Poly) (bool, bool) {
	switch op {
	case ir.Gt:
		return s.compare(ir.Lt, t, b, a)
	case ir.Ge:
		return s.compare(ir.Le, t, b, a)
	}
	if s.predicates && t.IsFloat() && s.domain(t) == 0 && a != b {
		return s.predicate(op, t, a, b)
	}
	switch op {
	case ir.Lt:
		return s.less(t, a, b)
	case ir.Eq:
		return s.equal(t, a, b)
	case ir.Ne:
		v, ok := s.equal(t, a, b)
		return !v, ok
	}
	if nan, ok := s.eitherNaN(t, a, b); !ok || nan { // a <= b
		return false, ok
	}
	v, ok := s.less(t, b, a)
	return !v, ok
}

// predicate returns the value of a comparison of floats of which nothing is used but that it depends on
// both values alone, that a != b is the opposite of a == b, and that under nnan a <= b is the opposite of
// b < a.
func (s *symbolic) predicate(op ir.Op, t ir.Type, a, b poly.Poly) (bool, bool) {
	switch {
	case op == ir.Lt:
		return s.decide(condition{condLt, t, a, b})
	case op == ir.Le && !s.assume.Has(ir.NNaN):
		return s.decide(condition{condLe, t, a, b})
	case op == ir.Le:
		v, ok := s.decide(condition{condLt, t, b, a})
		return !v, ok
	}
	v, ok := s.decide(condition{condEq, t, a, b})
	return v == (op == ir.Eq), ok
}

func (s *symbolic) eitherNaN(t ir.Type, a, b poly.Poly) (bool, bool) {
	if nan, ok := s.isNaN(t, a); !ok || nan {
		return nan, ok
	}
	return s.isNaN(t, b)
}

// less reports whether a < b as the language has it: on floats false where one is NaN, and −0 is not
// less than +0.
func (s *symbolic) less(t ir.Type, a, b poly.Poly) (bool, bool) {
	if nan, ok := s.eitherNaN(t, a, b); !ok || nan {
		return false, ok
	}
	lt, ok := s.below(t, a, b)
	if !ok || !lt || !t.IsFloat() || s.domain(t) != 0 || s.assume.Has(ir.NSZ) {
		return lt, ok
	}
	zeros, ok := s.same(t, a, s.literal(t, ir.Apply1(ir.Neg, t, t, 0)))
	if !ok || !zeros {
		return true, ok
	}
	zeros, ok = s.same(t, b, s.literal(t, 0))
	return !zeros, ok
}

// equal reports whether a == b as the language has it.
func (s *symbolic) equal(t ir.Type, a, b poly.Poly) (bool, bool) {
	if t == ir.Bool {
		return a == b, true
	}
	if nan, ok := s.eitherNaN(t, a, b); !ok || nan {
		return false, ok
	}
	if lt, ok := s.less(t, a, b); !ok || lt {
		return false, ok
	}
	lt, ok := s.less(t, b, a)
	return !lt, ok
}

// same reports whether neither value is below the other.
func (s *symbolic) same(t ir.Type, a, b poly.Poly) (bool, bool) {
	if a == b {
		return true, true
	}
	if lt, ok := s.below(t, a, b); !ok || lt {
		return false, ok
	}
	lt, ok := s.below(t, b, a)
	return !lt, ok
}

// below reports whether a is below b in the total order of the type's values other than NaN: −0 is below +0 on exact
// floats. Where there is a ring without wrapping, only the difference counts.
func (s *symbolic) below(t ir.Type, a, b poly.Poly) (bool, bool) {
	if a == b {
		return false, true
	}
	switch s.domain(t) {
	case poly.Integer:
		return s.belowInteger(t, a, b)
	case poly.Real:
		return s.belowReal(t, a, b)
	}
	x, xok := s.orderKey(t, a)
	y, yok := s.orderKey(t, b)
	switch {
	case xok && yok:
		d, _ := x.add(y.neg())
		return d.sign() < 0, true
	case yok && s.isLimit(t, b, false), xok && s.isLimit(t, a, true):
		return false, true
	}
	if t.IsInt() && s.complemented(a) && s.complemented(b) { // ~ reverses the order
		d := s.domain(t)
		a, b = s.ps.BitNot(d, b), s.ps.BitNot(d, a)
	}
	return s.decide(condition{condLess, t, a, b})
}

// complemented reports whether no coefficient of p, apart from the constant, is positive.
// That does not depend on the order in which monomials are numbered.
func (s *symbolic) complemented(p poly.Poly) bool {
	for i := range s.ps.Len(p) {
		t := s.ps.Term(p, i)
		if t.Mono != poly.One && t.Coef.N > 0 {
			return false
		}
	}
	return true
}

// orderKey returns the place of a literal in the order of its type, as an integer.
func (s *symbolic) orderKey(t ir.Type, p poly.Poly) (wide, bool) {
	if t.IsInt() {
		c, ok := s.ps.IsConst(p)
		return wideOfValue(t.IsSigned(), t.Wrap(uint64(c.N))), ok
	}
	v, ok := s.constBits(p)
	if !ok {
		return wide{}, false
	}
	return wideOf(floatKey(t, v)), true
}

// floatKey maps the floats other than NaN to integers in their order, −0 next below +0.
func floatKey(t ir.Type, v uint64) int64 {
	if t == ir.F32 {
		v = uint64(int64(int32(uint32(v))))
	}
	if int64(v) < 0 {
		mask := uint64(math.MaxInt64)
		if t == ir.F32 {
			mask = math.MaxInt32
		}
		return -int64(v&mask) - 1
	}
	return int64(v)
}

func (s *symbolic) isLimit(t ir.Type, p poly.Poly, high bool) bool {
	v := t.Min()
	if high {
		v = t.Max()
	}
	return p == s.literal(t, v)
}

// belowInteger brings Σ c·m + k < 0 to coprime coefficients with a positive last one.
func (s *symbolic) belowInteger(t ir.Type, a, b poly.Poly) (bool, bool) {
	d := s.ps.Add(poly.Integer, a, -1, b)
	if c, ok := s.ps.IsConst(d); ok {
		return c.N < 0, true
	}
	ts := s.ps.Terms(d, nil)
	var g int64
	for _, term := range ts {
		if term.Mono != poly.One {
			g = gcd(g, term.Coef.N)
		}
	}
	k := int64(0)
	for i, term := range ts {
		if term.Mono == poly.One {
			k = term.Coef.N
		}
		ts[i].Coef.N /= g
	}
	if ts[0].Mono == poly.One {
		// S·g + k < 0  ⇔  S ≤ ⌊(−k−1)/g⌋  ⇔  S − ⌊(−k−1)/g⌋ − 1 < 0
		q, _ := floorDiv(-k-1, g)
		ts[0].Coef.N = -q - 1
	}
	negate := ts[len(ts)-1].Coef.N < 0
	d = s.ps.Sum(poly.Integer, ts)
	if negate { // d < 0 ⇔ ¬(−d − 1 < 0)
		d = s.ps.Add(poly.Integer, s.ps.Int(poly.Integer, -1), -1, d)
	}
	v, ok := s.decide(condition{condLess, t, d, poly.Zero})
	if !ok {
		s.flip = negate
	}
	return v != negate, ok
}

func (s *symbolic) belowReal(t ir.Type, a, b poly.Poly) (bool, bool) {
	d := s.ps.Add(poly.Real, a, -1, b)
	if c, ok := s.ps.IsConst(d); ok {
		return c.N < 0, true
	}
	ts := s.ps.Terms(d, nil)
	lead := ts[len(ts)-1].Coef
	scale := poly.Coef{N: lead.D, D: max(lead.N, -lead.N)}
	d = s.ps.Scale(poly.Real, scale, d)
	if f, ok := s.finiteLiteral(t, d); ok {
		return f < 0, true
	}
	if f, ok := s.finiteLiteral(t, s.ps.Scale(poly.Real, poly.Coef{N: -1, D: 1}, d)); ok {
		return f > 0, true
	}
	return s.decide(condition{condLess, t, d, poly.Zero})
}

// finiteLiteral returns the value of a literal that is an atom, such as 0.9; not ok of NaN and of ∞.
func (s *symbolic) finiteLiteral(t ir.Type, p poly.Poly) (f float64, ok bool) {
	v, ok := s.constBits(p)
	f = ir.Float(t, v)
	return f, ok && f-f == 0
}

// fewConditions is how many are found faster by comparing than by hashing.
const fewConditions = 8

// condition returns the number of a condition that evaluation has met.
func (s *symbolic) condition(c condition) (id int, met bool) {
	if len(s.conds) > fewConditions {
		id, met = s.condIDs[c]
		return id, met
	}
	id = slices.Index(s.conds, c)
	return id, id >= 0
}

// decide looks an atomic condition up among the decisions.
func (s *symbolic) decide(c condition) (value, ok bool) {
	id, seen := s.condition(c)
	if !seen {
		id = len(s.conds)
		s.conds = append(s.conds, c)
		s.decided = append(s.decided, 0)
		if id >= fewConditions {
			for len(s.condIDs) < len(s.conds) {
				n := len(s.condIDs)
				s.condIDs[s.conds[n]] = n
			}
		}
	}
	switch s.decided[id] {
	case 1:
		return true, true
	case -1:
		return false, true
	}
	s.need, s.flip = id, false
	return false, false
}
