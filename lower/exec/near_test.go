package exec

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Programs that resemble what passes know have the bits of the serial loop, as they are and under a schedule that -auto finds without assumptions.
func TestNearMisses(t *testing.T) {
	rng := lowertest.Rand(52)
	draws := 300
	if lowertest.Full() {
		draws = 20000
	}
	ran := 0
	for range draws {
		p, opts, text := lowertest.DrawNear(rng)
		if p == nil {
			continue
		}
		ran++
		for range 2 {
			n := lowertest.Sizes()[rng.IntN(len(lowertest.Sizes()))]
			if p.Program.Inputs[0].Dims > 1 {
				n = min(n, 65)
			}
			agree(t, fmt.Sprintf("n = %d\n%s", n, text), p, lowertest.WildInputs(p, rng, n), opts)
		}
		if t.Failed() {
			return
		}
	}
	if ran < draws/3 {
		t.Errorf("%d of %d programs ran", ran, draws)
	}
}
