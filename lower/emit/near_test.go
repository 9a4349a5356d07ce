package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Kernels of programs that resemble what forms know have the bits of the steps of their stages, whatever elements are.
func TestNearKernels(t *testing.T) {
	rng := lowertest.Rand(53)
	draws, lanes := 150, 0
	if lowertest.Full() {
		draws = 10000
	}
	j := judge{rng: rng, same: lowertest.SameBits}
	for range draws {
		p, _, text := lowertest.DrawNear(rng)
		if p == nil {
			continue
		}
		_, g, err := source(p, "p")
		if err != nil {
			continue
		}
		of := 1 << rng.IntN(9)
		j.draw = func(t ir.Type, rng *rand.Rand) uint64 {
			if of > 2 && rng.IntN(of) == 0 {
				return lowertest.Wild(t, rng)
			}
			return drawn(t, rng)
		}
		lanes += g.evaluated(t, text, j)
		if t.Failed() {
			return
		}
	}
	if lanes < draws/6 {
		t.Errorf("%d of %d programs have kernels in lanes", lanes, draws)
	}
}
