package rfactor

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// maxSpelled bounds the size of an equation over the integers.
const maxSpelled = 20000

// overIntegers restates an equation of narrow integers over the integers. It holds for machine
// integers that wrap if what it returns holds of unbounded ones. Terms that are not spelled out
// stand for any value of their type.
func overIntegers(p proof.Problem) (q proof.Problem, ok bool) {
	s := &spelling{pool: p.Left.Pool(), spans: map[ir.Expr]span{}, truths: map[ir.Expr]ir.Expr{}}
	for _, g := range p.Given {
		s.given = append(s.given, s.truth(g))
	}
	if p.Left.Type() == ir.Bool {
		q.Left, q.Right = s.truth(p.Left), s.truth(p.Right)
	} else if p.Left.Type().IsInt() {
		q.Left, q.Right = s.number(p.Left).e, s.number(p.Right).e
	} else {
		return q, false
	}
	q.Given = s.given
	return q, q.Left.Size()+q.Right.Size() <= maxSpelled
}

// spelling restates terms over the integers, which are written as i64 and never overflow.
type spelling struct {
	pool   *ir.Pool
	given  []ir.Expr
	spans  map[ir.Expr]span
	truths map[ir.Expr]ir.Expr
}

// span is an integer and what it lies between. Bounds beyond 2^53 are rounded: each operator may put
// them off by its share.
type span struct {
	e      ir.Expr
	lo, hi float64
}

// unspelled is larger than every value that may wrap and is spelled out: bounds below it are exact.
const unspelled = 1 << 40

// nearly is the share of a limit that bounds may reach: maxSpelled operators round by less than the rest.
const nearly = 1 - 1.0/(1<<36)

// total is the sum of two bounds, or NaN where little might be left of what was rounded.
func total(a, b float64) float64 {
	const precise = 1 << 52
	if a*b < 0 && max(math.Abs(a), math.Abs(b)) >= precise {
		return math.NaN()
	}
	return a + b
}

func (s *spelling) literal(v int64) ir.Expr { return s.pool.Int(ir.I64, v) }

// rangeOf is the range of a type; ok is false where it is too large.
func rangeOf(t ir.Type) (lo, hi float64, ok bool) {
	if !t.IsInt() || t.Bits() > 32 {
		return 0, 0, false
	}
	return float64(int64(t.Min())), float64(t.Max()), true
}

func (s *spelling) number(e ir.Expr) span {
	out, ok := s.spans[e]
	if !ok {
		if out = s.read(e); !out.e.IsValid() {
			out = s.any(e)
		}
		s.spans[e] = out
	}
	return out
}

// any is a variable for a term that is not looked into.
func (s *spelling) any(e ir.Expr) span {
	v := s.pool.Var(ir.Leaf, fmt.Sprintf("n%d", len(s.spans)), 1<<21+len(s.spans), ir.I64)
	lo, hi, ok := rangeOf(e.Type())
	if !ok {
		return span{v, math.Inf(-1), math.Inf(1)}
	}
	s.given = append(s.given, ir.LeOf(s.literal(int64(lo)), v), ir.LeOf(v, s.literal(int64(hi))))
	return span{v, lo, hi}
}

