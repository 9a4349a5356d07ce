package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// TestCanonical: the terms of a row have one canonical form, the first of them.
func TestCanonical(t *testing.T) {
	for _, row := range []struct {
		types   string
		allowed ir.Assume
		terms   []string
	}{
		{"x0:i32,y0:i32", 0, []string{"x0 + y0", "y0 + x0", "~(~x0 - y0)", "x0 - (-y0)", "(x0 ^ y0) + 2*(x0 & y0)"}},
		{"x0:i32,y0:i32", 0, []string{"max(x0, y0)", "max(y0, x0)", "~min(~x0, ~y0)", "select(y0 <= x0, x0, y0)", "x0 + y0 - min(x0, y0)"}},
		{"x0:i32,y0:i32,k0:i32", 0, []string{"max(min(x0, k0), y0)", "min(max(y0, x0), max(y0, k0))"}},
		{"x0:bool,y0:bool", 0, []string{"x0 || y0", "!(!x0 && !y0)", "select(x0, true, y0)"}},
		{"x0:i32,x1:i32,y0:i32", 0, []string{"x0 + x1 + y0", "y0 + x1 + x0", "x1 + (y0 + x0)"}},
		{"x0:i32,y0:i32", 0, []string{"x0*2 + y0", "y0 + x0 + x0"}},
		{"x0:f32,y0:f32", ir.DefaultAssumptions, []string{"max(x0, y0)", "select(x0 >= y0, x0, y0)"}},
		{"x0:i32,y0:i32", ir.NSW, []string{"min(x0, y0)", "-max(-x0, -y0)"}},
		{"x0:i32,y0:i32", 0, []string{"y0", "x0 - x0 + y0"}},
	} {
		for _, e := range parse(t, row.types, row.terms...) {
			if got := Canonical(e, row.allowed).String(); got != row.terms[0] {
				t.Errorf("Canonical(%s) = %s, want %s", e, got, row.terms[0])
			}
		}
	}
}
