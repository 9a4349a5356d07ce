package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// A guard on the first element, and a count that says whether there was one, leave the operator that the step has without them.
func TestGuarded(t *testing.T) {
	t.Parallel()
	const mean, moment = "select(x1 > 0, x0 + (y0 - x0)/f64(x1 + 1), y0); x1 + 1", "x2 + (y0 - x0)*(y0 - (x0 + (y0 - x0)/f64(x1 + 1)))"
	for name, test := range map[string]struct{ types, exprs, given, via string }{
		"mean":                 {"x0:f64,x1:i64,y0:f64", mean, "x1 >= 0", "guarded:counted:egraph:mean_merged"},
		"the other side":       {"x0:f64,x1:i64,y0:f64", "select(x1 == 0, y0, x0 + (y0 - x0)/f64(x1 + 1)); x1 + 1", "x1 >= 0", "guarded:counted:egraph:mean_merged"},
		"a guard that differs": {"x0:f64,x1:i64,y0:f64", "select(x1 > 1, x0 + (y0 - x0)/f64(x1 + 1), y0); x1 + 1", "x1 >= 0", ""},
		"nothing given":        {"x0:f64,x1:i64,y0:f64", mean, "", ""},
		"first and descents":   {"x0:i32,x1:i32,x2:i32,x3:u64,y0:i32", "select(x3 == 0, y0, x0); y0; select(x3 > 0 && y0 < x1, x2 + 1, x2); x3 + 1", "", "flagged:built"},
		"best from the first":  {"x0:i32,x1:i64,y0:i32", "select(x1 == 0, y0, min(x0, y0)); x1 + 1", "x1 >= 0", "flagged:adjoined:egraph:min"},
		"a count that wraps":   {"x0:i32,x1:i64,y0:i32", "select(x1 == 0, y0, min(x0, y0)); x1 + 1", "", ""},
		"a count of pairs":     {"x0:i32,x1:u64,y0:i32", "select(x1 < 2, y0, min(x0, y0)); x1 + 1", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := matchGiven(t, test.types, test.exprs, test.given, ir.AllAssumptions)
			if test.via == "" {
				if a.Status == Associative {
					t.Errorf("%s via %s", ir.Strings(a.Operator.Exprs), a.Via())
				}
				return
			}
			if a.Status != Associative || a.Via() != test.via {
				t.Fatalf("%s via %s: %s", a.Status, a.Via(), a.Reason)
			}
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Error(err)
			}
			mergesParts(t, a)
		})
	}
}

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
