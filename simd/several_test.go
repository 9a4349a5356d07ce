package simd

import (
	"testing"
)

// Several gives what its kernels give one by one, for every set of one, two and all folds.
func TestSeveral(t *testing.T) {
	t.Run("int8", testSeveral[int8])
	t.Run("int16", testSeveral[int16])
	t.Run("int32", testSeveral[int32])
	t.Run("int64", testSeveral[int64])
	t.Run("uint8", testSeveral[uint8])
	t.Run("uint16", testSeveral[uint16])
	t.Run("uint32", testSeveral[uint32])
	t.Run("uint64", testSeveral[uint64])
	t.Run("float32", testSeveral[float32])
	t.Run("float64", testSeveral[float64])
}

func testSeveral[T Number](t *testing.T) {
	sides(t, func(t *testing.T, k *Table[T]) {
		r := source[T]()
		list := wild[T]()
		if isFloat[T]() {
			list = exact[T]() // sums of them do not depend on the order
		}
		single := Folded[T]{Want: Portable[T]().Reduce.Beside}
		for _, n := range []int{0, 1, 5, 64, 511, 512, 513, 3000, 9001} {
			x := list.slice(r, n)
			for i := range NumFolds {
				single.Value[i], single.K[i] = T(1), list.draw(r)
			}
			single.Mask, single.K[CountMaskedEq] = 1, 1
			single.Count = [NumFolds]int{}
			begin := single
			if isFloat[T]() {
				begin.Want[FoldMul] = false
			}
			want := begin
			Portable[T]().Reduce.Several(x, &want)
			for i := range NumFolds {
				for j := i; j < NumFolds; j++ {
					got := begin
					for f := range NumFolds {
						got.Want[f] = begin.Want[f] && k.Reduce.Beside[f] && (f == i || f == j || i == 0 && j == NumFolds-1)
					}
					if got.Want == [NumFolds]bool{} {
						continue
					}
					k.Reduce.Several(x, &got)
					for f := range NumFolds {
						if got.Want[f] && (!same(got.Value[f], want.Value[f]) || got.Count[f] != want.Count[f]) {
							t.Fatalf("fold %d beside %d and %d of %d elements: %v, %d, want %v, %d", f, i, j, n, got.Value[f], got.Count[f], want.Value[f], want.Count[f])
						}
					}
				}
			}
		}
	})
}

func TestSeveralRefuses(t *testing.T) {
	defer func() {
		if got, want := recover(), "simd: Several has no fold 6 for this type: see Reduce.Beside"; got != want {
			t.Errorf("panics with %v, want %s", got, want)
		}
	}()
	var f Folded[float32]
	f.Want[FoldXor] = true
	For[float32]().Reduce.Several(nil, &f)
}

func TestPrefetch(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 1000} {
		Prefetch(make([]int32, n)[:n])
	}
}
