package integers

import (
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
)

// number is an integer as a term, and exact bounds of it. The zero number is none.
type number struct {
	term   ir.Expr
	lo, hi *big.Int // never changed
}

func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// far is a bound, with either sign, of what is not known to be smaller. Values of 64 bits are.
var far = power(80)

// known reports whether there are better bounds than far.
func (n number) known() bool { return n.lo.CmpAbs(far) < 0 && n.hi.CmpAbs(far) < 0 }

func narrow(t ir.Type) bool { return t.IsInt() && t.Bits() <= 32 }

// limits is the range of a type. That of wide ones is a little smaller: a finder may round its bounds.
func limits(t ir.Type) (lo, hi *big.Int) {
	lo, hi = big.NewInt(int64(t.Min())), new(big.Int).SetUint64(t.Max())
	switch t {
	case ir.I64:
		return lo.Add(lo, power(27)), hi.Sub(hi, power(27))
	case ir.U64:
		return lo, hi.Sub(hi, power(28))
	}
	return lo, hi
}

func (r *restater) literal(v int64) number {
	return number{r.pool.Int(ir.I64, v), big.NewInt(v), big.NewInt(v)}
}

func plus(a, b *big.Int) *big.Int  { return new(big.Int).Add(a, b) }
func minus(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
func times(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func least(a *big.Int, bs ...*big.Int) *big.Int {
	for _, b := range bs {
		if b.Cmp(a) < 0 {
			a = b
		}
	}
	return a
}

func greatest(a *big.Int, bs ...*big.Int) *big.Int {
	for _, b := range bs {
		if b.Cmp(a) > 0 {
			a = b
		}
	}
	return a
}

// cancels reports whether bounds of 53 bits or more and of different signs are added. Rounded bounds would
// leave little of them, so that no such sum is restated.
func cancels(a, b *big.Int) bool {
	return a.Sign()*b.Sign() < 0 && max(a.BitLen(), b.BitLen()) > 52
}

func sum(a, b number) (none number) {
	if cancels(a.lo, b.lo) || cancels(a.hi, b.hi) {
		return none
	}
	return number{addTo(a.term, b.term), plus(a.lo, b.lo), plus(a.hi, b.hi)}
}

func difference(a, b number) (none number) {
	lo, hi := new(big.Int).Neg(b.hi), new(big.Int).Neg(b.lo)
	if cancels(a.lo, lo) || cancels(a.hi, hi) {
		return none
	}
	return number{ir.SubOf(a.term, b.term), plus(a.lo, lo), plus(a.hi, hi)}
}

func product(a, b number) (none number) {
	if !a.known() || !b.known() {
		return none
	}
	p, q, s, t := times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)
	switch {
	case is(a.term, 0) || is(b.term, 1):
	case is(b.term, 0) || is(a.term, 1):
		a.term = b.term
	default:
		a.term = ir.MulOf(a.term, b.term)
	}
	return number{a.term, least(p, q, s, t), greatest(p, q, s, t)}
}

func is(e ir.Expr, v uint64) bool { return e.IsConst(v) }

// The restated terms below leave out what does not matter. A proof is replayed against them, in which its
// finder left out the same.

func addTo(a, b ir.Expr) ir.Expr {
	switch {
	case is(a, 0):
		return b
	case is(b, 0):
		return a
	}
	return ir.AddOf(a, b)
}

func not(a ir.Expr) ir.Expr {
	switch a.Op() {
	case ir.Const:
		return a.Pool().Bool(is(a, 0))
	case ir.Not:
		return a.Arg(0)
	}
	return ir.NotOf(a)
}

func and(a, b ir.Expr) ir.Expr {
	switch {
	case is(a, 0) || is(b, 1) || a == b:
		return a
	case is(a, 1) || is(b, 0):
		return b
	}
	return ir.AndOf(a, b)
}

func or(a, b ir.Expr) ir.Expr {
	switch {
	case is(a, 1) || is(b, 0) || a == b:
		return a
	case is(a, 0) || is(b, 1):
		return b
	}
	return ir.OrOf(a, b)
}

// choose is select(c, a, b) on integers. Where c does not hold, a choice by its opposite is decided.
func choose(c, a, b ir.Expr) ir.Expr {
	switch {
	case a == b || is(c, 1):
		return a
	case is(c, 0):
		return b
	case b.Op() == ir.Select && b.Arg(0) == not(c):
		return choose(c, a, b.Arg(1))
	}
	return ir.SelectOf(c, a, b)
}
