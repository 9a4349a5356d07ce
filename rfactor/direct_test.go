package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// What runs does not overflow where the update does not, though the operator would.
func TestAsWritten(t *testing.T) {
	for _, test := range []struct{ exprs, want string }{
		{"x0 + log(1 + exp(y3 - x0))", "x0 + log(1.0 + exp(y0 - x0))"},
		{"log(exp(x0) + exp(y3))", ""}, // matched as it is
		{"x0 + log(1 + exp(y3*y4 - x0))", "x0 + log(1.0 + exp(y0 - x0))"},
	} {
		a := match(t, "x0:f64,y3:f64,y4:f64", test.exprs, "all", 0)
		if a.Status != Associative {
			t.Errorf("%s: %s %s", test.exprs, a.Status, a.Reason)
			continue
		}
		got, ok := a.AsWritten()
		if ok != (test.want != "") || ok && ir.Strings(got) != test.want {
			t.Errorf("%s: %s, want %s", test.exprs, ir.Strings(got), test.want)
		}
	}
}
