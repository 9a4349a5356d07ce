package find

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// An update that folds its leaves as it is written is found without an e-graph; others are left to saturation.
func TestFolded(t *testing.T) {
	for _, c := range []struct{ name, types, update, via, inject string }{
		{"operands in either order", "x0:i32,y0:i32,k0:i32", "y0*k0 + x0", "egraph:sum", "y0*k0"},
		{"nested selects", "x0:i32,y0:i32,y1:bool,y2:i32", "select(y0 == 0, x0 + 1, select(y1, x0 - y2, x0))", "egraph:sum", "select(y0 == 0, 1, select(y1, -y2, 0))"},
		{"an extremum that is chosen", "x0:i32,y0:i32,y1:bool", "select(y1, select(y0 < x0, x0, y0), x0)", "egraph:max", "select(y1, y0, tmin)"},
		{"flags", "x0:bool,y0:bool,y1:bool", "select(y0, x0, select(x0, true, y1))", "egraph:or", "!y0 && y1"},
		{"a literal of a sum", "x0:u8", "x0 + 3", "egraph:sum", "3"},

		{"a shorter operator for a literal", "x0:i32,y0:i32", "x0*0", "", ""},
		{"two operations", "x0:i32,y0:i32,y1:bool", "select(y1, x0 + y0, x0*y0)", "", ""},
		{"an operand of several operations", "x0:i32,y0:i32", "(x0 - (y0 + y0)) + y0", "", ""},
		{"a condition on the state", "x0:i32,y0:i32", "select(x0 == 3, x0 + y0, x0)", "", ""},
		{"an operation without an operator", "x0:i32,y0:i32", "x0 - y0*x0", "", ""},
		{"minima of floats, which choose between zeros", "x0:f32,y0:f32", "select(y0 < x0, y0, x0)", "", ""},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), c.types, c.update)
		if err != nil {
			t.Fatal(err)
		}
		via, inject := "", ""
		for f := range newContext(u.Pool, 0).Folded(tuple.Restrict(u.Pool, u.Types, u.Values, []int{0})) {
			via, inject = f.Via, ir.Strings(f.Inject)
		}
		if via != c.via || inject != c.inject {
			t.Errorf("%s: %s is %q with %q, want %q with %q", c.name, c.update, via, inject, c.via, c.inject)
		}
	}
}