// read spells a term out; the zero span where it does not.
func (s *spelling) read(e ir.Expr) (none span) {
	t := e.Type()
	var a, b span
	switch op := e.Op(); op {
	case ir.Const:
		if v := e.Int(); v > -unspelled && v < unspelled && (v >= 0 || t.IsSigned()) {
			return span{s.literal(v), float64(v), float64(v)}
		}
		return none
	case ir.Neg, ir.BitNot:
		a, b = span{s.literal(0), 0, 0}, s.number(e.Arg(0))
	case ir.Cast:
		if e.Arg(0).Type() == ir.Bool {
			return span{ir.SelectOf(s.truth(e.Arg(0)), s.literal(1), s.literal(0)), 0, 1}
		} else if !e.Arg(0).Type().IsInt() {
			return none
		}
		a = s.number(e.Arg(0))
		return s.wrap(t, a.e, a.lo, a.hi)
	case ir.Select:
		a, b = s.number(e.Arg(1)), s.number(e.Arg(2))
		return span{choose(s.truth(e.Arg(0)), a.e, b.e), min(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Add, ir.Sub, ir.Mul, ir.Mod, ir.Min, ir.Max, ir.SatAdd, ir.SatSub:
		a, b = s.number(e.Arg(0)), s.number(e.Arg(1))
	default:
		return none
	}
	switch e.Op() {
	case ir.Min:
		return span{ir.MinOf(a.e, b.e), min(a.lo, b.lo), min(a.hi, b.hi)}
	case ir.Max:
		return span{ir.MaxOf(a.e, b.e), max(a.lo, b.lo), max(a.hi, b.hi)}
	}
	switch e.Op() {
	case ir.Mul:
		ends := []float64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
		return s.wrap(t, scale(a.e, b.e), slices.Min(ends), slices.Max(ends))
	case ir.Mod:
		if !(a.hi-a.lo < math.Inf(1)) || b.lo < 0 || b.hi >= unspelled {
			return none
		}
		return span{ir.Make(ir.Mod, a.e, b.e), 0, max(b.hi-1, 0)}
	case ir.BitNot:
		if t.Bits() > 32 {
			return none
		}
		if a.e = s.literal(-1); t.IsUnsigned() {
			a.e = s.literal(int64(t.Max()))
		}
		v := float64(a.e.Int())
		return span{ir.SubOf(a.e, b.e), total(v, -b.hi), total(v, -b.lo)}
	case ir.Add:
		return s.wrap(t, addTo(a.e, b.e), total(a.lo, b.lo), total(a.hi, b.hi))
	case ir.SatAdd:
		return s.saturate(t, addTo(a.e, b.e), total(a.lo, b.lo), total(a.hi, b.hi))
	case ir.SatSub:
		return s.saturate(t, ir.SubOf(a.e, b.e), total(a.lo, -b.hi), total(a.hi, -b.lo))
	}
	return s.wrap(t, ir.SubOf(a.e, b.e), total(a.lo, -b.hi), total(a.hi, -b.lo))
}

// wrap is an integer as a value of a type: it is off by few multiples of 2^width, each a choice.
func (s *spelling) wrap(t ir.Type, e ir.Expr, lo, hi float64) (none span) {
	least, most, ok := rangeOf(t)
	switch {
	case ok && least <= lo && hi <= most:
		return span{e, lo, hi}
	case ok:
	case t == ir.I64 && lo >= math.MinInt64*nearly && hi <= math.MaxInt64*nearly, t == ir.U64 && lo >= 0 && hi <= math.MaxUint64*nearly:
		return span{e, lo, hi}
	}
	if !ok || !(lo > -unspelled && hi < unspelled) {
		return none
	}
	return s.choice(t, e, int64(lo), int64(hi), int64(least), int64(most))
}

// choice is an integer between lo and hi as a value of a type between least and most.
func (s *spelling) choice(t ir.Type, e ir.Expr, lo, hi, least, most int64) (none span) {
	size := most - least + 1
	low, high := (lo-least)>>t.Bits(), (hi-least)>>t.Bits()
	if low == high {
		return span{addTo(e, s.literal(-low*size)), float64(lo - low*size), float64(hi - low*size)}
	}
	if high-low > 2 {
		return none
	}
	out := addTo(e, s.literal(-high*size))
	for k := high - 1; k >= low; k-- {
		out = ir.SelectOf(ir.LtOf(e, s.literal(least+(k+1)*size)), addTo(e, s.literal(-k*size)), out)
	}
	return span{out, float64(least), float64(most)}
}

// saturate is an integer, or the limit of the type that it exceeds.
func (s *spelling) saturate(t ir.Type, e ir.Expr, lo, hi float64) (none span) {
	least, most, ok := rangeOf(t)
	if !ok || !(lo <= hi) {
		return none
	}
	if hi > most {
		e, hi, lo = ir.MinOf(e, s.literal(int64(most))), most, min(lo, most)
	}
	if lo < least {
		e, lo, hi = ir.MaxOf(e, s.literal(int64(least))), least, max(hi, least)
	}
	return span{e, lo, hi}
}

func (s *spelling) truth(e ir.Expr) ir.Expr {
	out, ok := s.truths[e]
	if !ok {
		if out = s.readTruth(e); !out.IsValid() {
			out = s.pool.Var(ir.Leaf, fmt.Sprintf("b%d", len(s.truths)), 1<<22+len(s.truths), ir.Bool)
		}
		s.truths[e] = out
	}
	return out
}

func (s *spelling) readTruth(e ir.Expr) (none ir.Expr) {
	op := e.Op()
	switch {
	case op == ir.Const:
		return e
	case op == ir.Not:
		return not(s.truth(e.Arg(0)))
	case op == ir.And || op == ir.Or || op.IsComparison() && e.Arg(0).Type() == ir.Bool:
		return ir.Make(op, s.truth(e.Arg(0)), s.truth(e.Arg(1)))
	case op == ir.Select:
		return ir.SelectOf(s.truth(e.Arg(0)), s.truth(e.Arg(1)), s.truth(e.Arg(2)))
	case op.IsComparison() && e.Arg(0).Type().IsInt():
		if e.Arg(1).IsConst(0) && (op == ir.Lt || op == ir.Ge) && e.Arg(0).Type().IsSigned() {
			if n := s.negative(e.Arg(0)); n.IsValid() {
				if op == ir.Ge {
					n = not(n)
				}
				return n
			}
		}
		return ir.Make(op, s.number(e.Arg(0)).e, s.number(e.Arg(1)).e)
	}
	return none
}

// negative is the sign of a term that is made bit by bit; the zero Expr where it is not.
func (s *spelling) negative(e ir.Expr) (none ir.Expr) {
	sign := func(i int) ir.Expr { return s.truth(ir.LtOf(e.Arg(i), s.pool.Int(e.Type(), 0))) }
	switch e.Op() {
	case ir.BitXor:
		return ir.Make(ir.Ne, sign(0), sign(1))
	case ir.BitAnd:
		return and(sign(0), sign(1))
	case ir.BitOr:
		return or(sign(0), sign(1))
	case ir.BitNot:
		return not(sign(0))
	}
	return none
}

// saturates reports whether integers are cast or saturate, which the prover does not compare well.
func saturates(ps []proof.Problem) (found bool) {
	for _, p := range ps {
		ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
			switch e.Op() {
			case ir.SatAdd, ir.SatSub:
				found = true
			case ir.Cast:
				found = found || e.Type().IsInt() && e.States() != 0 && e.Arg(0).Type().IsInt()
			}
		})
	}
	return found
}

// overIntegers proves an equation over the integers.
func (m *matcher) overIntegers(p proof.Problem) *proof.Tree {
	q, ok := overIntegers(p)
	if !ok {
		return nil
	}
	if a := m.prover.Prove(m.ctx, q, ir.NSW); a.Status == prove.Proved {
		return &proof.Tree{Kind: proof.Integers, Then: a.Proof}
	}
	return nil
}
