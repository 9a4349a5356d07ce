package poly

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/internal/reuse"
	"github.com/rfactor-go/rfactor/ir"
)

var rings = sync.Pool{New: func() any {
	return &ring{ps: NewSpace(), read: map[ir.Expr]Poly{}, written: map[Atom]ir.Expr{}}
}}

// Normal returns the normal form of the ring part of e.
//
//	x0 + (y0 + x0*(y0*k0))   →   x0*(y0*k0 + 1) + y0
//
// The operators + − × and ~ & | ^, shifts by literals, and on real floats ÷, are multiplied out
// above subterms that are left as they are. The result is x-major: a sum of products X·A + … + B, where each X is a product of
// subterms that mention the state, different from the others, and its coefficient A and
// the rest B do not mention it. Whatever is a bitwise function of at least two words is
// written with bitwise operators instead.
//
// Integers are taken as they wrap, so that the result is equal without any assumption;
// floats are normalised only where reassoc is among the assumptions. Where a result would
// get too large, or would take too many sums, and for other types, e itself is the answer. The pool is told of the work.
func Normal(e ir.Expr, assume ir.Assume) ir.Expr {
	n, work := NormalWithin(maxSummed, e, assume)
	e.Pool().Work(work / SummedOfTerm)
	return n
}

const (
	maxSummed    = 1 << 17 // terms that are added up for a normal form where nothing else is said
	SummedOfTerm = 2       // terms that are added up in the time of an expression that is made
)

// NormalWithin is Normal for a result that is found with so many terms added up or compared; otherwise e itself is the
// answer. It returns how many there were as well.
func NormalWithin(limit int, e ir.Expr, assume ir.Assume) (_ ir.Expr, work int) {
	d := DomainOf(e.Type(), assume&^(ir.NSW|ir.NUW))
	if d == 0 {
		return e, 0
	}
	r := rings.Get().(*ring)
	r.ps.Reset()
	r.ps.Summed, r.ps.Limit = 0, limit
	r.pool, r.typ, r.domain, r.terms, r.states = e.Pool(), e.Type(), d, r.terms[:0], r.states[:0]
	r.read, r.written = reuse.Map(r.read), reuse.Map(r.written)
	if p := r.poly(e); !r.ps.Overflow {
		e = r.write(p)
	}
	work = r.ps.Summed
	rings.Put(r)
	return e, work
}

// ring normalises one term; atoms are subterms, by their ids.
type ring struct {
	ps     *Space
	pool   *ir.Pool
	typ    ir.Type
	domain Domain

	read    map[ir.Expr]Poly // of larger terms, which may occur often in each other
	written map[Atom]ir.Expr // of those that hold polynomials, for the same reason

	terms  []Term    // memory for those of groups …
	states []ir.Expr // … for their states …
	free   []group   // … and for a list of them
}

const headSubterm = uint64(1) << 62

func (r *ring) atom(e ir.Expr) Poly {
	return r.ps.OfAtom(r.ps.AtomOf(headSubterm | uint64(e.ID())))
}

// recurs is the size from which a term is read once only.
const recurs = 32

func (r *ring) poly(e ir.Expr) Poly {
	if r.ps.Overflow {
		return Zero
	}
	if e.Size() < recurs {
		return r.polyOf(e)
	}
	p, ok := r.read[e]
	if !ok {
		p = r.polyOf(e)
		r.read[e] = p
	}
	return p
}

