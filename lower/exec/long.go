package exec

import (
	"math"

	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
)

// fits reports whether in this run the rows lie one behind another.
func (run *execution) fits(f *prepare.LongRow, s *scalar.Scalars) bool {
	s.Point++
	size := int64(1)
	for j, e := range f.Extents {
		n := int64(s.Compile(e)())
		if s.TakeError() != nil || n <= 0 || size > math.MaxInt32/n {
			return false
		}
		size *= n
		for _, name := range f.Arrays {
			d := run.Arrays[name].Dims[j]
			if d.Min != 0 || j+1 < len(f.Extents) && int64(d.Extent) != n {
				return false
			}
		}
	}
	return true
}

// collapsed is an array with its first m dimensions as one.
func (run *execution) collapsed(a *scalar.Memory, m int) *scalar.Memory {
	out := &scalar.Memory{Array: &ndarray.Array{}, Columns: a.Columns}
	run.onShape(func() {
		first := ndarray.Range{Extent: 1}
		for _, d := range a.Dims[:m] {
			first.Extent *= d.Extent
		}
		out.Dims = append([]ndarray.Range{first}, a.Dims[m:]...)
	})
	return out
}
