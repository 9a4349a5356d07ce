package prove

import (
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
)

// symbolic evaluates expressions under decided conditions: numbers become polynomials,
// conditions true or false. Where a condition is not decided yet, evaluation stops and
// names it, and the search splits on it.
type symbolic struct {
	ps      *canon.Polys
	assume  ir.Assume
	pool    *ir.Pool
	names   map[string]uint32
	nameOf  []string
	bound   map[ir.Expr]canon.Poly // variables replaced by what facts say they equal
	conds   []condition
	condIDs map[condition]int
	decided []int8 // of each condition: 1 true, −1 false, 0 open
	need    int    // the undecided condition at which evaluation stopped
	flip    bool   // evaluation asked for its negation

	// value of each expression of the pool under the present decisions; decisions are only
	// ever added, so values hold until the trail is cut back
	known      []uint8
	value      []canon.Poly
	trail      []uint32
	generation int // counts calls of forget
}

// condition is an atomic condition on polynomials.
type condition struct {
	kind condKind
	typ  ir.Type
	p, q canon.Poly
}

type condKind uint8

const (
	condLess condKind = iota // p < q in the order of the type; over ℤ and ℚ q is 0
	condBool                 // the boolean atom p
	condNaN                  // p is NaN
)

// Values of expressions of type bool are kept as these polynomials' numbers.
const (
	unknownValue uint8 = iota
	knownNumber
	knownFalse
	knownTrue
)

func newSymbolic() *symbolic {
	return &symbolic{ps: canon.NewPolys(), names: map[string]uint32{}, condIDs: map[condition]int{}, bound: map[ir.Expr]canon.Poly{}}
}

// start begins a new problem over the expressions of a pool.
func (s *symbolic) start(pool *ir.Pool, assume ir.Assume) {
	s.ps.Reset()
	s.pool, s.assume = pool, assume
	clear(s.names)
	clear(s.condIDs)
	clear(s.bound)
	s.nameOf, s.conds, s.decided = s.nameOf[:0], s.conds[:0], s.decided[:0]
	s.forget()
}

