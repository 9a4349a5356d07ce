package testpoint_test

import (
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	. "github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestShrink: the result still refutes, what is given still holds, and values are small.
func TestShrink(t *testing.T) {
	for _, tc := range []struct {
		left, right, given string
		want               []uint64
	}{
		{"x0 - y0", "y0 - x0", "true", []uint64{1, 0}},
		{"x0 - y0", "y0 - x0", "y0 > 5", []uint64{0, 6}},
		{"x0 - y0 - x0 * x0", "y0", "x0 == y0", []uint64{1, 1}}, // tied values shrink together
		{"select(x0 == y0, 1, 0)", "0", "x0 > 3", []uint64{4, 4}},
	} {
		pool := ir.NewPool()
		scope := program.Scope{Var: func(name string) (ir.Expr, bool) {
			v, ok := map[string]ir.Expr{"x0": pool.X(0, ir.I32), "y0": pool.Y(0, ir.I32)}[name]
			return v, ok
		}}
		es, err := program.ParseExprs(pool, scope, "test", []ir.Type{ir.I32, ir.I32, ir.Bool}, tc.left+";"+tc.right+";"+tc.given)
		if err != nil {
			t.Fatal(err)
		}
		p := proof.Problem{Given: es[2:], Left: es[0], Right: es[1]}
		w := Evaluator{MinRounds: 100}
		c := w.Refute(p, 0)
		if c == nil {
			t.Errorf("%s = %s is not refuted", tc.left, tc.right)
			continue
		}
		c = w.Shrink(p, 0, c)
		env := &ir.Env{Var: func(v ir.Expr) uint64 { return c.Values[slices.Index(c.Inputs, v)] }}
		if l, r := ir.Eval(p.Left, env), ir.Eval(p.Right, env); l == r || l != c.Left || r != c.Right || ir.Eval(es[2], env) == 0 {
			t.Errorf("%s = %s where %s: %v does not refute it", tc.left, tc.right, tc.given, c.Values)
		}
		if !slices.Equal(c.Values, tc.want) && !slices.Equal([]uint64{c.Values[1], c.Values[0]}, tc.want) {
			t.Errorf("%s = %s where %s: %v at %v, not %v", tc.left, tc.right, tc.given, c.Values, c.Inputs, tc.want)
		}
	}
}
