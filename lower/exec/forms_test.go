package exec

import (
	"fmt"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
)

// Lanes of fused loops, of pure loops under conditions and of loops that -auto chooses: blocks and the interpreter
// give what the serial program gives.
func TestForms(t *testing.T) {
	rng := lowertest.Rand(23)
	for _, f := range lowertest.Forms() {
		p := f.Plan(t)
		for _, n := range []int{0, 1, 7, 17, 40} {
			if n < 7 && f.Name == "fusedliteral" || n > 17 && p.Program.Inputs[0].Dims > 2 {
				continue // its domain is of 7 by 5, and the interpreter is slow
			}
			agree(t, fmt.Sprintf("%s, n = %d", f.Name, n), p, lowertest.SmallInputs(p.Program, rng, n), lowertest.Defaults())
		}
	}
}
