package simd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/simd"
)

// Keep gives what a loop with an if gives, at every density and length.
func TestKeep(t *testing.T) {
	keepOf(t, func(v uint64) uint8 { return uint8(v) })
	keepOf(t, func(v uint64) int16 { return int16(v) })
	keepOf(t, func(v uint64) float32 { return float32(v >> 40) })
	keepOf(t, func(v uint64) int64 { return int64(v) })
}

func keepOf[T simd.Number](t *testing.T, draw func(uint64) T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 1000} {
		for percent := 0; percent <= 100; percent += 10 {
			x, keep := make([]T, n), make([]bool, n)
			var want []T
			for i := range x {
				x[i], keep[i] = draw(rng.Uint64()), rng.IntN(100) < percent
				if keep[i] {
					want = append(want, x[i])
				}
			}
			dst := make([]T, n+1)
			dst[n] = 77
			got := simd.Keep(dst, x, keep)
			if got != len(want) || !slices.Equal(dst[:got], want) || dst[n] != 77 {
				t.Errorf("%T, %d elements, %d %%: %d are kept, %v, not %v", dst, n, percent, got, dst, want)
			}
		}
	}
}

func ExampleKeep() {
	x := []int32{5, 12, 7, 30}
	kept := make([]int32, len(x))
	n := simd.Keep(kept, x, []bool{false, true, false, true})
	fmt.Println(kept[:n])
	// Output: [12 30]
}

func BenchmarkKeep(b *testing.B) {
	x, keep, dst := make([]int32, 2048), make([]bool, 2048), make([]int32, 2048)
	for i := range keep {
		keep[i] = i*i%7 < 3
	}
	b.SetBytes(4 * 2048)
	for b.Loop() {
		simd.Keep(dst, x, keep)
	}
}
