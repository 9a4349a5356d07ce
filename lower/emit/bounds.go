package emit

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// sum is k + Σ coef·atom with literal coefficients: all that is known of an index without
// knowing any extent. Atoms are loop variables and whatever else is no sum.
type sum struct {
	k     int64
	atoms []ir.Expr
	coefs []int64
}

func sumOf(e ir.Expr) sum {
	switch e.Op() {
	case ir.Const:
		return sum{k: e.Int()}
	case ir.Add:
		return sumOf(e.Arg(0)).plus(sumOf(e.Arg(1)), 1)
	case ir.Sub:
		return sumOf(e.Arg(0)).plus(sumOf(e.Arg(1)), -1)
	case ir.Mul:
		if e.Arg(1).Op() == ir.Const {
			return sum{}.plus(sumOf(e.Arg(0)), e.Arg(1).Int())
		}
		if e.Arg(0).Op() == ir.Const {
			return sum{}.plus(sumOf(e.Arg(1)), e.Arg(0).Int())
		}
	}
	return sum{atoms: []ir.Expr{e}, coefs: []int64{1}}
}

// plus is s + n·t.
func (s sum) plus(t sum, n int64) sum {
	out := sum{k: s.k + n*t.k, atoms: slices.Clone(s.atoms), coefs: slices.Clone(s.coefs)}
	for i, a := range t.atoms {
		if j := slices.Index(out.atoms, a); j >= 0 {
			out.coefs[j] += n * t.coefs[i]
		} else {
			out.atoms, out.coefs = append(out.atoms, a), append(out.coefs, n*t.coefs[i])
		}
	}
	for i := len(out.atoms) - 1; i >= 0; i-- {
		if out.coefs[i] == 0 {
			out.atoms, out.coefs = slices.Delete(out.atoms, i, i+1), slices.Delete(out.coefs, i, i+1)
		}
	}
	return out
}

func (s sum) coef(v ir.Expr) int64 {
	if i := slices.Index(s.atoms, v); i >= 0 {
		return s.coefs[i]
	}
	return 0
}

// with puts t in the place of the atom v.
func (s sum) with(v ir.Expr, t sum) sum {
	c := s.coef(v)
	return s.plus(sum{atoms: []ir.Expr{v}, coefs: []int64{1}}, -c).plus(t, c)
}

// uses reports whether a loop variable is in s in whatever form.
func (s sum) uses(vars []ir.Expr) bool {
	for _, a := range s.atoms {
		if access.Mentions(a, vars...) {
			return true
		}
	}
	return false
}

// size is how much there is to read in s.
func (s sum) size() int {
	n := 0
	for _, a := range s.atoms {
		n += 1 + a.Size()
	}
	return n
}

// alternatives are expressions of which e is the least.
func alternatives(e ir.Expr) []ir.Expr {
	if e.Op() == ir.Min {
		return append(alternatives(e.Arg(0)), alternatives(e.Arg(1))...)
	}
	return []ir.Expr{e}
}

// extremes are sums that e never exceeds (or never falls below) in the loops, free of the
// loops' variables: each of them is a bound. There are none where e is no sum.
func extremes(e ir.Expr, loops []plan.Loop, greatest bool) []sum {
	open := []sum{sumOf(e)}
	for _, l := range slices.Backward(loops) {
		var next []sum
		for _, s := range open {
			c := s.coef(l.Var)
			lo := sumOf(l.Span.Min)
			switch {
			case c == 0:
				next = append(next, s)
			case c > 0 != greatest:
				next = append(next, s.with(l.Var, lo))
			default:
				for _, a := range alternatives(l.Span.Extent) {
					next = append(next, s.with(l.Var, lo.plus(sumOf(a), 1).plus(sum{k: 1}, -1)))
				}
			}
		}
		open = next
		if len(open) > 64 {
			return nil
		}
	}
	vars := varsOfLoops(loops)
	open = tightest(slices.DeleteFunc(open, func(s sum) bool { return s.uses(vars) }), greatest)
	slices.SortStableFunc(open, func(a, b sum) int { return a.size() - b.size() })
	return open
}

// tightest leaves out bounds that a literal makes weaker than another.
func tightest(bounds []sum, greatest bool) (out []sum) {
	for i, b := range bounds {
		weaker := func(than sum) bool {
			d := b.plus(than, -1)
			return len(d.atoms) == 0 && (d.k > 0) == greatest && d.k != 0
		}
		same := func(as sum) bool { d := b.plus(as, -1); return len(d.atoms) == 0 && d.k == 0 }
		if !slices.ContainsFunc(bounds, weaker) && !slices.ContainsFunc(bounds[:i], same) {
			out = append(out, b)
		}
	}
	return out
}

func varsOfLoops(loops []plan.Loop) []ir.Expr {
	var vs []ir.Expr
	for _, l := range loops {
		vs = append(vs, l.Var)
	}
	return vs
}

// within reports whether some bound shows that an index is below (or not below) a limit.
func within(bounds []sum, limit sum, greatest bool) bool {
	for _, b := range bounds {
		d := limit.plus(b, -1)
		if len(d.atoms) == 0 && (greatest && d.k > 0 || !greatest && d.k <= 0) {
			return true
		}
	}
	return false
}

// valueRange returns the ends of an interval that contains every value of e, as [interval.Of] does:
// of U64, math.MaxInt64 is no upper end. Extents of inputs are i32 that are not far below zero.
func valueRange(e ir.Expr) (lo, hi int64) {
	r := interval.Of(e, func(e ir.Expr) (interval.Interval, bool) {
		return interval.Interval{Lo: -1, Hi: math.MaxInt32}, access.IsExtent(e) // in.left() and in.right(), too
	})
	return r.Lo, r.Hi
}
