package simd

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"unsafe"
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

// naiveConvert asks for the range before it converts a float, in powers of two, and rounds integers once.
func naiveConvert[D, S Number](v S) D {
	if !isFloat[S]() && unsafe.Sizeof(D(0)) == 4 && isFloat[D]() {
		exact := new(big.Float).SetUint64(uint64(v))
		if v < 0 {
			exact.SetInt64(int64(v))
		}
		f, _ := exact.Float32()
		return D(f)
	}
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

// Integers of 64 bits are rounded once, also where Go's conversion rounds twice.
func TestSingles(t *testing.T) {
	r := source[int64]()
	for range 20000 {
		v := int64(r.Uint64())>>r.IntN(64) | int64(r.IntN(2))
		if r.IntN(2) == 0 { // beside a tie
			v = v>>40<<40 + 1<<39 + int64(r.IntN(3)-1)
		}
		want, _ := new(big.Float).SetInt64(v).Float32()
		wantUnsigned, _ := new(big.Float).SetUint64(uint64(v)).Float32()
		var got, unsigned [1]float32
		singles(got[:], []int64{v})
		singles(unsigned[:], []uint64{uint64(v)})
		if got[0] != want || unsigned[0] != wantUnsigned {
			t.Fatalf("%d is %v and %v, not %v and %v", v, got[0], unsigned[0], want, wantUnsigned)
		}
	}
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
