package emit

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// shortenFirst leaves out of the stages of first values what a scan then writes to the end of its dimension, and reads nothing of.
//
//	for x in 0..n: f(x) = 0; for r in 1..n - 1: f(r) = f(r - 1) + in(r)   →   for x in 0..min(1, n): f(x) = 0; …
func (g *scanPlanner) shortenFirst(nests []*nest) {
	for i, first := range nests {
		if first.Role != plan.First {
			continue
		}
		later := nests[i+1:]
		j := slices.IndexFunc(later, func(n *nest) bool { return n.Buffer == first.Buffer || n.readsBuffer(first.Buffer) })
		if j >= 0 && later[j].Buffer == first.Buffer {
			if loop, extent, ok := g.unwritten(first, later[j]); ok {
				first.loops = slices.Clone(first.loops)
				first.loops[loop].Span.Extent = extent
				first.short = true
			}
		}
	}
}

// readsBuffer reports whether a nest reads elements of a buffer.
func (n *nest) readsBuffer(b *plan.Buffer) bool {
	for _, r := range n.reads() {
		if r.Array == b.Name {
			return true
		}
	}
	return false
}

// unwritten is how far a loop of first values has to run where a scan comes next.
func (g *scanPlanner) unwritten(first, next *nest) (loop int, extent ir.Expr, ok bool) {
	d := len(next.loops) - 1
	if d < 0 || g.at(next, d) == nil {
		return 0, extent, false
	}
	span := next.loops[d].Span
	for c, e := range first.index {
		i := slices.IndexFunc(first.loops, func(l plan.Loop) bool { return l.Var == e })
		if i < 0 {
			return 0, extent, false
		}
		if c > 0 { // all of the other dimensions
			j := slices.IndexFunc(next.loops, func(l plan.Loop) bool { return l.Var == next.index[c] })
			if j < 0 || next.loops[j].Span != first.loops[i].Span {
				return 0, extent, false
			}
			continue
		}
		all := first.loops[i].Span
		from := ir.Subst(next.index[0], []ir.Expr{next.Scan.Var}, []ir.Expr{span.Min})
		rest := sumOf(from).plus(sumOf(span.Extent), 1).plus(sumOf(all.Extent), -1)
		if !all.Min.IsConst(0) || len(rest.atoms) > 0 || rest.k != 0 || mentionsAny([]ir.Expr{from}, varsOfLoops(next.loops)...) {
			return 0, extent, false
		}
		loop, extent = i, ir.Make(ir.Min, foldSum(from), all.Extent)
	}
	return loop, extent, len(first.index) > 0
}
