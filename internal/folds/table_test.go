package folds_test

import (
	"testing"

	. "github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// Steps of few values are tabulated as they evaluate, and others are not.
func TestStepTable(t *testing.T) {
	pool := ir.NewPool()
	x, y, k := pool.X(0, ir.U8), pool.Y(0, ir.U8), pool.K(0, ir.U8)
	signed := pool.Y(1, ir.I8)
	c := func(n int64) ir.Expr { return pool.Int(ir.U8, n) }
	flip := ir.SelectOf(ir.LtOf(c(9), y), ir.Make(ir.BitXor, x, c(1)), x)
	for _, test := range []struct {
		name  string
		to, y ir.Expr
		start uint64
		ok    bool
	}{
		{"flips", flip, y, 6, true},
		{"the greatest state", ir.MinOf(ir.AddOf(x, ir.Make(ir.BitAnd, y, c(1))), c(15)), y, 0, true},
		{"one state too many", ir.MinOf(ir.AddOf(x, ir.Make(ir.BitAnd, y, c(1))), c(16)), y, 0, false},
		{"a great start", flip, y, 16, false},
		{"a sum", ir.AddOf(x, y), y, 0, false},
		{"a parameter", ir.SelectOf(ir.LtOf(k, y), c(1), x), y, 0, false},
		{"another element", ir.SelectOf(ir.LtOf(y, c(3)), c(1), x), signed, 0, false},
		{"signs", ir.SelectOf(ir.LtOf(signed, pool.Int(ir.I8, 0)), c(1), x), signed, 0, true},
		{"wider elements", ir.SelectOf(ir.LtOf(pool.Y(2, ir.U16), pool.Int(ir.U16, 5)), c(1), x), pool.Y(2, ir.U16), 0, false},
	} {
		next, ok := StepTable(test.to, x, test.y, test.start)
		if ok != test.ok {
			t.Errorf("%s: ok is %v", test.name, ok)
		}
		if !ok {
			continue
		}
		state := test.start
		for i := range 4096 { // what is reached is where a walk may go
			element := test.y.Type().Wrap(uint64(i*37 + i/256))
			want := ir.Eval(test.to, &ir.Env{Var: func(v ir.Expr) uint64 {
				if v == x {
					return state
				}
				return element
			}})
			if got := next[TableStates*int(uint8(element))+int(state)]; uint64(got) != want {
				t.Fatalf("%s: %d by %d is %d, not %d", test.name, state, element, got, want)
			}
			state = want
		}
	}
}
