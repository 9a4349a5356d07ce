package prove_test

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestMethods proves the examples that stand beside the kinds of proofs, by what they are
// examples of.
func TestMethods(t *testing.T) {
	for _, c := range []struct {
		typ                string
		left, right, given string
		assume             string
		want               prove.Method
	}{
		{"i32", "(x + y)*z", "x*z + y*z", "", "none", prove.Ring},
		{"i32", "select(P(x), x, y)", "select(!P(x), y, x)", "", "none", prove.Cases},
		{"i32", "max(x, y) + z", "max(x + z, y + z)", "", "nsw", prove.Cases},
		{"i32", "x*z", "y*z", "x <= y; y <= x", "nsw", prove.Equations},
		{"i32", "f(x)", "f(y)", "x <= y; y <= x", "none", prove.Equations},
		{"u8", "x + min(y, 255 - x)", "saturating_add(x, y)", "", "none", prove.Carries},
		{"i32", "max(x*y*y, 0)", "x*y*y", "0 <= x", "nsw", prove.SignCases},
		{"i8", "(x + (x >> 7)) ^ (x >> 7)", "abs(x)", "", "none", prove.Bits},
	} {
		p := provetest.Problem(t, ir.NewPool(), program.ParseType(c.typ), "x:"+c.typ+", y:"+c.typ+", z:"+c.typ, c.left, c.right, c.given)
		th := prove.Prove(t.Context(), []proof.Problem{p}, prove.Options{Allowed: provetest.Assume(t, c.assume), Exactly: true})
		if th.Status != prove.Proved {
			t.Errorf("%s = %s is %s", c.left, c.right, th.Status)
		} else if m := prove.MethodOf(th.Proof()); m != c.want {
			t.Errorf("%s = %s is proven by %s, not %s", c.left, c.right, m, c.want)
		}
	}
}

// TestMisuse calls Prove with what is no problem.
func TestMisuse(t *testing.T) {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I32), pool.Y(0, ir.U8)
	for _, c := range []struct {
		problem proof.Problem
		want    string
	}{
		{proof.Problem{Left: x}, "prove: problem 0 lacks a side"},
		{proof.Problem{Left: x, Right: y}, "prove: problem 0 equates i32 and u8"},
		{proof.Problem{Left: x, Right: ir.NewPool().X(0, ir.I32)}, "prove: problem 0 has expressions of two pools"},
		{proof.Problem{Left: x, Right: x, Given: []ir.Expr{x}}, "prove: problem 0 is given an i32, not a condition"},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("it panics with %v, not %s", got, c.want)
				}
			}()
			prove.Prove(t.Context(), []proof.Problem{c.problem}, prove.Options{})
		}()
	}
}
