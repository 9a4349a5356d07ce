package exec

import (
	"context"
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Programs that resemble what passes know have the bits of the serial loop, as they are and under a schedule that -auto finds without assumptions.
func TestNearMisses(t *testing.T) {
	rng := lowertest.Rand(52)
	draws := 400
	if lowertest.Full() {
		draws = 20000
	}
	types := append(lowertest.ElementTypes(), lowertest.ElementTypes()[8:]...)
	types = append(types, types[10:]...)
	ran := 0
	for i := range draws {
		text := lowertest.NearMiss(types[rng.IntN(len(types))], rng)
		prog, err := program.ParseProgram(ir.NewPool(), "near.rf", text, ir.Invalid)
		if err != nil {
			continue
		}
		opts := plan.Options{Auto: i%4 == 3, Grain: 40, Match: rfactor.Options{}}
		planned, err := plan.Factor(context.Background(), prog, opts)
		if err != nil {
			continue
		}
		ran++
		for range 3 {
			n := lowertest.Sizes()[rng.IntN(len(lowertest.Sizes()))]
			if prog.Inputs[0].Dims > 1 {
				n = min(n, 65)
			}
			agree(t, fmt.Sprintf("n = %d\n%s", n, text), planned, lowertest.WildInputs(planned, rng, n), opts)
		}
		if t.Failed() {
			return
		}
	}
	if ran < draws/3 {
		t.Errorf("%d of %d programs ran", ran, draws)
	}
}
