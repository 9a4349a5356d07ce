package loopnest

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Sum is k + Σ coef·atom with literal coefficients: all that is known of an index without
// knowing any extent. Atoms are loop variables and whatever else is no sum.
type Sum struct {
	K     int64
	Atoms []ir.Expr
	Coefs []int64
}

// SumOf is an index as a sum.
func SumOf(e ir.Expr) Sum {
	switch e.Op() {
	case ir.Const:
		return Sum{K: e.Int()}
	case ir.Add:
		return SumOf(e.Arg(0)).Plus(SumOf(e.Arg(1)), 1)
	case ir.Sub:
		return SumOf(e.Arg(0)).Plus(SumOf(e.Arg(1)), -1)
	case ir.Mul:
		if e.Arg(1).Op() == ir.Const {
			return Sum{}.Plus(SumOf(e.Arg(0)), e.Arg(1).Int())
		}
		if e.Arg(0).Op() == ir.Const {
			return Sum{}.Plus(SumOf(e.Arg(1)), e.Arg(0).Int())
		}
	}
	return Sum{Atoms: []ir.Expr{e}, Coefs: []int64{1}}
}

// Plus is s + n·t.
func (s Sum) Plus(t Sum, n int64) Sum {
	out := Sum{K: s.K + n*t.K, Atoms: slices.Clone(s.Atoms), Coefs: slices.Clone(s.Coefs)}
	for i, a := range t.Atoms {
		if j := slices.Index(out.Atoms, a); j >= 0 {
			out.Coefs[j] += n * t.Coefs[i]
		} else {
			out.Atoms, out.Coefs = append(out.Atoms, a), append(out.Coefs, n*t.Coefs[i])
		}
	}
	for i := len(out.Atoms) - 1; i >= 0; i-- {
		if out.Coefs[i] == 0 {
			out.Atoms, out.Coefs = slices.Delete(out.Atoms, i, i+1), slices.Delete(out.Coefs, i, i+1)
		}
	}
	return out
}

// Coef is how often an atom is in a sum.
func (s Sum) Coef(v ir.Expr) int64 {
	if i := slices.Index(s.Atoms, v); i >= 0 {
		return s.Coefs[i]
	}
	return 0
}

// With puts t in the place of the atom v.
func (s Sum) With(v ir.Expr, t Sum) Sum {
	c := s.Coef(v)
	return s.Plus(Sum{Atoms: []ir.Expr{v}, Coefs: []int64{1}}, -c).Plus(t, c)
}

// Uses reports whether a loop variable is in s in whatever form.
func (s Sum) Uses(vars []ir.Expr) bool {
	for _, a := range s.Atoms {
		if access.Mentions(a, vars...) {
			return true
		}
	}
	return false
}

// size is how much there is to read in s.
func (s Sum) size() int {
	n := 0
	for _, a := range s.Atoms {
		n += 1 + a.Size()
	}
	return n
}

// Extremes are sums that e never exceeds (or never falls below) in the loops, free of the
// loops' variables: each of them is a bound. There are none where e is no sum.
func Extremes(e ir.Expr, loops []plan.Loop, greatest bool) []Sum {
	open := []Sum{SumOf(e)}
	for _, l := range slices.Backward(loops) {
		var next []Sum
		for _, s := range open {
			c := s.Coef(l.Var)
			lo := SumOf(l.Span.Min)
			switch {
			case c == 0:
				next = append(next, s)
			case c > 0 != greatest:
				next = append(next, s.With(l.Var, lo))
			default:
				for _, a := range Alternatives(l.Span.Extent) {
					next = append(next, s.With(l.Var, lo.Plus(SumOf(a), 1).Plus(Sum{K: 1}, -1)))
				}
			}
		}
		open = next
		if len(open) > 64 {
			return nil
		}
	}
	vars := VarsOfLoops(loops)
	open = tightest(slices.DeleteFunc(open, func(s Sum) bool { return s.Uses(vars) }), greatest)
	slices.SortStableFunc(open, func(a, b Sum) int { return a.size() - b.size() })
	return open
}

// tightest leaves out bounds that a literal makes weaker than another.
func tightest(bounds []Sum, greatest bool) (out []Sum) {
	for i, b := range bounds {
		weaker := func(than Sum) bool {
			d := b.Plus(than, -1)
			return len(d.Atoms) == 0 && (d.K > 0) == greatest && d.K != 0
		}
		same := func(as Sum) bool { d := b.Plus(as, -1); return len(d.Atoms) == 0 && d.K == 0 }
		if !slices.ContainsFunc(bounds, weaker) && !slices.ContainsFunc(bounds[:i], same) {
			out = append(out, b)
		}
	}
	return out
}

// VarsOfLoops lists the variables of loops.
func VarsOfLoops(loops []plan.Loop) []ir.Expr {
	var vs []ir.Expr
	for _, l := range loops {
		vs = append(vs, l.Var)
	}
	return vs
}

// Within reports whether some bound shows that an index is below (or not below) a limit.
func Within(bounds []Sum, limit Sum, greatest bool) bool {
	for _, b := range bounds {
		d := limit.Plus(b, -1)
		if len(d.Atoms) == 0 && (greatest && d.K > 0 || !greatest && d.K <= 0) {
			return true
		}
	}
	return false
}

// ValueRange returns the ends of an interval that contains every value of e, as [interval.Of] does:
// of U64, math.MaxInt64 is no upper end. Extents of inputs are i32 that are not far below zero.
func ValueRange(e ir.Expr) (lo, hi int64) {
	r := interval.Of(e, func(e ir.Expr) (interval.Interval, bool) {
		return interval.Interval{Lo: -1, Hi: math.MaxInt32}, access.IsExtent(e) // in.left() and in.right(), too
	})
	return r.Lo, r.Hi
}

// Prec is the precedence of the operator that the text of a sum has.
func (s Sum) Prec() int {
	if len(s.Atoms) > 1 || len(s.Atoms) == 1 && s.K != 0 {
		return 4
	}
	return 5
}
