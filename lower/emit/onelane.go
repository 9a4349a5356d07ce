package emit

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// oneLane leaves one lane to buffers whose kernels take all elements in lane 0 (fuseLanes): the others would hold identities,
// which would be stored and merged.
//
//	lanes(u, v), v < 8   →   lanes(u, v), v < 1
func oneLane(nests []*loopnest.Nest, arrays map[string]*scope.Array) {
	for _, n := range nests {
		if n.Lane < 0 || n.Buffer.Output {
			continue
		}
		loops, ok := lanesLoops(nests, n)
		if !ok {
			continue
		}
		for _, l := range loops {
			l.Span.Extent = atMostOne(l.Span.Extent)
		}
		a := arrays[n.Buffer.Name]
		a.Extents[n.Lane] = "1"
		a.Restride()
	}
}

// lanesLoops finds the loops of other stages over the lanes of n's buffer. They are none where some stage uses a lane's number
// otherwise.
func lanesLoops(nests []*loopnest.Nest, n *loopnest.Nest) (loops []*plan.Loop, ok bool) {
	for _, m := range nests {
		if m == n {
			continue
		}
		var lanes []ir.Expr
		others := slices.Concat(m.Where, m.Values, loopnest.SpansOf(m.Loops))
		if m.Buffer == n.Buffer {
			lanes = append(lanes, m.Index[n.Lane])
			others = append(others, slices.Delete(slices.Clone(m.Index), n.Lane, n.Lane+1)...)
		} else {
			others = append(others, m.Index...)
		}
		for _, r := range m.Reads() {
			if r.Array == n.Buffer.Name {
				lanes = append(lanes, access.Operands(r.Call)[n.Lane])
			}
		}
		for _, v := range slices.Compact(lanes) {
			i := slices.IndexFunc(m.Loops, func(l plan.Loop) bool { return l.Var == v })
			if i < 0 || !m.Loops[i].Span.Min.IsConst(0) || usedElsewhere(others, v, n) {
				return nil, false
			}
			loops = append(loops, &m.Loops[i])
		}
	}
	return loops, true
}

// usedElsewhere reports whether v occurs in some expressions but as the lane of a read of n's buffer.
func usedElsewhere(es []ir.Expr, v ir.Expr, n *loopnest.Nest) bool {
	found := false
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		found = found || e == v
		for i := range e.NumArgs() {
			if !access.IsRead(e) || e.Name() != n.Buffer.Name || i != n.Lane {
				visit(e.Arg(i))
			}
		}
	}
	for _, e := range es {
		visit(e)
	}
	return found
}

// atMostOne is the lesser of an extent and 1.
func atMostOne(extent ir.Expr) ir.Expr {
	out := extent.Pool().Int(ir.I32, 1)
	for _, a := range loopnest.Alternatives(extent) {
		switch {
		case a.Op() != ir.Const:
			out = ir.MinOf(a, out)
		case a.Int() < 1:
			return a
		}
	}
	return out
}
