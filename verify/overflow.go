package verify

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// overflow are the assumptions that take integers as unbounded. That steps may be regrouped is a theorem either of integers that wrap or of
// unbounded ones. An equation of integers that wrap may be used beside unbounded ones only where it adds no operation that overflows.
const overflow = ir.NSW | ir.NUW

// addsNoOverflow reports whether nothing overflows in after where nothing does in before: each
// operation of after that may overflow is one of those that before always computes. Then an
// equation that holds where integers wrap holds of those values where they are unbounded as well.
func addsNoOverflow(before, after []ir.Expr, world ir.Assume) bool {
	promised, added := always(before, world), operations(after, world)
	w := words{}
	return len(added) < maxOperations && !slices.ContainsFunc(added, func(o ir.Expr) bool { return !w.isAmong(o, promised) })
}

// words remembers of pairs of terms whether they are the same word.
type words map[[2]ir.Expr]bool

// isAmong reports whether an operation is one of some others, on the same words.
func (w words) isAmong(o ir.Expr, others []ir.Expr) bool {
	return slices.ContainsFunc(others, func(p ir.Expr) bool {
		return o.Op() == p.Op() && o.Type() == p.Type() && w.sameArgs(o, p)
	})
}

// same reports whether two terms have the same value where integers wrap: they are the same polynomial, or one operator on the same words.
func (w words) same(x, y ir.Expr) bool {
	if x == y || x.Type() != y.Type() {
		return x == y
	}
	pair := [2]ir.Expr{x, y}
	same, known := w[pair]
	if !known {
		same = sameSum(x, y) || x.Op() == y.Op() && x.NumArgs() > 0 && x.NumArgs() == y.NumArgs() && w.sameArgs(x, y)
		w[pair] = same
	}
	return same
}

// sameSum reports whether two terms are the same polynomial, as far as few steps show it.
func sameSum(x, y ir.Expr) bool {
	fuel := 1 << 12
	return equation.CheckWithin(&fuel, proof.Problem{Left: x, Right: y}, 0, &proof.Tree{Kind: proof.Equal}) == nil
}

// sameArgs reports whether two applications of an operator have the same words as operands.
func (w words) sameArgs(x, y ir.Expr) bool {
	n := x.NumArgs()
	straight, turned := true, n == 2 && x.Op().Commutes()
	for i := range n {
		straight = straight && w.same(x.Arg(i), y.Arg(i))
	}
	for i := range n {
		turned = turned && !straight && w.same(x.Arg(i), y.Arg(n-1-i))
	}
	return straight || turned
}

// maxOperations bounds the operations that are compared.
const maxOperations = 128

// operations lists the operations in terms that may overflow.
func operations(es []ir.Expr, world ir.Assume) (out []ir.Expr) {
	ir.Walk(es, func(e ir.Expr) {
		if e.NumArgs() > 0 && e.Op().MayOverflow() && world.Unbounded(e.Arg(0).Type()) {
			out = append(out, e)
		}
	})
	return out
}

// always lists at most maxOperations of those operations that are computed whatever is chosen: of
// a select and of connectives only the first operand is.
func always(es []ir.Expr, world ir.Assume) []ir.Expr {
	computed := map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if computed[e] {
			return
		}
		computed[e] = true
		n, op := e.NumArgs(), e.Op()
		if op == ir.Select || op == ir.Or || op == ir.And {
			n = 1
		}
		for i := range n {
			visit(e.Arg(i))
		}
	}
	for _, e := range es {
		visit(e)
	}
	out := slices.DeleteFunc(operations(es, world), func(o ir.Expr) bool { return !computed[o] })
	return out[:min(len(out), maxOperations)]
}

// belowZero reports whether a difference of unsigned numbers is among what is computed that the update does not always compute: under nuw
// the operands of ⊕ are natural numbers, and y − 5 may be none.
func belowZero(computed, update []ir.Expr) bool {
	promised, added := always(update, ir.NUW), operations(computed, ir.NUW)
	w := words{}
	return len(added) >= maxOperations || slices.ContainsFunc(added, func(o ir.Expr) bool {
		return (o.Op() == ir.Sub || o.Op() == ir.Neg) && !w.isAmong(o, promised)
	})
}
