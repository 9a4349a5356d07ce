//go:build goexperiment.simd && go1.27

package simd

import (
	"simd/archsimd"
	"unsafe"
)

// What the portable package cannot do, AVX-512 can: the kernels here and in the
// generated files work on 512-bit vectors by name, and are used where those are
// what the portable package uses, too. (A loop on portable vectors could go through
// ToArch, but each passage goes through memory.)

func widen(t tables) {
	if vectorBits() < 512 {
		return
	}
	widenInt8(lookup[int8](t))
	widenInt16(lookup[int16](t))
	widenInt32(lookup[int32](t))
	widenInt64(lookup[int64](t))
	widenUint8(lookup[uint8](t))
	widenUint16(lookup[uint16](t))
	widenUint32(lookup[uint32](t))
	widenUint64(lookup[uint64](t))
	widenFloat32(lookup[float32](t))
	widenFloat64(lookup[float64](t))
}

// asBytes returns truth values as bytes, 0 and 1, in the same memory.
func asBytes(x []bool) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// endVectors clears the upper parts of vector registers. Go's compiler takes instructions of 128 bits for
// floats and to clear memory, and processors make each change between those and wider ones wait: 100 ns
// where it was measured. Kernels therefore keep floats in memory (kept) and declare arrays before they use
// vectors, and end the use of vectors before anything else.
func endVectors() { archsimd.ClearAVXUpperBits() }
