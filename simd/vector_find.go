//go:build goexperiment.simd && go1.27

package simd

import "simd"

// A block that is searched for an extreme alone is so many turns of four vectors; of
// the block that has it, the index is looked up afterwards.
const findTurns = 16

// any8 and its like tell whether any lane of a mask is set. They need memory, which the caller declares
// before it uses vectors.
func any8(m simd.Mask8s, w *[8]uint64) bool {
	return anyBit(m.ToInt8s().ToBits().ReshapeToUint64s(), w)
}
func any16(m simd.Mask16s, w *[8]uint64) bool {
	return anyBit(m.ToInt16s().ToBits().ReshapeToUint64s(), w)
}
func any32(m simd.Mask32s, w *[8]uint64) bool {
	return anyBit(m.ToInt32s().ToBits().ReshapeToUint64s(), w)
}
func any64(m simd.Mask64s, w *[8]uint64) bool { return anyBit(m.ToInt64s().ToBits(), w) }

func anyBit(x simd.Uint64s, w *[8]uint64) bool {
	x.Store(w[:])
	return (w[0]|w[1])|(w[2]|w[3])|(w[4]|w[5])|(w[6]|w[7]) != 0
}

// least and greatest compare lanes, none of which is NaN: min and max would take
// several times as long on floats.

func least[T Number](x []T) T {
	v := x[0]
	for _, e := range x[1:] {
		if e < v {
			v = e
		}
	}
	return v
}

func greatest[T Number](x []T) T {
	v := x[0]
	for _, e := range x[1:] {
		if e > v {
			v = e
		}
	}
	return v
}
