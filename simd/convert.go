package simd

import (
	"math/bits"
	"unsafe"
)

// Converter returns the kernel that converts S to D: integers truncate or extend,
// floats become integers toward zero, saturating, NaN becoming 0.
func Converter[D, S Number]() func(dst []D, x []S) {
	for _, f := range converters {
		if f, ok := f.(func([]D, []S)); ok {
			return f
		}
	}
	return PortableConverter[D, S]()
}

// PortableConverter returns the twin of Converter in plain Go.
func PortableConverter[D, S Number]() func(dst []D, x []S) {
	if bits.UintSize == 32 {
		for _, f := range [...]any{singles[int64], singles[uint64]} {
			if f, ok := f.(func([]D, []S)); ok {
				return f
			}
		}
	}
	switch {
	case isFloat[S]() && !isFloat[D]():
		return saturate[D, S]
	case isFloat[S]() == isFloat[D]() && unsafe.Sizeof(S(0)) == unsafe.Sizeof(D(0)):
		return func(dst []D, x []S) { copy(dst, reinterpret[D](x[:len(dst)])) }
	}
	return convert[D, S]
}

// reinterpret reads the same bits as another type of the same width.
func reinterpret[D, S Number](x []S) []D {
	return unsafe.Slice((*D)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func isFloat[T Number]() bool {
	half := 0.5
	return T(half) != 0
}

func convert[D, S Number](dst []D, x []S) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = D(v)
	}
}

// singles rounds once where Go's conversion rounds to float64 and then to float32, as on machines of 32 bits. A number of more
// than 53 bits keeps the upper ones, and the last of these is set for all that are dropped: it decides ties.
func singles[S int64 | uint64](dst []float32, x []S) {
	const dropped = 1<<11 - 1
	for i, v := range x[:len(dst)] {
		if v/(1<<53) != 0 && v&dropped != 0 {
			v = v&^dropped | (dropped + 1)
		}
		dst[i] = float32(float64(v))
	}
}

// saturate compares with the ends of D as floats. The upper end of a wide type
// rounds up to the next power of two, which no value of D reaches: hence >=.
func saturate[D, S Number](dst []D, x []S) {
	x = x[:len(dst)]
	least, greatest := ends[D]()
	low, high := S(least), S(greatest)
	for i, v := range x {
		switch {
		case v != v:
			dst[i] = 0
		case v <= low:
			dst[i] = least
		case v >= high:
			dst[i] = greatest
		default:
			dst[i] = D(v)
		}
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
