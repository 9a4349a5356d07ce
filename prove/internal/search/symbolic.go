package search

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/internal/reuse"
	"github.com/rfactor-go/rfactor/ir"
)

// symbolic evaluates expressions under decided conditions: numbers become polynomials,
// conditions true or false. Where a condition is not decided yet, evaluation stops and
// names it, and the search splits on it.
type symbolic struct {
	ps         *poly.Space
	assume     ir.Assume
	pool       *ir.Pool
	names      map[string]uint32
	nameOf     []string
	bound      map[ir.Expr]poly.Poly // variables replaced by what facts say they equal
	words      *ir.Pool              // of what is written for people …
	written    map[typedPoly]ir.Expr // … for the present problem
	conds      []condition
	condIDs    map[condition]int // once there are many
	decided    []int8            // of each condition: 1 true, −1 false, 0 open
	predicates bool              // comparisons of floats are predicates of both values; see Predicates of proof.Kind
	choices    bool              // selects are unknown numbers; see Choices of proof.Kind
	need       int               // the undecided condition at which evaluation stopped
	flip       bool              // evaluation asked for its negation

	// value of each expression of the pool under the present decisions; decisions are only
	// ever added, so values hold until the trail is cut back
	known      []uint8
	value      []poly.Poly
	trail      []uint32
	generation int // counts calls of forget
	evaluated  int // expressions, since a node of the case tree was charged for
}

// condition is an atomic condition on polynomials.
type condition struct {
	kind condKind
	typ  ir.Type
	p, q poly.Poly
}

type condKind uint8

const (
	condLess condKind = iota // p < q in the order of the type; over ℤ and ℚ q is 0
	condBool                 // the boolean atom p
	condNaN                  // p is NaN
	condLt                   // p < q of floats as a predicate of which nothing else is known
	condLe                   // p <= q likewise
	condEq                   // p == q likewise
)

// Values of expressions of type bool are kept as these polynomials' numbers.
const (
	unknownValue uint8 = iota
	knownNumber
	knownFalse
	knownTrue
)

func newSymbolic() *symbolic {
	return &symbolic{ps: poly.NewSpace(), names: map[string]uint32{}, condIDs: map[condition]int{}, bound: map[ir.Expr]poly.Poly{}}
}

// start begins a new problem over the expressions of a pool.
func (s *symbolic) start(pool *ir.Pool, assume ir.Assume) {
	s.ps.Reset()
	s.pool, s.assume = pool, assume
	s.names, s.condIDs, s.bound = reuse.Map(s.names), reuse.Map(s.condIDs), reuse.Map(s.bound)
	if s.written = nil; s.words == nil || s.words.Len() > maxKept {
		s.words = ir.NewPool()
	}
	s.nameOf, s.conds, s.decided = s.nameOf[:0], s.conds[:0], s.decided[:0]
	s.forget()
}

// forget drops all values, as when a variable is bound.
func (s *symbolic) forget() {
	n := s.pool.Len()
	if cap(s.known) < n {
		s.known, s.value = make([]uint8, n+n/2), make([]poly.Poly, n+n/2)
	}
	s.known, s.value = s.known[:n], s.value[:n]
	clear(s.known)
	s.trail = s.trail[:0]
	s.generation++
}

// mark is a moment to which cutTrail can go back.
type mark struct{ length, generation int }

func (s *symbolic) mark() mark { return mark{len(s.trail), s.generation} }

// cutTrail forgets the values found since the mark; all of them where some of those before
// it were forgotten meanwhile, since then positions mean nothing.
func (s *symbolic) cutTrail(m mark) {
	if m.generation != s.generation {
		s.forget()
		return
	}
	for _, id := range s.trail[m.length:] {
		s.known[id] = unknownValue
	}
	s.trail = s.trail[:m.length]
}

func (s *symbolic) remember(e ir.Expr, k uint8, p poly.Poly) {
	id := e.ID()
	for id >= len(s.known) {
		s.known, s.value = append(s.known, unknownValue), append(s.value, 0)
	}
	s.known[id], s.value[id] = k, p
	s.trail = append(s.trail, uint32(id))
}

func (s *symbolic) lookup(e ir.Expr) uint8 {
	if id := e.ID(); id < len(s.known) {
		return s.known[id]
	}
	return unknownValue
}

func (s *symbolic) domain(t ir.Type) poly.Domain { return poly.DomainOf(t, s.assume) }

