package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// scatter is the mode of a stage whose left side depends on data.
func (r *rowCode) scatter() {
	if r.countBytes() {
		return
	}
	offsets := r.offsets(r.w.nest.targets[r.w.inner], r.w.buffer, r.mask)
	if slices.Contains(r.w.nest.isPart, false) {
		r.scan(r.allComponents(), offsets)
		return
	}
	for c, p := range r.w.nest.parts {
		if p.Op == ir.Const {
			continue
		}
		t := r.w.nest.stage.Buffer.Types[c]
		s := &scattering{op: p.Op, data: r.w.buffer.data[c], offsets: offsets, leaf: r.value(p.Leaf), mask: r.mask}
		r.finish = append(r.finish, kindOf(t).scatter(s))
	}
}
