package lower

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
)

func totalSigned[T simd.Number]() func([]T) int64    { return simd.Sum[int64, T]() }
func totalUnsigned[T simd.Number]() func([]T) uint64 { return simd.Sum[uint64, T]() }

// scattering is a fold of each leaf of a block into the element at its offset.
type scattering struct {
	op      ir.Op
	data    any
	offsets *vector[int]
	leaf    any
	mask    *vector[bool] // nil where all count
}

func (z typed[T]) scatter(s *scattering) step {
	to, leaf := s.data.(*vector[T]), s.leaf.(*vector[T])
	if s.op == ir.Add && s.mask == nil {
		return func(k, n int) {
			data, x := to.v, leaf.v[:n]
			for i, at := range s.offsets.v[:n] {
				data[at] += x[i]
			}
		}
	}
	return func(k, n int) {
		data := to.v
		for i, at := range s.offsets.v[:n] {
			if s.mask == nil || s.mask.v[i] {
				data[at] = z.uncarry(ir.Apply2(s.op, z.t, z.carry(data[at]), z.carry(leaf.v[i])))
			}
		}
	}
}

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
		if p.op == ir.Const {
			continue
		}
		t := r.w.nest.stage.Buffer.Types[c]
		s := &scattering{op: p.op, data: r.w.buffer.data[c], offsets: offsets, leaf: r.value(p.leaf), mask: r.mask}
		r.finish = append(r.finish, kinds[t].scatter(s))
	}
}
