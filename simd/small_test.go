package simd

import "testing"

func TestBools(t *testing.T) {
	t.Run("kernel", func(t *testing.T) { testBools(t, ForBool()) })
	t.Run("twin", func(t *testing.T) { testBools(t, PortableBool()) })
}

func testBools(t *testing.T, k *Bools) {
	r := source[uint8]()
	for _, n := range append(lengths(), 40_000) {
		x, y := cut[bool](n), cut[bool](n)
		var and, or, xor, not = make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
		count := 0
		for i := range x {
			x[i], y[i] = r.IntN(2) == 0, r.IntN(2) == 0
			and[i], or[i], xor[i], not[i] = x[i] && y[i], x[i] || y[i], x[i] != y[i], !x[i]
			if x[i] {
				count++
			}
		}
		if got := k.Count(x); got != count {
			t.Fatalf("count: len %d: %d, want %d", n, got, count)
		}
		dst := cut[bool](n)
		k.And(dst, x, y)
		sameBools(t, "and", dst, and)
		k.Or(dst, x, y)
		sameBools(t, "or", dst, or)
		k.Xor(dst, x, y)
		sameBools(t, "xor", dst, xor)
		k.Not(dst, x)
		sameBools(t, "not", dst, not)
	}
}

func TestHistogram(t *testing.T) {
	r := source[uint8]()
	for _, f := range []fill[uint8]{wild[uint8](), few[uint8]()} {
		for _, n := range lengths() {
			x := f.slice(r, n)
			want := [256]uint32{3: 1 << 31, 4: 1<<32 - 1}
			got, twin := want, want
			for _, v := range x {
				want[v]++
			}
			Histogram(&got, x)
			PortableHistogram(&twin, x)
			if got != want || twin != want {
				t.Fatalf("len %d: %v and %v, want %v", n, got, twin, want)
			}
		}
	}
}
