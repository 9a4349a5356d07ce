// Package integers restates equations of machine integers over the integers.
//
//	x0 + y0                  →  select(n0 + n1 < 256, n0 + n1 + 0, n0 + n1 + (-256))  x0, y0:u8 and so 0 ≤ n0, n1 ≤ 255
//	saturating_add(x0, y0)   →  max(min(n0 + n1, 127), -128)                          x0, y0:i8 and so -128 ≤ n0, n1 ≤ 127
//	(x0 + y0) >> 4           →  select(n0 + n1 < 16, 0, 1)                            given x0 <= 15 && y0 <= 15
//
// Wrapping and saturating arithmetic and casts become sums, comparisons and choices of i64 terms, and so
// do quotients and remainders by a literal, shifts to the right and low bits. Any
// other term becomes a variable: n0, n1, … for an integer, b0, b1, … for a flag. The range of an integer
// of at most 32 bits becomes a given condition, and so does 0 <= n0 of a wider unsigned one that a given
// condition bounds. A given comparison with a literal bounds the term that it compares.
//
// The equation holds for machine integers that wrap if the restated one holds for unbounded integers. A
// certificate goes on with a proof of the restated equation. For this reason the package fixes the names
// of variables and the order of the given conditions.
package integers

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

const (
	maxSize  = 20000 // different terms of both restated sides
	maxTurns = 2     // a sum that wraps does so at most so many times from its least to its greatest value
)

// Restate returns the equation left = right over the integers, and what is given there: the given
// conditions, restated, and the ranges of variables. The terms are in the pool of left. An error says that
// the sides are not of one type, or floats, or become too large.
func Restate(given []ir.Expr, left, right ir.Expr) (newGiven []ir.Expr, newLeft, newRight ir.Expr, err error) {
	r := newRestater(left.Pool())
	if left.Type() != right.Type() || left.Type().IsFloat() {
		return nil, left, right, errors.New("the sides are not integers of one type")
	}
	for _, g := range given {
		r.bound(g)
	}
	for _, g := range given {
		g = r.term(g)
		r.given = append(r.given, g)
	}
	if left.Type() == ir.Bool || len(r.limits) == 0 {
		left, right = r.term(left), r.term(right)
	} else {
		left, right = r.sum(left), r.sum(right)
	}
	n := 0
	ir.Walk([]ir.Expr{left, right}, func(ir.Expr) { n++ })
	if n > maxSize {
		err = fmt.Errorf("the sides have more than %d terms over the integers", maxSize)
	}
	return r.given, left, right, err
}

// restater keeps what each term became.
type restater struct {
	pool    *ir.Pool
	given   []ir.Expr
	numbers map[ir.Expr]number
	truths  map[ir.Expr]ir.Expr
	limits  map[ir.Expr]limits
	sums    map[ir.Expr]ir.Expr
}

func newRestater(pool *ir.Pool) *restater {
	return &restater{pool: pool, numbers: map[ir.Expr]number{}, truths: map[ir.Expr]ir.Expr{}, limits: map[ir.Expr]limits{}, sums: map[ir.Expr]ir.Expr{}}
}

// limits bound a term. Either is nil where nothing is known.
type limits struct{ lo, hi *big.Int }

// bound notes how a given condition bounds a term that it compares with a literal.
func (r *restater) bound(g ir.Expr) {
	op := g.Op()
	if op == ir.And {
		r.bound(g.Arg(0))
		r.bound(g.Arg(1))
	}
	if !op.IsComparison() || op == ir.Ne || !g.Arg(0).Type().IsInt() {
		return
	}
	for i, literal := range [2]ir.Expr{g.Arg(0), g.Arg(1)} {
		if literal.Op() != ir.Const {
			continue
		}
		e, v := g.Arg(1-i), valueOf(literal)
		l, one := r.limits[e], big.NewInt(1)
		atLeast := op == ir.Eq || (op == ir.Lt || op == ir.Le) == (i == 0)
		atMost := op == ir.Eq || !atLeast
		if op == ir.Lt || op == ir.Gt {
			if atLeast {
				v.Add(v, one)
			} else {
				v.Sub(v, one)
			}
		}
		if atLeast && (l.lo == nil || l.lo.Cmp(v) < 0) {
			l.lo = v
		}
		if atMost && (l.hi == nil || l.hi.Cmp(v) > 0) {
			l.hi = v
		}
		r.limits[e] = l
	}
}

// valueOf is the value of a literal.
func valueOf(e ir.Expr) *big.Int {
	if e.Type().IsSigned() {
		return big.NewInt(e.Int())
	}
	return new(big.Int).SetUint64(e.Value())
}

// number is an integer as a term, with bounds that are never changed. The zero number is none.
type number struct {
	term   ir.Expr
	lo, hi *big.Int
}

// term restates a flag or an integer.
func (r *restater) term(e ir.Expr) ir.Expr {
	if e.Type() != ir.Bool {
		return r.number(e).term
	}
	out, ok := r.truths[e]
	if !ok {
		if out = r.truth(e); !out.IsValid() {
			out = r.pool.Var(ir.Leaf, fmt.Sprintf("b%d", len(r.truths)), 1<<22+len(r.truths), ir.Bool)
		}
		r.truths[e] = out
	}
	return out
}

