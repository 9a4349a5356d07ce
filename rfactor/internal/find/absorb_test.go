package find

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestAbsorbed compares what is left with the term, at points that are chosen to find ties.
func TestAbsorbed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	smaller := 0
	for range 2000 {
		d := &drawn.Drawer{Pool: ir.NewPool(), Types: []ir.Type{ir.I8}, Ops: []ir.Op{ir.Min, ir.Max, ir.Min, ir.Max, ir.Sub}, Choose: rng.IntN}
		e := d.Term(ir.I8, 5)
		least := absorbed([]ir.Expr{e})[0]
		if least.Size() > e.Size() {
			t.Errorf("%s became %s", e, least)
		}
		if least.Size() < e.Size() {
			smaller++
		}
		var points testpoint.Evaluator
		if c := points.Refute(proof.Problem{Left: e, Right: least}, 0); c != nil {
			t.Errorf("%s is not %s: %v", e, least, c)
		}
	}
	if smaller < 200 {
		t.Errorf("only %d terms became smaller: they test little", smaller)
	}
}
