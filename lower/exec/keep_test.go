package exec

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/pattern"
)

// A component that an operator keeps has an operand that nothing reads but a tree's start.
func TestKeptComponent(t *testing.T) {
	types := []ir.Type{ir.Bool, ir.Bool}
	exprs, err := pattern.Parse(ir.NewPool(), types, "x0; y1 != (x1 != y0)")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 8))
	ran := 0
	for range 40 {
		if p, in, name := lowertest.DrawTable(t, types, exprs, rng); p != nil {
			agree(t, name, p, in, lowertest.Defaults())
			ran++
		}
	}
	if ran == 0 {
		t.Error("no schedule is legal")
	}
}
