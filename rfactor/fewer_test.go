package rfactor

import (
	"strings"
	"testing"
)

// Whatever is under assumes is needed. In each of these lines an answer assumed more than one that a match without
// it found: of types that the update has none of, of literals that no proof evaluated, and of terms that another
// one around them leaves out.
func TestAssumesLess(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ types, exprs, want string }{
		{"x0:u32,y0:u32,k0:u32", "min(x0 + y0, max(y0, min(k0, k0) % (abs(y0 & k0) >> k0)))", "nuw"},
		{"x0:i16,x1:i16,y0:i16,k1:i16,y1:i16,y2:bool", "select(y0 >= (y0 ^ k1), y0, y0); -max(-y1, -min(x0, select(y2, x1, x1)))", "nsw"},
		{"x0:f64", "min(abs(0.5 - 0.5), abs(f64(i16(3))))", "none"},
		{"x0:f32,k0:f32", "select(!(select(true, k0, k0) < f32(i16(-32768))*2.0), 2.0*f32(i16(-32768)), x0)", "none"},
		{"x0:f32,k0:f32,y0:f32", "select(!(k0 - 2.0 < 3.0*y0 - y0), 3.0*y0 - select(y0 < k0, y0, y0), x0)", "none"},
		{"x0:f32,k0:f32,y0:f32", "select(!(x0 < max(abs(2.0), k0)), select(k0 <= k0, y0, y0), 0.0)", "none"},
		{"x0:f32", "log1p(select(!!false, x0, x0 + (-x0)))", "reassoc"},
		{"x0:f32,y0:f32", "select(!select(!(y0 == abs(-1.0)), true, false), x0, x0/2.0)", "reassoc"},
		{"x0:f32,x1:f32,y0:f32,y1:f32,y2:bool", "x0 + y0 + x1*select(y1/y1 <= y1, y1, y1); select(select(y2, true, false), -select(y2, 2.0, 2.0), x1)", "reassoc"},
		{"x0:f64,x1:f64,y2:bool,k0:f64,y1:f64,y0:f64,k1:f64", "select(y2, select(true, x1, x1)*x1, select(true, k0, x1)); select(y1 >= abs(2.0), x1*y0, 0.5 + k1)", "reassoc"},
	} {
		a := match(t, test.types, test.exprs, "all", AllMatchers)
		if a.Operator == nil || a.Assumes.String() != test.want {
			t.Errorf("%s: %s assumes %s, want %s", test.exprs, a.Status, a.Assumes, test.want)
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: %v", test.exprs, err)
		}
	}
}

// A remark names the operator that needs fewer assumptions, where the update is its own under fewer; elsewhere there is none.
func TestNotesFewer(t *testing.T) {
	for _, c := range []struct{ types, update, remark string }{
		{"x0:f32,y0:f32", "select(x0 > y0, x0, y0)", "an operator that assumes only nnan is select(y0 < x0, x0, y0)"},
		{"x0:f32,y0:f32,x1:i32,y1:i32", "select(x0 > y0, x0, y0); x1 + y1", "an operator that assumes only nnan is select(y0 < x0, x0, y0); x1 + y1"},
		{"x0:f32,y0:f32", "x0 + y0", ""},
		{"x0:i32,y0:i32", "max(x0 + y0, x0 - 3)", ""},
	} {
		a := match(t, c.types, c.update, "all", AllMatchers)
		if got := strings.Join(a.Remarks, "; "); got != c.remark || a.Assumes == 0 || (a.Fewer != nil) != (c.remark != "") {
			t.Errorf("%s: it assumes %s, and remarks %q, want %q", c.update, a.Assumes, got, c.remark)
		}
	}
}
