package simd

import (
	"math"
	"testing"
)

func TestMap(t *testing.T) {
	t.Run("int8", testMapSigned[int8])
	t.Run("int16", testMapSigned[int16])
	t.Run("int32", testMapSigned[int32])
	t.Run("int64", testMapSigned[int64])
	t.Run("uint8", testMapUnsigned[uint8])
	t.Run("uint16", testMapUnsigned[uint16])
	t.Run("uint32", testMapUnsigned[uint32])
	t.Run("uint64", testMapUnsigned[uint64])
	t.Run("float32", testMapFloat[float32])
	t.Run("float64", testMapFloat[float64])
}

func testMapSigned[T Signed](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testMapInteger(t, k)
		testUnary(t, "abs", k.Map.Abs, func(x T) T {
			if x < 0 {
				return -x
			}
			return x
		})
	})
}

func testMapUnsigned[T Unsigned](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testMapInteger(t, k)
		testUnary(t, "abs", k.Map.Abs, func(x T) T { return x })
	})
}

func testMapInteger[T Integer](t *testing.T, k *Table[T]) {
	testMapNumber(t, k)
	testBinary(t, "and", k.Map.And, func(x, y T) T { return x & y })
	testBinary(t, "or", k.Map.Or, func(x, y T) T { return x | y })
	testBinary(t, "xor", k.Map.Xor, func(x, y T) T { return x ^ y })
	testUnary(t, "not", k.Map.Not, func(x T) T { return ^x })
}

func testMapFloat[T Float](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testMapNumber(t, k)
		testUnary(t, "abs", k.Map.Abs, func(x T) T { return T(math.Abs(float64(x))) })
	})
}

func testMapNumber[T Number](t *testing.T, k *Table[T]) {
	testBinary(t, "add", k.Map.Add, func(x, y T) T { return x + y })
	testBinary(t, "sub", k.Map.Sub, func(x, y T) T { return x - y })
	testBinary(t, "mul", k.Map.Mul, func(x, y T) T { return x * y })
	testBinary(t, "min", k.Map.Min, func(x, y T) T { return min(x, y) })
	testBinary(t, "max", k.Map.Max, func(x, y T) T { return max(x, y) })
	testUnary(t, "neg", k.Map.Neg, func(x T) T { return -x })
	testCompare(t, "eq", k.Compare.Eq, func(x, y T) bool { return x == y })
	testCompare(t, "lt", k.Compare.Lt, func(x, y T) bool { return x < y })
	testSelect(t, k)
}

// testBinary also checks that the result may overwrite an operand, that nothing
// beyond it is written, and that longer operands are fine.
func testBinary[T Number](t *testing.T, name string, op func(dst, x, y []T), want func(x, y T) T) {
	t.Helper()
	r := source[T]()
	for _, f := range []fill[T]{wild[T](), few[T](), zeros[T]()} {
		for _, n := range lengths() {
			x, y := f.slice(r, n+1), f.slice(r, n+1)
			w := make([]T, n+1)
			for i := range n {
				w[i] = want(x[i], y[i])
			}
			dst := cut[T](n + 1)
			op(dst[:n], x, y)
			sameSlice(t, name, dst, w)
			w[n] = x[n]
			op(x[:n], x, y)
			sameSlice(t, name+" in place", x, w)
		}
	}
}

func testUnary[T Number](t *testing.T, name string, op func(dst, x []T), want func(x T) T) {
	t.Helper()
	r := source[T]()
	f := wild[T]()
	for _, n := range lengths() {
		x := f.slice(r, n+1)
		w := make([]T, n+1)
		for i := range n {
			w[i] = want(x[i])
		}
		dst := cut[T](n + 1)
		op(dst[:n], x)
		sameSlice(t, name, dst, w)
		w[n] = x[n]
		op(x[:n], x)
		sameSlice(t, name+" in place", x, w)
	}
}

func testCompare[T Number](t *testing.T, name string, op func(dst []bool, x, y []T), want func(x, y T) bool) {
	t.Helper()
	r := source[T]()
	for _, f := range []fill[T]{wild[T](), few[T](), zeros[T]()} {
		for _, n := range lengths() {
			x, y := f.slice(r, n+1), f.slice(r, n+1)
			w := make([]bool, n+1)
			for i := range n {
				w[i] = want(x[i], y[i])
			}
			dst := cut[bool](n + 1)
			op(dst[:n], x, y)
			sameBools(t, name, dst, w)
		}
	}
}

func testSelect[T Number](t *testing.T, k *Table[T]) {
	t.Helper()
	r := source[T]()
	f := wild[T]()
	for _, n := range lengths() {
		x, y, cond := f.slice(r, n+1), f.slice(r, n+1), cut[bool](n)
		w := make([]T, n+1)
		for i := range n {
			cond[i] = r.IntN(2) == 0
			w[i] = y[i]
			if cond[i] {
				w[i] = x[i]
			}
		}
		dst := cut[T](n + 1)
		k.Map.Select(dst[:n], cond, x, y)
		sameSlice(t, "select", dst, w)
	}
}

// TestShortOperand: an operand that is too short is a panic, not silence.
func TestShortOperand(t *testing.T) {
	for _, n := range []int{1, 64, 100} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic with %d of %d elements", n-1, n)
				}
			}()
			For[int32]().Map.Add(make([]int32, n), make([]int32, n), make([]int32, n-1))
		}()
	}
}
