package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// workOfNode is what a node of a case tree is counted for.
const workOfNode = 100

// A proof that needs more work than there is left is not found, and none is found without a bound
// that is not found with one that is large enough.
func TestLimit(t *testing.T) {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	p := proof.Problem{Left: ir.MaxOf(ir.MinOf(x, y), z), Right: ir.MinOf(ir.MaxOf(x, z), ir.MaxOf(y, z))}
	var w prove.Prover
	o := prove.Options{}
	if a := w.Prove(context.Background(), []proof.Problem{p}, o); a.Status != prove.Proved {
		t.Fatal("not proven without a bound")
	}
	left := 1_000_000
	o.Limit, o.Left = left, &left
	if a := w.Prove(context.Background(), []proof.Problem{p}, o); a.Status != prove.Proved {
		t.Fatal("not proven within a million steps")
	}
	took := 1_000_000 - left
	if took < workOfNode || took > 100_000 {
		t.Fatalf("the proof takes %d steps", took)
	}
	left = took - workOfNode
	if a := w.Prove(context.Background(), []proof.Problem{p}, o); a.Status != prove.Unknown || a.Stopped {
		t.Errorf("with fewer steps than it takes: %v", a.Status)
	}
	if left != 0 {
		t.Errorf("%d steps are left of too few", left)
	}
	o.Limit, left = took, 10*took
	for range 10 {
		if a := w.Prove(context.Background(), []proof.Problem{p}, o); a.Status != prove.Proved {
			t.Error("not proven in as many steps as it takes")
		}
	}
	if a := w.Prove(context.Background(), []proof.Problem{p}, o); a.Status != prove.Unknown {
		t.Error("an eleventh proof is found in ten times the steps")
	}
}
