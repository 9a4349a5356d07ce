package simd

import (
	"math/rand/v2"
	"runtime"

	"github.com/rfactor-go/rfactor/simd"
)

// kernel is a row of the table: bytes are those that it touches for an element,
// bind makes the data and returns the loops to measure.
type kernel struct {
	name  string
	bytes int
	bind  func(a *arena, n int) []backend
}

type backend struct {
	name string
	run  func()
}

var kernels = []kernel{
	{"sum_f32", 4, reduce(func(t *simd.Table[float32]) any { return t.Reduce.Add })},
	{"sum_i32", 4, reduce(func(t *simd.Table[int32]) any { return t.Reduce.Add })},
	{"max_i32", 4, reduce(func(t *simd.Table[int32]) any { return t.Reduce.Max })},
	{"max_f32", 4, reduce(func(t *simd.Table[float32]) any { return t.Reduce.Max })},
	{"maxabs_f32", 4, reduce(func(t *simd.Table[float32]) any { return t.Reduce.MaxAbs })},
	{"max_u8", 1, reduce(func(t *simd.Table[uint8]) any { return t.Reduce.Max })},
	{"max_i64", 8, reduce(func(t *simd.Table[int64]) any { return t.Reduce.Max })},
	{"product_i32", 4, reduce(func(t *simd.Table[int32]) any { return t.Reduce.Mul })},
	{"product_i64", 8, reduce(func(t *simd.Table[int64]) any { return t.Reduce.Mul })},
	{"dot_f32", 8, reduce(func(t *simd.Table[float32]) any { return t.Reduce.Dot })},
	{"dot_i32", 8, reduce(func(t *simd.Table[int32]) any { return t.Reduce.Dot })},
	{"argmin_i32", 4, reduce(func(t *simd.Table[int32]) any { return t.Find.MinFirst })},
	{"argmin_f32", 4, reduce(func(t *simd.Table[float32]) any { return t.Find.MinFirst })},
	{"argmin_u8", 1, reduce(func(t *simd.Table[uint8]) any { return t.Find.MinFirst })},
	{"countif_i32", 4, reduce(func(t *simd.Table[int32]) any { return t.Count.Lt })},
	{"countif_u8", 1, reduce(func(t *simd.Table[uint8]) any { return t.Count.Lt })},
	{"complex_f32", 8, reduce(func(t *simd.Table[float32]) any { return t.Reduce.MulComplex })},
	{"complex_i32", 8, reduce(func(t *simd.Table[int32]) any { return t.Reduce.MulComplex })},
	{"sum_u8_u64", 1, one(simd.PortableSum[uint64, uint8](), simd.Sum[uint64, uint8]())},
	{"sum_i16_i64", 2, one(simd.PortableSum[int64, int16](), simd.Sum[int64, int16]())},
	{"sum_f32_f64", 4, one(simd.PortableSum[float64, float32](), simd.Sum[float64, float32]())},
	{"histogram_u8", 1, histogram},
	{"add_f32", 12, reduce(func(t *simd.Table[float32]) any { return t.Map.Add })},
	{"min_f32", 12, reduce(func(t *simd.Table[float32]) any { return t.Map.Min })},
	{"lt_i32", 9, reduce(func(t *simd.Table[int32]) any { return t.Compare.Lt })},
	{"select_i32", 13, reduce(func(t *simd.Table[int32]) any { return t.Map.Select })},
	{"convert_u8_i32", 5, convert[int32, uint8]},
	{"convert_i32_u8", 5, convert[uint8, int32]},
	{"convert_f32_i32", 8, convert[int32, float32]},
}

// reduce binds one field of the table, whichever shape it has.
func reduce[T simd.Number](field func(*simd.Table[T]) any) func(a *arena, n int) []backend {
	return func(a *arena, n int) []backend {
		portable, vector := field(simd.Portable[T]()), field(simd.For[T]())
		c := bindOperands[T](a, portable, n)
		return both(func() { c(portable) }, func() { c(vector) })
	}
}

// bindOperands makes the operands that kernels of the shape of f take, and returns
// the call.
func bindOperands[T simd.Number](a *arena, f any, n int) func(f any) {
	x := draw[T](a, n)
	switch f.(type) {
	case func([]T, T) T:
		return func(f any) { keep(f.(func([]T, T) T)(x, 1)) }
	case func([]T, T) int:
		return func(f any) { keep(f.(func([]T, T) int)(x, 50)) }
	case func([]T, T) (T, int):
		return func(f any) { _, at := f.(func([]T, T) (T, int))(x, 100); keep(at) }
	}
	y := draw[T](a, n)
	switch f.(type) {
	case func(x, y []T, init T) T:
		return func(f any) { keep(f.(func(x, y []T, init T) T)(x, y, 0)) }
	case func(x, y []T, r, i T) (T, T):
		return func(f any) { r, _ := f.(func(x, y []T, r, i T) (T, T))(x, y, 1, 0); keep(r) }
	case func(dst, x, y []T):
		dst := carve[T](a, n)
		return func(f any) { f.(func(dst, x, y []T))(dst, x, y) }
	case func(dst []bool, x, y []T):
		dst := carve[bool](a, n)
		return func(f any) { f.(func(dst []bool, x, y []T))(dst, x, y) }
	case func(dst []T, cond []bool, x, y []T):
		dst, cond := carve[T](a, n), carve[bool](a, n)
		for i := range cond {
			cond[i] = rand.IntN(2) == 0
		}
		return func(f any) { f.(func(dst []T, cond []bool, x, y []T))(dst, cond, x, y) }
	}
	panic("internal: a kernel of unknown shape")
}

// keep makes the compiler believe that a result is used.
func keep[V any](v V) { runtime.KeepAlive(v) }

func one[T simd.Number, W any](portable, vector func([]T) W) func(a *arena, n int) []backend {
	return func(a *arena, n int) []backend {
		x := draw[T](a, n)
		return both(func() { keep(portable(x)) }, func() { keep(vector(x)) })
	}
}

func convert[D, S simd.Number](a *arena, n int) []backend {
	x, dst := draw[S](a, n), carve[D](a, n)
	portable, vector := simd.PortableConverter[D, S](), simd.Converter[D, S]()
	return both(func() { portable(dst, x) }, func() { vector(dst, x) })
}

func histogram(a *arena, n int) []backend {
	var counts [256]uint32
	x := draw[uint8](a, n)
	return both(func() { simd.PortableHistogram(&counts, x) }, func() { simd.Histogram(&counts, x) })
}

// both leaves the second out where it would be the first again.
func both(portable, vector func()) []backend {
	if simd.Vector() == 0 {
		return []backend{{"portable", portable}}
	}
	return []backend{{"portable", portable}, {"simd", vector}}
}

// draw makes n elements from 1 to 100: no sum or product of them becomes a
// denormal or NaN, and comparisons with 50 are not to be predicted.
func draw[T simd.Number](a *arena, n int) []T {
	r := rand.New(rand.NewPCG(1, 2))
	x := carve[T](a, n)
	for i := range x {
		x[i] = T(1 + r.IntN(100))
	}
	return x
}