// forget drops all values, as when a variable is bound.
func (s *symbolic) forget() {
	n := s.pool.Len()
	if cap(s.known) < n {
		s.known, s.value = make([]uint8, n+n/2), make([]canon.Poly, n+n/2)
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

func (s *symbolic) remember(e ir.Expr, k uint8, p canon.Poly) {
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

func (s *symbolic) domain(t ir.Type) canon.Domain { return canon.DomainOf(t, s.assume) }

// number is the value of a numeric expression, or of a boolean one as 0 or 1.
func (s *symbolic) number(e ir.Expr) (canon.Poly, bool) {
	switch s.lookup(e) {
	case knownNumber:
		return s.value[e.ID()], true
	case knownFalse:
		return canon.Zero, true
	case knownTrue:
		return s.ps.Int(canon.Integer, 1), true
	}
	if e.Type() == ir.Bool {
		t, ok := s.truth(e)
		if !ok {
			return 0, false
		}
		if t {
			return s.ps.Int(canon.Integer, 1), true
		}
		return canon.Zero, true
	}
	p, ok := s.evalNumber(e)
	if ok {
		s.remember(e, knownNumber, p)
	}
	return p, ok
}

func (s *symbolic) evalNumber(e ir.Expr) (canon.Poly, bool) {
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

// head packs what an atom is into its head word. extra has at most 31 bits.
func head(op ir.Op, t, from ir.Type, extra uint32) uint64 {
	return uint64(op) | uint64(t)<<8 | uint64(from)<<16 | uint64(extra)<<32
}

func headOp(h uint64) ir.Op         { return ir.Op(h) }
func headType(h uint64) ir.Type     { return ir.Type(h >> 8) }
func headFromType(h uint64) ir.Type { return ir.Type(h >> 16) }
func headExtra(h uint64) uint32     { return uint32(h >> 32) }

// isOwn tells atoms made here from those that canon.Polys makes.
func isOwn(h uint64) bool { return h>>63 == 0 }

// literal is a constant: a coefficient where the domain has it, else an atom.
func (s *symbolic) literal(t ir.Type, v uint64) canon.Poly {
	d := s.domain(t)
	if t.IsInt() {
		if d == canon.Integer && t == ir.U64 && int64(v) < 0 {
			return s.literalAtom(t, v)
		}
		return s.ps.Int(d, int64(v))
	}
	if s.assume.Has(ir.NSZ) && ir.Float(t, v) == 0 {
		v = 0
	}
	if d == canon.Real {
		if c, ok := rational(ir.Float(t, v)); ok {
			return s.ps.Const(d, c)
		}
	}
	return s.literalAtom(t, v)
}

func (s *symbolic) literalAtom(t ir.Type, v uint64) canon.Poly {
	return s.ps.OfAtom(s.ps.AtomOf(head(ir.Const, t, 0, 0), canon.Poly(uint32(v)), canon.Poly(uint32(v>>32))))
}

// constBits is the value of a literal of a type without a ring.
func (s *symbolic) constBits(p canon.Poly) (uint64, bool) {
	a, ok := s.soleAtom(p)
	if !ok || !isOwn(s.ps.Head(a)) || headOp(s.ps.Head(a)) != ir.Const {
		return 0, false
	}
	return uint64(s.ps.Arg(a, 0)) | uint64(s.ps.Arg(a, 1))<<32, true
}

// soleAtom is the atom that p consists of.
func (s *symbolic) soleAtom(p canon.Poly) (canon.Atom, bool) {
	m, ok := s.ps.IsMono(p)
	if !ok || len(s.ps.Factors(m)) != 1 {
		return 0, false
	}
	return canon.Atom(s.ps.Factors(m)[0]), true
}

// rational is f as a fraction of small integers, where it is one.
func rational(f float64) (canon.Coef, bool) {
	for shift := 0; shift <= 40; shift++ {
		if g := math.Ldexp(f, shift); g == math.Trunc(g) {
			return canon.Coef{N: int64(g), D: 1 << shift}, math.Abs(g) < 1<<53
		}
	}
	return canon.Coef{}, false
}

func (s *symbolic) opaque(op ir.Op, t, from ir.Type, args ...canon.Poly) canon.Poly {
	return s.ps.OfAtom(s.ps.AtomOf(head(op, t, from, 0), args...))
}

func (s *symbolic) call(e ir.Expr) (canon.Poly, bool) {
	args := make([]canon.Poly, e.NumArgs())
	for i := range args {
		a, ok := s.number(e.Arg(i))
		if !ok {
			return 0, false
		}
		args[i] = a
	}
	return s.ps.OfAtom(s.ps.AtomOf(head(ir.Call, e.Type(), 0, s.callName(e)), args...)), true
}

// callName numbers a call's name together with its tuple index and its operands' types.
func (s *symbolic) callName(e ir.Expr) uint32 {
	key := e.Name() + "\x00" + strconv.Itoa(e.Index())
	for i := range e.NumArgs() {
		key += "\x00" + e.Arg(i).Type().String()
	}
	id, ok := s.names[key]
	if !ok {
		id = uint32(len(s.nameOf))
		s.names[key] = id
		s.nameOf = append(s.nameOf, key)
	}
	return id
}

func (s *symbolic) unary(op ir.Op, from, t ir.Type, a canon.Poly) (canon.Poly, bool) {
	d := s.domain(t)
	switch op {
	case ir.Neg:
		if d != 0 {
			return s.ps.Scale(d, canon.Coef{N: -1, D: 1}, a), true
		}
		return s.floatNeg(t, a), true
	case ir.Abs:
		return s.abs(t, a)
	case ir.BitNot:
		if d == canon.Integer && !t.IsSigned() {
			return s.ps.Add(d, s.literal(t, t.Max()), -1, a), true
		}
		return s.ps.BitNot(d, a), true
	case ir.Cast:
		return s.cast(t, from, a), true
	}
	return s.opaque(op, t, from, a), true // sqrt, exp, log
}

func (s *symbolic) abs(t ir.Type, a canon.Poly) (canon.Poly, bool) {
	d := s.domain(t)
	if t.IsUnsigned() {
		return a, true
	}
	if d == 0 || d == canon.Real && !s.assume.Has(ir.NNaN|ir.NSZ) {
		if at, ok := s.soleAtom(a); ok && headOp(s.ps.Head(at)) == ir.Neg && isOwn(s.ps.Head(at)) {
			a = s.ps.Arg(at, 0)
		}
		return s.opaque(ir.Abs, t, t, a), true
	}
	neg, ok := s.less(t, a, s.literal(t, 0))
	if !ok || !neg {
		return a, ok
	}
	return s.ps.Scale(d, canon.Coef{N: -1, D: 1}, a), true
}

func (s *symbolic) cast(t, from ir.Type, a canon.Poly) canon.Poly {
	df, dt := s.domain(from), s.domain(t)
	if c, ok := s.ps.IsConst(a); ok && !from.IsFloat() && s.fits(from, c.N) {
		return s.literal(t, ir.Apply1(ir.Cast, from, t, from.Wrap(uint64(c.N))))
	}
	if at, ok := s.soleAtom(a); ok && from.IsInt() && t.IsInt() && isOwn(s.ps.Head(at)) && headOp(s.ps.Head(at)) == ir.Cast {
		// i8(i32(x)) = i8(x): only low bits count, or the value survived the way up
		inner := headFromType(s.ps.Head(at))
		switch {
		case !inner.IsInt() || t.Bits() > from.Bits() && !widens(inner, from):
		case inner == t:
			return s.ps.Arg(at, 0)
		default:
			return s.cast(t, inner, s.ps.Arg(at, 0))
		}
	}
	if df.Bits() > 0 && dt.Bits() > 0 && dt.Bits() <= df.Bits() {
		return s.narrow(t, from, a)
	}
	return s.opaque(ir.Cast, t, from, a)
}

// widens reports whether every value of from is one of to.
func widens(from, to ir.Type) bool {
	if !from.IsInt() || !to.IsInt() {
		return false
	}
	if from.IsSigned() == to.IsSigned() {
		return from.Bits() <= to.Bits()
	}
	return from.IsUnsigned() && from.Bits() < to.Bits()
}

// narrow reduces a sum of products to fewer bits, which is a homomorphism of rings.
func (s *symbolic) narrow(t, from ir.Type, a canon.Poly) canon.Poly {
	d := s.domain(t)
	sum := canon.Zero
	for _, term := range s.ps.Terms(a, nil) {
		part := s.ps.Int(d, 1)
		for _, f := range s.ps.Factors(term.Mono) {
			whole := s.ps.OfAtom(canon.Atom(f))
			if len(s.ps.Factors(term.Mono)) == 1 && s.ps.Len(a) == 1 && term.Coef.N == 1 {
				return s.opaque(ir.Cast, t, from, whole)
			}
			part = s.ps.Mul(d, part, s.cast(t, from, whole))
		}
		sum = s.ps.Add(d, sum, term.Coef.N, part)
	}
	return sum
}

func (s *symbolic) binary(op ir.Op, t ir.Type, a, b canon.Poly) (canon.Poly, bool) {
	d := s.domain(t)
	switch op {
	case ir.Min, ir.Max:
		return s.minMax(op, t, a, b)
	case ir.Add, ir.Sub, ir.Mul:
		return s.arithmetic(op, t, a, b), true
	case ir.Div:
		if d == canon.Real {
			if b == canon.Zero {
				return s.opaque(op, t, t, a, b), true
			}
			return s.ps.Mul(d, a, s.ps.Inverse(b)), true
		}
		return s.divide(t, a, b), true
	case ir.Mod:
		return s.modulo(t, a, b), true
	case ir.BitAnd, ir.BitOr, ir.BitXor:
		return s.bitwise(op, t, a, b), true
	case ir.Shl, ir.Shr:
		return s.shift(op, t, a, b), true
	case ir.SatAdd, ir.SatSub:
		return s.saturate(op, t, a, b)
	}
	return s.opaque(op, t, t, a, b), true // pow
}

func (s *symbolic) arithmetic(op ir.Op, t ir.Type, a, b canon.Poly) canon.Poly {
	d := s.domain(t)
	switch {
	case d == 0:
		return s.floatArithmetic(op, t, a, b)
	case op == ir.Add:
		return s.ps.Add(d, a, 1, b)
	case op == ir.Sub:
		return s.ps.Add(d, a, -1, b)
	}
	return s.ps.Mul(d, a, b)
}

// minMax decides which operand is the result. Floats that may be NaN propagate it.
func (s *symbolic) minMax(op ir.Op, t ir.Type, a, b canon.Poly) (canon.Poly, bool) {
	if a == b {
		return a, true
	}
	for _, p := range []canon.Poly{a, b} {
		if nan, ok := s.isNaN(t, p); !ok || nan {
			return s.literal(t, ir.FloatBits(t, math.NaN())), ok
		}
	}
	if s.domain(t) == canon.Real { // where −∞ and ∞ are no numbers, but still limits
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

func (s *symbolic) bitwise(op ir.Op, t ir.Type, a, b canon.Poly) canon.Poly {
	table := map[ir.Op]canon.BitOp{ir.BitAnd: canon.BitAnd, ir.BitOr: canon.BitOr, ir.BitXor: canon.BitXor}[op]
	if d := s.domain(t); d.Bits() > 0 || t.IsSigned() {
		if p, ok := s.ps.Bitwise(d, table, a, b); ok {
			return p
		}
	}
	return s.opaque(op, t, t, min(a, b), max(a, b))
}

func (s *symbolic) shift(op ir.Op, t ir.Type, a, b canon.Poly) canon.Poly {
	d := s.domain(t)
	n, ok := s.ps.IsConst(b)
	if c, isConst := s.ps.IsConst(a); ok && isConst && s.fits(t, c.N) && s.fits(t, n.N) {
		return s.literal(t, ir.Apply2(op, t, t.Wrap(uint64(c.N)), t.Wrap(uint64(n.N))))
	}
	if a == canon.Zero || ok && n.N == 0 {
		return a
	}
	if ok && op == ir.Shl && d.Bits() > 0 && n.N > 0 && n.N < int64(d.Bits()) {
		return s.ps.Scale(d, canon.Coef{N: int64(uint64(1) << n.N), D: 1}, a)
	}
	return s.opaque(op, t, t, a, b)
}

// divide is Euclidean division of integers, or IEEE division.
func (s *symbolic) divide(t ir.Type, a, b canon.Poly) canon.Poly {
	d := s.domain(t)
	n, ok := s.ps.IsConst(b)
	if d == 0 || !ok {
		return s.opaque(ir.Div, t, t, a, b)
	}
	if c, isConst := s.ps.IsConst(a); isConst && d == canon.Integer {
		q, _ := s.euclid(c.N, n.N)
		return s.ps.Int(d, q)
	} else if isConst {
		return s.literal(t, ir.Apply2(ir.Div, t, t.Wrap(uint64(c.N)), t.Wrap(uint64(n.N))))
	}
	switch {
	case n.N == 0:
		return canon.Zero
	case n.N == 1:
		return a
	case d == canon.Integer && n.N > 1 && n.N < 1<<62:
		return s.divideInteger(t, a, n.N)
	case n.N > 1 && n.N&(n.N-1) == 0:
		shift := int64(0)
		for n.N>>shift > 1 {
			shift++
		}
		return s.opaque(ir.Shr, t, t, a, s.ps.Int(d, shift))
	}
	return s.opaque(ir.Div, t, t, a, b)
}

// divideInteger moves multiples of the divisor out of an unbounded dividend.
func (s *symbolic) divideInteger(t ir.Type, a canon.Poly, n int64) canon.Poly {
	var out, rest []canon.Term
	for _, term := range s.ps.Terms(a, nil) {
		q, r := floorDiv(term.Coef.N, n)
		out = append(out, canon.Term{Mono: term.Mono, Coef: canon.Coef{N: q, D: 1}})
		rest = append(rest, canon.Term{Mono: term.Mono, Coef: canon.Coef{N: r, D: 1}})
	}
	whole, left := s.ps.Sum(canon.Integer, out), s.ps.Sum(canon.Integer, rest)
	if _, ok := s.ps.IsConst(left); ok { // 0 ≤ left < n
		return whole
	}
	return s.ps.Add(canon.Integer, whole, 1, s.opaque(ir.Div, t, t, left, s.ps.Int(canon.Integer, n)))
}

// modulo is the Euclidean remainder.
func (s *symbolic) modulo(t ir.Type, a, b canon.Poly) canon.Poly {
	d := s.domain(t)
	n, ok := s.ps.IsConst(b)
	if c, isConst := s.ps.IsConst(a); ok && isConst && d == canon.Integer {
		_, r := s.euclid(c.N, n.N)
		return s.ps.Int(d, r)
	} else if ok && isConst {
		return s.literal(t, ir.Apply2(ir.Mod, t, t.Wrap(uint64(c.N)), t.Wrap(uint64(n.N))))
	}
	if ok {
		switch {
		case n.N == 0 || n.N == 1:
			return canon.Zero
		case n.N > 1 && n.N&(n.N-1) == 0: // also of negative words: the low bits
			return s.bitwise(ir.BitAnd, t, a, s.ps.Int(d, n.N-1))
		}
	}
	if d == canon.Integer {
		a = s.reduceModulo(t, a, b)
		if c, isConst := s.ps.IsConst(a); isConst && ok && n.N > 0 {
			_, r := floorDiv(c.N, n.N)
			return s.ps.Int(d, r)
		}
	}
	return s.opaque(ir.Mod, t, t, a, b)
}

// reduceModulo replaces, in an unbounded dividend, t % b by t and coefficients by their
// remainders: both leave the remainder by b as it is.
func (s *symbolic) reduceModulo(t ir.Type, a, b canon.Poly) canon.Poly {
	n, ok := s.ps.IsConst(b)
	sum := canon.Zero
	for _, term := range s.ps.Terms(a, nil) {
		c := term.Coef.N
		if ok && n.N > 0 {
			_, c = floorDiv(c, n.N)
		}
		part := s.ps.Int(canon.Integer, 1)
		for _, f := range s.ps.Factors(term.Mono) {
			at := canon.Atom(f)
			h := s.ps.Head(at)
			inner := s.ps.OfAtom(at)
			if isOwn(h) && headOp(h) == ir.Mod && headType(h) == t && s.ps.Arg(at, 1) == b {
				inner = s.ps.Arg(at, 0)
			}
			part = s.ps.Mul(canon.Integer, part, inner)
		}
		sum = s.ps.Add(canon.Integer, sum, c, part)
	}
	return sum
}

// euclid divides unbounded integers: the machine's division would wrap tmin/−1.
func (s *symbolic) euclid(a, n int64) (q, r int64) {
	switch {
	case n == 0:
		return 0, 0
	case n == math.MinInt64 || a == math.MinInt64:
		s.ps.Overflow = true
		return 0, 0
	case n < 0:
		q, r = floorDiv(a, -n)
		return -q, r
	}
	return floorDiv(a, n)
}

// fits reports whether a constant is a value of its type: where integers are unbounded it
// need not be, and an operator that sees the width may not be applied to it.
func (s *symbolic) fits(t ir.Type, n int64) bool {
	if s.domain(t) != canon.Integer {
		return true
	}
	return t.Wrap(uint64(n)) == uint64(n) && (n >= 0 || t.IsSigned())
}

func floorDiv(a, n int64) (q, r int64) {
	q, r = a/n, a%n
	if r < 0 {
		q, r = q-1, r+n
	}
	return q, r
}

// saturate is defined by comparisons that do not wrap themselves.
func (s *symbolic) saturate(op ir.Op, t ir.Type, a, b canon.Poly) (canon.Poly, bool) {
	d := s.domain(t)
	if d == canon.Integer {
		return s.opaque(op, t, t, a, b), true
	}
	lo, hi := s.literal(t, t.Min()), s.literal(t, t.Max())
	sign := int64(1)
	if op == ir.SatSub {
		sign = -1
	}
	sum := s.ps.Add(d, a, sign, b)
	down := op == ir.SatSub // whether a positive b moves the result down
	if t.IsSigned() {
		neg, ok := s.less(t, b, canon.Zero)
		if !ok {
			return 0, false
		}
		down = down != neg
	}
	if down { // below lo where a < lo − (±b)
		under, ok := s.less(t, a, s.ps.Add(d, lo, -sign, b))
		if under {
			return lo, ok
		}
		return sum, ok
	}
	over, ok := s.less(t, s.ps.Add(d, hi, -sign, b), a)
	if over {
		return hi, ok
	}
	return sum, ok
}

// callText writes an opaque call for people.
func (s *symbolic) callText(a canon.Atom) string {
	name, _, _ := strings.Cut(s.nameOf[headExtra(s.ps.Head(a))], "\x00")
	return name + "(…)"
}
