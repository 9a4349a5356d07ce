package plan

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// Array is what a buffer or an input holds: for each component the elements, carried as
// package ir says, the first dimension contiguous.
type Array struct {
	Types []ir.Type
	Dims  Box
	Data  [][]uint64
}

// maxElements bounds the arrays of the interpreter.
const maxElements = 1 << 28

// NewArray makes an array of zeros.
func NewArray(types []ir.Type, dims ...FixedExtent) *Array {
	a := &Array{Types: types, Dims: dims}
	n := a.Dims.Len()
	for range types {
		a.Data = append(a.Data, make([]uint64, n))
	}
	return a
}

// Box is the coordinates of an array; the first dimension lies contiguous.
type Box []FixedExtent

// Len is the number of elements.
func (b Box) Len() int {
	n := 1
	for _, d := range b {
		n *= max(d.Extent, 0)
	}
	return n
}

// Offset is where the element at some coordinates lies. It is an error where there is none.
func (b Box) Offset(at []int64) (int, error) {
	offset, stride := 0, 1
	for i, d := range b {
		c := at[i] - int64(d.Min)
		if c < 0 || c >= int64(d.Extent) {
			return 0, fmt.Errorf("coordinate %d is %d, outside of %d..%d", i+1, at[i], d.Min, d.Min+d.Extent-1)
		}
		offset += int(c) * stride
		stride *= d.Extent
	}
	return offset, nil
}
