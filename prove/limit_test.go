package prove

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A proof that needs more work than there is left is not found, and none is found without a bound
// that is not found with one that is large enough.
func TestLimit(t *testing.T) {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	p := proof.Problem{Left: ir.MaxOf(ir.MinOf(x, y), z), Right: ir.MinOf(ir.MaxOf(x, z), ir.MaxOf(y, z))}
	w := NewProver()
	if a := w.Prove(context.Background(), p, 0); a.Status != Proved {
		t.Fatal("not proven without a bound")
	}
	w.Limit, w.Left = 1_000_000, 1_000_000
	if a := w.Prove(context.Background(), p, 0); a.Status != Proved {
		t.Fatal("not proven within a million steps")
	}
	took := 1_000_000 - w.Left
	if took < workOfNode || took > 100_000 {
		t.Fatalf("the proof takes %d steps", took)
	}
	w.Left = took - workOfNode
	if a := w.Prove(context.Background(), p, 0); a.Status != Unknown || a.Stopped {
		t.Errorf("with fewer steps than it takes: %v", a.Status)
	}
	if w.Left != 0 {
		t.Errorf("%d steps are left of too few", w.Left)
	}
	w.Limit, w.Left = took, 10*took
	for range 10 {
		if a := w.Prove(context.Background(), p, 0); a.Status != Proved {
			t.Error("not proven in as many steps as it takes")
		}
	}
	if a := w.Prove(context.Background(), p, 0); a.Status != Unknown {
		t.Error("an eleventh proof is found in ten times the steps")
	}
}
