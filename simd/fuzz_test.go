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
		agreeSums[int64, int8](t, data)
		agreeSums[uint64, uint16](t, data)
		agreeSums[uint64, uint32](t, data)
		agreeConvert[int32, float32](t, data)
		agreeConvert[int64, float64](t, data)
		agreeConvert[uint8, int32](t, data)
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
	k, twin, v := For[T](), Portable[T](), x[0]
	for _, pair := range [][2]func([]T, T) T{{k.Reduce.Min, twin.Reduce.Min}, {k.Reduce.Max, twin.Reduce.Max}, {k.Reduce.MaxAbs, twin.Reduce.MaxAbs}} {
		if got, want := pair[0](x, v), pair[1](x, v); !same(got, want) {
			t.Errorf("reduction of %v: %v, want %v", x, got, want)
		}
	}
	for _, pair := range [][2]func([]T, T) int{{k.Count.Lt, twin.Count.Lt}, {k.Count.Ge, twin.Count.Ge}, {k.Count.Ne, twin.Count.Ne}} {
		if got, want := pair[0](x, v), pair[1](x, v); got != want {
			t.Errorf("count in %v of %v: %v, want %v", x, v, got, want)
		}
	}
	for _, pair := range [][2]func([]T, T) (T, int){
		{k.Find.MinFirst, twin.Find.MinFirst}, {k.Find.MinLast, twin.Find.MinLast},
		{k.Find.MaxFirst, twin.Find.MaxFirst}, {k.Find.MaxLast, twin.Find.MaxLast},
	} {
		got, i := pair[0](x, v)
		if want, j := pair[1](x, v); !same(got, want) || i != j {
			t.Errorf("search in %v: %v at %d, want %v at %d", x, got, i, want, j)
		}
	}
	y := append(x[len(x)/2:len(x):len(x)], x[:len(x)/2]...)
	got, want := make([]T, len(x)), make([]T, len(x))
	for _, pair := range [][2]func(dst, x, y []T){{k.Map.Min, twin.Map.Min}, {k.Map.Max, twin.Map.Max}, {k.Map.Mul, twin.Map.Mul}} {
		pair[0](got, x, y)
		pair[1](want, x, y)
		sameSlice(t, "map", got, want)
	}
}

func agreeSums[W, T Number](t *testing.T, data []byte) {
	x := elements[T](data)
	if got, want := Sum[W, T]()(x), PortableSum[W, T]()(x); got != want {
		t.Errorf("sum of %v: %v, want %v", x, got, want)
	}
}

func agreeConvert[D, S Number](t *testing.T, data []byte) {
	x := elements[S](data)
	got, want := make([]D, len(x)), make([]D, len(x))
	Converter[D, S]()(got, x)
	PortableConverter[D, S]()(want, x)
	sameSlice(t, "conversion", got, want)
}
