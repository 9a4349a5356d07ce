package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestTried proves twice: equations that were tried under a set of assumptions are not tried again, and
// the theorem is the same.
func TestTried(t *testing.T) {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.F32), pool.Y(0, ir.F32)
	p := []proof.Problem{{Left: ir.SubOf(ir.AddOf(x, y), y), Right: x}}
	const all = ir.Reassoc | ir.NNaN | ir.NSZ
	var work effort.Meter
	work.Start(100_000_000)
	var tried prove.Tried
	o := prove.Options{Allowed: all, Tried: &tried, Meter: &work}
	first := prove.Prove(context.Background(), p, o)
	if first.Status != prove.Proved || first.Assumes != ir.Reassoc {
		t.Fatalf("%s under %s, want a proof under reassoc", first.Status, first.Assumes)
	}
	before := work.Left()
	again := prove.Prove(context.Background(), p, o)
	if again.Proof() != first.Proof() || work.Left() != before {
		t.Errorf("the proof was made again: it took %d ns", before-work.Left())
	}
	o.Allowed = ir.NNaN | ir.NSZ
	if fewer := prove.Prove(context.Background(), p, o); fewer.Status != prove.Refuted || work.Left() != before {
		t.Errorf("without reassoc it is %s, after %d ns", fewer.Status, before-work.Left())
	}
	other := []proof.Problem{{Left: ir.SubOf(ir.AddOf(x, y), x), Right: x}}
	if wrong := prove.Prove(context.Background(), other, o); wrong.Status == prove.Proved {
		t.Error("a proof of another equation is taken for one of this")
	}
	given := []proof.Problem{{Given: []ir.Expr{pool.Bool(true)}, Left: p[0].Left, Right: x}}
	o.Allowed = all
	if again := prove.Prove(context.Background(), given, o); again.Status != prove.Proved || work.Left() == before {
		t.Errorf("where another condition is given it is %s, without any work", again.Status)
	}
}
