package emit

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// oneLane leaves one lane to buffers whose kernels take all elements in lane 0 (fuseLanes): the others would hold identities,
// which would be stored and merged.
//
//	lanes(u, v), v < 8   →   lanes(u, v), v < 1
func oneLane(nests []*nest, arrays map[string]*array) {
	for _, n := range nests {
		if n.lane < 0 || n.Buffer.Output {
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
		a.extents[n.lane] = "1"
		a.restride()
	}
}

// lanesLoops finds the loops of other stages over the lanes of n's buffer. They are none where some stage uses a lane's number
// otherwise.
func lanesLoops(nests []*nest, n *nest) (loops []*plan.Loop, ok bool) {
	for _, m := range nests {
		if m == n {
			continue
		}
		var lanes []ir.Expr
		others := slices.Concat(m.where, m.values, spansOf(m.loops))
		if m.Buffer == n.Buffer {
			lanes = append(lanes, m.index[n.lane])
			others = append(others, slices.Delete(slices.Clone(m.index), n.lane, n.lane+1)...)
		} else {
			others = append(others, m.index...)
		}
		for _, r := range m.reads() {
			if r.Array == n.Buffer.Name {
				lanes = append(lanes, access.Operands(r.Call)[n.lane])
			}
		}
		for _, v := range slices.Compact(lanes) {
			i := slices.IndexFunc(m.loops, func(l plan.Loop) bool { return l.Var == v })
			if i < 0 || !m.loops[i].Span.Min.IsConst(0) || usedElsewhere(others, v, n) {
				return nil, false
			}
			loops = append(loops, &m.loops[i])
		}
	}
	return loops, true
}

// usedElsewhere reports whether v occurs in some expressions but as the lane of a read of n's buffer.
func usedElsewhere(es []ir.Expr, v ir.Expr, n *nest) bool {
	found := false
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		found = found || e == v
		for i := range e.NumArgs() {
			if !access.IsRead(e) || e.Name() != n.Buffer.Name || i != n.lane {
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
	for _, a := range alternatives(extent) {
		switch {
		case a.Op() != ir.Const:
			out = ir.MinOf(a, out)
		case a.Int() < 1:
			return a
		}
	}
	return out
}
