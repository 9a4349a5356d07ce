// Package interval bounds the values of integer expressions: an analysis that knows nothing of
// the loops around an expression but the intervals that its caller gives to some subterms.
//
//	(r & 15) + 1   →   1 … 16
//
// Of returns the interval of an expression. Where nothing is known it is the whole range of the type: there are no
// errors.
package interval

import (
	"math"

	"github.com/rfactor-go/rfactor/ir"
)

// Interval is the integers Lo, …, Hi. Values of U64 from 2^63 on have no int64: of that type
// Hi = math.MaxInt64 means that there is no upper bound.
type Interval struct{ Lo, Hi int64 }

// Whole returns the interval of all values of an integer type or of Bool. Of other types it
// returns all of int64.
func Whole(t ir.Type) Interval {
	switch {
	case t == ir.Bool:
		return Interval{0, 1}
	case t == ir.U64:
		return Interval{0, math.MaxInt64}
	case t.IsInt():
		return Interval{int64(t.Min()), int64(t.Max())}
	}
	return Interval{math.MinInt64, math.MaxInt64}
}

// Union returns the smallest interval that contains a and b.
func Union(a, b Interval) Interval { return Interval{min(a.Lo, b.Lo), max(a.Hi, b.Hi)} }

// Of returns an interval that contains every value of e, where integers wrap. It is the whole of
// e's type where nothing better is known, and for floats. known answers the interval of a subterm,
// and false for one of which nothing more is known than e says; nil knows none. Of takes time linear
// in the number of distinct subterms.
//
//	(r & 15) + 1, r:i32   →   1 … 16
func Of(e ir.Expr, known func(ir.Expr) (Interval, bool)) Interval {
	a := analysis{known: known}
	return a.of(e)
}

type analysis struct {
	known func(ir.Expr) (Interval, bool)
	done  map[ir.Expr]Interval // of expressions with operands
}

func (a *analysis) of(e ir.Expr) Interval {
	if a.known != nil {
		if r, ok := a.known(e); ok {
			return r
		}
	}
	switch {
	case e.Type().IsFloat():
		return Whole(e.Type())
	case e.Op() == ir.Const:
		if v := e.Int(); v >= 0 || e.Type() != ir.U64 {
			return Interval{v, v}
		}
		return Interval{math.MaxInt64, math.MaxInt64}
	case e.NumArgs() == 0 || e.Op() == ir.Call || e.Op().IsComparison() && e.Arg(0).Type().IsFloat():
		return Whole(e.Type())
	}
	if r, ok := a.done[e]; ok {
		return r
	}
	r, whole := a.root(e), Whole(e.Type())
	if r.Lo < whole.Lo || r.Hi > whole.Hi {
		r = whole // some value may wrap
	}
	if a.done == nil {
		a.done = map[ir.Expr]Interval{}
	}
	a.done[e] = r
	return r
}

