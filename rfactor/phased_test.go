package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Streaks and long runs are lifted by the ranges that their counters lie in.
func TestPhased(t *testing.T) {
	t.Parallel()
	const streak = "select(y0, select(x0 > 0, x0 + 1, 1), select(x0 < 0, x0 - 1, -1))"
	for name, test := range map[string]struct{ types, exprs, given, via string }{
		"best of wins":       {"x0:i32,x1:i32,y0:bool", streak + "; max(x1, " + streak + ")", "", "lift:phased"},
		"best of either":     {"x0:i32,x1:i32,y0:bool", streak + "; max(x1, abs(" + streak + "))", "", "lift:phased"},
		"long runs":          {"x0:u32,x1:u32,y0:bool", "select(y0, x0 + 1, 0); select(y0 && x0 + 1 >= 3, x1 + 1, x1)", "", "lift:phased"},
		"long runs, given":   {"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); select(y0 && x0 + 1 >= 3, x1 + 1, x1)", "x0 >= 0", "lift:segments"},
		"run with a parity":  {"x0:i32,x1:bool,x2:i32,y0:bool", "select(y0, x0 + 1, 0); select(y0, !x1, true); select(y0 && x1, max(x2, x0 + 1), x2)", "", "lift:table of max-plus"},
		"leads out":          {"x0:i32,x1:i32,y0:i32", "select(x0 > 0, x0 - y0, 5); select(x0 > 0, x1 + 1, x1)", "", ""},
		"a count as a float": {"x0:f64,x1:i32,y0:f64,y1:i32", "x0 - y0/min(f64(x1), 1.0); x1 + y1", "", ""}, // a literal of another type than the counter
		"a count below zero": {"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); select(y0 && x0 + 1 >= 3, x1 + 1, x1)", "", "lift:segments"},
	} {
		t.Run(name, func(t *testing.T) {
			a := matchGiven(t, test.types, test.exprs, test.given, ir.AllAssumptions)
			if test.via == "" {
				if a.Status == Lifted {
					t.Errorf("%s via %s", ir.Strings(a.Operator.Exprs), a.Via())
				}
				return
			}
			if a.Status != Lifted || a.Via() != test.via {
				t.Fatalf("%s via %s: %s", a.Status, a.Via(), a.Reason)
			}
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Error(err)
			}
		})
	}
}

// An extremum of a counter in another type asks the counter nothing: the match ends without an error.
func TestPhasedCounterCast(t *testing.T) {
	t.Parallel()
	a := matchGiven(t, "x0:i32,x1:i32,y0:i32", "x0 + 1; select(min(i16(x0), i16(3)) < i16(2), x1 + y0, x1)", "", ir.AllAssumptions)
	if a.Status != Staged {
		t.Errorf("%s: %s", a.Status, a.Reason)
	}
}
