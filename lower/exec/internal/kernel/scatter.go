package kernel

import "github.com/rfactor-go/rfactor/ir"

// Scattering is a fold of each leaf of a block into the element at its offset.
type Scattering struct {
	Op      ir.Op
	Data    any
	Offsets *Vector[int]
	Leaf    any
	Mask    *Vector[bool] // nil where all count
}

func (z *typed[T]) Scatter(s *Scattering) Step {
	to, leaf := s.Data.(*Vector[T]), s.Leaf.(*Vector[T])
	if s.Op == ir.Add && s.Mask == nil {
		return func(k, n int) {
			data, x := to.V, leaf.V[:n]
			for i, at := range s.Offsets.V[:n] {
				data[at] += x[i]
			}
		}
	}
	return func(k, n int) {
		data := to.V
		for i, at := range s.Offsets.V[:n] {
			if s.Mask == nil || s.Mask.V[i] {
				data[at] = z.uncarry(ir.Apply2(s.Op, z.t, z.carry(data[at]), z.carry(leaf.V[i])))
			}
		}
	}
}

func (z *typed[T]) AddCounts(data any, counts *[256]uint32, place *[256]int, base int, x uint64) {
	d, each := data.(*Vector[T]).V, z.uncarry(x)
	for v, m := range counts {
		if m != 0 {
			d[base+place[v]] += each * T(m)
		}
	}
}
