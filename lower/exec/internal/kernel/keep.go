package kernel

import (
	"unsafe"

	"github.com/rfactor-go/rfactor/simd"
)

func (z *typed[T]) Keep(data, reg any, mask *Vector[bool], block int) func(at, n int) {
	to, from, front := data.(*Vector[T]), reg.(*Vector[T]), make([]T, block)
	if mask == nil {
		return func(at, n int) { copy(to.V[at:], from.V[:n]) }
	}
	return func(at, n int) {
		// In between they lie in memory of their own: what is behind them stays as it is.
		kept := simd.Keep(front, from.V[:n], mask.V[:n])
		copy(to.V[at:], front[:kept])
	}
}

func (bools) Keep(data, reg any, mask *Vector[bool], block int) func(at, n int) {
	to, from, front := data.(*Vector[bool]), reg.(*Vector[bool]), make([]bool, block)
	if mask == nil {
		return func(at, n int) { copy(to.V[at:], from.V[:n]) }
	}
	return func(at, n int) {
		kept := simd.Keep(bytes01(front), bytes01(from.V[:n]), mask.V[:n])
		copy(to.V[at:], front[:kept])
	}
}

// CountTrue is how many of the first n values are true.
func CountTrue(reg *Vector[bool], n int) int {
	return simd.For[uint8]().Count.Ne(bytes01(reg.V[:n]), 0)
}

// bytes01 is truth values as bytes.
func bytes01(s []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}
