package ndarray

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// Elements reads and writes the elements of one component, whatever their type, as package ir
// carries values: integers extended to 64 bits, floats as their bits, one NaN for all.
type Elements interface {
	Len() int
	At(i int) uint64
	Set(i int, v uint64)
}

// Elements gives access to a component's elements in place. It panics where there is no such
// component, or where its Data is no slice of elements.
func (a *Array) Elements(component int) Elements {
	if component < 0 || component >= len(a.Data) {
		panic(fmt.Sprintf("ndarray: component %d of an array that has %d", component, len(a.Data)))
	}
	switch d := a.Data[component].(type) {
	case []bool:
		return bools(d)
	case []int8:
		return integers[int8](d)
	case []int16:
		return integers[int16](d)
	case []int32:
		return integers[int32](d)
	case []int64:
		return integers[int64](d)
	case []uint8:
		return integers[uint8](d)
	case []uint16:
		return integers[uint16](d)
	case []uint32:
		return integers[uint32](d)
	case []uint64:
		return integers[uint64](d)
	case []float32:
		return floats32(d)
	case []float64:
		return floats64(d)
	}
	panic(fmt.Sprintf("ndarray: component %d is %T, which is no slice of elements", component, a.Data[component]))
}

// TypeOf is the type of the elements of a slice; ir.Invalid where data is none of those that
// an Array holds.
func TypeOf(data any) ir.Type {
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

func makeSlice(t ir.Type, n int) any {
	switch t {
	case ir.Bool:
		return make([]bool, n)
	case ir.I8:
		return make([]int8, n)
	case ir.I16:
		return make([]int16, n)
	case ir.I32:
		return make([]int32, n)
	case ir.I64:
		return make([]int64, n)
	case ir.U8:
		return make([]uint8, n)
	case ir.U16:
		return make([]uint16, n)
	case ir.U32:
		return make([]uint32, n)
	case ir.U64:
		return make([]uint64, n)
	case ir.F32:
		return make([]float32, n)
	case ir.F64:
		return make([]float64, n)
	}
	panic(fmt.Sprintf("ndarray: New of type %d, which holds no values", int(t)))
}

type integers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64] []T

func (s integers[T]) Len() int            { return len(s) }
func (s integers[T]) At(i int) uint64     { return uint64(s[i]) }
func (s integers[T]) Set(i int, v uint64) { s[i] = T(v) }

type bools []bool

func (s bools) Len() int { return len(s) }

func (s bools) At(i int) uint64 {
	if s[i] {
		return 1
	}
	return 0
}

func (s bools) Set(i int, v uint64) { s[i] = v != 0 }

type floats32 []float32

func (s floats32) Len() int            { return len(s) }
func (s floats32) At(i int) uint64     { return ir.FloatBits(ir.F32, float64(s[i])) }
func (s floats32) Set(i int, v uint64) { s[i] = float32(ir.Float(ir.F32, v)) }

type floats64 []float64

func (s floats64) Len() int            { return len(s) }
func (s floats64) At(i int) uint64     { return ir.FloatBits(ir.F64, s[i]) }
func (s floats64) Set(i int, v uint64) { s[i] = ir.Float(ir.F64, v) }
