package algebra

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// Settled simplifies a value in which conditions have become literals. The simplifier may write the least number of a type for
// a branch that has nothing to add, as in
//
//	select(y0, max(x0, x1 + 1), x0)   →   max(x0, select(y0, x1 + 1, tmin))
//
// which is no −∞ for algebras that add something to it. Then only what the literals decide is taken away.
func Settled(e ir.Expr) ir.Expr {
	if small := canon.Greedy(e, 0); !fold.HasLimit(small) || fold.HasLimit(e) {
		return small
	}
	return canon.Decided(e)
}