// truth restates an operator on flags or a comparison of integers, or returns no Expr.
func (r *restater) truth(e ir.Expr) (none ir.Expr) {
	switch op := e.Op(); {
	case op == ir.Const:
		return e
	case op != ir.Not && op != ir.And && op != ir.Or && op != ir.Select && !op.IsComparison(), e.Arg(0).Type().IsFloat():
		return none
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = r.term(e.Arg(i))
	}
	return ir.Make(e.Op(), args...)
}

// number restates an integer. A term that is not restated becomes a variable.
func (r *restater) number(e ir.Expr) number {
	n, ok := r.numbers[e]
	if !ok {
		if n = r.read(e); !n.term.IsValid() {
			n = r.variable(e)
		}
		if l := r.limits[e]; l.lo != nil && l.lo.Cmp(n.lo) > 0 {
			n.lo = l.lo
		}
		if l := r.limits[e]; l.hi != nil && l.hi.Cmp(n.hi) < 0 {
			n.hi = l.hi
		}
		r.numbers[e] = n
	}
	return n
}

func (r *restater) variable(e ir.Expr) number {
	k, t := len(r.numbers), e.Type()
	v := r.pool.Var(ir.Leaf, fmt.Sprintf("n%d", k), 1<<21+k, ir.I64)
	lo, hi := poly.Limits(t)
	if t.Bits() <= 32 {
		r.given = append(r.given, ir.LeOf(r.literal(lo.Int64()).term, v), ir.LeOf(v, r.literal(hi.Int64()).term))
	} else if t.IsUnsigned() && r.limits[e].hi != nil {
		r.given = append(r.given, ir.LeOf(r.literal(0).term, v))
	}
	return number{v, lo, hi}
}

func (r *restater) literal(v int64) number {
	return number{r.pool.Int(ir.I64, v), big.NewInt(v), big.NewInt(v)}
}

// read restates an operator on integers, or returns the zero number.
func (r *restater) read(e ir.Expr) (none number) {
	t := e.Type()
	arg := func(i int) number { return r.number(e.Arg(i)) }
	if a, n := divided(e); n > 0 {
		return r.part(e.Op(), r.number(a), n)
	}
	switch op := e.Op(); op {
	case ir.Const:
		if v := e.Int(); v >= 0 || t.IsSigned() {
			return r.literal(v)
		}
	case ir.Cast:
		if from := e.Arg(0).Type(); from == ir.Bool {
			return choice(r.term(e.Arg(0)), r.literal(1), r.literal(0))
		} else if from.IsInt() {
			return r.wrap(t, arg(0))
		}
	case ir.Select:
		return choice(r.term(e.Arg(0)), arg(1), arg(2))
	case ir.Neg:
		return r.wrap(t, apply(ir.Sub, r.literal(0), arg(0)))
	case ir.BitNot:
		return r.wrap(t, apply(ir.Sub, r.literal(-1), arg(0)))
	case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max:
		return r.wrap(t, apply(op, arg(0), arg(1)))
	case ir.SatAdd:
		return r.saturate(t, apply(ir.Add, arg(0), arg(1)))
	case ir.SatSub:
		return r.saturate(t, apply(ir.Sub, arg(0), arg(1)))
	case ir.Mod: // it is not negative, and 0 where the modulus is
		if a, b := arg(0), arg(1); b.lo.Sign() >= 0 {
			return number{ir.ModOf(a.term, b.term), new(big.Int), b.hi}
		}
	}
	return none
}

// divided returns the dividend and the divisor of a quotient or a remainder by a literal. Shifts to the right and
// low bits are such. The divisor of any other term is 0.
func divided(e ir.Expr) (a ir.Expr, divisor int64) {
	if e.NumArgs() != 2 {
		return a, 0
	}
	a, literal := e.Arg(0), e.Arg(1)
	if e.Op() == ir.BitAnd && a.Op() == ir.Const {
		a, literal = literal, a
	}
	if literal.Op() != ir.Const || !literal.Type().IsInt() || !valueOf(literal).IsInt64() {
		return a, 0
	}
	switch n := literal.Int(); e.Op() {
	case ir.Div, ir.Mod:
		return a, max(n, 0)
	case ir.Shr:
		if 0 <= n && n < int64(e.Type().Bits())-1 {
			return a, 1 << n
		}
	case ir.BitAnd:
		if 0 < n && n < 1<<62 && n&(n+1) == 0 {
			return a, n + 1
		}
	}
	return a, 0
}

