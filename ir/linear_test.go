package ir

import (
	"math/rand/v2"
	"testing"
)

func TestLinear(t *testing.T) {
	p := NewPool()
	r, n := p.R("r", I32), p.K(0, I32)
	two, one := p.Int(I32, 2), p.Int(I32, 1)
	for _, test := range []struct {
		e    Expr
		want string
	}{
		{AddOf(SubOf(n, one), one), "k0"},
		{SubOf(SubOf(n, one), r), "k0 - r - 1"},
		{SubOf(one, AddOf(r, r)), "1 - r*2"},
		{SubOf(r, r), "0"},
		{NegOf(r), "0 - r"},
		{AddOf(MulOf(two, r), MulOf(r, p.Int(I32, -1))), "r"},
		{AddOf(p.Int(I32, 1<<31-1), one), "tmin"},
		{DivOf(AddOf(n, r), two), "(k0 + r)/2"},
	} {
		if got := LinearOf(test.e).Expr(p).String(); got != test.want {
			t.Errorf("%s is %s, wanted %s", test.e, got, test.want)
		}
	}
}

// TestLinearKeepsValues draws terms, and compares their values with those of their sums.
func TestLinearKeepsValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 33))
	for range 300 {
		p := NewPool()
		vars := []Expr{p.R("r", I32), p.K(0, I32), p.K(1, I32)}
		var draw func(depth int) Expr
		draw = func(depth int) Expr {
			switch k := rng.IntN(7); {
			case depth == 0 || k == 0:
				return vars[rng.IntN(3)]
			case k == 1:
				return p.Const(I32, I32.Wrap(rng.Uint64()>>rng.IntN(60)))
			case k == 2:
				return NegOf(draw(depth - 1))
			case k == 3:
				return MulOf(draw(depth-1), draw(depth-1))
			default:
				return Make([]Op{Add, Sub, Sub}[k-4], draw(depth-1), draw(depth-1))
			}
		}
		a, b := draw(5), draw(3)
		at := map[Expr]uint64{}
		for _, v := range vars {
			at[v] = I32.Wrap(rng.Uint64())
		}
		env := &Env{Var: func(v Expr) uint64 { return at[v] }}
		if got, want := Eval(LinearOf(a).Expr(p), env), Eval(a, env); got != want {
			t.Fatalf("%s is %d, as a sum %d", a, want, got)
		}
		if got, want := Eval(LinearOf(a).Minus(LinearOf(b)).Expr(p), env), Eval(SubOf(a, b), env); got != want {
			t.Fatalf("%s minus %s is %d, as sums %d", a, b, want, got)
		}
	}
}
