package rfactor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Counts may be integers: where these are unbounded and floats a field, they are read as floats.
func TestCounted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ types, exprs, assume, via string }{
		"mean":               {"x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1 + 1); x1 + 1", "all", "counted:egraph:mean_merged"},
		"moments":            {"x0:i32,x1:f64,x2:f64,y0:f64", "x0 + 1; x1 + (y0 - x1)/f64(x0 + 1); x2 + (y0 - x1)*(y0 - (x1 + (y0 - x1)/f64(x0 + 1)))", "all", "counted:egraph:merged_moments"},
		"unsigned counts":    {"x0:f64,x1:u64,y0:f64", "x0 + (y0 - x0)/f64(x1 + 1); x1 + 1", "+nuw", "counted:egraph:mean_merged"},
		"of f32":             {"x0:f32,x1:i64,y0:f32", "x0 + (y0 - x0)/f32(x1 + 1); x1 + 1", "+nsw", "counted:egraph:mean_merged"},
		"weights":            {"x0:f64,x1:i32,y0:f64,y1:i32", "x0 + (y0 - x0)*f64(y1)/f64(x1 + y1); x1 + y1", "+nsw", "direct"},
		"counts that wrap":   {"x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1 + 1); x1 + 1", "default", ""},
		"a count that jumps": {"x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1*2 + 1); x1*2 + 1", "all", ""},
		"read as an integer": {"x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1/2 + 1); x1 + 1", "all", ""},
		"read otherwise":     {"x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/f64(x1 + 1)*select(x1 % 2 == 0, 1.0, 2.0); x1 + 1", "all", ""},
		"read as two types":  {"x0:f64,x1:i64,y0:f64", "x0 + (y0 - x0)/(f64(x1 + 1) + f64(f32(x1))); x1 + 1", "all", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := match(t, test.types, test.exprs, test.assume, AllMatchers)
			if test.via == "" {
				if a.Status == Associative {
					t.Errorf("%s via %s", ir.Strings(a.Operator.Exprs), a.Via())
				}
				return
			}
			if a.Status != Associative || a.Via() != test.via {
				t.Fatalf("%s via %s: %s", a.Status, a.Via(), a.Reason)
			}
			line, err := a.JSON(true)
			if err != nil {
				t.Fatal(err)
			}
			if err := verified(line); err != nil {
				t.Error(err)
			}
			mergesParts(t, a)
		})
	}
}

// mergesParts compares a run with the operator of runs over two parts. Both begin with what injects a first element, since
// there is no mean of nothing.
func mergesParts(t *testing.T, a *Answer) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	leaves := ir.Vars(a.Update...)
	draw := func() map[ir.Expr]uint64 {
		in := map[ir.Expr]uint64{}
		for _, v := range leaves {
			if v.Kind() == ir.Leaf {
				in[v] = uint64(1 + rng.IntN(9))
				if v.Type().IsFloat() {
					in[v] = ir.FloatBits(v.Type(), float64(rng.IntN(100))/4)
				}
			}
		}
		return in
	}
	eval := func(es []ir.Expr, in map[ir.Expr]uint64, x, y []uint64) (out []uint64) {
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			switch {
			case v.Kind() == ir.State:
				return x[v.Index()]
			case y != nil:
				return y[v.Index()]
			}
			return in[v]
		}}
		for _, e := range es {
			out = append(out, ir.Eval(e, env))
		}
		return out
	}
	first := eval(a.Inject, draw(), nil, nil)
	left, right, whole := first, eval(a.Inject, draw(), nil, nil), []uint64(nil)
	var inputs []map[ir.Expr]uint64
	for range 20 {
		inputs = append(inputs, draw())
		left = eval(a.Update, inputs[len(inputs)-1], left, nil)
	}
	whole = eval(a.Operator.Exprs, nil, left, right)
	for range 20 {
		in := draw()
		right, whole = eval(a.Update, in, right, nil), eval(a.Update, in, whole, nil)
	}
	for i, merged := range eval(a.Operator.Exprs, nil, left, right) {
		typ := a.Types[i]
		if !typ.IsFloat() {
			if merged != whole[i] {
				t.Errorf("component %d is %d, and %d of two parts", i, whole[i], merged)
			}
		} else if x, y := ir.Float(typ, whole[i]), ir.Float(typ, merged); !(math.Abs(x-y) <= 1e-3*math.Abs(x)) {
			t.Errorf("component %d is %g, and %g of two parts", i, x, y)
		}
	}
}
