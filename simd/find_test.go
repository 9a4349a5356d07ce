package simd

import "testing"

func TestFind(t *testing.T) {
	t.Run("int8", testFind[int8])
	t.Run("int16", testFind[int16])
	t.Run("int32", testFind[int32])
	t.Run("int64", testFind[int64])
	t.Run("uint8", testFind[uint8])
	t.Run("uint16", testFind[uint16])
	t.Run("uint32", testFind[uint32])
	t.Run("uint64", testFind[uint64])
	t.Run("float32", testFind[float32])
	t.Run("float64", testFind[float64])
}

func testFind[T Number](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		testExtreme(t, "minfirst", k.Find.MinFirst, func(e, v T) bool { return e < v })
		testExtreme(t, "minlast", k.Find.MinLast, func(e, v T) bool { return e <= v })
		testExtreme(t, "maxfirst", k.Find.MaxFirst, func(e, v T) bool { return e > v })
		testExtreme(t, "maxlast", k.Find.MaxLast, func(e, v T) bool { return e >= v })
		testPlace(t, k)
	})
}

func testPlace[T Number](t *testing.T, k *Table[T]) {
	t.Helper()
	r := source[T]()
	for _, f := range []fill[T]{finite[T](), few[T](), zeros[T]()} {
		for _, n := range append(lengths(), 9_001) {
			if n == 0 {
				continue
			}
			x := f.slice(r, n)
			v := x[r.IntN(n)]
			first, last := -1, -1
			for i, e := range x {
				if e == v {
					last = i
					if first < 0 {
						first = i
					}
				}
			}
			if a, b := k.Find.First(x, v), k.Find.Last(x, v); a != first || b != last {
				t.Fatalf("%s: len %d: %v is first at %d and last at %d, want %d and %d", f.name, n, v, a, b, first, last)
			}
		}
	}
}

func testExtreme[T Number](t *testing.T, name string, op func(x []T, init T) (T, int), better func(e, v T) bool) {
	t.Helper()
	r := source[T]()
	for _, f := range []fill[T]{wild[T](), finite[T](), few[T](), zeros[T]()} {
		for _, n := range append(lengths(), 9_001) {
			x, init := f.slice(r, n), f.draw(r)
			want, at := init, -1
			for i, e := range x {
				if better(e, want) {
					want, at = e, i
				}
			}
			if got, i := op(x, init); i != at || !same(got, want) {
				t.Fatalf("%s %s: len %d, init %v: %v at %d, want %v at %d", name, f.name, n, init, got, i, want, at)
			}
		}
	}
}
