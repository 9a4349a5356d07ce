package check

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// skippingNaN proves a law of an operator that asks whether its operands are NaN, as a sum that skips NaN does.
//
//	select(is_nan(x), y, select(is_nan(y), x, x + y))   →   associative under reassoc, ninf
//
// Where no float is infinite, a sum is NaN only if an operand is.
func (k *checker) skippingNaN(l *Law, allowed ir.Assume) (t prove.Theorem, ok bool) {
	if !allowed.Has(ir.NInf) {
		return t, false
	}
	asks := false
	about := make([]proof.Problem, len(l.problems))
	pool := k.op.Exprs[0].Pool()
	for i, p := range l.problems {
		sides := pool.Map([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) ir.Expr {
			itself := e.Op() == ir.Ne && e.Arg(0) == e.Arg(1) && e.Arg(0).Type().IsFloat()
			if e.Op() != ir.IsNaN && !itself {
				return ir.Expr{}
			}
			asks = true
			return isNaN(e.Arg(0))
		})
		about[i] = proof.Problem{Given: p.Given, Left: sides[0], Right: sides[1]}
	}
	if !asks {
		return t, false
	}
	t = k.prover.Prove(k.ctx, about, k.proving(allowed))
	t.Assumes |= ir.NInf
	return t, t.Status == prove.Proved
}

// isNaN returns the condition that e is NaN, in terms of the operands of e where no float is infinite.
func isNaN(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max:
		return ir.OrOf(isNaN(e.Arg(0)), isNaN(e.Arg(1)))
	case ir.Neg, ir.Abs:
		return isNaN(e.Arg(0))
	case ir.Select:
		return ir.SelectOf(e.Arg(0), isNaN(e.Arg(1)), isNaN(e.Arg(2)))
	}
	return ir.Make(ir.IsNaN, e)
}
