package simd

import (
	"fmt"
	"math"
	"testing"
)

func TestConvert(t *testing.T) {
	convertFrom[int8](t)
	convertFrom[int16](t)
	convertFrom[int32](t)
	convertFrom[int64](t)
	convertFrom[uint8](t)
	convertFrom[uint16](t)
	convertFrom[uint32](t)
	convertFrom[uint64](t)
	convertFrom[float32](t)
	convertFrom[float64](t)
}

func convertFrom[S Number](t *testing.T) {
	convertTo[int8, S](t)
	convertTo[int16, S](t)
	convertTo[int32, S](t)
	convertTo[int64, S](t)
	convertTo[uint8, S](t)
	convertTo[uint16, S](t)
	convertTo[uint32, S](t)
	convertTo[uint64, S](t)
	convertTo[float32, S](t)
	convertTo[float64, S](t)
}

func convertTo[D, S Number](t *testing.T) {
	var d D
	var s S
	name := fmt.Sprintf("%T to %T", s, d)
	r := source[S]()
	for _, f := range []fill[S]{wild[S](), exact[S]()} {
		for _, n := range lengths() {
			x := f.slice(r, n+1)
			want := make([]D, n+1)
			for i, v := range x[:n] {
				want[i] = naiveConvert[D](v)
			}
			got := cut[D](n + 1)
			Converter[D, S]()(got[:n], x)
			sameSlice(t, name, got, want)
			PortableConverter[D, S]()(got[:n], x)
			sameSlice(t, name+" twin", got, want)
		}
	}
}

// naiveConvert asks for the range before it converts a float, in powers of two.
func naiveConvert[D, S Number](v S) D {
	if !isFloat[S]() || isFloat[D]() {
		return D(v)
	}
	least, greatest := ends[D]()
	f := math.Trunc(float64(v))
	switch {
	case f != f:
		return 0
	case f < float64(least):
		return least
	case f > float64(greatest) || f == float64(greatest):
		return greatest
	}
	return D(v)
}

func TestConvertKnown(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := []float32{nan, inf, -inf, 1 << 31, -1 << 31, 2.9, -2.9, -0.5}
	want := []int32{0, math.MaxInt32, math.MinInt32, math.MaxInt32, math.MinInt32, 2, -2, 0}
	var long []float32
	for range 8 {
		long = append(long, x...)
	}
	got := make([]int32, len(long))
	Converter[int32, float32]()(got, long)
	for i := range got {
		if got[i] != want[i%len(want)] {
			t.Errorf("%v became %d, want %d", long[i], got[i], want[i%len(want)])
		}
	}
}
