package lower

import (
	"fmt"
	"math"
	"reflect"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Array is what an input or an output holds: for each component a slice of the Go type of
// its elements, []bool, []int8 … []float64. The first dimension lies contiguous.
type Array struct {
	Dims []rfactor.FixedExtent
	Data []any
}

// NewArray makes an array of zeros.
func NewArray(types []ir.Type, dims ...rfactor.FixedExtent) *Array {
	a := &Array{Dims: dims}
	for _, t := range types {
		a.Data = append(a.Data, newColumn(t, a.Len()))
	}
	return a
}

// Len is the number of elements.
func (a *Array) Len() int {
	n := 1
	for _, d := range a.Dims {
		n *= max(d.Extent, 0)
	}
	return n
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
func (a *Array) ToCarried() *rfactor.Array {
	out := rfactor.NewArray(a.Types(), a.Dims...)
	for c, d := range a.Data {
		load := loader(d)
		for i := range out.Data[c] {
			out.Data[c][i] = load(i)
		}
	}
	return out
}

// FromCarried is an array of the interpreter's.
func FromCarried(a *rfactor.Array) *Array {
	out := NewArray(a.Types, a.Dims...)
	for c, d := range out.Data {
		store := storer(d)
		for i, v := range a.Data[c] {
			store(i, v)
		}
	}
	return out
}

// offset is where the element at some coordinates lies. It is an error where there is none.
func (a *Array) offset(at []int64) (int, error) {
	offset, stride := 0, 1
	for i, d := range a.Dims {
		c := at[i] - int64(d.Min)
		if c < 0 || c >= int64(d.Extent) {
			return 0, fmt.Errorf("coordinate %d is %d, outside of %d..%d", i+1, at[i], d.Min, d.Min+d.Extent-1)
		}
		offset += int(c) * stride
		stride *= d.Extent
	}
	return offset, nil
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
	for t, c := range columns {
		if c != nil && reflect.TypeOf(c) == reflect.TypeOf(data) {
			return ir.Type(t)
		}
	}
	return ir.Invalid
}

func columnLen(data any) int { return reflect.ValueOf(data).Len() }

// sizeOf is the number of bytes of an element.
func sizeOf(t ir.Type) int { return (t.Bits() + 7) / 8 }

// loader reads elements as package ir carries them.
func loader(data any) func(i int) uint64 {
	switch d := data.(type) {
	case []bool:
		return func(i int) uint64 { return bit(d[i]) }
	case []int8:
		return loadInt(d)
	case []int16:
		return loadInt(d)
	case []int32:
		return loadInt(d)
	case []int64:
		return loadInt(d)
	case []uint8:
		return loadInt(d)
	case []uint16:
		return loadInt(d)
	case []uint32:
		return loadInt(d)
	case []uint64:
		return loadInt(d)
	case []float32:
		return func(i int) uint64 { return uint64(math.Float32bits(d[i])) }
	case []float64:
		return func(i int) uint64 { return math.Float64bits(d[i]) }
	}
	panic("lower: internal: no column")
}

func loadInt[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](d []T) func(int) uint64 {
	return func(i int) uint64 { return uint64(d[i]) }
}

// storer writes elements that are carried as package ir says.
func storer(data any) func(i int, v uint64) {
	switch d := data.(type) {
	case []bool:
		return func(i int, v uint64) { d[i] = v != 0 }
	case []int8:
		return storeInt(d)
	case []int16:
		return storeInt(d)
	case []int32:
		return storeInt(d)
	case []int64:
		return storeInt(d)
	case []uint8:
		return storeInt(d)
	case []uint16:
		return storeInt(d)
	case []uint32:
		return storeInt(d)
	case []uint64:
		return storeInt(d)
	case []float32:
		return func(i int, v uint64) { d[i] = math.Float32frombits(uint32(v)) }
	case []float64:
		return func(i int, v uint64) { d[i] = math.Float64frombits(v) }
	}
	panic("lower: internal: no column")
}

func storeInt[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](d []T) func(int, uint64) {
	return func(i int, v uint64) { d[i] = T(v) }
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
