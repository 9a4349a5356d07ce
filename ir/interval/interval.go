package plan

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
)

// interval is the integers lo, …, hi.
type interval struct{ lo, hi int64 }

// typeRange is every value of an integer type; the widest ones are cut to int64.
func typeRange(t ir.Type) interval {
	switch {
	case t == ir.Bool:
		return interval{0, 1}
	case t == ir.U64 || t == ir.I64 || t.IsFloat():
		return interval{math.MinInt64, math.MaxInt64}
	}
	return interval{int64(t.Min()), int64(t.Max())}
}

// literalRange is a span as an interval, where it is literal and not empty.
func literalRange(s Span) (interval, bool) {
	lo, ok := literal(s.Min)
	n, also := literal(s.Extent)
	return interval{lo, lo + n - 1}, ok && also && n > 0
}

func spanOf(p *ir.Pool, r interval) Span {
	return Span{p.Int(ir.I32, r.lo), p.Int(ir.I32, r.hi-r.lo+1)}
}

// intervalOf is an interval that contains every value of e, given those of some variables.
// It is the range of e's type where nothing better is known.
func intervalOf(e ir.Expr, vars map[ir.Expr]interval) interval {
	whole := typeRange(e.Type())
	if r, ok := vars[e]; ok {
		return r
	}
	if e.Type().IsFloat() || e.Type().Bits() == 64 && e.Op() != ir.Const {
		return whole
	}
	arg := func(i int) interval { return intervalOf(e.Arg(i), vars) }
	switch e.Op() {
	case ir.Const:
		return interval{e.Int(), e.Int()}
	case ir.Cast:
		if !e.Arg(0).Type().IsFloat() {
			return checked(arg(0), whole)
		}
	case ir.Add:
		a, b := arg(0), arg(1)
		return checked(interval{a.lo + b.lo, a.hi + b.hi}, whole)
	case ir.Sub:
		a, b := arg(0), arg(1)
		return checked(interval{a.lo - b.hi, a.hi - b.lo}, whole)
	case ir.Mul:
		return product(arg(0), arg(1), whole)
	case ir.Min:
		a, b := arg(0), arg(1)
		return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	case ir.Max:
		a, b := arg(0), arg(1)
		return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Select:
		a, b := arg(1), arg(2)
		return interval{min(a.lo, b.lo), max(a.hi, b.hi)}
	case ir.Mod:
		if b := arg(1); b.lo > math.MinInt32 { // x % 0 = 0, and remainders are never negative
			return interval{0, max(max(b.hi, -b.lo)-1, 0)}
		}
	case ir.Div:
		if a, b := arg(0), arg(1); b.lo == b.hi && b.lo > 0 {
			return interval{floorDiv(a.lo, b.lo), floorDiv(a.hi, b.lo)}
		}
	case ir.Shr:
		if a, b := arg(0), arg(1); b.lo == b.hi && b.lo >= 0 && b.lo < 32 {
			return interval{a.lo >> b.lo, a.hi >> b.lo}
		}
	case ir.BitAnd:
		a, b := arg(0), arg(1)
		switch {
		case a.lo >= 0 && b.lo >= 0:
			return interval{0, min(a.hi, b.hi)}
		case b.lo >= 0:
			return interval{0, b.hi}
		case a.lo >= 0:
			return interval{0, a.hi}
		}
	case ir.Abs:
		if a := arg(0); a.lo > whole.lo {
			return interval{0, max(a.hi, -a.lo)}
		}
	}
	return whole
}

// checked is r, or everything where some value in it would wrap.
func checked(r, whole interval) interval {
	if r.lo < whole.lo || r.hi > whole.hi {
		return whole
	}
	return r
}

func product(a, b, whole interval) interval {
	p := [4]int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi} // of at most 33 bits each
	r := interval{p[0], p[0]}
	for _, v := range p {
		r = interval{min(r.lo, v), max(r.hi, v)}
	}
	return checked(r, whole)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
