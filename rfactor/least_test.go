package rfactor

import "testing"

// Lifts in their least form: how many parameters are known to do, and how many an answer has. The first
// number is by hand; where the second is greater by more than one, BENCHMARKS.md says so.
func TestLeastForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, types, exprs string
		least, has         int
	}{
		{"TSVC s1221", "x0:i32,x1:i32,x2:i32,x3:i32,y0:i32", "x1; x2; x3; x0 + y0", 5, 5},
		{"TSVC s255", "x0:f32,x1:f32,y0:f32", "y0; x0", 3, 3},
		{"tribonacci", "x0:u64,x1:u64,x2:u64", "x1; x2; x0 + x1 + x2", 3, 3},
		{"Fibonacci with input", "x0:u64,x1:u64,y0:u64", "x1; x0 + x1 + y0", 4, 4},
		{"longest run", "x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0))", 4, 5},
		{"longest run with position", "x0:i32,x1:i32,x2:i32,y0:bool,r:i32", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0)); select(select(y0, x0 + 1, 0) > x1, r, x2)", 6, 7},
		{"longest increasing run", "x0:i32,x1:i32,x2:i32,y0:i32", "select(x2 < y0, x0 + 1, 0); max(x1, select(x2 < y0, x0 + 1, 0)); y0", 6, 7},
		{"paint house", "x0:i32,x1:i32,x2:i32,y0:i32,y1:i32,y2:i32", "min(x1, x2) + y0; min(x0, x2) + y1; min(x0, x1) + y2", 9, 10},
		{"strings with escapes", "x0:bool,x1:bool,y0:u8", "select(y0 == 34 && !x1, !x0, x0); y0 == 92 && !x1", 1, 1},
		{"0*1*", "x0:bool,x1:bool,y0:bool", "x0 && (!x1 || y0); x1 || y0", 1, 1},
		{"turns", "x0:u32,x1:u32,y0:u32", "x1; x0 ^ y0", 3, 3},
		{"rows of a file", "x0:bool,x1:i32,y0:u8", "x0 != (y0 == 34); x1 + select(!x0 && y0 == 10, 1, 0)", 3, 3},
	} {
		a := match(t, test.types, test.exprs, "all", 0)
		if a.Status != Lifted || a.LiftCost().Parameters != test.has {
			t.Errorf("%s: %s %s, want %d parameters, of at least %d", test.name, a.Status, texts(a.Operator.Exprs), test.has, test.least)
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
