package prove

import (
	"context"
	"slices"

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

// byIntegers proves an equation of integers that wrap over the integers, where what is given bounds some of them by
// literals: sums of digits do not wrap, and their quotients have two values. It returns nil where it does not.
func (w *Prover) byIntegers(ctx context.Context, p proof.Problem, assume ir.Assume, o Options) *proof.Tree {
	if assume&(ir.NSW|ir.NUW) != 0 || p.Left == p.Right || p.Left.Type().IsFloat() || !slices.ContainsFunc(p.Given, bounds) || !adds(p) {
		return nil
	}
	o.Effort = CasesOnly
	return w.OverIntegers(ctx, p, o)
}

// bounds reports whether a condition compares an integer with a literal.
func bounds(c ir.Expr) bool {
	switch op := c.Op(); {
	case op == ir.And:
		return bounds(c.Arg(0)) || bounds(c.Arg(1))
	case op.IsComparison() && op != ir.Eq && op != ir.Ne && c.Arg(0).Type().IsInt():
		return c.Arg(0).Op() == ir.Const || c.Arg(1).Op() == ir.Const
	}
	return false
}

// adds reports whether integers are added, divided by a literal, shifted to the right or masked.
func adds(p proof.Problem) (found bool) {
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
		switch e.Op() {
		case ir.Add, ir.Sub:
			found = found || e.Type().IsInt()
		case ir.Div, ir.Mod, ir.Shr, ir.BitAnd:
			found = found || e.Type().IsInt() && (e.Arg(0).Op() == ir.Const) != (e.Arg(1).Op() == ir.Const)
		}
	})
	return found
}
