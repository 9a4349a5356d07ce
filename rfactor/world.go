package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// overflow are the assumptions that make integers unbounded: another world than that in which
// they wrap. That steps may be regrouped is a theorem of one world. The serial loop is
// ((x ⊕ a) ⊕ b) … in the world of the equations, and only there. Where ⊕ is associative in the
// other, a partial result that overflows in ⊕ and not in the loop may say so.
const overflow = ir.NSW | ir.NUW

// addsNoOverflow reports whether nothing overflows in right where nothing does in left: each
// operation of right that may overflow is one of left, on the same words. Then an equation that
// holds where integers wrap holds of those values in the other world as well.
func addsNoOverflow(left, right ir.Expr, world ir.Assume) bool {
	type operation struct {
		op   ir.Op
		a, b ir.Expr
	}
	tidied := func(e ir.Expr) (o operation, ok bool) {
		if !e.Op().MayOverflow() || !world.Unbounded(e.Arg(0).Type()) {
			return o, false
		}
		o = operation{op: e.Op(), a: canon.Greedy(e.Arg(0), 0)}
		if e.NumArgs() > 1 {
			o.b = canon.Greedy(e.Arg(1), 0)
		}
		if o.op.Commutes() && o.b.ID() < o.a.ID() {
			o.a, o.b = o.b, o.a
		}
		return o, true
	}
	fits := map[operation]bool{}
	ir.Walk([]ir.Expr{left}, func(e ir.Expr) {
		if o, ok := tidied(e); ok {
			fits[o] = true
		}
	})
	all := true
	ir.Walk([]ir.Expr{right}, func(e ir.Expr) {
		if o, ok := tidied(e); ok {
			all = all && fits[o]
		}
	})
	return all
}

// oneWorld proves again what belongs to a group, and lemmas that lead to it, where some of it
// takes integers as unbounded and some does not. Lemmas that add no operation hold in either
// world, see addsNothing.
func (m *matcher) oneWorld(p *part, g *Group, lemmas []Lemma) bool {
	world := g.Assumes & overflow
	same := true // what overflows in the simplified update does so in the update
	for _, l := range lemmas {
		if !l.addsNothing() {
			world |= l.Assumes & overflow
			same = false
		}
	}
	if world == 0 {
		return true
	}
	for i := range lemmas {
		l := &lemmas[i]
		if !l.addsNothing() && !m.also(&l.Equality, prove.Problem{Left: l.From, Right: l.To}, world) {
			return false
		}
	}
	op := g.Operator.Operator
	for i, e := range op.Apply(p.states, g.Inject) {
		equation := prove.Problem{Given: slices.Concat(m.state, m.hypotheses()), Left: p.values[i], Right: e}
		before := g.Equal[i].Assumes
		if same && before&overflow == 0 && addsNoOverflow(equation.Left, e, world) {
			continue
		}
		if !m.also(&g.Equal[i], equation, world) {
			return false
		}
		if g.Equal[i].Assumes != before {
			g.NonNeg = m.nonNeg
		}
	}
	for i, holds := range op.Holds(g.Inject, m.hypotheses()) {
		if !m.also(&g.Admits[i], holds, world) {
			return false
		}
	}
	if a := g.Operator.Assumes; a&overflow != world {
		if g.Operator = m.prover.Also(m.ctx, g.Operator, a|world); g.Operator == nil {
			return false
		}
	}
	g.Assumes |= world
	return true
}

// also proves an equation in a world, if it is not one of that world.
func (m *matcher) also(e *Equality, p prove.Problem, world ir.Assume) bool {
	if e.Assumes&overflow == world {
		return true
	}
	a := m.prover.Under(m.ctx, p, e.Assumes|world)
	*e = Equality{Assumes: a.Assumes, Cases: a.Proof}
	return a.Status == prove.Proved
}
