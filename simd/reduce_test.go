package simd

import (
	"math"
	"testing"
)

func TestReduce(t *testing.T) {
	t.Run("int8", testReduceSigned[int8])
	t.Run("int16", testReduceSigned[int16])
	t.Run("int32", testReduceSigned[int32])
	t.Run("int64", testReduceSigned[int64])
	t.Run("uint8", testReduceUnsigned[uint8])
	t.Run("uint16", testReduceUnsigned[uint16])
	t.Run("uint32", testReduceUnsigned[uint32])
	t.Run("uint64", testReduceUnsigned[uint64])
	t.Run("float32", testReduceFloat[float32])
	t.Run("float64", testReduceFloat[float64])
}

func testReduceSigned[T Signed](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testReduceInteger(t, k)
		size := func(v T) T {
			if v < 0 {
				return -v
			}
			return v
		}
		testFold(t, "addabs", k.Reduce.AddAbs, func(s, v T) T { return s + size(v) }, wild[T]())
		testFold(t, "maxabs", k.Reduce.MaxAbs, func(s, v T) T { return max(s, size(v)) }, wild[T](), few[T]())
	})
}

func testReduceUnsigned[T Unsigned](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testReduceInteger(t, k)
		testFold(t, "addabs", k.Reduce.AddAbs, func(s, v T) T { return s + v }, wild[T]())
		testFold(t, "maxabs", k.Reduce.MaxAbs, func(s, v T) T { return max(s, v) }, wild[T](), few[T]())
	})
}

func testReduceInteger[T Integer](t *testing.T, k *Table[T]) {
	testReduceNumber(t, k, wild[T](), wild[T]())
	testFold(t, "and", k.Reduce.And, func(s, v T) T { return s & v }, wild[T](), few[T]())
	testFold(t, "or", k.Reduce.Or, func(s, v T) T { return s | v }, wild[T](), few[T]())
	testFold(t, "xor", k.Reduce.Xor, func(s, v T) T { return s ^ v }, wild[T]())
	for _, mask := range []T{0, 1, 6, ^T(0)} {
		testCount(t, "masked", func(x []T, v T) int { return k.Count.MaskedEq(x, mask, v&mask) }, func(v, k T) bool { return v&mask == k&mask })
		testCount(t, "never", func(x []T, v T) int { return k.Count.MaskedEq(x, mask, v|^mask) }, func(v, k T) bool { return v&mask == k|^mask })
	}
}

func testReduceFloat[T Float](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testReduceNumber(t, k, exact[T](), units[T]())
		size := func(v T) T { return T(math.Abs(float64(v))) }
		testFold(t, "add", k.Reduce.Add, func(s, v T) T { return s + v }, zeros[T]())
		testFold(t, "addabs", k.Reduce.AddAbs, func(s, v T) T { return s + size(v) }, exact[T]())
		testFold(t, "maxabs", k.Reduce.MaxAbs, func(s, v T) T { return max(s, size(v)) }, wild[T](), finite[T](), zeros[T]())
		testInfinities(t, k)
	})
}

func testReduceNumber[T Number](t *testing.T, k *Table[T], sums, products fill[T]) {
	testFold(t, "add", k.Reduce.Add, func(s, v T) T { return s + v }, sums, few[T]())
	testFold(t, "mul", k.Reduce.Mul, func(s, v T) T { return s * v }, products)
	testFold(t, "min", k.Reduce.Min, func(s, v T) T { return min(s, v) }, wild[T](), finite[T](), few[T](), zeros[T]())
	testFold(t, "max", k.Reduce.Max, func(s, v T) T { return max(s, v) }, wild[T](), finite[T](), few[T](), zeros[T]())
	testDot(t, k, sums)
	testComplex(t, k, products)
	testCount(t, "eq", k.Count.Eq, func(v, k T) bool { return v == k })
	testCount(t, "ne", k.Count.Ne, func(v, k T) bool { return v != k })
	testCount(t, "lt", k.Count.Lt, func(v, k T) bool { return v < k })
	testCount(t, "le", k.Count.Le, func(v, k T) bool { return v <= k })
	testCount(t, "gt", k.Count.Gt, func(v, k T) bool { return v > k })
	testCount(t, "ge", k.Count.Ge, func(v, k T) bool { return v >= k })
}

func testFold[T Number](t *testing.T, name string, op func(x []T, init T) T, step func(s, v T) T, fills ...fill[T]) {
	t.Helper()
	r := source[T]()
	for _, f := range fills {
		for _, n := range lengths() {
			x, init := f.slice(r, n), f.draw(r)
			want := init
			for _, v := range x {
				want = step(want, v)
			}
			if got := op(x, init); !same(got, want) {
				t.Fatalf("%s %s: len %d: %v, want %v", name, f.name, n, got, want)
			}
		}
	}
}

func testDot[T Number](t *testing.T, k *Table[T], f fill[T]) {
	t.Helper()
	r := source[T]()
	for _, n := range lengths() {
		x, y, init := f.slice(r, n), f.slice(r, n), f.draw(r)
		want := init
		for i := range x {
			want += T(x[i] * y[i])
		}
		if got := k.Reduce.Dot(x, y, init); !same(got, want) {
			t.Fatalf("dot: len %d: %v, want %v", n, got, want)
		}
	}
}

// testComplex multiplies by 1, −1, i, −i for floats: no product grows.
func testComplex[T Number](t *testing.T, k *Table[T], f fill[T]) {
	t.Helper()
	r := source[T]()
	for _, n := range lengths() {
		re, im := f.slice(r, n), f.slice(r, n)
		if isFloat[T]() {
			for i := range re {
				if r.IntN(2) == 0 {
					re[i] = 0
				} else {
					im[i] = 0
				}
			}
		}
		a, b := T(1), T(2)
		for i := range re {
			a, b = T(a*re[i])-T(b*im[i]), T(a*im[i])+T(b*re[i])
		}
		// The sign of a zero depends on the order; no value here is NaN.
		if c, d := k.Reduce.MulComplex(re, im, 1, 2); a != c || b != d {
			t.Fatalf("complex: len %d: (%v, %v), want (%v, %v)", n, c, d, a, b)
		}
	}
}

// testInfinities: no identity that starts a lane may meet an infinity.
func testInfinities[T Float](t *testing.T, k *Table[T]) {
	inf := T(math.Inf(1))
	for _, n := range lengths()[1:] {
		x := make([]T, n)
		for i := range x {
			x[i] = 1
		}
		x[n/2] = inf
		if got := k.Reduce.Mul(x, 1); got != inf {
			t.Fatalf("product: len %d: %v", n, got)
		}
		if got := k.Reduce.Add(x, 0); got != inf {
			t.Fatalf("sum: len %d: %v", n, got)
		}
		x[0] = -inf
		if got, want := k.Reduce.Max(x, 0), max(x[n/2], 0); got != want {
			t.Fatalf("max: len %d: %v, want %v", n, got, want)
		}
	}
}

func testCount[T Number](t *testing.T, name string, op func(x []T, k T) int, holds func(v, k T) bool) {
	t.Helper()
	r := source[T]()
	for _, f := range []fill[T]{wild[T](), few[T](), zeros[T]()} {
		for _, n := range append(lengths(), 40_000) {
			x, k := f.slice(r, n), f.draw(r)
			want := 0
			for _, v := range x {
				if holds(v, k) {
					want++
				}
			}
			if got := op(x, k); got != want {
				t.Fatalf("count %s %s: len %d: %d, want %d", name, f.name, n, got, want)
			}
		}
	}
}
