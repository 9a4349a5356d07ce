package simd

import (
	"math"
	"unsafe"
)

func add[T Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func sub[T Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func mul[T Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func minimum[T Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}

func maximum[T Number](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}

func and[T Integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] & y[i]
	}
}

func or[T Integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] | y[i]
	}
}

func xor[T Integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] ^ y[i]
	}
}

func neg[T Number](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = -x[i]
	}
}

func magnitude[T Signed](v T) T {
	if v < 0 {
		return -v
	}
	return v
}

func abs[T Signed](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = magnitude(x[i])
	}
}

// magnitudeFloat takes no float32 through float64: each of the two conversions would
// wait for the one before.
func magnitudeFloat[T Float](v T) T {
	if unsafe.Sizeof(v) == 4 {
		return T(math.Float32frombits(math.Float32bits(float32(v)) &^ (1 << 31)))
	}
	return T(math.Abs(float64(v)))
}

func absFloat[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = magnitudeFloat(x[i])
	}
}

func not[T Integer](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = ^x[i]
	}
}

func choose[T Number](dst []T, cond []bool, x, y []T) {
	cond, x, y = cond[:len(dst)], x[:len(dst)], y[:len(dst)]
	for i := range dst {
		v := y[i]
		if cond[i] {
			v = x[i]
		}
		dst[i] = v
	}
}
