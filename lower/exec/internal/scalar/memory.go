package scalar

import (
	"reflect"
	"unsafe"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Memory is the place at which compiled code finds an array. It stays from run to run; the array
// changes.
type Memory struct {
	*ndarray.Array
	Columns []ndarray.Elements // of the components
	Bytes   [][]byte           // the memory of each
}

// NewMemory holds no array.
func NewMemory(types []ir.Type) *Memory {
	return &Memory{Columns: make([]ndarray.Elements, len(types)), Bytes: make([][]byte, len(types))}
}

// Hold makes the names of the memory refer to the data of an array.
func (m *Memory) Hold(a *ndarray.Array) {
	m.Array = a
	for c := range a.Data {
		m.Columns[c] = a.Elements(c)
		v := reflect.ValueOf(a.Data[c])
		m.Bytes[c] = unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*SizeOf(ndarray.TypeOf(a.Data[c])))
	}
}

// Forget lets the array go.
func (m *Memory) Forget() {
	clear(m.Columns)
	clear(m.Bytes)
	m.Array = nil
}

// SizeOf is the number of bytes of an element.
func SizeOf(t ir.Type) int { return (t.Bits() + 7) / 8 }
