package scalar

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Memory is the place at which compiled code finds an array. It stays from run to run; the array
// changes.
type Memory struct {
	*ndarray.Array
	Columns []any // a *kernel.Vector for each component
}

// NewMemory holds no array.
func NewMemory(types []ir.Type) *Memory {
	m := &Memory{}
	for _, t := range types {
		m.Columns = append(m.Columns, kernel.Of(t).Register(0))
	}
	return m
}

// Hold makes the names of the memory refer to the data of an array.
func (m *Memory) Hold(a *ndarray.Array) {
	m.Array = a
	for c, d := range a.Data {
		kernel.Of(ndarray.TypeOf(d)).Hold(m.Columns[c], d)
	}
}

// Forget lets the array go.
func (m *Memory) Forget() {
	for c, d := range m.Data {
		kernel.Of(ndarray.TypeOf(d)).Hold(m.Columns[c], nil)
	}
	m.Array = nil
}

// Clear makes all elements 0.
func (m *Memory) Clear() {
	for c, d := range m.Data {
		kernel.Of(ndarray.TypeOf(d)).Clear(m.Columns[c])
	}
}

// SizeOf is the number of bytes of an element.
func SizeOf(t ir.Type) int { return (t.Bits() + 7) / 8 }

// Apart returns how far apart elements lie whose coordinates differ by some numbers.
func (m *Memory) Apart(by []int) int {
	stride, width := 0, 1
	for i, d := range m.Dims {
		stride += by[i] * width
		width *= d.Extent
	}
	return stride
}
