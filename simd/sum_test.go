package simd

import "testing"

func TestSum(t *testing.T) {
	t.Run("int8", testSum[int64, int8])
	t.Run("int16", testSum[int64, int16])
	t.Run("int32", testSum[int64, int32])
	t.Run("uint8", testSum[uint64, uint8])
	t.Run("uint16", testSum[uint64, uint16])
	t.Run("uint32", testSum[uint64, uint32])
	t.Run("float32", testSum[float64, float32])
}

func testSum[W, T Number](t *testing.T) {
	r := source[T]()
	fills := []fill[T]{exact[T](), few[T]()}
	if !isFloat[T]() {
		fills = append(fills, wild[T]())
	}
	for _, f := range fills {
		for _, n := range append(lengths(), 33_000, 70_001) {
			checkSum[W](t, f.slice(r, n))
		}
	}
}

// TestSumExtremes fills long slices with the ends of the type: every narrow
// accumulator is at its limit.
func TestSumExtremes(t *testing.T) {
	extremes[int64, int8](t)
	extremes[int64, int16](t)
	extremes[int64, int32](t)
	extremes[uint64, uint8](t)
	extremes[uint64, uint16](t)
	extremes[uint64, uint32](t)
}

func extremes[W, T Number](t *testing.T) {
	least, greatest := ends[T]()
	for _, v := range []T{least, greatest} {
		x := cut[T](5_000_011)
		for i := range x {
			x[i] = v
		}
		checkSum[W](t, x)
	}
}

func checkSum[W, T Number](t *testing.T, x []T) {
	t.Helper()
	var want W
	for _, v := range x {
		want += W(v)
	}
	if got := Sum[W, T]()(x); got != want {
		t.Fatalf("len %d: %v, want %v", len(x), got, want)
	}
	if got := PortableSum[W, T]()(x); got != want {
		t.Fatalf("twin: len %d: %v, want %v", len(x), got, want)
	}
}
