package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// That steps may be regrouped is a theorem of integers that wrap or of unbounded ones. The serial
// loop is ((x ⊕ a) ⊕ b) … in the arithmetic of the equations, and only there: where ⊕ is
// associative in the other one, a partial result that overflows in ⊕ and not in the loop may say
// something else. So all that is proven of an answer is proven in one arithmetic.

// alsoUnbounded proves over unbounded integers what a group and the lemmas that lead to it prove of
// integers that wrap, where any of them takes integers as unbounded. An equation of integers that
// wrap serves there too, as long as it adds nothing that may overflow to the update, and to what
// such equations have made of it: what is simplified over unbounded integers may overflow on the way.
func (m attempt) alsoUnbounded(p *tuple.Part, g *Group) bool {
	unbounded := g.Assumes & overflow.Flags
	for _, l := range g.Lemmas {
		unbounded |= l.Assumes & overflow.Flags
	}
	if unbounded == 0 {
		return true
	}
	values, words := p.Values, true
	for i := range g.Lemmas {
		l := &g.Lemmas[i]
		r := find.Rewriting{From: l.From, To: l.To}
		if !words || l.Assumes&overflow.Flags != 0 || !r.AddsNoOverflow(values, unbounded) {
			if !m.also(&l.Equality, proof.Problem{Left: l.From, Right: l.To}, unbounded) {
				return false
			}
			words = false
		}
		values = applyLemmas(m.pool, values, g.Lemmas[i:i+1])
	}
	if unbounded.Has(ir.NUW) && (overflow.BelowZero(g.Inject, p.Values) || overflow.BelowZero(g.Operator.Exprs, nil)) {
		return false
	}
	op := g.Operator.Operator
	result := op.Apply(p.States, g.Inject)
	given := slices.Concat(m.state, m.inputs)
	if len(g.NonNeg) > 0 { // all components' proofs use it, or none
		given = slices.Concat(m.state, m.hypotheses())
	}
	for i, e := range result {
		before := g.Equal[i].Assumes
		if words && before&overflow.Flags == 0 && overflow.AddsNoOverflow(values, result[i:i+1], unbounded) {
			continue
		}
		if !m.also(&g.Equal[i], proof.Problem{Given: given, Left: values[i], Right: e}, unbounded) {
			return false
		}
	}
	for i, holds := range op.Holds(g.Inject, m.hypotheses()) {
		if !m.also(&g.Admits[i], holds, unbounded) {
			return false
		}
	}
	if a := g.Operator.Assumes; a&overflow.Flags != unbounded {
		if g.Operator = m.prover.Also(m.ctx, g.Operator, m.exactly(a|unbounded)); g.Operator == nil {
			return false
		}
	}
	g.Assumes |= unbounded
	return true
}

// allUnbounded is alsoUnbounded for all groups of an answer, where any of them takes integers as
// unbounded: who reads that the answer assumes nsw reads all of it so.
func (m attempt) allUnbounded(groups []Group) bool {
	var unbounded ir.Assume
	for _, g := range groups {
		unbounded |= g.Assumes & overflow.Flags
	}
	for i := range groups {
		g := &groups[i]
		if g.holdsUnbounded(m.restrict(g.Components), unbounded) {
			continue
		}
		if len(g.Operator.Given)+len(g.Where) > 0 {
			return false
		}
		g.Assumes |= unbounded
		g.Equal, g.Admits, g.Lemmas = slices.Clone(g.Equal), slices.Clone(g.Admits), slices.Clone(g.Lemmas) // of a group that may serve alone
		if !m.alsoUnbounded(m.restrict(g.Components), g) {
			return false
		}
	}
	return true
}

// holdsUnbounded reports whether what is proven of a group, whose update is p, holds over unbounded
// integers without another proof.
func (g *Group) holdsUnbounded(p *tuple.Part, unbounded ir.Assume) bool {
	missing := unbounded &^ g.Assumes
	return missing == 0 || !overflow.MayOverflow(g.Operator.Exprs, missing) && overflow.AddsNoOverflow(p.Values, g.Operator.Apply(p.States, g.Inject), missing)
}

// also proves an equation over unbounded integers, unless its proof holds of these already.
func (m attempt) also(e *Equality, p proof.Problem, unbounded ir.Assume) bool {
	if e.Assumes&overflow.Flags == unbounded {
		return true
	}
	a := m.prover.Prove(m.ctx, []proof.Problem{p}, m.exactly(e.Assumes|unbounded))
	*e = Equality{Assumes: a.Assumes, Cases: a.Proof()}
	return a.Status == prove.Proved
}