func (r *ring) polyOf(e ir.Expr) Poly {
	switch e.Op() {
	case ir.Const:
		if c, ok := coefficient(e, r.domain); ok {
			return r.ps.Const(r.domain, c)
		}
	case ir.Neg:
		return r.ps.Scale(r.domain, Coef{-1, 1}, r.poly(e.Arg(0)))
	case ir.Add, ir.Sub:
		return r.sum(e)
	case ir.Mul:
		return r.ps.Mul(r.domain, r.poly(e.Arg(0)), r.poly(e.Arg(1)))
	case ir.Div:
		if r.domain == Real {
			if q := r.poly(e.Arg(1)); q != Zero {
				return r.ps.Mul(r.domain, r.poly(e.Arg(0)), r.ps.Inverse(q))
			}
		}
	case ir.BitNot:
		return r.ps.BitNot(r.domain, r.poly(e.Arg(0)))
	case ir.BitAnd, ir.BitOr, ir.BitXor:
		if p, ok := r.ps.Bitwise(r.domain, bitOps[e.Op()], r.poly(e.Arg(0)), r.poly(e.Arg(1))); ok {
			return p
		}
	case ir.Shl:
		bits := uint64(r.typ.Bits())
		if r.domain == Integer {
			bits-- // so that 2^n is no negative coefficient
		}
		if n := e.Arg(1); n.Op() == ir.Const && n.Value() < bits {
			return r.ps.Scale(r.domain, Coef{int64(uint64(1) << n.Value()), 1}, r.poly(e.Arg(0)))
		}
	}
	return r.atom(e)
}

// sum reads a + b − c + … at once, so that a sum of many terms does not take a sum of each of its beginnings.
func (r *ring) sum(e ir.Expr) Poly {
	var few [16]ir.Expr
	sums, first, known := few[:0], e, false
	for !known && (first.Op() == ir.Add || first.Op() == ir.Sub) {
		sums, first = append(sums, first), first.Arg(0)
		if first.Size() >= recurs {
			_, known = r.read[first]
		}
	}
	var buf [16]Term
	ts := r.ps.Terms(r.poly(first), buf[:0])
	for _, s := range slices.Backward(sums) {
		n := len(ts)
		ts = r.ps.Terms(r.poly(s.Arg(1)), ts)
		for i := n; s.Op() == ir.Sub && i < len(ts); i++ {
			ts[i].Coef = r.ps.mulCoef(r.domain, ts[i].Coef, Coef{-1, 1})
		}
	}
	return r.ps.Sum(r.domain, ts)
}

var bitOps = [ir.NumOps]BitOp{ir.BitAnd: BitAnd, ir.BitOr: BitOr, ir.BitXor: BitXor}

// coefficient returns a literal as a coefficient, where it is one: over the reals, a dyadic
// number of moderate size.
func coefficient(e ir.Expr, d Domain) (Coef, bool) {
	if d != Real {
		return Coef{e.Int(), 1}, true
	}
	f := ir.Float(e.Type(), e.Value())
	for shift := 0; shift <= 40; shift++ {
		if g := math.Ldexp(f, shift); g == math.Trunc(g) {
			return Coef{int64(g), 1 << shift}, math.Abs(g) < 1<<53
		}
	}
	return Coef{}, false
}

// group is one product of states with its coefficient.
type group struct {
	states []ir.Expr
	coef   []Term
}

// write returns the x-major form of p.
func (r *ring) write(p Poly) ir.Expr {
	if r.domain != Real && r.ps.hasConjunction(p) {
		if f, ok := r.ps.recogniseBoolean(r.domain, p); ok && len(f.words) > 1 {
			return r.writeBoolean(f)
		}
	}
	return r.writeSum(p)
}

func (r *ring) writeSum(p Poly) ir.Expr {
	var sum ir.Expr
	free := r.free
	r.free = nil // a sum in this one takes memory of its own
	gs := r.groups(p, free[:0])
	for _, g := range gs {
		if e := r.writeGroup(g); sum.IsValid() {
			sum = ir.AddOf(sum, e)
		} else {
			sum = e
		}
	}
	r.free = gs
	if !sum.IsValid() {
		return r.pool.Int(r.typ, 0)
	}
	return sum
}