// number returns the value of a numeric expression, or of a boolean one as 0 or 1.
func (s *symbolic) number(e ir.Expr) (poly.Poly, bool) {
	switch s.lookup(e) {
	case knownNumber:
		return s.value[e.ID()], true
	case knownFalse:
		return poly.Zero, true
	case knownTrue:
		return s.ps.Int(poly.Integer, 1), true
	}
	if e.Type() == ir.Bool {
		t, ok := s.truth(e)
		if !ok {
			return 0, false
		}
		if t {
			return s.ps.Int(poly.Integer, 1), true
		}
		return poly.Zero, true
	}
	s.evaluated++
	if s.ps.Overflow { // nothing means anything any more
		return 0, false
	}
	p, ok := s.evalNumber(e)
	if ok {
		s.remember(e, knownNumber, p)
	}
	return p, ok
}

func (s *symbolic) evalNumber(e ir.Expr) (poly.Poly, bool) {
	t := e.Type()
	switch e.Op() {
	case ir.Const:
		return s.literal(t, e.Value()), true
	case ir.Var:
		if b, ok := s.bound[e]; ok {
			return b, true
		}
		return s.ps.OfAtom(s.ps.AtomOf(head(ir.Var, t, 0, uint32(e.ID())))), true
	case ir.Select:
		if s.choices && !mentionsLimit(e) {
			return s.ps.OfAtom(s.ps.AtomOf(head(ir.Select, t, 0, uint32(e.ID())))), true
		}
		c, ok := s.truth(e.Arg(0))
		if !ok {
			return 0, false
		}
		if c {
			return s.number(e.Arg(1))
		}
		return s.number(e.Arg(2))
	case ir.Call:
		return s.call(e)
	}
	a, ok := s.number(e.Arg(0))
	if !ok {
		return 0, false
	}
	if e.NumArgs() == 1 {
		return s.unary(e.Op(), e.Arg(0).Type(), t, a)
	}
	b, ok := s.number(e.Arg(1))
	if !ok {
		return 0, false
	}
	return s.binary(e.Op(), t, a, b)
}

func (s *symbolic) unary(op ir.Op, from, t ir.Type, a poly.Poly) (poly.Poly, bool) {
	d := s.domain(t)
	switch op {
	case ir.Neg:
		if v, ok := s.constBits(a); ok && d == poly.Real && math.IsNaN(ir.Float(t, v)) {
			return a, true
		}
		if d != 0 {
			return s.ps.Scale(d, poly.Coef{N: -1, D: 1}, a), true
		}
		return s.floatNeg(t, a), true
	case ir.Abs:
		return s.abs(t, a)
	case ir.BitNot:
		if d == poly.Integer && !t.IsSigned() {
			return s.ps.Add(d, s.literal(t, t.Max()), -1, a), true
		}
		return s.ps.BitNot(d, a), true
	case ir.Cast:
		return s.cast(t, from, a), true
	case ir.Floor:
		if d == poly.Real {
			return s.floor(t, a), true
		}
	case ir.Exp, ir.Log, ir.Log1p:
		switch {
		case d != poly.Real || !s.assume.Has(ir.AFN):
		case op == ir.Exp:
			return s.exponential(t, a), true
		case op == ir.Log1p:
			return s.logarithm(t, s.ps.Add(d, s.ps.Int(d, 1), 1, a)), true
		default:
			return s.logarithm(t, a), true
		}
	}
	return s.opaque(op, t, from, a), true // sqrt, exp, popcount and the like
}

func (s *symbolic) abs(t ir.Type, a poly.Poly) (poly.Poly, bool) {
	d := s.domain(t)
	if t.IsUnsigned() {
		return a, true
	}
	if v, ok := s.constBits(a); ok && d == 0 {
		return s.literal(t, ir.Apply1(ir.Abs, t, t, v)), true
	}
	if _, literal := s.ps.IsConst(a); d == 0 || d == poly.Real && !s.assume.Has(ir.NNaN|ir.NSZ) && !literal {
		if at, ok := s.soleAtom(a); ok && headOp(s.ps.Head(at)) == ir.Neg && isOwn(s.ps.Head(at)) {
			a = s.ps.Arg(at, 0)
		}
		return s.opaque(ir.Abs, t, t, a), true
	}
	neg, ok := s.less(t, a, s.literal(t, 0))
	if !ok || !neg {
		return a, ok
	}
	return s.ps.Scale(d, poly.Coef{N: -1, D: 1}, a), true
}

