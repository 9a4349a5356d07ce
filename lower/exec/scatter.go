package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
)

// scatter is the mode of a stage whose left side depends on data.
//
//	f(key(r)) = f(key(r)) + in(r)   →   offsets of a block, then f[offset[i]] += in[i] in order
func (r *rowCode) scatter() {
	if r.countBytes() {
		return
	}
	offsets := r.offsets(r.w.nest.Targets[r.w.inner], r.w.buffer, r.mask)
	if slices.Contains(r.w.nest.IsPart, false) {
		r.scan(r.allComponents(), offsets)
		return
	}
	for c, p := range r.w.nest.Parts {
		if p.Op == ir.Const {
			continue
		}
		t := r.w.nest.Stage.Buffer.Types[c]
		s := &kernel.Scattering{Op: p.Op, Data: r.w.buffer.Columns[c], Offsets: offsets, Leaf: r.value(p.Leaf), Mask: r.mask}
		r.finish = append(r.finish, kernel.Of(t).Scatter(s))
	}
}
