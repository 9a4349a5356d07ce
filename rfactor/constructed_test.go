package rfactor

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Operators that are built of what a step does: an action of one component on another, the last value and
// what came first, an optional value, counts where a minimum ties, the scaled sum of squares of BLAS, whose scale 0 says
// that there was nothing yet.
func TestBuilt(t *testing.T) {
	for _, c := range []struct{ types, update, assume, operator, inject string }{
		{"x0:i32,x1:bool,y0:i32,y1:bool", "select(x1, x0 + y0, x0); x1 && y1", "none",
			"x0 + select(x1, y0, 0); x1 && y1", "y0; y1"},
		{"x0:i32,x1:bool,y0:i32,y1:bool", "select(x1, x0 - y0, x0 + y0); x1 != y1", "none",
			"x0 + select(x1, -y0, y0); x1 != y1", "y0; y1"},
		{"x0:u32,x1:u32,y0:u32", "x0 ^ y0; x1 ^ (x0 & y0)", "none",
			"x0 ^ y0; x1 ^ y1 ^ (x0 & y0)", "y0; 0"},
		{"x0:u64,x1:u64,y0:u64", "x0 + y0; x1 + select(x0 + y0 < x0, 1, 0)", "none",
			"x0 + y0; x1 + y1 + select(x0 + y0 < x0, 1, 0)", "y0; 0"},
		{"x0:i64,x1:i64,x2:i64,x3:bool,y0:i64", "x0 + select(x2 < y0 && x3, y0 - x2, 0); select(x3, x1, y0); y0; true", "none",
			"y0 + select(y3, x0 + select(x2 < y1 && x3, y1 - x2, 0), x0); select(x3, x1, select(y3, y1, x1)); select(y3, y2, x2); x3 || y3", "0; y0; y0; true"},
		{"x0:i64,x1:bool,x2:bool,y0:i64", "select(x1, y0, x0); false; select(x1, x2, x2 || x0 != y0)", "none",
			"select(x1, select(y1, x0, y0), x0); x1 && y1; x2 || y2 || select(x1 || y1, false, x0 != y0)", "y0; false; false"},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; min(x1, x0 + y0); select(x0 + y0 < x1, 1, select(x0 + y0 == x1, x2 + 1, x2))", "nsw",
			"x0 + y0; min(x1, x0 + y1); select(x0 + y1 < x1, y2, select(x0 + y1 == x1, x2 + y2, x2))", ""},
		{"x0:f64,x1:f64,y0:f64", "select(y0 == 0.0, x0, max(x0, abs(y0))); " +
			"select(y0 == 0.0, x1, select(x0 < abs(y0), 1.0 + x1*(x0/abs(y0))*(x0/abs(y0)), x1 + (abs(y0)/x0)*(abs(y0)/x0)))", "default",
			"select(y0 == 0.0, x0, select(x0 == 0.0, y0, max(x0, y0))); " +
				"select(y0 == 0.0, x1, select(x0 == 0.0, y1, select(x0 < y0, y1 + x1*(x0/y0)*(x0/y0), x1 + y1*(y0/x0)*(y0/x0))))", ""},
		{"x0:i32,x1:i32,y0:i32", "select(x0 == 0, y0, select(y0 == 0, x0, min(x0, y0))); " +
			"select(y0 == 0, x1, select(x0 == 0, 1, select(y0 < x0, 1, select(y0 == x0, x1 + 1, x1))))", "none",
			"select(y0 == 0, x0, select(x0 == 0, y0, min(x0, y0))); " +
				"select(y0 == 0, x1, select(x0 == 0, y1, select(y0 < x0, y1, select(x0 < y0, x1, x1 + y1))))", ""},
	} {
		a := matchBy(t, c.types, c.update, c.assume, Options{Effort: 2 * DefaultEffort}) // of the scaled sum, which is looked for twice
		if a.Status != Associative {
			t.Errorf("%s is %s: %s", c.update, a.Status, a.Reason)
			continue
		}
		judge(t, a)
		if got := ir.Strings(a.Operator.Exprs); got != c.operator {
			t.Errorf("%s has the operator %s, want %s", c.update, got, c.operator)
		}
		if got := ir.Strings(a.Inject); c.inject != "" && got != c.inject {
			t.Errorf("%s has the inject %s, want %s", c.update, got, c.inject)
		}
	}
	for _, c := range [][2]string{
		{"x0:i32,x1:bool,y0:i32", "select(x1, x0 + y0, x0); x0 < 9"},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, x0*y0)"},
		{"x0:i64,x1:i64,x2:bool,y0:i64", "x0 + select(x1 < y0 && x2, y0 - x1, 0); y0; true"},                                             // forgets what came first
		{"x0:i64,x1:bool,x2:i64,x3:bool,x4:i64,y0:i64", "select(x2 < y0 && x1, x0 + (y0 - x2), x0); true; y0; true; select(x3, x4, y0)"}, // where the flags differ
	} {
		if a := match(t, c[0], c[1], "none", 0); a.Status == Associative {
			t.Errorf("%s has the operator %s", c[1], ir.Strings(a.Operator.Exprs))
		}
	}
}

