package simd

import (
	"testing"
	"unsafe"
)

// FuzzKernels reads the input as elements of several types and asks whether kernels
// and twins agree. The first byte says how far the data is from alignment.
func FuzzKernels(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{1, 0, 0, 0x80, 0x7f, 0, 0, 0xc0, 0x7f, 0, 0, 0, 0x80})
	f.Add(make([]byte, 1000))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		shift := int(data[0] % 8)
		data = data[min(1+shift, len(data)):]
		agree[uint8](t, data)
		agree[int16](t, data)
		agree[int32](t, data)
		agree[int64](t, data)
		agree[float32](t, data)
		agree[float64](t, data)
	})
}

// elements copies the bytes, for they may not be aligned as T has to be.
func elements[T Number](data []byte) []T {
	x := make([]T, uintptr(len(data))/unsafe.Sizeof(T(0)))
	size := len(x) * int(unsafe.Sizeof(T(0)))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size), data)
	return x
}

func agree[T Number](t *testing.T, data []byte) {
	x := elements[T](data)
	if len(x) == 0 {
		return
	}
	k, twin := For[T](), Portable[T]()
	y := append(x[len(x)/2:len(x):len(x)], x[:len(x)/2]...)
	got, want := make([]T, len(x)), make([]T, len(x))
	for _, pair := range [][2]func(dst, x, y []T){{k.Map.Min, twin.Map.Min}, {k.Map.Max, twin.Map.Max}, {k.Map.Mul, twin.Map.Mul}} {
		pair[0](got, x, y)
		pair[1](want, x, y)
		sameSlice(t, "map", got, want)
	}
	less, wantLess := make([]bool, len(x)), make([]bool, len(x))
	for _, pair := range [][2]func(dst []bool, x, y []T){{k.Compare.Lt, twin.Compare.Lt}, {k.Compare.Eq, twin.Compare.Eq}} {
		pair[0](less, x, y)
		pair[1](wantLess, x, y)
		sameBools(t, "comparison", less, wantLess)
	}
}
