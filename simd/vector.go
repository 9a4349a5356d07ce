//go:build goexperiment.simd && go1.27

package simd

import "simd"

var kernels = vectors()

// vectors returns the tables of this machine; emulated vectors are slower than
// plain Go.
func vectors() tables {
	if vectorBits() == 0 {
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

// vectorBits returns the number of bits of the vectors that For uses, 0 for none.
func vectorBits() (bits int) {
	if simd.Emulated() {
		return 0
	}
	return simd.VectorBitSize()
}
