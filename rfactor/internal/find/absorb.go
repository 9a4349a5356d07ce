package find

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// absorbed writes minima and maxima of integers with the fewest terms that distributivity and absorption leave:
//
//	min(max(min(x0, y0), x1), min(x1, y1))     →   min(x1, y1)
//	max(x0, min(max(min(x0, x1), y0), k0))     →   max(x0, min(y0, k0))
//
// A component may depend on others only in a term that is absorbed. A proof that such an operator is associative
// takes many times as long.
func absorbed(es []ir.Expr) []ir.Expr {
	done := map[ir.Expr]ir.Expr{}
	var visit func(ir.Expr) ir.Expr
	visit = func(e ir.Expr) ir.Expr {
		if out, ok := done[e]; ok {
			return out
		}
		args := make([]ir.Expr, e.NumArgs())
		for i := range args {
			args[i] = visit(e.Arg(i))
		}
		out := ir.Rebuild(e, args)
		if isLattice(out) {
			out = leastLattice(out)
		}
		done[e] = out
		return out
	}
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = visit(e)
	}
	return out
}

func isLattice(e ir.Expr) bool {
	return (e.Op() == ir.Min || e.Op() == ir.Max) && e.Type().IsInt()
}

// leastLattice returns the smallest of a term, its maximum of minima, and its minimum of maxima.
func leastLattice(e ir.Expr) ir.Expr {
	for _, outer := range []ir.Op{ir.Max, ir.Min} {
		sets, ok := normalForm(e, outer)
		if !ok {
			continue
		}
		terms := make([]ir.Expr, len(sets))
		for i, set := range sets {
			terms[i] = folded(ir.Min+ir.Max-outer, set)
		}
		if other := folded(outer, terms); other.Size() < e.Size() {
			e = other
		}
	}
	return e
}

func folded(op ir.Op, terms []ir.Expr) ir.Expr {
	out := terms[0]
	for _, e := range terms[1:] {
		out = ir.Make(op, out, e)
	}
	return out
}

// maxForm bounds the sets of a normal form. Its size may be exponential in that of a term.
const maxForm = 16

// normalForm writes a term as the outer operator of sets, each joined by the other one: sets that another set is a
// part of are absorbed. It is not ok if there are too many sets.
func normalForm(e ir.Expr, outer ir.Op) (sets [][]ir.Expr, ok bool) {
	if !isLattice(e) {
		return [][]ir.Expr{{e}}, true
	}
	left, ok := normalForm(e.Arg(0), outer)
	if !ok {
		return nil, false
	}
	right, ok := normalForm(e.Arg(1), outer)
	if !ok || len(left)*len(right) > 4*maxForm {
		return nil, false
	}
	if e.Op() == outer {
		sets = minimal(slices.Concat(left, right))
	} else {
		for _, a := range left {
			for _, b := range right {
				union := slices.Clone(a)
				for _, t := range b {
					if !slices.Contains(union, t) {
						union = append(union, t)
					}
				}
				sets = append(sets, union)
			}
		}
		sets = minimal(sets)
	}
	return sets, len(sets) <= maxForm
}

// minimal returns the sets that have no other of the sets as a subset. Of equal sets it keeps the first.
func minimal(sets [][]ir.Expr) (out [][]ir.Expr) {
	for i, set := range sets {
		if !slices.ContainsFunc(sets[:i], func(other []ir.Expr) bool { return isPart(other, set) }) &&
			!slices.ContainsFunc(sets[i+1:], func(other []ir.Expr) bool { return isPart(other, set) && len(other) < len(set) }) {
			out = append(out, set)
		}
	}
	return out
}

func isPart(small, big []ir.Expr) bool {
	return !slices.ContainsFunc(small, func(e ir.Expr) bool { return !slices.Contains(big, e) })
}
