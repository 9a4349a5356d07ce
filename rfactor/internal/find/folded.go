package find

import (
	"iter"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Folded proposes the operation of the table that an update applies as it is written, in the branches of selects as well. Saturation would
// find it: no operator has fewer leaves.
//
//	y0*k0 + x0                                         →   +   with y0*k0
//	select(y0 == 0, x0 + 1, select(y1, x0 - y2, x0))   →   +   with select(y0 == 0, 1, select(y1, -y2, 0))
func (cx *Context) Folded(p *tuple.Part) iter.Seq[Candidate] {
	if len(p.Values) != 1 {
		return none
	}
	v := connected(p.Values[0])
	f, ok := folds.Propose(v, 0)
	if !ok || !isFolded(v, p.States[0]) || f.Op == ir.Const || f.Leaf.Op() == ir.Const && f.Op != ir.Add { // some operations with literals are shorter operators
		return none
	}
	e := cx.Table(p.Types).Operation(f.Op)
	if e == nil {
		return none
	}
	h := connected(f.Leaf)
	if small := canon.Greedy(h, 0); small.Size() < h.Size() {
		h = small
	}
	return one(ofEntry("egraph:", e, cx.Pool.Import(e.Exprs...), []ir.Expr{h}))
}

// isFolded reports whether every operation on x has x itself as an operand. Operands that would have to be gathered from several
// operations are left to saturation, which simplifies them.
func isFolded(e, x ir.Expr) bool {
	switch {
	case e == x:
		return true
	case e.Op() != ir.Select:
		return e.Arg(0) == x && (e.Op() != ir.Sub || e.Arg(1).Op() == ir.Var) || e.Arg(1) == x
	case e.Arg(0).IsLeaf():
		return isFolded(e.Arg(1), x) && isFolded(e.Arg(2), x)
	}
	return true // an extremum
}

// connected writes a choice of flags with connectives where one of them is a literal: select(y0, false, y1) is !y0 && y1.
func connected(e ir.Expr) ir.Expr {
	if e.Type() != ir.Bool || e.Op() != ir.Select {
		return e
	}
	c, a, b := e.Arg(0), connected(e.Arg(1)), connected(e.Arg(2))
	switch {
	case a.IsConst(0):
		return fold.And(fold.Not(c), b)
	case b.IsConst(1):
		return fold.Or(fold.Not(c), a)
	}
	return fold.Select(c, a, b)
}
