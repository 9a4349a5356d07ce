package testpoint_test

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Points tell apart what differs only where both operands are zeros, of either sign.
func TestRefuteAtZeros(t *testing.T) {
	p := ir.NewPool()
	x, y := p.X(0, ir.F32), p.Y(0, ir.F32)
	largest := ir.Make(ir.Max, x, y)
	for _, c := range []struct {
		name  string
		left  ir.Expr
		right ir.Expr
	}{
		{"the last of equal ones", ir.SelectOf(ir.LeOf(x, y), y, x), largest},
		{"the first of equal ones", ir.SelectOf(ir.LtOf(x, y), y, x), largest},
		{"of two orders", ir.SelectOf(ir.LeOf(x, y), y, x), ir.SelectOf(ir.LtOf(x, y), y, x)},
		{"a sum with the other's zero", ir.AddOf(ir.MulOf(x, p.Float(ir.F32, 0)), y), ir.AddOf(ir.MulOf(y, p.Float(ir.F32, 0)), y)},
	} {
		problem := proof.Problem{Left: c.left, Right: c.right}
		if new(Evaluator).Refute(problem, ir.NNaN|ir.NInf) == nil {
			t.Errorf("%s: %s = %s is not refuted", c.name, c.left, c.right)
		}
		if c.name[0] == 't' && new(Evaluator).Refute(problem, ir.NNaN|ir.NSZ) != nil {
			t.Errorf("%s: %s = %s is refuted where the sign of a zero is no matter", c.name, c.left, c.right)
		}
	}
}

// Sums of three numbers between 0 and 1 round, though few points have three such numbers.
func TestRefuteGiven(t *testing.T) {
	p := ir.NewPool()
	x, y, z := p.X(0, ir.F64), p.Y(0, ir.F64), p.K(0, ir.F64)
	var given []ir.Expr
	for _, v := range []ir.Expr{x, y, z} {
		given = append(given, ir.AndOf(ir.LtOf(p.Float(ir.F64, 0), v), ir.LtOf(v, p.Float(ir.F64, 1))))
	}
	problem := proof.Problem{Given: given, Left: ir.AddOf(ir.AddOf(x, y), z), Right: ir.AddOf(x, ir.AddOf(y, z))}
	c := new(Evaluator).Refute(problem, 0)
	if c == nil {
		t.Fatalf("%s = %s is not refuted", problem.Left, problem.Right)
	}
	for i, v := range c.Values {
		if f := ir.Float(ir.F64, v); !(0 < f && f < 1) {
			t.Errorf("%s = %v is not as given", c.Inputs[i], f)
		}
	}
	if c := new(Evaluator).Refute(problem, ir.Reassoc); c != nil {
		t.Errorf("real sums are refuted: %v", c)
	}
}
