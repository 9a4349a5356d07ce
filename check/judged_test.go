package check

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// TestJudged judges operators of which it is known by hand whether they are associative, of the kinds that people give to
// reductions of OpenMP, Kokkos, Futhark, Triton, Spark and SQL: differences, means, sums of squares, negated conditions, bounded
// sums, hashes, pairs whose components are merged in the wrong order, and what they should have been.
func TestJudged(t *testing.T) {
	type operator struct{ types, exprs string }
	judge := func(want prove.Status, operators []operator) {
		for _, o := range operators {
			op, options, err := Parse(o.types, o.exprs, Texts{})
			if err != nil {
				t.Fatal(err)
			}
			options.Allowed = ir.DefaultAssumptions | ir.NSW | ir.AFN
			r, err := Operator(context.Background(), op, options)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Associative.Theorem.Status; got != want {
				t.Errorf("%s: %s, want %s", o.exprs, got, want)
			}
		}
	}
	judge(prove.Refuted, []operator{
		{"x:i32,y:i32", "x - y"},
		{"x:i32,y:i32", "x*x + y"},
		{"x:i32,y:i32", "x + y*y"},
		{"x:i32,y:i32", "x + 1"},
		{"x:i32,y:i32", "max(x, y) - min(x, y)"},
		{"x:i32,y:i32", "abs(x - y)"},
		{"x:f32,y:f32", "(x + y)/2.0"},
		{"x:f64,y:f64", "sqrt(x*x + y)"},
		{"x:i32,y:i32", "x*2 + y"},
		{"x:i32,y:i32", "2*(x + y)"},
		{"x:i32,y:i32", "~(x & y)"},
		{"x:i32,y:i32", "~(x | y)"},
		{"x:bool,y:bool", "!x || y"},
		{"x:bool,y:bool", "!(x && y)"},
		{"x:i32,y:i32", "(x << 1) + y"},
		{"x:u32,y:u32", "(x << 5) ^ y"},
		{"x:u32,y:u32", "x*31 + y"},
		{"x:i32,y:i32", "max(x, y + 1)"},
		{"x:i32,y:i32", "max(x + y, 0)"},
		{"x:i32,y:i32", "min(x + y, 100)"},
		{"x:f64,y:f64", "log(exp(x) + y)"},
		{"x:i32,y:i32", "select(y > 0, x + y, x)"},
		{"x:i32,y:i32", "select(x > 0, x, x - y)"},
		{"x:i32,y:i32", "x/y"},
		{"x0:f32,x1:f32,y0:f32,y1:f32", "x0*y0 + y1; x1*y1"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "x0 + y0; max(x1, x0 + y0)"},
		{"x0:bool,x1:i32,y0:bool,y1:i32", "x0 || y0; select(x0, y1, x1 + y1)"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "x0 + y0; (x1 + y1)/2.0"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "max(x0, y0); select(x0 > y0, y1, x1)"},
	})
	judge(prove.Proved, []operator{
		{"x:i32,y:i32", "abs(x) + abs(y)"},
		{"x:f64,y:f64", "x*y/(x + y + 1.0)"},
		{"x:i32,y:i32", "x + y"},
		{"x:i32,y:i32", "x*y"},
		{"x:i32,y:i32", "x + y + x*y"},
		{"x:i32,y:i32", "x + y - 5"},
		{"x:i32,y:i32", "x"},
		{"x:i32,y:i32", "y"},
		{"x:i32,y:i32", "x & y"},
		{"x:i32,y:i32", "x ^ y ^ -1"},
		{"x:bool,y:bool", "x == y"},
		{"x:bool,y:bool", "x && y"},
		{"x:i32,y:i32", "select(x == 0, y, x)"},
		{"x:i32,y:i32", "select(y == 0, x, y)"},
		{"x:f32,y:f32", "x + y"},
		{"x:f32,y:f32", "max(x, y)"},
		{"x:f64,y:f64", "sqrt(x*x + y*y)"},
		{"x:f64,y:f64", "log(exp(x) + exp(y))"},
		{"x:f64,y:f64", "x*y/(x + y)"},
		{"x:f64,y:f64", "(x + y)/(1.0 + x*y)"},
		{"x0:f32,x1:f32,y0:f32,y1:f32", "x0*y0 - x1*y1; x0*y1 + x1*y0"},
		{"x0:f32,x1:f32,y0:f32,y1:f32", "x0*y0; x1*y0 + y1"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "x0 + y0; max(x1, x0 + y1)"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "x0 + y0; min(y1, x1 + y0)"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "max(x0, y0); select(x0 >= y0, x1, y1)"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "max(x0, y0); select(x0 > y0, x1, select(y0 > x0, y1, min(x1, y1)))"},
		{"x0:f64,x1:f64,y0:f64,y1:f64", "max(x0, y0); x1*exp(x0 - max(x0, y0)) + y1*exp(y0 - max(x0, y0))"},
		{"x0:bool,x1:i32,y0:bool,y1:i32", "x0 || y0; select(y0, y1, x1 + y1)"},
		{"x0:bool,x1:i32,y0:bool,y1:i32", "x0 || y0; select(x0, x1, y1)"},
		{"x0:i32,x1:i32,x2:i32,x3:i32,y0:i32,y1:i32,y2:i32,y3:i32", "x0*y0 + x1*y2; x0*y1 + x1*y3; x2*y0 + x3*y2; x2*y1 + x3*y3"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); max(x1, y1)"},
		{"x:i64,y:i64", "select(x < y, x, y)"},
		{"x:u8,y:u8", "x | y"},
		{"x0:i32,x1:i32,y0:i32,y1:i32", "x0 + y0; x1 + y1 + x0*y0"},
		{"x:i32,y:i32", "select(x < 0, x, y)"},
	})
}