// Sums under a bijection: central moments, a variance kept beside a sum, a weighted mean of two inputs.
func TestConjugate(t *testing.T) {
	mean := "x0 + 1.0; x1 + (y0 - x1)/(x0 + 1.0)"
	second := "; x2 + (y0 - x1)*(y0 - x1)*x0/(x0 + 1.0)"
	third := "; x3 + (y0 - x1)*(y0 - x1)*(y0 - x1)*x0*(x0 - 1.0)/((x0 + 1.0)*(x0 + 1.0)) - 3.0*(y0 - x1)*x2/(x0 + 1.0)"
	fourth := "; x4 + (y0 - x1)*(y0 - x1)*(y0 - x1)*(y0 - x1)*x0*(x0*x0 - x0 + 1.0)/((x0 + 1.0)*(x0 + 1.0)*(x0 + 1.0))" +
		" + 6.0*(y0 - x1)*(y0 - x1)*x2/((x0 + 1.0)*(x0 + 1.0)) - 4.0*(y0 - x1)*x3/(x0 + 1.0)"
	for _, c := range []struct{ types, update, inject string }{
		{"x0:f64,x1:f64,x2:f64,x3:f64,x4:f64,y0:f64", mean + second + third + fourth, "1.0; y0; 0.0; 0.0; 0.0"},
		{"x0:f64,x1:f64,x2:f64,x3:f64,y0:f64", mean + second + third, "1.0; y0; 0.0; 0.0"},
		{"x0:f64,x1:f64,x2:f64,y0:f64", "x0 + (x1/(x1 + 1.0))*(x2/x1 - y0)*(x2/x1 - y0); x1 + 1.0; x2 + y0", "0.0; 1.0; y0"},
	} {
		a := match(t, c.types, c.update, "default", 0)
		if a.Status != Associative || a.Via() != "conjugate" {
			t.Errorf("%s is %s, found by %s: %s", c.update, a.Status, a.Via(), a.Reason)
			continue
		}
		judge(t, a)
		if got := ir.Strings(a.Inject); got != c.inject {
			t.Errorf("%s has the inject %s, want %s", c.update, got, c.inject)
		}
	}
	for _, wrong := range []string{mean + "; x2 + (y0 - x1)*(y0 - x1)*x0/(x0 + 2.0)", "x0 + 1.0; x1 + (y0 - x1)/(x0 + 2.0)*x1"} {
		types := "x0:f64,x1:f64,x2:f64,y0:f64"
		if !strings.Contains(wrong, "x2") {
			types = "x0:f64,x1:f64,y0:f64"
		}
		if a := match(t, types, wrong, "default", 0); a.Status == Associative {
			t.Errorf("%s has the operator %s", wrong, ir.Strings(a.Operator.Exprs))
		}
	}
}

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

// A sorted list into which steps insert elements with payloads: as given, and as inferred from the initial value.
func TestInserted(t *testing.T) {
	skipShort(t)
	for _, c := range []struct{ types, update, given string }{
		{"x0:i32,x1:i32,x2:i32,x3:i32,y0:i32,r:i32", "select(y0 > x0, y0, x0); select(y0 > x0, x0, select(y0 > x1, y0, x1)); select(y0 > x0, r, x2); select(y0 > x0, x2, select(y0 > x1, r, x3))", "x1 <= x0"},
		{"x0:u8,x1:bool,x2:u8,x3:bool,y0:u8,y1:bool", "min(x0, y0); select(x0 > y0, y1, x1); select(y0 < x0, x0, min(x2, y0)); select(x0 > y0, x1, select(y0 >= x2, x3, y1))", "x0 <= x2"},
		{"x0:i32,x1:i32,x2:i32,x3:u8,x4:u8,x5:u8,y0:i32,y1:u8", "select(y0 > x0, y0, x0); select(y0 > x0, x0, select(y0 > x1, y0, x1)); select(y0 > x1, x1, select(y0 > x2, y0, x2)); " +
			"select(y0 > x0, y1, x3); select(y0 > x0, x3, select(y0 > x1, y1, x4)); select(y0 > x1, x4, select(y0 > x2, y1, x5))", "x1 <= x0 && x2 <= x1"},
	} {
		a := matchGiven(t, c.types, c.update, c.given, ir.DefaultAssumptions)
		if a.Via() != "inserted" {
			t.Errorf("%s is %s by %s: %s", c.update, a.Status, a.Via(), a.Reason)
			continue
		}
		judge(t, a)
	}
	// The last of equal elements is kept, and an empty place is like an element with the least key: no element is left out.
	if a := matchGiven(t, "x0:i32,x1:i32,x2:i32,x3:i32,y0:i32,r:i32", "select(y0 >= x0, y0, x0); select(y0 >= x0, x0, select(y0 >= x1, y0, x1)); "+
		"select(y0 >= x0, r, x2); select(y0 >= x0, x2, select(y0 >= x1, r, x3))", "x1 <= x0", ir.DefaultAssumptions); a.Via() == "inserted" {
		judge(t, a)
	}
	for _, test := range []struct{ input, init, via string }{
		{"Int(32)", "{-1, -1, 0, 0}", "inserted"},
		{"Float(32)", "{-1e30f, -1e30f, 0, 0}", "inserted"},
		{"Int(32)", "{-1, 0, 0, 0}", ""}, // not sorted
	} {
		a := matchProgram(t, test.input, test.init, "{select(in(r) > f()[0], in(r), f()[0]), select(in(r) > f()[0], f()[0], select(in(r) > f()[1], in(r), f()[1])), "+
			"select(in(r) > f()[0], r, f()[2]), select(in(r) > f()[0], f()[2], select(in(r) > f()[1], r, f()[3]))}")
		if (a.Via() == "inserted") != (test.via == "inserted") {
			t.Errorf("from %s: %s by %s", test.init, a.Status, a.Via())
		}
		if a.Status == Associative {
			judge(t, a)
		}
	}
}

// A condition between inputs chooses booleans, which have no minimum: such a component is no key.
func TestBooleanIsNoKey(t *testing.T) {
	a := match(t, "x0:bool,x1:i32,y0:bool,y1:i32,y2:i32", "select(y1 < y2, x0, y0); select(x0 == y0, x1 + 1, 1)", "none", 0)
	if a.Status == Associative {
		judge(t, a)
	}
}
