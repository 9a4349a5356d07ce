//go:build goexperiment.simd && go1.27

package simd

import (
	"math"
	"unsafe"
)

var scans = vectorScans()

// vectorScans returns the scans of this machine: the portable package has no lanes that move up.
func vectorScans() []any {
	if vectorBits() < 256 {
		return plainScans
	}
	s := newScans()
	putScans(s)
	return s
}

// order is the integer that is as far among integers as a float, which is no NaN, is among floats; −0 is below +0.
func order(v float32) int32 {
	b := int32(math.Float32bits(v))
	return b ^ b>>31&(1<<31-1)
}

// reinterpret returns x as elements of another type of the same width, in the same memory.
func reinterpret[D, S Number](x []S) []D {
	return unsafe.Slice((*D)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
