package prove_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// under proves an equation under exactly some assumptions.
func under(p proof.Problem, assume ir.Assume) prove.Theorem {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return prove.Prove(ctx, []proof.Problem{p}, prove.Options{Allowed: assume, Exactly: true})
}

// The prover's answers on equations whose status is known, and the checker on its proofs.
func TestEquations(t *testing.T) {
	for _, group := range provetest.Equations {
		for _, typ := range strings.Fields(group.On) {
			for _, line := range group.Lines {
				testEquation(t, group, line, typ)
			}
		}
	}
}

func testEquation(t *testing.T, g provetest.Group, l provetest.Line, typ string) {
	p, assume := g.Problem(t, l, typ)
	a := under(p, assume)
	want := l.Status(g)
	if l.Want == provetest.Open && a.Status == prove.Proved {
		t.Logf("%s, %s: %s = %s is proved now", g.Name, typ, p.Left, p.Right)
		want = prove.Proved
	}
	if a.Status != want && !(l.Want == provetest.Never && a.Status != prove.Proved) {
		t.Errorf("%s, %s under %s: %s = %s is %s, want %s%s", g.Name, typ, g.Assume, p.Left, p.Right, a.Status, want, provetest.Values(a.Counter))
		return
	}
	if a.Status != prove.Proved {
		return
	}
	if err := provetest.Check(t, p, a.Assumes, a.Proof()); err != nil {
		text, _ := json.Marshal(a.Proof())
		t.Errorf("%s, %s under %s: %s = %s: %v\n%s", g.Name, typ, g.Assume, p.Left, p.Right, err, text)
	}
}