// groups sorts the terms of p by their states: first those that have some, in the order of
// the states, last the rest. They are appended to gs.
func (r *ring) groups(p Poly, gs []group) []group {
	var buf [8]Term
next:
	for _, t := range r.ps.Terms(p, buf[:0]) {
		var few [8]ir.Expr
		var more [8]uint32
		states, rest := few[:0], more[:0]
		for _, f := range r.ps.Factors(t.Mono) {
			if e := r.factor(Atom(f)); !e.IsLeaf() {
				states = append(states, e)
			} else {
				rest = append(rest, f)
			}
		}
		slices.SortFunc(states, byReading)
		leaf := Term{r.ps.mono(rest), t.Coef}
		for i := range gs {
			r.ps.Summed++
			if slices.Equal(gs[i].states, states) {
				gs[i].coef = append(gs[i].coef, leaf)
				continue next
			}
		}
		r.terms, r.states = append(r.terms, leaf), append(r.states, states...)
		n, last := len(r.terms), len(r.states)
		gs = append(gs, group{r.states[last-len(states) : last : last], r.terms[n-1 : n : n]})
	}
	slices.SortStableFunc(gs, func(a, b group) int {
		if len(a.states) == 0 || len(b.states) == 0 {
			return cmp.Compare(len(b.states), len(a.states))
		}
		return slices.CompareFunc(a.states, b.states, byReading)
	})
	return gs
}

// byReading orders subterms as a reader expects them: states by number, other terms with
// states, leaves, invariants.
func byReading(a, b ir.Expr) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	if a.Op() == ir.Var && b.Op() == ir.Var {
		if c := cmp.Compare(a.Index(), b.Index()); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.ID(), b.ID())
}

func rank(e ir.Expr) int {
	isVar := e.Op() == ir.Var
	switch {
	case isVar && e.Kind() == ir.State:
		return 0
	case !e.IsLeaf():
		return 1
	case e.IsInvariant():
		return 4
	case isVar:
		return 2
	}
	return 3
}

func (r *ring) writeGroup(g group) ir.Expr {
	if len(g.states) == 0 {
		return r.writeLeaf(g.coef)
	}
	e := g.states[0]
	for _, s := range g.states[1:] {
		e = ir.MulOf(e, s)
	}
	if len(g.coef) == 1 && g.coef[0].Mono == One {
		switch g.coef[0].Coef {
		case Coef{1, 1}:
			return e
		case Coef{-1, 1}:
			return ir.NegOf(e)
		}
	}
	return ir.MulOf(e, r.writeLeaf(g.coef))
}

// writeLeaf returns a sum without states: positive terms first, literals last.
func (r *ring) writeLeaf(ts []Term) ir.Expr {
	type summand struct {
		e        ir.Expr
		negative bool
	}
	var out []summand
	for _, t := range ts {
		negative := t.Coef.N < 0 && t.Coef.N != minInt64
		if negative {
			t.Coef.N = -t.Coef.N
		}
		out = append(out, summand{r.writeTerm(t), negative})
	}
	slices.SortStableFunc(out, func(a, b summand) int {
		if a.negative != b.negative {
			if a.negative {
				return 1
			}
			return -1
		}
		if ac, bc := a.e.Op() == ir.Const, b.e.Op() == ir.Const; ac != bc {
			if ac {
				return 1
			}
			return -1
		}
		return byReading(a.e, b.e)
	})
	sum := out[0].e
	if out[0].negative {
		sum = r.negate(sum)
	}
	for _, s := range out[1:] {
		if s.negative {
			sum = ir.SubOf(sum, s.e)
		} else {
			sum = ir.AddOf(sum, s.e)
		}
	}
	return sum
}

func (r *ring) negate(e ir.Expr) ir.Expr {
	if e.Op() == ir.Const {
		return r.pool.Const(r.typ, ir.Apply1(ir.Neg, r.typ, r.typ, e.Value()))
	}
	return ir.NegOf(e)
}

// writeTerm returns one product without states: factors, then the coefficient, over the
// denominators.
func (r *ring) writeTerm(t Term) ir.Expr {
	var over, under []ir.Expr
	for _, f := range r.ps.Factors(t.Mono) {
		if q, ok := r.ps.IsInverse(Atom(f)); ok {
			under = append(under, r.write(q))
		} else {
			over = append(over, r.factor(Atom(f)))
		}
	}
	slices.SortFunc(over, byReading)
	c := r.pool.Int(r.typ, t.Coef.N)
	if r.domain == Real {
		c = r.pool.Float(r.typ, float64(t.Coef.N))
		if t.Coef.D != 1 {
			under = append(under, r.pool.Float(r.typ, float64(t.Coef.D)))
		}
	}
	if t.Coef.N != 1 || len(over) == 0 {
		over = append(over, c)
	}
	return divide(product(over), product(under))
}

