package ir_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

func TestLinear(t *testing.T) {
	p := ir.NewPool()
	r, n := p.R("r", ir.I32), p.K(0, ir.I32)
	two, one := p.Int(ir.I32, 2), p.Int(ir.I32, 1)
	for _, test := range []struct {
		e    ir.Expr
		want string
	}{
		{ir.AddOf(ir.SubOf(n, one), one), "k0"},
		{ir.SubOf(ir.SubOf(n, one), r), "k0 - r - 1"},
		{ir.SubOf(one, ir.AddOf(r, r)), "1 - r*2"},
		{ir.SubOf(r, r), "0"},
		{ir.NegOf(r), "0 - r"},
		{ir.AddOf(ir.MulOf(two, r), ir.MulOf(r, p.Int(ir.I32, -1))), "r"},
		{ir.AddOf(p.Int(ir.I32, 1<<31-1), one), "tmin"},
		{ir.DivOf(ir.AddOf(n, r), two), "(k0 + r)/2"},
	} {
		if got := ir.LinearOf(test.e).Expr(p).String(); got != test.want {
			t.Errorf("%s is %s, wanted %s", test.e, got, test.want)
		}
	}
}

// TestLinearKeepsValues draws terms, and compares their values with those of their sums.
func TestLinearKeepsValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 33))
	for range 300 {
		p := ir.NewPool()
		vars := []ir.Expr{p.R("r", ir.I32), p.K(0, ir.I32), p.K(1, ir.I32)}
		var draw func(depth int) ir.Expr
		draw = func(depth int) ir.Expr {
			switch k := rng.IntN(7); {
			case depth == 0 || k == 0:
				return vars[rng.IntN(3)]
			case k == 1:
				return p.Const(ir.I32, ir.I32.Wrap(rng.Uint64()>>rng.IntN(60)))
			case k == 2:
				return ir.NegOf(draw(depth - 1))
			case k == 3:
				return ir.MulOf(draw(depth-1), draw(depth-1))
			default:
				return ir.Make([]ir.Op{ir.Add, ir.Sub, ir.Sub}[k-4], draw(depth-1), draw(depth-1))
			}
		}
		a, b := draw(5), draw(3)
		at := map[ir.Expr]uint64{}
		for _, v := range vars {
			at[v] = ir.I32.Wrap(rng.Uint64())
		}
		env := &ir.Env{Var: func(v ir.Expr) uint64 { return at[v] }}
		if got, want := ir.Eval(ir.LinearOf(a).Expr(p), env), ir.Eval(a, env); got != want {
			t.Fatalf("%s is %d, as a sum %d", a, want, got)
		}
		if got, want := ir.Eval(ir.LinearOf(a).Minus(ir.LinearOf(b)).Expr(p), env), ir.Eval(ir.SubOf(a, b), env); got != want {
			t.Fatalf("%s minus %s is %d, as sums %d", a, b, want, got)
		}
	}
}
