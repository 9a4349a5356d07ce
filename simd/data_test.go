package simd

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// lengths around every border of a vector, of four vectors, and of a block.
func lengths() []int {
	var list []int
	for n := range 131 {
		list = append(list, n)
	}
	return append(list, 255, 256, 257, 511, 512, 513, 1000, 2047, 2048, 2049, 5003)
}

// cut returns n elements that start at an odd place of a larger array, so that no
// kernel can rely on alignment.
func cut[T any](n int) []T { return make([]T, n+7)[3 : 3+n : 3+n] }

// fill draws elements of a kind.
type fill[T Number] struct {
	name string
	draw func(r *rand.Rand) T
}

// wild draws any bits, and often values where arithmetic has its edges.
func wild[T Number]() fill[T] {
	return fill[T]{"wild", func(r *rand.Rand) T {
		if r.IntN(3) == 0 {
			s := special[T]()
			return s[r.IntN(len(s))]
		}
		bits := r.Uint64()
		return *(*T)(unsafe.Pointer(&bits))
	}}
}

// few draws from few values, so that ties are frequent.
func few[T Number]() fill[T] {
	return fill[T]{"few", func(r *rand.Rand) T { return T(r.IntN(3)) }}
}

// zeros draws zeros of both signs, now and then something below or above.
func zeros[T Number]() fill[T] {
	return fill[T]{"zeros", func(r *rand.Rand) T {
		var zero T
		switch r.IntN(40) {
		case 0:
			return zero - 1
		case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12:
			return zero
		}
		return -zero
	}}
}

// ends returns the least and the greatest value of an integer type.
func ends[T Number]() (least, greatest T) {
	if T(0)-1 > 0 {
		return 0, T(0) - 1
	}
	low := int64(-1) << (unsafe.Sizeof(T(0))*8 - 1)
	return T(low), T(^low)
}

func isFloat[T Number]() bool {
	half := 0.5
	return T(half) != 0
}

func special[T Number]() []T {
	if !isFloat[T]() {
		least, greatest := ends[T]()
		return []T{least, least + 1, greatest, greatest - 1, 0, 1}
	}
	list := []float64{
		0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32, -math.MaxFloat32,
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0.5, -1.5, 1 << 31, -1 << 31, 1<<31 - 128, 1 << 63, -1 << 63, 1 << 40,
	}
	var out []T
	for _, v := range list {
		out = append(out, T(v))
	}
	return out
}

func (f fill[T]) slice(r *rand.Rand, n int) []T {
	x := cut[T](n)
	for i := range x {
		x[i] = f.draw(r)
	}
	return x
}

// same tells whether two values are the same bits, or both NaN.
func same[T Number](a, b T) bool {
	if a != a || b != b {
		return a != a && b != b
	}
	return a == b && bitsOf(a) == bitsOf(b)
}

func bitsOf[T Number](v T) uint64 {
	var w uint64
	*(*T)(unsafe.Pointer(&w)) = v
	return w
}

func sameSlice[T Number](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i := range want {
		if !same(got[i], want[i]) {
			t.Fatalf("%s: len %d: [%d] = %v, want %v", what, len(want), i, got[i], want[i])
		}
	}
}

func sameBools(t *testing.T, what string, got, want []bool) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: len %d: [%d] = %v, want %v", what, len(want), i, got[i], want[i])
		}
	}
}

// source is deterministic for a test and a type.
func source[T Number]() *rand.Rand {
	var v T
	return rand.New(rand.NewPCG(7, uint64(unsafe.Sizeof(v))))
}

// sides runs a test on the kernels of this build and on their twins.
func sides[T Number](t *testing.T, run func(t *testing.T, k *Table[T])) {
	t.Run("kernel", func(t *testing.T) { run(t, For[T]()) })
	t.Run("twin", func(t *testing.T) { run(t, Portable[T]()) })
}