func product(es []ir.Expr) ir.Expr {
	var p ir.Expr
	for _, e := range es {
		if !p.IsValid() {
			p = e
		} else {
			p = ir.MulOf(p, e)
		}
	}
	return p
}

func divide(a, b ir.Expr) ir.Expr {
	if !b.IsValid() {
		return a
	}
	return ir.DivOf(a, b)
}

// factor returns an atom as an expression.
func (r *ring) factor(a Atom) ir.Expr {
	q, inverse := r.ps.IsInverse(a)
	if !inverse && !r.ps.IsConjunction(a) {
		return r.pool.At(int(r.ps.Head(a) &^ headSubterm))
	}
	e, ok := r.written[a]
	switch {
	case ok:
		return e
	case inverse:
		e = ir.DivOf(r.pool.Int(r.typ, 1), r.write(q))
	default:
		e = r.conjunction(a)
	}
	r.written[a] = e
	return e
}

// conjunction writes x & y & …
func (r *ring) conjunction(a Atom) ir.Expr {
	var words []ir.Expr
	for i := range r.ps.NumArgs(a) {
		words = append(words, r.write(r.ps.Arg(a, i)))
	}
	slices.SortFunc(words, byReading)
	e := words[0]
	for _, w := range words[1:] {
		e = ir.Make(ir.BitAnd, e, w)
	}
	return e
}

// writeBoolean writes a bitwise function by cases on its first word in reading order:
// w & f₁ | ~w & f₀, in the shortest of the forms that this takes.
func (r *ring) writeBoolean(f boolean) ir.Expr {
	exprs := make([]ir.Expr, len(f.words))
	first := 0
	for i, w := range f.words {
		exprs[i] = r.writeSum(w)
		if byReading(exprs[i], exprs[first]) < 0 {
			first = i
		}
	}
	all := uint64(1)<<(1<<len(f.words)) - 1
	switch {
	case f.table == 0:
		return r.pool.Int(r.typ, 0)
	case f.table == all:
		return r.pool.Const(r.typ, math.MaxUint64)
	}
	w, zero, one := exprs[first], f.without(first, 0), f.without(first, 1)
	rest := uint64(1)<<(1<<(len(f.words)-1)) - 1
	switch {
	case zero.table == one.table:
		return r.writeBoolean(zero)
	case zero.table == 0 && one.table == rest:
		return w
	case zero.table == rest && one.table == 0:
		return ir.Make(ir.BitNot, w)
	case zero.table == 0:
		return ir.Make(ir.BitAnd, w, r.writeBoolean(one))
	case one.table == rest:
		return ir.Make(ir.BitOr, w, r.writeBoolean(zero))
	case one.table == 0:
		return ir.Make(ir.BitAnd, ir.Make(ir.BitNot, w), r.writeBoolean(zero))
	case zero.table == rest:
		return ir.Make(ir.BitOr, ir.Make(ir.BitNot, w), r.writeBoolean(one))
	case zero.table == one.table^rest:
		return ir.Make(ir.BitXor, w, r.writeBoolean(zero))
	}
	differ := boolean{zero.words, zero.table ^ one.table}
	return ir.Make(ir.BitXor, ir.Make(ir.BitAnd, w, r.writeBoolean(differ)), r.writeBoolean(zero))
}

// without returns f where word k has the given bit.
func (f boolean) without(k, bit int) boolean {
	g := boolean{words: slices.Delete(slices.Clone(f.words), k, k+1)}
	for i := range 1 << len(g.words) {
		j := i&(1<<k-1) | i>>k<<(k+1) | bit<<k
		g.table |= f.table >> j & 1 << i
	}
	return g
}
