package verify

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// overflow are the assumptions that take integers as unbounded. That steps may be regrouped is
// a theorem either of integers that wrap or of unbounded ones. An equation of integers that
// wrap may be used beside unbounded ones only where it adds no operation that overflows.
const overflow = ir.NSW | ir.NUW

// addsNoOverflow reports whether nothing overflows in after where nothing does in before: each
// operation of after that may overflow is one of before, and there under no more conditions
// than in after. Then an equation that holds where integers wrap holds of those values where
// they are unbounded as well.
func addsNoOverflow(before, after []ir.Expr, world ir.Assume) bool {
	added := operations(after, world)
	promised := operations(before, world)
	return len(added) < maxOperations && !slices.ContainsFunc(added, func(o operation) bool {
		return !slices.ContainsFunc(promised, o.isIn)
	})
}

// operation is an operator that may overflow, and the choices of selects and connectives
// under which it is computed.
type operation struct {
	e     ir.Expr
	under []choice
}

type choice struct {
	condition ir.Expr
	holds     bool
}

// isIn reports whether o is the operation p, on the same words, and computed only where p is.
func (o operation) isIn(p operation) bool {
	return o.e.Op() == p.e.Op() && o.e.Type() == p.e.Type() && sameArgs(o.e, p.e, maxSpelling) &&
		!slices.ContainsFunc(p.under, func(c choice) bool { return !slices.Contains(o.under, c) })
}

// maxSpelling bounds the operators around one another in which two spellings of a word may
// agree before they are the same polynomial.
const maxSpelling = 4

// sameWord reports whether two terms have the same value where integers wrap: they are the
// same polynomial, or one operator on the same words.
func sameWord(x, y ir.Expr, depth int) bool {
	switch {
	case x == y:
		return true
	case x.Type() != y.Type():
		return false
	case sameSum(x, y):
		return true
	}
	return depth > 0 && x.Op() == y.Op() && x.NumArgs() > 0 && x.NumArgs() == y.NumArgs() && sameArgs(x, y, depth-1)
}

// sameSum reports whether two terms are the same polynomial, as far as few steps show it.
func sameSum(x, y ir.Expr) bool {
	fuel := 1 << 12
	return equation.CheckWithin(&fuel, proof.Problem{Left: x, Right: y}, 0, &proof.Tree{Kind: proof.Equal}) == nil
}

// sameArgs reports whether two applications of an operator have the same words as operands.
func sameArgs(x, y ir.Expr, depth int) bool {
	n := x.NumArgs()
	straight, turned := true, n == 2 && x.Op().Commutes()
	for i := range n {
		straight = straight && sameWord(x.Arg(i), y.Arg(i), depth)
	}
	for i := range n {
		turned = turned && !straight && sameWord(x.Arg(i), y.Arg(n-1-i), depth)
	}
	return straight || turned
}

// maxOperations bounds the places of operators that are told apart.
const maxOperations = 128

// operations lists the operators that may overflow, once for each place, and at most
// maxOperations of them.
func operations(es []ir.Expr, world ir.Assume) (out []operation) {
	may := map[ir.Expr]bool{} // the terms that contain one
	ir.Walk(es, func(e ir.Expr) {
		may[e] = overflows(e, world)
		for i := range e.NumArgs() {
			may[e] = may[e] || may[e.Arg(i)]
		}
	})
	var visit func(e ir.Expr, under []choice)
	visit = func(e ir.Expr, under []choice) {
		if !may[e] || len(out) == maxOperations {
			return
		}
		if overflows(e, world) {
			out = append(out, operation{e, under})
		}
		for i := range e.NumArgs() {
			visit(e.Arg(i), append(slices.Clip(under), choices(e, i)...))
		}
	}
	for _, e := range es {
		visit(e, nil)
	}
	return out
}

// overflows reports whether an operator may overflow.
func overflows(e ir.Expr, world ir.Assume) bool {
	return e.NumArgs() > 0 && e.Op().MayOverflow() && world.Unbounded(e.Arg(0).Type())
}

// choices returns the choice that e makes when it computes operand i.
func choices(e ir.Expr, i int) []choice {
	op := e.Op()
	if i == 0 || op != ir.Select && op != ir.Or && op != ir.And {
		return nil
	}
	c := choice{e.Arg(0), i == 1 && op != ir.Or}
	for c.condition.Op() == ir.Not {
		c = choice{c.condition.Arg(0), !c.holds}
	}
	return []choice{c}
}

// belowZero reports whether a difference of unsigned numbers is among what is computed that the
// update does not compute, under no more conditions: under nuw the operands of ⊕ are natural
// numbers, and y − 5 may be none.
func belowZero(computed, update []ir.Expr) bool {
	promised, added := operations(update, ir.NUW), operations(computed, ir.NUW)
	return len(added) == maxOperations || slices.ContainsFunc(added, func(o operation) bool {
		takes := o.e.Op() == ir.Sub || o.e.Op() == ir.Neg
		return takes && !slices.ContainsFunc(promised, o.isIn)
	})
}
