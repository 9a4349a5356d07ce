package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A count may say no more than whether there was an element yet:
//
//	select(x3 == 0, y0, x0); y0; select(x3 > 0 && y0 < x1, x2 + 1, x2); x3 + 1
//
// With a flag in place of x3 != 0 the other components often have an operator, and the same serves with the count.

// Flagged proposes the part with a flag for a count of which other components ask whether it is 0.
func (cx *Context) Flagged(p *tuple.Part) iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		for i := range p.Types {
			step := increment(p, i)
			if len(p.Types) < 2 || !step.IsValid() || step.Op() != ir.Const || step.IsConst(0) || !p.Types[i].IsUnsigned() && len(cx.State) == 0 {
				continue // a count that may be negative comes back to 0
			}
			if q := cx.countAsFlag(p, i); q != nil && !yield(Transfer{Part: q, Back: cx.flagAsCount(p, q, i, step)}) {
				return
			}
		}
	}
}

// countAsFlag returns the part with a flag for component i, which says whether it is not 0; nil where others read it otherwise.
func (cx *Context) countAsFlag(p *tuple.Part, i int) *tuple.Part {
	q := &tuple.Part{Set: p.Set, Types: slices.Clone(p.Types), States: slices.Clone(p.States)}
	q.Types[i], q.States[i] = ir.Bool, cx.Pool.X(i, ir.Bool)
	q.Values = cx.Pool.Map(p.Values, func(e ir.Expr) ir.Expr {
		if !e.Op().IsComparison() || e.NumArgs() != 2 {
			return ir.Expr{}
		}
		switch { // of counts that are not negative
		case e.Arg(0) == p.States[i] && e.Arg(1).IsConst(0):
			switch e.Op() {
			case ir.Eq, ir.Le:
				return ir.NotOf(q.States[i])
			case ir.Ne, ir.Gt:
				return q.States[i]
			}
		case e.Arg(1) == p.States[i] && e.Arg(0).IsConst(0):
			switch e.Op() {
			case ir.Eq, ir.Ge:
				return ir.NotOf(q.States[i])
			case ir.Ne, ir.Lt:
				return q.States[i]
			}
		}
		return ir.Expr{}
	})
	q.Values[i] = cx.Pool.Bool(true)
	asked := slices.ContainsFunc(q.Values, func(e ir.Expr) bool { return e.States()>>i&1 != 0 })
	if !asked || slices.Contains(ir.Vars(q.Values...), p.States[i]) {
		return nil
	}
	return q
}

// flagAsCount returns what makes an operator of the part with a flag one of the part with its count. Operands of the part with a flag
// are any states.
func (cx *Context) flagAsCount(p, q *tuple.Part, i int, step ir.Expr) func(proof.Operator, []ir.Expr) (exprs, inject []ir.Expr) {
	return func(op proof.Operator, inject []ir.Expr) (exprs, _ []ir.Expr) {
		zero := cx.Pool.Const(p.Types[i], 0)
		exprs = cx.Pool.Map(cx.Pool.Import(op.Exprs...), func(e ir.Expr) ir.Expr {
			switch e {
			case q.States[i]:
				return ir.LtOf(zero, p.States[i])
			case cx.Pool.Y(i, ir.Bool):
				return ir.LtOf(zero, cx.Pool.Y(i, p.Types[i]))
			}
			return ir.Expr{}
		})
		inject = slices.Clone(inject)
		exprs[i], inject[i] = ir.AddOf(p.States[i], cx.Pool.Y(i, p.Types[i])), step
		return exprs, inject
	}
}
