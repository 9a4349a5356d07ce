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
// loops' variables: each of them is a bound, where all of some extents are positive. There are none where e is no sum.
func Extremes(e Sum, loops []plan.Loop, greatest bool, positive []ir.Expr) []Sum {
	open := []Sum{e}
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
	var each []Sum
	for _, s := range open {
		each = append(each, s.settled(positive).expanded(greatest)...)
	}
	open = tightest(slices.DeleteFunc(each, func(s Sum) bool { return s.Uses(vars) }), greatest)
	slices.SortStableFunc(open, func(a, b Sum) int { return a.size() - b.size() })
	return open
}

// expanded lists sums of which s is the least (or the greatest).
//
//	min(n, 5) - 1   →   n - 1, 4
func (s Sum) expanded(least bool) (out []Sum) {
	for i, a := range s.Atoms {
		if op := map[bool]ir.Op{true: ir.Min, false: ir.Max}[least == (s.Coefs[i] > 0)]; a.Op() == op {
			return append(s.With(a, SumOf(a.Arg(0))).expanded(least), s.With(a, SumOf(a.Arg(1))).expanded(least)...)
		}
	}
	return []Sum{s}
}

// settled is s with e for max(e, 0), of extents e that are positive.
func (s Sum) settled(positive []ir.Expr) Sum {
	out := Sum{K: s.K}
	for i, a := range s.Atoms {
		a = a.Pool().Map([]ir.Expr{a}, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Max && e.Arg(1).IsConst(0) && slices.Contains(positive, e.Arg(0)) {
				return e.Arg(0)
			}
			return ir.Expr{}
		})[0]
		out = out.Plus(SumOf(a), s.Coefs[i])
	}
	return out
}

// tightest leaves out bounds that others make idle: those that a literal makes weaker, and those rounded up to whole steps beside the
// bound that they were rounded from.
//
//	(n - 1)/8*8 + 7   beside   n - 1
func tightest(bounds []Sum, greatest bool) (out []Sum) {
	for i, b := range bounds {
		idle := func(j int, than Sum) bool {
			return j != i && atLeast(b, than, greatest) && (!atLeast(than, b, greatest) || j < i)
		}
		kept := true
		for j, than := range bounds {
			kept = kept && !idle(j, than)
		}
		if kept && !(greatest && b.roundsUp(bounds)) {
			out = append(out, b)
		}
	}
	return out
}

// roundsUp reports whether s is at least the least of some bounds, since it has a term k*((n - 1)/k), which is at least n - k.
func (s Sum) roundsUp(bounds []Sum) bool {
	for i, a := range s.Atoms {
		if a.Op() != ir.Div || a.Arg(1).Op() != ir.Const || a.Arg(1).Int() != s.Coefs[i] || s.Coefs[i] <= 0 {
			continue
		}
		rest := s.With(a, Sum{}).Plus(Sum{K: 1 - s.Coefs[i]}, 1)
		all := true
		for _, n := range SumOf(a.Arg(0)).expanded(true) {
			m := rest.Plus(n, 1)
			all = all && slices.ContainsFunc(bounds, func(b Sum) bool { return atLeast(m, b, true) })
		}
		if all {
			return true
		}
	}
	return false
}

// VarsOfLoops lists the variables of loops.
func VarsOfLoops(loops []plan.Loop) []ir.Expr {
	var vs []ir.Expr
	for _, l := range loops {
		vs = append(vs, l.Var)
	}
	return vs
}

// Within reports whether some bound shows that an index is below (or not below) a limit, where all of some extents are positive.
func Within(bounds []Sum, limit Sum, greatest bool, positive []ir.Expr) bool {
	limit = limit.settled(positive)
	for _, b := range bounds {
		d := limit.Plus(b, -1).Plus(Sum{K: 1}, -1) // at least 0 where the index is below
		if !greatest {
			d = b.Plus(limit, -1)
		}
		for _, e := range positive {
			if rest := d.Plus(SumOf(e), -1).Plus(Sum{K: 1}, 1); len(rest.Atoms) < len(d.Atoms) {
				d = rest
			}
		}
		if len(d.Atoms) == 0 && d.K >= 0 {
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
