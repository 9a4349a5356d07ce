// Package integers restates equations of machine integers over the integers.
//
//	x0 + y0                  →  select(n0 + n1 < 256, n0 + n1, n0 + n1 + (-256))     x0, y0:u8 and so 0 ≤ n0, n1 ≤ 255
//	saturating_add(x0, y0)   →  max(min(n0 + n1, 127), -128)                         x0, y0:i8 and so -128 ≤ n0, n1 ≤ 127
//
// Wrapping and saturating arithmetic and casts become sums, comparisons and choices of i64 terms. Any
// other term becomes a variable: n0, n1, … for an integer, b0, b1, … for a flag. The range of an integer
// of at most 32 bits becomes a given condition.
//
// The equation holds for machine integers that wrap if the restated one holds for unbounded integers. A
// certificate goes on with a proof of the restated equation. For this reason the package fixes the names
// of variables, the order of the given conditions, and which terms are left out as trivial.
package integers

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

const (
	maxSize = 20000   // operators of both restated sides, written out
	small   = 1 << 40 // literals, moduli, and sums that are brought back into a type are smaller
	maxWrap = 2       // such a sum wraps at most so many times from its least to its greatest value
)

// Restate returns the equation left = right over the integers, and what is given there: the given
// conditions, restated, and the ranges of variables. The terms are in the pool of left. An error says that
// the sides are not of one type, or floats, or become too large.
func Restate(given []ir.Expr, left, right ir.Expr) (newGiven []ir.Expr, newLeft, newRight ir.Expr, err error) {
	r := &restater{pool: left.Pool(), numbers: map[ir.Expr]number{}, truths: map[ir.Expr]ir.Expr{}}
	for _, g := range given {
		restated := r.truth(g)
		r.given = append(r.given, restated)
	}
	switch t := left.Type(); {
	case t != right.Type() || t.IsFloat():
		return nil, ir.Expr{}, ir.Expr{}, errors.New("the sides are not integers of one type")
	case t == ir.Bool:
		left, right = r.truth(left), r.truth(right)
	default:
		left, right = r.number(left).term, r.number(right).term
	}
	if left.Size()+right.Size() > maxSize {
		return nil, ir.Expr{}, ir.Expr{}, fmt.Errorf("the sides have more than %d operators over the integers", maxSize)
	}
	return r.given, left, right, nil
}

// restater keeps what each term became.
type restater struct {
	pool    *ir.Pool
	given   []ir.Expr
	numbers map[ir.Expr]number
	truths  map[ir.Expr]ir.Expr
}

// truth restates a flag.
func (r *restater) truth(e ir.Expr) ir.Expr {
	out, ok := r.truths[e]
	if !ok {
		if out = r.readTruth(e); !out.IsValid() {
			out = r.pool.Var(ir.Leaf, fmt.Sprintf("b%d", len(r.truths)), 1<<22+len(r.truths), ir.Bool)
		}
		r.truths[e] = out
	}
	return out
}

func (r *restater) readTruth(e ir.Expr) (none ir.Expr) {
	switch op := e.Op(); {
	case op == ir.Const:
		return e
	case op == ir.Not:
		return not(r.truth(e.Arg(0)))
	case op == ir.Select:
		return ir.SelectOf(r.truth(e.Arg(0)), r.truth(e.Arg(1)), r.truth(e.Arg(2)))
	case op == ir.And || op == ir.Or || op.IsComparison() && e.Arg(0).Type() == ir.Bool:
		return ir.Make(op, r.truth(e.Arg(0)), r.truth(e.Arg(1)))
	case !op.IsComparison() || !e.Arg(0).Type().IsInt():
		return none
	case (op == ir.Lt || op == ir.Ge) && e.Arg(0).Type().IsSigned() && e.Arg(1).IsConst(0):
		if sign := r.sign(e.Arg(0)); sign.IsValid() && op == ir.Ge {
			return not(sign)
		} else if sign.IsValid() {
			return sign
		}
	}
	return ir.Make(e.Op(), r.number(e.Arg(0)).term, r.number(e.Arg(1)).term)
}

// sign restates that a term is negative whose sign its operands' signs decide, or returns no Expr.
func (r *restater) sign(e ir.Expr) (none ir.Expr) {
	negative := func(i int) ir.Expr { return r.truth(ir.LtOf(e.Arg(i), r.pool.Int(e.Type(), 0))) }
	switch e.Op() {
	case ir.BitXor:
		return ir.Make(ir.Ne, negative(0), negative(1))
	case ir.BitAnd:
		return and(negative(0), negative(1))
	case ir.BitOr:
		return or(negative(0), negative(1))
	case ir.BitNot:
		return not(negative(0))
	}
	return none
}

// number restates an integer.
func (r *restater) number(e ir.Expr) number {
	n, ok := r.numbers[e]
	if !ok {
		if n = r.read(e); !n.term.IsValid() {
			n = r.variable(e.Type())
		}
		r.numbers[e] = n
	}
	return n
}

