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
// operation of after that may overflow is one of before, on the same words, and there under
// no more conditions than in after. Then an equation that holds where integers wrap holds of
// those values where they are unbounded as well.
func addsNoOverflow(before, after []ir.Expr, world ir.Assume) bool {
	promised, fuel := operations(before, world), maxCompared
	for _, o := range operations(after, world) {
		if !slices.ContainsFunc(promised, func(p operation) bool { return p.covers(o, &fuel) }) {
			return false
		}
	}
	return true
}

// maxCompared bounds the words that are compared in one question of what overflows. Where
// they are more, the answer is that something may.
const maxCompared = 1 << 12

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

// maxOperations bounds the places of operators that are told apart.
const maxOperations = 4096

// operations lists the operators that may overflow, once for each place.
func operations(es []ir.Expr, world ir.Assume) (out []operation) {
	var visit func(e ir.Expr, under []choice)
	visit = func(e ir.Expr, under []choice) {
		if len(out) > maxOperations || !mayOverflow(e, world) {
			return
		}
		if e.Op().MayOverflow() && world.Unbounded(e.Arg(0).Type()) {
			out = append(out, operation{e, under})
		}
		for i := range e.NumArgs() {
			visit(e.Arg(i), append(slices.Clip(under), choicesOf(e, i)...))
		}
	}
	for _, e := range es {
		visit(e, nil)
	}
	if len(out) > maxOperations { // no place covers this one
		out = append(out, operation{})
	}
	return out
}

// mayOverflow reports whether some operator in a term may.
func mayOverflow(e ir.Expr, world ir.Assume) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		found = found || e.NumArgs() > 0 && e.Op().MayOverflow() && world.Unbounded(e.Arg(0).Type())
	})
	return found
}

// choicesOf returns the choice that e makes when it computes operand i.
func choicesOf(e ir.Expr, i int) []choice {
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

// covers reports whether o is the operation p, and computed only where p is.
func (p operation) covers(o operation, fuel *int) bool {
	if !o.e.IsValid() || !p.e.IsValid() || p.e.Op() != o.e.Op() || p.e.Arg(0).Type() != o.e.Arg(0).Type() {
		return false
	}
	for _, c := range p.under {
		if !slices.Contains(o.under, c) {
			return false
		}
	}
	return sameArgs(p.e, o.e, false, maxSpelling, fuel) || p.e.Op().Commutes() && sameArgs(p.e, o.e, true, maxSpelling, fuel)
}

// sameArgs reports whether two operators have the same words as operands, those of one perhaps
// the other way round.
func sameArgs(a, b ir.Expr, turned bool, depth int, fuel *int) bool {
	n := a.NumArgs()
	for i := range n {
		j := i
		if turned {
			j = n - 1 - i
		}
		if !sameWord(a.Arg(i), b.Arg(j), depth, fuel) {
			return false
		}
	}
	return true
}

// maxSpelling bounds the operators around one another in which two spellings of a word may
// agree before they are the same polynomial.
const maxSpelling = 4

// sameWord reports whether two terms are the same polynomial, or one operator on the same words.
func sameWord(x, y ir.Expr, depth int, fuel *int) bool {
	switch {
	case x == y:
		return true
	case x.Type() != y.Type() || *fuel == 0:
		return false
	}
	*fuel--
	switch {
	case equation.Check(proof.Problem{Left: x, Right: y}, 0, &proof.Tree{Kind: proof.Equal}) == nil:
		return true
	case depth == 0 || x.Op() != y.Op() || x.NumArgs() == 0 || x.NumArgs() != y.NumArgs():
		return false
	}
	return sameArgs(x, y, false, depth-1, fuel) || x.Op().Commutes() && sameArgs(x, y, true, depth-1, fuel)
}

// belowZero reports whether a difference of unsigned numbers is among what is computed that the
// update does not compute, under no more conditions: under nuw the operands of ⊕ are natural
// numbers, and y − 5 may be none.
func belowZero(computed, update []ir.Expr) bool {
	promised, fuel := operations(update, ir.NUW), maxCompared
	return slices.ContainsFunc(operations(computed, ir.NUW), func(o operation) bool {
		takes := !o.e.IsValid() || o.e.Op() == ir.Sub || o.e.Op() == ir.Neg
		return takes && !slices.ContainsFunc(promised, func(p operation) bool { return p.covers(o, &fuel) })
	})
}
