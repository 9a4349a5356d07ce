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

// The fused kernels round each product, as two passes would.
func mulAdd[T Number](dst, a, b, c []T) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = T(a[i]*b[i]) + c[i]
	}
}

func mulAddMul[T Number](dst, a, b, c, d []T) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	for i := range dst {
		dst[i] = T(a[i]*b[i]) + T(c[i]*d[i])
	}
}

func mulSubMul[T Number](dst, a, b, c, d []T) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	for i := range dst {
		dst[i] = T(a[i]*b[i]) - T(c[i]*d[i])
	}
}

func div[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / y[i]
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

// ends returns the least and the greatest value of an integer type.
func ends[D Number]() (least, greatest D) {
	if D(0)-1 > 0 {
		return 0, D(0) - 1
	}
	low := int64(-1) << (unsafe.Sizeof(D(0))*8 - 1)
	return D(low), D(^low)
}

// addSat needs a type of 32 bits at most.
func addSat[T Integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	least, greatest := ends[T]()
	for i := range dst {
		dst[i] = T(min(max(int64(x[i])+int64(y[i]), int64(least)), int64(greatest)))
	}
}

func subSat[T Integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	least, greatest := ends[T]()
	for i := range dst {
		dst[i] = T(min(max(int64(x[i])-int64(y[i]), int64(least)), int64(greatest)))
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

// sqrt rounds once: the root of a float32, taken in 64 bits, rounds to the same
// float32 as the exact root does.
func sqrt[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Sqrt(float64(x[i])))
	}
}

func not[T Integer](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = ^x[i]
	}
}

func shl[T Integer](dst, x []T, count uint) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] << count
	}
}

func shr[T Integer](dst, x []T, count uint) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] >> count
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
