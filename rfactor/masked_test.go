package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Operators without an identity serve where a condition says which steps count: a flag says whether there was one.
func TestMaskedOperators(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ types, exprs, via string }{
		{"x0:f64,x1:f64,y0:f64,y1:bool", "select(y1, x0 + (y0 - x0)/(x1 + 1.0), x0); select(y1, x1 + 1.0, x1)", "lift:masked egraph:mean_merged"},
		{"x0:f64,x1:i64,y0:f64,y1:bool", "select(y1, x0 + (y0 - x0)/f64(x1 + 1), x0); select(y1, x1 + 1, x1)", "lift:masked counted:egraph:mean_merged"},
	} {
		a := matchGiven(t, test.types, test.exprs, "", ir.AllAssumptions)
		if a.Status != Lifted || a.Via() != test.via {
			t.Errorf("%s: %s via %s", test.exprs, a.Status, a.Via())
			continue
		}
		line, err := a.JSON(true)
		if err == nil {
			err = verified(line)
		}
		if err != nil {
			t.Errorf("%s: %v", test.exprs, err)
		}
	}
}
