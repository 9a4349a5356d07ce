package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Identities of exp and log are proven under reassoc and afn, replayed, and not without afn.
func TestExponents(t *testing.T) {
	for _, c := range []struct {
		left, right string
		want        bool
	}{
		{"exp(x + y)", "exp(x)*exp(y)", true},
		{"exp(x - y)*exp(y)", "exp(x)", true},
		{"exp(2.0*x)", "exp(x)*exp(x)", true},
		{"log(exp(x))", "x", true},
		{"exp(log(x) + y)", "x*exp(y)", true},
		{"log(exp(x) + exp(y))", "x + log(1.0 + exp(y - x))", true},
		{"log(exp(log(exp(x) + exp(y))) + exp(z))", "log(exp(x) + exp(log(exp(y) + exp(z))))", true},
		{"max(x, y) + log(exp(x - max(x, y)) + exp(y - max(x, y)))", "log(exp(x) + exp(y))", true},
		{"max(x, y) + log1p(exp(min(x, y) - max(x, y)))", "log(exp(x) + exp(y))", true},
		{"exp(log1p(x)) - 1.0", "x", true},
		{"log1p(x)", "log(x)", false},
		{"log1p(exp(x) - 1.0)", "x + 1.0", false},
		{"sin(x + y)", "sin(x) + sin(y)", false},
		{"exp(0.5*x)*exp(0.5*x)", "exp(x)", false}, // true, but powers are whole
		{"exp(x*y)", "exp(x)*exp(y)", false},
		{"log(exp(x) + y)", "x + log(y)", false},
		{"exp(x)", "exp(-x)", false},
	} {
		p := provetest.Problem(t, ir.NewPool(), ir.F64, "x:f64, y:f64, z:f64", c.left, c.right, "")
		const assume = ir.Reassoc | ir.AFN | ir.NNaN
		a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: assume})
		if (a.Status == prove.Proved) != c.want {
			t.Errorf("%s = %s: %s", c.left, c.right, a.Status)
		}
		if a.Status == prove.Proved {
			if err := provetest.Check(t, p, a.Assumes, a.Proof()); err != nil {
				t.Errorf("%s = %s: %v", c.left, c.right, err)
			}
			if b := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: assume &^ ir.AFN}); b.Status == prove.Proved || provetest.Check(t, p, assume&^ir.AFN, a.Proof()) == nil {
				t.Errorf("%s = %s without afn", c.left, c.right)
			}
		}
		if equation.Check(p, assume, &proof.Tree{Kind: proof.Equal}) == nil && !c.want {
			t.Errorf("%s = %s is accepted", c.left, c.right)
		}
	}
}
