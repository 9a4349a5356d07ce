package folds

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Bounds of sums are those of mathematics, and are known just where the type holds them.
func TestReach(t *testing.T) {
	for _, typ := range []ir.Type{ir.I8, ir.U8} {
		lowest, highest := int64(-128), int64(127)
		if typ == ir.U8 {
			lowest, highest = 0, 255
		}
		for x := lowest; x <= highest; x += 5 {
			for n := range int64(5) {
				for least := lowest; least <= highest; least += 17 {
					for most := least; most <= highest; most += 17 {
						low, high := x+n*min(least, 0), x+n*max(most, 0)
						l, h, ok := Reach(typ, uint64(x), int(n), uint64(least), uint64(most))
						if want := lowest <= low && high <= highest; ok != want || ok && (int64(l) != low || int64(h) != high) {
							t.Fatalf("%s: %d and %d times %d to %d: %d to %d, %v", typ, x, n, least, most, int64(l), int64(h), ok)
						}
					}
				}
			}
		}
	}
	for _, x := range []uint64{1 << 53, ^uint64(0), 1 << 63} {
		if _, _, ok := Reach(ir.U64, x, 3, 0, 1); ok {
			t.Errorf("%d is counted", x)
		}
		if _, _, ok := Reach(ir.I64, x, 1<<20, 1<<40, 1<<62); ok {
			t.Errorf("%d and 2^20 times 2^62 are counted", int64(x))
		}
	}
}
