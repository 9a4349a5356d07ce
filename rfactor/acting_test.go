package rfactor

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Where the parameters of a lift do to the state what the state could do to itself, that is the operator.
func TestActing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ types, exprs, op, via string }{
		"a recurrence":         {"x0:u64,x1:u64", "x1; x0 + x1", "x0*y0 + x1*y1; x0*y1 + x1*(y1 + y0)", "acting:lift:affine"},
		"two of the first":     {"x0:i32,x1:bool,y0:i32", "select(x1 || !(x0 == 255), x0, y0); x1 || !(x0 == 255)", "select(x1, x0, select(x0 == 255, y0, x0)); x1 || select(x0 == 255, y1, true)", "acting:lift:cases"},
		"rows of a matrix":     {"x0:u64,x1:u64,x2:u64,x3:u64", "x0 + x1; x0; x2 + x3; x2", "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3", "probe:matrix_product"},
		"more than the state":  {"x0:i32,y0:i32", "min(max(x0 + y0, 0), 9)", "", ""},
		"matrices that change": {"x0:i32,x1:i32,y0:i32,y1:i32", "x0 + y0*x1; x1 + y1*x0", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := match(t, test.types, test.exprs, "default", AllMatchers)
			if test.op == "" {
				if a.Status == Associative {
					t.Errorf("%s via %s", ir.Strings(a.Operator.Exprs), a.Via())
				}
				return
			}
			if a.Status != Associative || a.Via() != test.via || ir.Strings(a.Operator.Exprs) != test.op {
				t.Fatalf("%s via %s: %s", a.Status, a.Via(), ir.Strings(a.Operator.Exprs))
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
