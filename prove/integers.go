package prove

import (
	"context"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/integers"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// OverIntegers proves an equation of integers that wrap by that of unbounded ones, as verify/integers restates it. It
// returns nil where the equation is not restated, or not proven.
func (w *Prover) OverIntegers(ctx context.Context, p proof.Problem, o Options) *proof.Tree {
	q, err := restated(p)
	if err != nil {
		return nil
	}
	o.Allowed, o.Exactly, o.ProveFirst, o.Tried = ir.NSW, true, true, nil
	if t := w.Prove(ctx, []proof.Problem{q}, o); t.Status == Proved {
		return &proof.Tree{Kind: proof.Integers, Then: t.Proof()}
	}
	return nil
}

// restated returns the problem over the integers.
func restated(p proof.Problem) (q proof.Problem, err error) {
	q.Given, q.Left, q.Right, err = integers.Restate(p.Given, p.Left, p.Right)
	return q, err
}

// byIntegers proves an equation of digits: of quotients and remainders by literals, where what is given bounds what is
// divided. It returns nil where the equation is not such a one, or not proven.
func (w *Prover) byIntegers(ctx context.Context, p proof.Problem, assume ir.Assume, o Options) *proof.Tree {
	if len(p.Given) == 0 || assume&(ir.NSW|ir.NUW) != 0 || p.Left == p.Right || p.Left.Type().IsFloat() || !hasDigits(p) {
		return nil
	}
	o.Effort = CasesOnly
	return w.OverIntegers(ctx, p, o)
}

// hasDigits reports whether an integer that depends on a state or an operand is divided by a literal, shifted to the
// right, or masked.
func hasDigits(p proof.Problem) (found bool) {
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
		switch e.Op() {
		case ir.Div, ir.Mod, ir.Shr, ir.BitAnd:
			found = found || e.Type().IsInt() && (e.Arg(0).Op() == ir.Const) != (e.Arg(1).Op() == ir.Const)
		}
	})
	return found
}