// variable stands for a term of type t that is not restated.
func (r *restater) variable(t ir.Type) number {
	k := len(r.numbers)
	v := r.pool.Var(ir.Leaf, fmt.Sprintf("n%d", k), 1<<21+k, ir.I64)
	if !narrow(t) {
		return number{v, new(big.Int).Neg(far), far}
	}
	lo, hi := r.literal(int64(t.Min())), r.literal(int64(t.Max()))
	r.given = append(r.given, ir.LeOf(lo.term, v), ir.LeOf(v, hi.term))
	return number{v, lo.lo, hi.hi}
}

// read restates an operator on integers, or returns the zero number.
func (r *restater) read(e ir.Expr) (none number) {
	t := e.Type()
	switch op := e.Op(); op {
	case ir.Const:
		if v := e.Int(); -small < v && v < small && (v >= 0 || t.IsSigned()) {
			return r.literal(v)
		}
	case ir.Cast:
		if from := e.Arg(0).Type(); from == ir.Bool {
			one, zero := r.literal(1), r.literal(0)
			return number{ir.SelectOf(r.truth(e.Arg(0)), one.term, zero.term), zero.lo, one.hi}
		} else if from.IsInt() {
			return r.wrap(t, r.number(e.Arg(0)))
		}
	case ir.Select:
		a, b := r.number(e.Arg(1)), r.number(e.Arg(2))
		return number{choose(r.truth(e.Arg(0)), a.term, b.term), least(a.lo, b.lo), greatest(a.hi, b.hi)}
	case ir.Neg:
		return r.wrap(t, difference(r.literal(0), r.number(e.Arg(0))))
	case ir.BitNot: // −1 − a, or 2^width − 1 − a
		if a := r.number(e.Arg(0)); narrow(t) && t.IsSigned() {
			return difference(r.literal(-1), a)
		} else if narrow(t) {
			return difference(r.literal(int64(t.Max())), a)
		}
	case ir.Min, ir.Max, ir.Add, ir.Sub, ir.Mul, ir.Mod, ir.SatAdd, ir.SatSub:
		return r.binary(op, t, r.number(e.Arg(0)), r.number(e.Arg(1)))
	}
	return none
}

func (r *restater) binary(op ir.Op, t ir.Type, a, b number) (none number) {
	switch op {
	case ir.Min:
		return number{ir.MinOf(a.term, b.term), least(a.lo, b.lo), least(a.hi, b.hi)}
	case ir.Max:
		return number{ir.MaxOf(a.term, b.term), greatest(a.lo, b.lo), greatest(a.hi, b.hi)}
	case ir.Add:
		return r.wrap(t, sum(a, b))
	case ir.Sub:
		return r.wrap(t, difference(a, b))
	case ir.Mul:
		return r.wrap(t, product(a, b))
	case ir.SatAdd:
		return r.saturate(t, sum(a, b))
	case ir.SatSub:
		return r.saturate(t, difference(a, b))
	}
	if !a.known() || b.lo.Sign() < 0 || b.hi.Cmp(big.NewInt(small)) >= 0 {
		return none
	}
	zero := new(big.Int) // the remainder is not negative, and 0 where the modulus is
	return number{ir.ModOf(a.term, b.term), zero, greatest(zero, minus(b.hi, big.NewInt(1)))}
}

// wrap brings an integer into type t, or returns the zero number. What is added are multiples of the size
// of the type: one for each part of the range of n.
func (r *restater) wrap(t ir.Type, n number) (none number) {
	lo, hi := limits(t)
	limit := big.NewInt(small - 1)
	switch {
	case !n.term.IsValid() || n.lo.Cmp(lo) >= 0 && n.hi.Cmp(hi) <= 0:
		return n
	case !narrow(t) || n.lo.CmpAbs(limit) > 0 || n.hi.CmpAbs(limit) > 0:
		return none
	}
	size, start := int64(1)<<t.Bits(), lo.Int64()
	first, last := (n.lo.Int64()-start)>>t.Bits(), (n.hi.Int64()-start)>>t.Bits()
	move := func(k int64) ir.Expr { return addTo(n.term, r.literal(-k*size).term) }
	switch {
	case first == last:
		by := big.NewInt(first * size)
		return number{move(first), minus(n.lo, by), minus(n.hi, by)}
	case last-first > maxWrap:
		return none
	}
	out := move(last)
	for k := last - 1; k >= first; k-- {
		out = ir.SelectOf(ir.LtOf(n.term, r.literal(start+(k+1)*size).term), move(k), out)
	}
	return number{out, lo, hi}
}

// saturate is an integer of a narrow type, or the limit of the type beyond which it lies.
func (r *restater) saturate(t ir.Type, n number) (none number) {
	if !narrow(t) || !n.term.IsValid() {
		return none
	}
	lo, hi := limits(t)
	if n.hi.Cmp(hi) > 0 {
		n = number{ir.MinOf(n.term, r.literal(hi.Int64()).term), least(n.lo, hi), hi}
	}
	if n.lo.Cmp(lo) < 0 {
		n = number{ir.MaxOf(n.term, r.literal(lo.Int64()).term), lo, greatest(n.hi, lo)}
	}
	return n
}
