//go:build goexperiment.simd && go1.27

package simd

import "unsafe"

// The same elements as another type of the same width.

func asUint8(x []int8) []uint8    { return reinterpret[uint8](x) }
func asUint16(x []int16) []uint16 { return reinterpret[uint16](x) }
func asUint32(x []int32) []uint32 { return reinterpret[uint32](x) }

func reinterpret[D, S Number](x []S) []D {
	return unsafe.Slice((*D)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
