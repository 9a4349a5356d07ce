//go:build goexperiment.simd && go1.27

package simd

import (
	"simd"
	"unsafe"
)

var kernels = vectors()

// The identity of float addition is −0, which Go has no constant for.
var (
	zeroFloat32 float32
	zeroFloat64 float64
)

// vectors returns the tables of this machine; emulated vectors are slower than
// plain Go.
func vectors() tables {
	if Vector() == 0 {
		return portables
	}
	t := tables{
		vectorInt8(), vectorInt16(), vectorInt32(), vectorInt64(),
		vectorUint8(), vectorUint16(), vectorUint32(), vectorUint64(),
		vectorFloat32(), vectorFloat64(),
	}
	widen(t)
	return t
}

// Vector returns the number of bits of the vectors that For uses, 0 for none.
func Vector() (bits int) {
	if simd.Emulated() {
		return 0
	}
	return simd.VectorBitSize()
}

// heads compacts the first lane of each 64-bit word.
func heads[T Number](lanes []T) []T {
	each := int(8 / unsafe.Sizeof(lanes[0]))
	for i := range len(lanes) / each {
		lanes[i] = lanes[i*each]
	}
	return lanes[:len(lanes)/each]
}
