package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A proof that needs more work than there is left is not found, and none is found without a bound
// that is not found with one that is large enough.
func TestLimit(t *testing.T) {
	pool := ir.NewPool()
	x, y, z := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.I32)
	p := proof.Problem{Left: ir.MaxOf(ir.MinOf(x, y), z), Right: ir.MinOf(ir.MaxOf(x, z), ir.MaxOf(y, z))}
	var w prove.Prover
	status := func(o prove.Options) prove.Status {
		a := w.Prove(context.Background(), []proof.Problem{p}, o)
		if a.Stopped {
			t.Error("the context is said to have ended")
		}
		return a.Status
	}
	if status(prove.Options{}) != prove.Proved {
		t.Fatal("not proven without a bound")
	}
	const plenty = 100_000_000
	var m effort.Meter
	m.Start(plenty)
	if status(prove.Options{Limit: plenty, Meter: &m}) != prove.Proved {
		t.Fatal("not proven within 100 ms")
	}
	took := m.Total()
	if m.Spent(effort.Cases) == 0 || m.Spent(effort.Points) == 0 || m.Left() != plenty-took {
		t.Errorf("of the meter %d is left of %d after %d", m.Left(), plenty, took)
	}
	if m.Start(took - effort.Cases.Cost(100)); status(prove.Options{Meter: &m}) != prove.Unknown || !m.Done() {
		t.Errorf("proven with less work than it takes, or %d is left", m.Left())
	}
	if status(prove.Options{Meter: &m}) != prove.Unknown {
		t.Error("proven by a meter that is used up")
	}
	m.Start(10 * took)
	for range 10 {
		if status(prove.Options{Limit: took, Meter: &m}) != prove.Proved {
			t.Error("not proven within the work that it takes")
		}
	}
	if status(prove.Options{Meter: &m}) != prove.Unknown {
		t.Error("an eleventh proof is found in ten times the work")
	}
}
