package emit

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// shortenFirst leaves out of the stages of first values what a scan then writes to the end of its dimension, and reads nothing of.
//
//	for x in 0..n: f(x) = 0; for r in 1..n - 1: f(r) = f(r - 1) + in(r)   →   for x in 0..min(1, n): f(x) = 0; …
func (g *scanPlanner) shortenFirst(nests []*loopnest.Nest) {
	for i, first := range nests {
		if first.Role != plan.First {
			continue
		}
		later := nests[i+1:]
		j := slices.IndexFunc(later, func(n *loopnest.Nest) bool { return n.Buffer == first.Buffer || n.ReadsBuffer(first.Buffer) })
		if j >= 0 && later[j].Buffer == first.Buffer {
			if loop, extent, ok := g.unwritten(first, later[j]); ok {
				first.Loops = slices.Clone(first.Loops)
				first.Loops[loop].Span.Extent = extent
				first.Short = true
			}
		}
	}
}

// unwritten returns the loop of a nest of first values that the scan behind it makes shorter, as the scan writes the other elements
// anyway, and how many elements are left to it; not ok where they do not match.
func (g *scanPlanner) unwritten(first, next *loopnest.Nest) (loop int, extent ir.Expr, ok bool) {
	d := len(next.Loops) - 1
	if d < 0 || g.at(next, d) == nil {
		return 0, extent, false
	}
	span := next.Loops[d].Span
	for c, e := range first.Index {
		i := slices.IndexFunc(first.Loops, func(l plan.Loop) bool { return l.Var == e })
		if i < 0 {
			return 0, extent, false
		}
		if c > 0 { // all of the other dimensions
			j := slices.IndexFunc(next.Loops, func(l plan.Loop) bool { return l.Var == next.Index[c] })
			if j < 0 || next.Loops[j].Span != first.Loops[i].Span {
				return 0, extent, false
			}
			continue
		}
		all := first.Loops[i].Span
		from := ir.Subst(next.Index[0], []ir.Expr{next.Scan.Var}, []ir.Expr{span.Min})
		rest := loopnest.SumOf(from).Plus(loopnest.SumOf(span.Extent), 1).Plus(loopnest.SumOf(all.Extent), -1)
		if !all.Min.IsConst(0) || len(rest.Atoms) > 0 || rest.K != 0 || loopnest.MentionsAny([]ir.Expr{from}, loopnest.VarsOfLoops(next.Loops)...) {
			return 0, extent, false
		}
		loop, extent = i, ir.Make(ir.Min, loopnest.FoldSum(from), all.Extent)
	}
	return loop, extent, len(first.Index) > 0
}
