package lower

import (
	"reflect"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Array is what an input or an output holds: for each component a slice of the Go type of
// its elements, []bool, []int8 … []float64. The first dimension lies contiguous.
type Array struct {
	Dims plan.Box
	Data []any
}

// NewArray makes an array of zeros.
func NewArray(types []ir.Type, dims ...plan.FixedExtent) *Array {
	a := &Array{Dims: dims}
	for _, t := range types {
		a.Data = append(a.Data, newColumn(t, a.Dims.Len()))
	}
	return a
}

// Types are those of the components; Invalid where Data holds anything but a slice of
// elements.
func (a *Array) Types() []ir.Type {
	var ts []ir.Type
	for _, d := range a.Data {
		ts = append(ts, columnType(d))
	}
	return ts
}

// ToCarried is the array as the interpreter takes it.
func (a *Array) ToCarried() *plan.Array {
	out := plan.NewArray(a.Types(), a.Dims...)
	m := newMemory(out.Types)
	m.hold(a)
	for c, t := range out.Types {
		get := kinds[t].get(m.data[c])
		for i := range out.Data[c] {
			out.Data[c][i] = get(i)
		}
	}
	return out
}

// FromCarried is an array of the interpreter's.
func FromCarried(a *plan.Array) *Array {
	out := NewArray(a.Types, a.Dims...)
	m := newMemory(a.Types)
	m.hold(out)
	for c, t := range a.Types {
		put := kinds[t].put(m.data[c])
		for i, v := range a.Data[c] {
			put(i, v)
		}
	}
	return out
}

// memory is where compiled code finds an array: the same place from run to run.
type memory struct {
	*Array
	data []any // a *vector for each component
}

func newMemory(types []ir.Type) *memory {
	m := &memory{}
	for _, t := range types {
		m.data = append(m.data, kinds[t].register(0))
	}
	return m
}

func (m *memory) hold(a *Array) {
	m.Array = a
	for c, d := range a.Data {
		kinds[columnType(d)].hold(m.data[c], d)
	}
}

func (m *memory) forget() {
	for c, d := range m.Data {
		kinds[columnType(d)].hold(m.data[c], nil)
	}
	m.Array = nil
}

// clear makes all elements 0.
func (m *memory) clear() {
	for c, d := range m.Data {
		kinds[columnType(d)].clear(m.data[c])
	}
}

// columns are the slices of elements, by type.
var columns = [ir.NumTypes]any{
	ir.Bool: []bool(nil),
	ir.I8:   []int8(nil), ir.I16: []int16(nil), ir.I32: []int32(nil), ir.I64: []int64(nil),
	ir.U8: []uint8(nil), ir.U16: []uint16(nil), ir.U32: []uint32(nil), ir.U64: []uint64(nil),
	ir.F32: []float32(nil), ir.F64: []float64(nil),
}

func newColumn(t ir.Type, n int) any {
	return reflect.MakeSlice(reflect.TypeOf(columns[t]), n, n).Interface()
}

func columnType(data any) ir.Type {
	switch data.(type) {
	case []bool:
		return ir.Bool
	case []int8:
		return ir.I8
	case []int16:
		return ir.I16
	case []int32:
		return ir.I32
	case []int64:
		return ir.I64
	case []uint8:
		return ir.U8
	case []uint16:
		return ir.U16
	case []uint32:
		return ir.U32
	case []uint64:
		return ir.U64
	case []float32:
		return ir.F32
	case []float64:
		return ir.F64
	}
	return ir.Invalid
}

func columnLen(data any) int { return reflect.ValueOf(data).Len() }

// sizeOf is the number of bytes of an element.
func sizeOf(t ir.Type) int { return (t.Bits() + 7) / 8 }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
