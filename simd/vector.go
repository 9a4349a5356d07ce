//go:build goexperiment.simd && go1.27

package simd

import "simd"

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
	return tables{
		vectorInt8(), vectorInt16(), vectorInt32(), vectorInt64(),
		vectorUint8(), vectorUint16(), vectorUint32(), vectorUint64(),
		vectorFloat32(), vectorFloat64(),
	}
}

// Vector returns the number of bits of the vectors that For uses, 0 for none.
func Vector() (bits int) {
	if simd.Emulated() {
		return 0
	}
	return simd.VectorBitSize()
}

// findBlock elements are searched for their minimum alone; of the block that has
// it, the index is looked up afterwards.
const findBlock = 2048

// any8 and its like tell whether any lane of a mask is set.
func any8(m simd.Mask8s) bool   { return anyBit(m.ToInt8s().ToBits().ReshapeToUint64s()) }
func any16(m simd.Mask16s) bool { return anyBit(m.ToInt16s().ToBits().ReshapeToUint64s()) }
func any32(m simd.Mask32s) bool { return anyBit(m.ToInt32s().ToBits().ReshapeToUint64s()) }
func any64(m simd.Mask64s) bool { return anyBit(m.ToInt64s().ToBits()) }

func anyBit(x simd.Uint64s) bool {
	var w [8]uint64
	x.Store(w[:])
	return (w[0]|w[1])|(w[2]|w[3])|(w[4]|w[5])|(w[6]|w[7]) != 0
}

var converters, sums []any
