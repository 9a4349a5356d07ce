package rfactor

import "testing"

// What a step spells as a shift, as a sum of the same term, or as an extremum with a term added has the operator that the
// products and the extremum of sums have.
func TestWrittenOtherwise(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ types, exprs, assume, via string }{
		"shifts":               {"x0:u32,x1:u32,y0:u32", "(x0 << 3) + (x0 << 1) + y0; x1*10", "none", "egraph:affine"},
		"shifts of both":       {"x0:u32,x1:u32,y0:u32", "(x0 << 1) + y0; x1 << 1", "none", "egraph:affine"},
		"sums of the same":     {"x0:u32,x1:u32,y0:u32", "x0 + x0 + y0; x1 + x1", "none", "egraph:affine"},
		"a term that is added": {"x0:i32,y0:i32,y1:i32", "y0 + max(x0 - y0, y1)", "+nsw", "egraph:max"},
		"and taken away":       {"x0:i32,y0:i32,y1:i32", "max(x0 + y1, y0) - y1", "+nsw", "egraph:max"},
		"an extremum taken":    {"x0:i64,y0:i64,y1:i64", "y0 - max(y0 - x0, y1)", "+nsw", "egraph:min"},
		"of floats":            {"x0:f32,y0:f32,y1:f32", "y0 + max(x0 - y0, y1)", "default", "egraph:max"},
		"where integers wrap":  {"x0:i32,y0:i32,y1:i32", "y0 + max(x0 - y0, y1)", "none", ""},
		"a remainder":          {"x0:u32,y0:u32", "(x0 + y0) - (x0 + y0)/10*10", "+nuw", "egraph:modular_sum"},
		"shifts by all":        {"x0:u32,x1:u32,y0:u32", "(x0 << 32) + y0; x1 << 1", "none", "probe:last+egraph:product"},
	} {
		t.Run(name, func(t *testing.T) {
			a := match(t, test.types, test.exprs, test.assume, AllMatchers)
			if a.Via() != test.via {
				t.Fatalf("%s via %q, want %q", a.Status, a.Via(), test.via)
			}
			if test.via == "" {
				return
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
