package folds

import (
	"context"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// ruleLimit bounds the work of one proof, in nanoseconds of an ordinary server. Most equations of rules take some 5 µs.
const ruleLimit = 5e6

// Holds reports whether an equation is proven: under exactly some assumptions, and wherever what is given holds. It is what a rewrite asks before it
// replaces one side by the other. Under no assumptions both sides have the same bits, but for which NaN it is. Holds makes expressions in the pool.
func Holds(assume ir.Assume, left, right ir.Expr, given ...ir.Expr) bool {
	if left == right {
		return true
	}
	problem := proof.Problem{Left: left, Right: right, Given: given}
	t := prove.Prove(context.Background(), []proof.Problem{problem}, prove.Options{Allowed: assume, Exactly: true, Limit: ruleLimit})
	return t.Status == prove.Proved
}
