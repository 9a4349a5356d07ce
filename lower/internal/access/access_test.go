package access

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

func TestAffine(t *testing.T) {
	p := ir.NewPool()
	u, r, n := p.K(0, ir.I32), p.R("r", ir.I32), p.K(1, ir.I32)
	in := p.Call(ir.I32, "in", 0, r)
	x := p.X(0, ir.I32)
	k := func(v int64) ir.Expr { return p.Int(ir.I32, v) }
	for _, c := range []struct {
		e          ir.Expr
		ok         bool
		u, r, rest ir.Expr
	}{
		{r, true, k(0), k(1), k(0)},
		{ir.AddOf(ir.MulOf(u, k(8192)), r), true, k(8192), k(1), k(0)},
		{ir.SubOf(n, r), true, k(0), k(-1), n},
		{ir.NegOf(ir.AddOf(ir.MulOf(n, r), k(3))), true, k(0), ir.NegOf(n), k(-3)},
		{ir.MulOf(k(2), ir.AddOf(u, ir.AddOf(r, k(10)))), true, k(2), k(2), k(20)},
		{ir.SubOf(r, r), true, k(0), k(0), k(0)},
		{ir.MulOf(u, r), false, u, u, u},
		{ir.AddOf(r, in), false, u, u, u},
		{ir.MaxOf(r, k(0)), false, u, u, u},
		{x, false, u, u, u},
		{ir.AddOf(x, r), false, u, u, u}, // a state is no coordinate, and not 0 either
		{ir.CastTo(ir.I64, x), false, u, u, u},
		{ir.AddOf(p.Y(0, ir.I32), r), false, u, u, u},
	} {
		coef, rest, ok := affine(c.e, []ir.Expr{u, r})
		if ok != c.ok {
			t.Errorf("%s: affine %v", c.e, ok)
		} else if ok && (coef[0] != c.u || coef[1] != c.r || rest != c.rest) {
			t.Errorf("%s: %s, %s, %s", c.e, coef[0], coef[1], rest)
		}
	}
}