func (s *symbolic) binary(op ir.Op, t ir.Type, a, b poly.Poly) (poly.Poly, bool) {
	d := s.domain(t)
	if op <= ir.Div && d == poly.Real { // NaN stays NaN
		for _, p := range [2]poly.Poly{a, b} {
			if v, ok := s.constBits(p); ok && math.IsNaN(ir.Float(t, v)) {
				return p, true
			}
		}
	}
	switch op {
	case ir.Min, ir.Max:
		return s.minMax(op, t, a, b)
	case ir.Add, ir.Sub, ir.Mul:
		return s.arithmetic(op, t, a, b), true
	case ir.Div:
		if d == poly.Real {
			if b == poly.Zero {
				return s.opaque(op, t, t, a, b), true
			}
			return s.quotient(a, b), true
		}
		if x, ok := s.constBits(a); ok && t.IsFloat() {
			if y, ok := s.constBits(b); ok {
				return s.literal(t, ir.Apply2(op, t, x, y)), true
			}
		}
		return s.divideWord(t, a, b)
	case ir.Mod:
		return s.modulo(t, a, b), true
	case ir.BitAnd, ir.BitOr, ir.BitXor:
		return s.bitwise(op, t, a, b), true
	case ir.Shl, ir.Shr:
		if op == ir.Shl {
			return s.shiftLeft(t, a, b)
		}
		return s.shiftRight(t, a, b)
	case ir.SatAdd, ir.SatSub:
		return s.saturate(op, t, a, b)
	case ir.Gcd:
		return s.gcd(t, a, b), true
	}
	if c, ok := s.ps.IsConst(b); ok && d == poly.Real && s.assume.Has(ir.AFN) && c.D == 1 && c.N > 0 && c.N <= maxExponent {
		power := a
		for range c.N - 1 {
			power = s.product(power, a)
		}
		return power, true
	}
	return s.opaque(op, t, t, a, b), true // pow
}

// gcd returns the greatest common divisor of its operands. It flattens operands that are gcds, drops zeros and duplicates, and sorts.
func (s *symbolic) gcd(t ir.Type, operands ...poly.Poly) poly.Poly {
	var set []poly.Poly
	for _, p := range operands {
		at, ok := s.soleAtom(p)
		switch {
		case ok && s.ps.Head(at) == head(ir.Gcd, t, t, 0):
			for i := range s.ps.NumArgs(at) {
				set = append(set, s.ps.Arg(at, i))
			}
		case p != poly.Zero:
			set = append(set, p)
		}
	}
	slices.Sort(set)
	set = slices.Compact(set)
	if len(set) == 0 || len(set) == 1 && t.IsUnsigned() {
		return append(set, poly.Zero)[0]
	}
	return s.opaque(ir.Gcd, t, t, set...)
}

func (s *symbolic) arithmetic(op ir.Op, t ir.Type, a, b poly.Poly) poly.Poly {
	d := s.domain(t)
	switch {
	case d == 0:
		return s.floatArithmetic(op, t, a, b)
	case op == ir.Add:
		return s.ps.Add(d, a, 1, b)
	case op == ir.Sub:
		return s.ps.Add(d, a, -1, b)
	case d == poly.Real:
		return s.product(a, b)
	}
	for _, q := range [2][2]poly.Poly{{a, b}, {b, a}} {
		if c, ok := s.ps.IsConst(q[1]); ok {
			if p, ok := s.multiple(t, q[0], c.N); ok {
				return p
			}
		}
	}
	return s.ps.Mul(d, a, b)
}

// minMax decides which operand is the result. Floats that may be NaN propagate it.
func (s *symbolic) minMax(op ir.Op, t ir.Type, a, b poly.Poly) (poly.Poly, bool) {
	if a == b {
		return a, true
	}
	for _, p := range []poly.Poly{a, b} {
		if nan, ok := s.isNaN(t, p); !ok || nan {
			return s.literal(t, ir.FloatBits(t, math.NaN())), ok
		}
	}
	if s.domain(t) == poly.Real { // where −∞ and ∞ are no numbers, but still limits
		switch {
		case s.isLimit(t, b, op == ir.Min):
			return a, true
		case s.isLimit(t, a, op == ir.Min):
			return b, true
		}
	}
	lt, ok := s.below(t, a, b)
	if lt == (op == ir.Min) {
		return a, ok
	}
	return b, ok
}
