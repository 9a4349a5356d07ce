package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Budget is a sum of integers whose loop ends by a condition on it alone, and what bounds of its states say of that.
//
//	x0 + in(r); x1 || x0 + in(r) > 100   →   in(r), and High > 100
type Budget struct {
	Component int
	Leaf      ir.Expr // a term of the sum
	Possible  ir.Expr // whether the loop may end at states from Low to High
	Low, High ir.Expr
}

// budgetOf is nil where the components of a stage are not one sum of integers and the flag of its end, in rows of the last loop.
func budgetOf(s *plan.Stage) *Budget {
	cond, open := s.Watched()
	if open == nil || len(s.Values) != 2 || len(s.Loops) == 0 {
		return nil
	}
	i, inner := 1-s.Ends.Component, s.Loops[len(s.Loops)-1].Var
	t := open.Values[i].Type()
	fold, ok := folds.Of(open.Values[i], i)
	if !ok || fold.Op != ir.Add || !t.IsInt() {
		return nil
	}
	pool := cond.Pool()
	before, after := pool.X(i, t), pool.X(len(s.Values), t)
	cond = ir.Subst(cond, []ir.Expr{open.Values[i]}, []ir.Expr{after})
	b := &Budget{Component: i, Leaf: fold.Leaf, Low: pool.Y(0, t), High: pool.Y(1, t)}
	b.Possible = folds.Possible(cond, func(e ir.Expr) bool { return e == before || e == after },
		func(e ir.Expr) bool { return e.States() == 0 && !slices.Contains(ir.Vars(e), inner) }, b.Low, b.High)
	if !b.Possible.IsValid() {
		return nil
	}
	return b
}
