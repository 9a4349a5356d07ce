// Package ndarray has the dense arrays that programs read and write: for each component a
// plain Go slice, with the range of coordinates of each dimension.
//
// A 3 by 2 array of bytes, whose element (x, y) is Data[0].([]uint8)[x+3*y]:
//
//	a := ndarray.New([]ir.Type{ir.U8}, ndarray.Range{Extent: 3}, ndarray.Range{Extent: 2})
//
// Package ndarray/npy reads and writes them as NumPy's files.
package ndarray

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// Array is an array of tuples. Data has a slice for each component, of the Go type of its
// elements: []bool, []int8, … []uint64, []float32 or []float64. All of them have Dims.Len()
// elements. The first dimension lies contiguous.
//
// The zero Array has no components. An Array without dimensions has one element.
type Array struct {
	Dims Box
	Data []any
}

// New makes an array of zeros with one component for each type. An Extent below 0 counts as 0.
// New panics where a type is not one of package ir's.
func New(types []ir.Type, dims ...Range) *Array {
	a := &Array{Dims: dims}
	n := a.Dims.Len()
	for _, t := range types {
		a.Data = append(a.Data, makeSlice(t, n))
	}
	return a
}

// Types lists the types of the components. A component is ir.Invalid where its Data is
// anything but a slice of elements.
func (a *Array) Types() []ir.Type {
	var ts []ir.Type
	for _, d := range a.Data {
		ts = append(ts, TypeOf(d))
	}
	return ts
}

// Range is the coordinates Min, Min+1, … Min+Extent-1 of one dimension. The zero Range is empty.
type Range struct{ Min, Extent int }

// Box is the ranges of all dimensions, the contiguous one first. The nil Box holds one point,
// that without coordinates.
type Box []Range

// Len is the number of points in b: the product of the extents, 0 where one of them is negative.
func (b Box) Len() int {
	n := 1
	for _, d := range b {
		n *= max(d.Extent, 0)
	}
	return n
}

// Offset returns the index of a point in the data of an array. The point has a coordinate for each dimension of b. The
// error names the first coordinate that is outside of its range.
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