// part is the quotient of a by n, or the remainder where op asks for that. The quotient is rounded down. Where it has
// two values it is a choice of them.
func (r *restater) part(op ir.Op, a number, n int64) number {
	size := big.NewInt(n)
	q := number{lo: floor(a.lo, size), hi: floor(a.hi, size)}
	switch few := q.lo.IsInt64() && q.hi.IsInt64() && new(big.Int).Mul(q.hi, size).IsInt64(); {
	case few && q.lo.Cmp(q.hi) == 0:
		q.term = r.literal(q.lo.Int64()).term
	case few && new(big.Int).Sub(q.hi, q.lo).Cmp(big.NewInt(1)) == 0:
		start := r.literal(q.hi.Int64() * n)
		q = choice(ir.LtOf(a.term, start.term), r.literal(q.lo.Int64()), r.literal(q.hi.Int64()))
	case op == ir.Mod:
		return number{ir.ModOf(a.term, r.literal(n).term), new(big.Int), new(big.Int).Sub(size, big.NewInt(1))}
	default:
		q.term = ir.DivOf(a.term, r.literal(n).term)
	}
	if op == ir.Div || op == ir.Shr {
		return q
	}
	rest := apply(ir.Sub, a, apply(ir.Mul, q, r.literal(n)))
	rest.lo, rest.hi = bound(ir.Max, rest.lo, new(big.Int)), bound(ir.Min, rest.hi, new(big.Int).Sub(size, big.NewInt(1)))
	return rest
}

// floor is a/n rounded down, for a positive n.
func floor(a, n *big.Int) *big.Int { return new(big.Int).Div(a, n) }

// sum restates an integer up to multiples of the size of its type: sums and products do not wrap. Two integers are
// the same where their sums are.
func (r *restater) sum(e ir.Expr) ir.Expr {
	out, ok := r.sums[e]
	if !ok {
		out = r.readSum(e)
		r.sums[e] = out
	}
	return out
}

func (r *restater) readSum(e ir.Expr) ir.Expr {
	t := e.Type()
	switch op := e.Op(); {
	case op == ir.Const: // −1 rather than 255
		unused := 64 - t.Bits()
		return r.pool.Int(ir.I64, int64(e.Value())<<unused>>unused)
	case op == ir.Select:
		return ir.SelectOf(r.term(e.Arg(0)), r.sum(e.Arg(1)), r.sum(e.Arg(2)))
	case op == ir.Cast && e.Arg(0).Type().IsInt() && e.Arg(0).Type().Bits() >= t.Bits():
		return r.sum(e.Arg(0))
	case op == ir.Neg:
		return ir.SubOf(r.literal(0).term, r.sum(e.Arg(0)))
	case op == ir.Add, op == ir.Sub, op == ir.Mul:
		return ir.Make(op, r.sum(e.Arg(0)), r.sum(e.Arg(1)))
	}
	return r.number(e).term
}

// choice is a where the condition holds, else b.
func choice(condition ir.Expr, a, b number) number {
	return number{ir.SelectOf(condition, a.term, b.term), bound(ir.Min, a.lo, b.lo), bound(ir.Max, a.hi, b.hi)}
}

// apply computes with unbounded integers. Each operator has its least and its greatest value where both
// operands have theirs.
func apply(op ir.Op, a, b number) number {
	n := number{ir.Make(op, a.term, b.term), bound(op, a.lo, b.lo), bound(op, a.lo, b.lo)}
	for _, v := range []*big.Int{bound(op, a.lo, b.hi), bound(op, a.hi, b.lo), bound(op, a.hi, b.hi)} {
		n.lo, n.hi = bound(ir.Min, n.lo, v), bound(ir.Max, n.hi, v)
	}
	return n
}

func bound(op ir.Op, a, b *big.Int) *big.Int {
	switch {
	case op == ir.Add:
		return new(big.Int).Add(a, b)
	case op == ir.Sub:
		return new(big.Int).Sub(a, b)
	case op == ir.Mul:
		return new(big.Int).Mul(a, b)
	case (op == ir.Min) == (a.Cmp(b) < 0):
		return a
	}
	return b
}

// wrap brings an integer into type t, or returns the zero number. What is added are multiples of the size
// of the type: one for each part of the range of n.
func (r *restater) wrap(t ir.Type, n number) (none number) {
	lo, hi := poly.Limits(t)
	switch {
	case n.lo.Cmp(lo) >= 0 && n.hi.Cmp(hi) <= 0:
		return n
	case t.Bits() > 32 || n.lo.BitLen() > 62 || n.hi.BitLen() > 62:
		return none
	}
	size, start := int64(1)<<t.Bits(), lo.Int64()
	first, last := (n.lo.Int64()-start)>>t.Bits(), (n.hi.Int64()-start)>>t.Bits()
	if last-first > maxTurns {
		return none
	}
	out := ir.AddOf(n.term, r.literal(-last*size).term)
	for k := last - 1; k >= first; k-- {
		below := ir.LtOf(n.term, r.literal(start+(k+1)*size).term)
		out = ir.SelectOf(below, ir.AddOf(n.term, r.literal(-k*size).term), out)
	}
	return number{out, lo, hi}
}

// saturate is an integer, or the limit of a narrow type beyond which it lies.
func (r *restater) saturate(t ir.Type, n number) (none number) {
	lo, hi := poly.Limits(t)
	switch {
	case n.lo.Cmp(lo) >= 0 && n.hi.Cmp(hi) <= 0:
		return n
	case t.Bits() > 32:
		return none
	}
	return apply(ir.Max, apply(ir.Min, n, r.literal(hi.Int64())), r.literal(lo.Int64()))
}
