package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// A component that keeps the best of its inputs, with others that go with it.
func TestKeyed(t *testing.T) {
	for _, c := range []struct{ types, update, operator, inject string }{
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); select(y0 < x0, x0, min(x1, y0))",
			"min(x0, y0); select(y0 < x0, min(y1, x0), min(x1, y0))", "y0; tmax"},
		{"x0:i32,x1:i32,y0:i32", "max(x0, y0); select(y0 > x0, x0, select(y0 == x0, x1, max(x1, y0)))",
			"max(x0, y0); select(x0 < y0, max(y1, x0), select(x0 == y0, max(x1, y1), max(x1, y0)))", "y0; tmin"},
		{"x0:u8,x1:u8,y0:u8", "select(x0 < y0, y0, x0); select(x0 < y0, x0, select(y0 == x0, x1, max(y0, x1)))",
			"max(x0, y0); select(x0 < y0, max(y1, x0), select(x0 == y0, max(x1, y1), max(x1, y0)))", "y0; 0"},
		{"x0:f32,x1:f32,y0:f32", "max(x0, y0); select(y0 > x0, x0, select(y0 == x0, x1, max(x1, y0)))",
			"max(x0, y0); select(x0 < y0, max(y1, x0), select(x0 == y0, max(x1, y1), max(x1, y0)))", "y0; -inf"},
	} {
		a := match(t, c.types, c.update, "none", 0)
		if a.Status != Associative {
			t.Errorf("%s is %s: %s", c.update, a.Status, a.Reason)
			continue
		}
		judge(t, a)
		if got := ir.Strings(a.Operator.Exprs); got != c.operator {
			t.Errorf("%s has the operator %s, want %s", c.update, got, c.operator)
		}
		if got := ir.Strings(a.Inject); got != c.inject {
			t.Errorf("%s has the inject %s, want %s", c.update, got, c.inject)
		}
	}
	if a := match(t, "x0:i32,x1:i32,y0:i32", "min(x0, y0); select(y0 < x0, x0 + 1, x1*3)", "none", 0); a.Status == Associative {
		t.Errorf("a payload that is not merged has the operator %s", ir.Strings(a.Operator.Exprs))
	}
}
