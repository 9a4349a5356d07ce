package rfactor

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Components that depend on others only in terms that are absorbed: an answer takes a fraction of the effort.
func TestAbsorbedTerms(t *testing.T) {
	for _, exprs := range []string{
		"min(x0 - x1, y1) + min(x1, y1); min(max(min(x0, y0), x1), min(x1, y1))",
		"max(min(max(min(x0, x1), y0), k0), x0); min(max(x0 - y0, y1), min(y1, x1))",
		"max(x0, max(min(x0, x1), y0)); max(x1, min(max(y1, x0), y1))",
		"min(max(x0, min(y0, max(x0, y1))), max(x0, y0)); max(min(x1, max(y1, x1)), y1)",
	} {
		u := parse(t, "x0:i32,x1:i32,y0:i32,y1:i32,k0:i32", exprs)
		a, err := Match(context.Background(), u, Options{Allowed: 0, Effort: 20})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status == Refused {
			t.Errorf("%s, as %s: %s", exprs, ir.Strings(absorbed(u.Values)), a.Reason)
		}
	}
}

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
