package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

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
			d[base+place[v]] += T(each * T(m))
		}
	}
}

// AddPlaces adds the places in one dimension of an array, whose elements lie width apart there, and reports whether all are in range that count. The sign of
// all tells whether some are not.
func AddPlaces(to []int, index []int32, d ndarray.Range, width int, mask *Vector[bool]) bool {
	index = index[:len(to)]
	all, last := 0, d.Extent-1
	for i, x := range index {
		at := int(x) - d.Min
		all |= at | (last - at)
		to[i] += at * width
	}
	if all >= 0 {
		return true
	}
	for i, x := range index {
		if at := int(x) - d.Min; uint(at) >= uint(d.Extent) {
			if mask == nil || mask.V[i] {
				return false
			}
			to[i] -= at * width
		}
	}
	return true
}
