package simd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/simd"
)

// Automata come to the state that steps one after another come to.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, states := range []int{1, 2, 5, 16} {
		var next [256][16]uint8
		for y := range next {
			for s := range states {
				next[y][s] = uint8(rng.IntN(states))
			}
		}
		for y := range 200 { // what most bytes leave as it is, so that states differ at the end
			for s := range states {
				next[y][s] = uint8(s)
			}
		}
		for _, n := range []int{0, 1, 3, 63, 64, 65, 66, 67, 255, 1000, 4099} {
			x := make([]uint8, n)
			for i := range x {
				x[i] = uint8(rng.Uint32())
			}
			for from := range uint8(states) {
				want := from
				for _, y := range x {
					want = next[y][want]
				}
				if got := simd.Steps(&next, x, from); got != want {
					t.Fatalf("%d states, %d bytes from %d: %d, not %d", states, n, from, got, want)
				}
			}
		}
	}
}

func ExampleSteps() {
	const plain, quoted = 0, 1
	var next [256][16]uint8
	for y := range next {
		next[y][quoted] = quoted
	}
	next['"'][plain], next['"'][quoted] = quoted, plain
	fmt.Println(simd.Steps(&next, []uint8(`say "no`), plain) == quoted)
	// Output: true
}
