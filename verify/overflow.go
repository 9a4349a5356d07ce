package verify

import "github.com/rfactor-go/rfactor/ir"

// overflow are the assumptions that take integers as unbounded. That steps may be regrouped is
// a theorem either of integers that wrap or of unbounded ones. An equation of integers that
// wrap may be used beside unbounded ones only where it adds no operation that overflows.
const overflow = ir.NSW | ir.NUW

// addsNoOverflow reports whether nothing overflows in after where nothing does in before: each
// operation of after that may overflow is one of before, which computes it whatever the
// conditions of its selects and connectives are. Then an equation that holds where integers
// wrap holds of those values where they are unbounded as well.
func addsNoOverflow(before, after []ir.Expr, world ir.Assume) bool {
	promised := map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if promised[e] {
			return
		}
		promised[e] = true
		computed := e.NumArgs()
		if op := e.Op(); op == ir.Select || op == ir.And || op == ir.Or {
			computed = 1
		}
		for i := range computed {
			visit(e.Arg(i))
		}
	}
	for _, e := range before {
		visit(e)
	}
	none := true
	ir.Walk(after, func(e ir.Expr) {
		if e.NumArgs() == 0 || !e.Op().MayOverflow() || !world.Unbounded(e.Arg(0).Type()) {
			return
		}
		turned := e
		if e.Op().Commutes() {
			turned = ir.Make(e.Op(), e.Arg(1), e.Arg(0))
		}
		none = none && (promised[e] || promised[turned])
	})
	return none
}

// belowZero reports whether inject takes from an unsigned number what the update does not take
// itself: under nuw the operands of ⊕ are natural numbers, and −y is none.
func belowZero(inject, update []ir.Expr) (found bool) {
	promised := map[ir.Expr]bool{}
	ir.Walk(update, func(e ir.Expr) { promised[e] = true })
	ir.Walk(inject, func(e ir.Expr) {
		takes := e.Op() == ir.Sub || e.Op() == ir.Neg
		found = found || takes && e.Type().IsUnsigned() && !promised[e]
	})
	return found
}
