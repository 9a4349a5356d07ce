package gosrc_test

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/lower/internal/gosrc"
)

// Expressions are written with the parentheses that Go needs, and in its words where it has them.
func TestExpr(t *testing.T) {
	p := ir.NewPool()
	i, j := p.Var(ir.Param, "i", 0, ir.I32), p.Var(ir.Param, "j", 1, ir.I32)
	f, g := p.Var(ir.Param, "f", 2, ir.F32), p.Var(ir.Param, "g", 3, ir.F32)
	x, u := p.X(0, ir.I32), p.Var(ir.Param, "u", 4, ir.U16)
	w := Writer{Use: Uses{}.Note, Leaf: func(e ir.Expr) string { return e.Name() }}
	for _, c := range []struct {
		e    ir.Expr
		want string
	}{
		{ir.MulOf(ir.AddOf(i, j), j), "(i + j) * j"},
		{ir.SubOf(i, ir.SubOf(j, i)), "i - (j - i)"},
		{ir.DivOf(i, p.Int(ir.I32, 8)), "i >> 3"},
		{ir.DivOf(i, j), "euclidDiv(i, j)"},
		{ir.MulOf(f, g), "float32(f * g)"},
		{ir.AddOf(ir.MulOf(f, g), f), "float32(f * g) + f"},
		{ir.AddOf(f, ir.DivOf(g, p.Float(ir.F32, 8))), "f + float32(g / 8)"},
		{ir.AddOf(f, ir.DivOf(g, f)), "f + g / f"},
		{ir.CastTo(ir.F32, ir.CastTo(ir.I64, i)), "toFloat32(int64(i))"},
		{ir.Make(ir.Pow, f, p.Float(ir.F32, 0.1)), "float32(math.Pow(float64(f), float64(float32(0.1))))"},
		{ir.Make(ir.Exp, p.Float(ir.F64, 0.1)), "math.Exp(0.1)"},
		{ir.Make(ir.Shl, u, ir.Make(ir.Abs, ir.MulOf(u, u))), "u << (u * u)"},
		{ir.SelectOf(ir.LtOf(i, j), i, p.Int(ir.I32, 1)), "pick(i < j, i, int32(1))"},
	} {
		if got := w.Expr(c.e); got != c.want {
			t.Errorf("%s is %s, not %s", c.e, got, c.want)
		}
	}
	w.Contract = true
	if got := w.Expr(ir.AddOf(ir.MulOf(f, g), f)); got != "f*g + f" {
		t.Errorf("a product that is fused is %s", got)
	}
	w.Leaf = func(e ir.Expr) string {
		if e == x {
			return "x0"
		}
		return e.Name()
	}
	for v, want := range map[ir.Expr]string{ir.AddOf(x, i): "x0 += i\n", ir.AddOf(x, p.Int(ir.I32, 1)): "x0++\n", ir.MaxOf(x, i): "x0 = max(x0, i)\n"} {
		if got := w.Assignment(v, "x0"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
