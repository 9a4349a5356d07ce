package exec

import "github.com/rfactor-go/rfactor/ir"

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

// addCounts adds x for each byte that was counted to the element at base + place[byte].
func (z typed[T]) addCounts(data any, counts *[256]uint32, place *[256]int, base int, x uint64) {
	d, each := data.(*vector[T]).v, z.uncarry(x)
	for v, m := range counts {
		if m != 0 {
			d[base+place[v]] += each * T(m)
		}
	}
}
