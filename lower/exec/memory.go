package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/ndarray"
)

// memory is the place at which compiled code finds an array. It stays from run to run; the array
// changes.
type memory struct {
	*ndarray.Array
	data []any // a *kernel.Vector for each component
}

func newMemory(types []ir.Type) *memory {
	m := &memory{}
	for _, t := range types {
		m.data = append(m.data, kernel.Of(t).Register(0))
	}
	return m
}

func (m *memory) hold(a *ndarray.Array) {
	m.Array = a
	for c, d := range a.Data {
		kernel.Of(ndarray.TypeOf(d)).Hold(m.data[c], d)
	}
}

func (m *memory) forget() {
	for c, d := range m.Data {
		kernel.Of(ndarray.TypeOf(d)).Hold(m.data[c], nil)
	}
	m.Array = nil
}

// clear makes all elements 0.
func (m *memory) clear() {
	for c, d := range m.Data {
		kernel.Of(ndarray.TypeOf(d)).Clear(m.data[c])
	}
}

// sizeOf is the number of bytes of an element.
func sizeOf(t ir.Type) int { return (t.Bits() + 7) / 8 }
