package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// The order of elements. A nest combines the elements of a domain in the lexicographic order
// of its loops that are not pure, the outermost first; call that sequence of loops its
// order. (A pure loop does not count: two of its iterations never meet in one element.)
// split(v, o, i) replaces v by o, i, which leaves the order of elements as it is, since
// v = min + o·n + i with 0 <= i < n is monotone in (o, i).
//
// Let rfactor take the loops L out of an order S and leave R. The intermediate stage combines,
// for each value of L, elements in the order of R; merging combines those results in the
// order of L. By associativity the result is that of the elements in the order L, R. Two
// sequences of loops with at least two iterations each have the same lexicographic order
// only if they are the same sequence: at the first place where they differ, step one of the
// two loops and leave the other; the points come in opposite orders. So, apart from loops
// of at most one iteration, the order is kept if and only if L, R is S, that is, L is a
// prefix of S. Leaving elements out (where, ragged tails) or looking only at those that
// reach one element of the buffer (data-dependent left sides) takes subsequences of both
// orders, which are equal if those are. For every other L the operator must commute.

// serial lists the loops of a nest that are not pure.
func serial(axes []*axis) []*axis {
	var order []*axis
	for _, a := range axes {
		if !a.pure {
			order = append(order, a)
		}
	}
	return order
}

// sameOrder compares two orders, apart from loops of at most one iteration.
func sameOrder(a, b []*axis) bool { return slices.Equal(several(a), several(b)) }

func several(order []*axis) []*axis {
	var out []*axis
	for _, a := range order {
		if n, ok := literal(a.span.Extent); !ok || n > 1 {
			out = append(out, a)
		}
	}
	return out
}

// isPrefix reports whether taking some loops out of an order keeps the order of elements.
func isPrefix(taken, order []*axis) bool {
	return sameOrder(append(slices.Clone(taken), without(order, taken)...), order)
}

func without(list, drop []*axis) []*axis {
	var out []*axis
	for _, a := range list {
		if !slices.Contains(drop, a) {
			out = append(out, a)
		}
	}
	return out
}

// Slices may be empty. After taking out L, the slice for a value of L has elements if the
// remaining loops R do. Bounds come from splits alone: they fall as outer parts grow, so
// that some iteration satisfies all of them if the first one does, at which R is 0. Hence
// the slice has an element if and only if the bounds of L hold there and every dimension has
// a positive extent; the bounds of R at R = 0 follow from those. The extent need not be
// asked for where a part of the dimension is taken out that has a bound, or an extent that is
// not literal: both are positive only if the dimension's is. Merging skips slices that do not
// satisfy this. Predicates remain, and left sides that depend on data: these may leave a slice
// without elements, and then only a right identity, or a flag, tells so.

// mergeBounds lists the bounds of a loop that is taken out, in the merge stage, where remaining loops are
// at their first iteration.
func mergeBounds(a *axis, remaining []*axis) []ir.Expr {
	var out []ir.Expr
	from := varsOf(remaining)
	to := make([]ir.Expr, len(from))
	for i, v := range from {
		to[i] = v.Pool().Int(ir.I32, 0)
	}
	for _, b := range substAll(a.bounds, from, to) {
		b = simplify(b)
		if !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// simplify folds what literals in the place of variables leave to fold.
func simplify(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Add:
		return plus(simplify(e.Arg(0)), simplify(e.Arg(1)))
	case ir.Sub:
		return minus(simplify(e.Arg(0)), simplify(e.Arg(1)))
	case ir.Mul:
		return times(simplify(e.Arg(0)), simplify(e.Arg(1)))
	case ir.Min:
		return least(simplify(e.Arg(0)), simplify(e.Arg(1)))
	case ir.Div:
		return fold(ir.Div, simplify(e.Arg(0)), simplify(e.Arg(1)))
	}
	return e
}

// nonEmpty lists the conditions under which the remaining loops have an iteration, apart from
// the bounds of the loops that are taken out.
func nonEmpty(taken, remaining []*axis) []ir.Expr {
	var conds []ir.Expr
	for _, r := range remaining {
		if slices.ContainsFunc(taken, func(a *axis) bool {
			return a.root == r.root && (len(a.bounds) > 0 || a.span.Extent.Op() != ir.Const)
		}) {
			continue
		}
		e := r.root.span.Extent
		if n, ok := literal(e); ok && n > 0 {
			continue
		}
		c := ir.LtOf(e.Pool().Int(e.Type(), 0), e)
		if !slices.Contains(conds, c) {
			conds = append(conds, c)
		}
	}
	return conds
}