// root bounds the exact result of e's operator; where that may be no value of e's type, so does
// the interval say. It returns the whole of e's type for operators of which it knows nothing.
func (a *analysis) root(e ir.Expr) Interval {
	whole := Whole(e.Type())
	x := a.of(e.Arg(0))
	var y Interval
	if e.NumArgs() > 1 {
		y = a.of(e.Arg(1))
	}
	endless := e.Type() == ir.U64 // an end at math.MaxInt64 is none
	switch e.Op() {
	case ir.Cast:
		from := e.Arg(0).Type()
		if !from.IsFloat() && (from != ir.U64 || x.Hi < math.MaxInt64 || endless) {
			return x
		}
	case ir.Add:
		if small(x) && small(y) {
			return Interval{x.Lo + y.Lo, x.Hi + y.Hi}
		}
	case ir.Sub:
		if small(x) && small(y) {
			return Interval{x.Lo - y.Hi, x.Hi - y.Lo}
		}
	case ir.Neg:
		if small(x) {
			return Interval{-x.Hi, -x.Lo}
		}
	case ir.Mul:
		return product(x, y, whole)
	case ir.Min:
		return Interval{min(x.Lo, y.Lo), min(x.Hi, y.Hi)}
	case ir.Max:
		return Interval{max(x.Lo, y.Lo), max(x.Hi, y.Hi)}
	case ir.Select:
		switch {
		case x.Lo == 1:
			return y
		case x.Hi == 0:
			return a.of(e.Arg(2))
		}
		return Union(y, a.of(e.Arg(2)))
	case ir.Lt:
		return less(x, y)
	case ir.Gt:
		return less(y, x)
	case ir.Le:
		return not(less(y, x))
	case ir.Ge:
		return not(less(x, y))
	case ir.Eq:
		return equal(x, y)
	case ir.Ne:
		return not(equal(x, y))
	case ir.And:
		return Interval{min(x.Lo, y.Lo), min(x.Hi, y.Hi)}
	case ir.Or:
		return Interval{max(x.Lo, y.Lo), max(x.Hi, y.Hi)}
	case ir.Not:
		return not(x)
	case ir.Mod: // x % 0 = 0, and remainders are never negative
		if y.Lo > math.MinInt64 && !(endless && y.Hi == math.MaxInt64) {
			return Interval{0, max(max(y.Hi, -y.Lo)-1, 0)}
		}
		return Interval{0, whole.Hi}
	case ir.Div:
		if y.Lo != y.Hi || y.Lo <= 0 || y.Lo == math.MaxInt64 {
			break
		}
		r := Interval{floorDiv(x.Lo, y.Lo), floorDiv(x.Hi, y.Lo)}
		if endless && x.Hi == math.MaxInt64 && y.Lo > 1 {
			r.Hi = int64(uint64(math.MaxUint64) / uint64(y.Lo))
		}
		return r
	case ir.Shr:
		if y.Lo != y.Hi || y.Lo < 0 || y.Lo > 63 {
			break
		}
		r := Interval{x.Lo >> y.Lo, x.Hi >> y.Lo}
		if endless && x.Hi == math.MaxInt64 && y.Lo > 0 {
			r.Hi = int64(uint64(math.MaxUint64) >> y.Lo)
		}
		return r
	case ir.BitAnd:
		switch {
		case x.Lo >= 0 && y.Lo >= 0:
			return Interval{0, min(x.Hi, y.Hi)}
		case y.Lo >= 0:
			return Interval{0, y.Hi}
		case x.Lo >= 0:
			return Interval{0, x.Hi}
		}
	case ir.PopCount, ir.Clz, ir.Ctz:
		return Interval{0, int64(e.Type().Bits())}
	case ir.Abs:
		if x.Lo > whole.Lo {
			return Interval{0, max(x.Hi, -x.Lo)}
		}
	}
	return whole
}

// less bounds the truth value of a < b, for integers in x and in y. An end at math.MaxInt64 may be none.
func less(x, y Interval) Interval {
	switch {
	case x.Hi < y.Lo:
		return Interval{1, 1}
	case x.Lo >= y.Hi && y.Hi < math.MaxInt64:
		return Interval{0, 0}
	}
	return Interval{0, 1}
}

// equal bounds the truth value of a = b, for integers in x and in y.
func equal(x, y Interval) Interval {
	switch {
	case x.Hi < y.Lo || y.Hi < x.Lo:
		return Interval{0, 0}
	case x == y && x.Lo == x.Hi && x.Hi < math.MaxInt64:
		return Interval{1, 1}
	}
	return Interval{0, 1}
}

// not bounds a negated truth value.
func not(x Interval) Interval { return Interval{1 - x.Hi, 1 - x.Lo} }

// small reports whether sums of two such intervals stay inside int64.
func small(r Interval) bool { return r.Lo >= -1<<61 && r.Hi <= 1<<61 }

// product bounds x·y; it returns whole where an end of it overflows int64.
func product(x, y, whole Interval) Interval {
	var r Interval
	for i, f := range [4][2]int64{{x.Lo, y.Lo}, {x.Lo, y.Hi}, {x.Hi, y.Lo}, {x.Hi, y.Hi}} {
		if !ir.Fits(ir.Mul, ir.I64, uint64(f[0]), uint64(f[1])) {
			return whole
		}
		p := f[0] * f[1]
		if i == 0 {
			r = Interval{p, p}
		}
		r = Union(r, Interval{p, p})
	}
	return r
}

// floorDiv returns a/b for b > 0, rounded down, as Euclidean division does.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
