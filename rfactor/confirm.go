package rfactor

import (
	"iter"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// confirmed returns the group of the first candidate that is proven; nil where none is.
func (m attempt) confirmed(p *tuple.Part, candidates iter.Seq[find.Candidate]) *Group {
	for c := range candidates {
		if g := m.confirmCandidate(p, c); g != nil {
			return g
		}
	}
	return nil
}

// confirmCandidate is confirm for what a finder proposes.
func (m attempt) confirmCandidate(p *tuple.Part, c find.Candidate) *Group {
	g := m.confirm(p, c.Via, c.Exprs, c.Inject, func(t attempt) *prove.Proven {
		switch {
		case c.Entry != nil && len(m.state) == 0:
			return t.facts(c.Entry, c.Exprs)
		case c.Identity != nil:
			return t.laws(p, c.Exprs, t.allowed, c.Identity)
		}
		return t.laws(p, c.Exprs, t.allowed) // of an entry a fact about operands that satisfy what is given
	})
	if g != nil && c.Entry != nil {
		g.ofTable = len(tuple.Params(c.Entry.Exprs)) == 0 && m.opts.Table == nil
	}
	return g
}

// laws proves that an operator on a part is associative, and its other laws, under as few of the allowed
// assumptions as it can; nil where it does not. Hints are as in prove.Characterise.
func (m attempt) laws(p *tuple.Part, exprs []ir.Expr, allowed ir.Assume, hints ...[]ir.Expr) *prove.Proven {
	o := m.proving(allowed)
	o.Tried = &m.tried.laws
	proven, _ := m.prover.Characterise(m.ctx, proof.Operator{Types: p.Types, Exprs: exprs, Given: m.state}, o, hints...)
	return proven
}

// tried remembers the proofs that confirm asks for more than once: of the update's equation, of the same
// where coordinates are not negative, and of associativity.
type tried struct{ equation, notNegative, laws prove.Tried }

// confirm proves that the update is x ⊕ inject, under as few assumptions as it can, and
// that ⊕ is associative; nil where it does not. Of sets of assumptions none of which is a part of
// another it takes the first that is left when dispensable ones are dropped in their order.
func (m attempt) confirm(p *tuple.Part, via string, exprs, inject []ir.Expr, facts func(attempt) *prove.Proven) *Group {
	g := m.confirmAllowed(p, via, exprs, inject, facts)
	if g == nil || g.Assumes == 0 || g.Assumes == ir.NSW || g.Assumes == ir.NUW {
		return g // wrapping is tried before
	}
	// The parts of the proof may each be under as few as it needs, and all of it under fewer. Where y0
	// serves under nnan, update(-inf, y0) = select(-inf < y0, y0, -inf) may serve without.
	identity := g.Operator.Identity
	for _, a := range dispensable {
		if !g.Assumes.Has(a) || g.Assumes&overflow.Flags == a {
			continue
		}
		fewer := m
		fewer.allowed, fewer.within = g.Assumes&^a, g.Assumes&^a
		h := fewer.confirmAllowed(p, via, exprs, inject, facts)
		if h == nil && g.Assumes&^overflow.Flags != 0 && identity != nil {
			if other := fewer.context().StartedFrom(p, identity); !slices.Equal(other, inject) {
				h = fewer.confirmAllowed(p, via, exprs, other, facts)
			}
		}
		if h != nil {
			g = h
		}
	}
	return g
}

// dispensable lists the assumptions that an answer does without if it can, each tried before those
// behind it.
var dispensable = [...]ir.Assume{ir.NUW, ir.NSW, ir.AFN, ir.NInf, ir.Reassoc, ir.NSZ, ir.NNaN}

// confirmAllowed is confirm under what the attempt allows.
func (m attempt) confirmAllowed(p *tuple.Part, via string, exprs, inject []ir.Expr, facts func(attempt) *prove.Proven) *Group {
	m.limit(4)
	g := &Group{Via: via, Inject: inject, Where: m.inputs}
	op := proof.Operator{Types: p.Types, Exprs: exprs, Given: m.state}
	given := slices.Concat(m.state, m.inputs)
	if len(m.state) > 0 && len(m.notNegative) > 0 { // that inject has it may need them, and all proofs use them, or none
		given, g.NonNeg = slices.Concat(given, m.notNegative), m.nonNeg
	}
	problems := m.problems[:0]
	for i, e := range op.Apply(p.States, inject) {
		problems = append(problems, proof.Problem{Given: given, Left: p.Values[i], Right: e})
	}
	m.problems = problems
	if !m.equations(g, problems) || !m.admits(g, op) {
		return nil
	}
	m.limit(1) // points have refuted what is not associative, mostly
	g.Operator = facts(m)
	if g.Operator == nil || !m.allowed.Has(g.Operator.Assumes) || !slices.Equal(g.Operator.Exprs, exprs) {
		return nil
	}
	g.Assumes = g.Operator.Assumes
	for _, es := range [2][]Equality{g.Equal, g.Admits} {
		for _, e := range es {
			g.Assumes |= e.Assumes
		}
	}
	if !m.alsoUnbounded(p, g) {
		return nil
	}
	return g
}

// equations proves by cases, if need be using that reduction coordinates are not negative;
// what rewriting found and cases do not prove, by a chain of rewrite steps; and what is
// still open by the solver, if there is one.
func (m attempt) equations(g *Group, problems []proof.Problem) bool {
	o := m.proving(m.allowed)
	o.Tried = &m.tried.equation
	o.ProveFirst = strings.HasPrefix(g.Via, "egraph:")
	t := m.prover.Prove(m.ctx, problems, o)
	if t.Status != prove.Proved && len(m.notNegative) > 0 && len(g.NonNeg) == 0 {
		for i := range problems {
			problems[i].Given = slices.Concat(problems[i].Given, m.notNegative)
		}
		g.NonNeg = m.nonNeg
		o := m.proving(m.allowed)
		o.Tried = &m.tried.notNegative
		t = m.prover.Prove(m.ctx, problems, o)
	}
	switch {
	case t.Status == prove.Proved:
		g.Equal = make([]Equality, 0, len(t.Proofs))
		for _, tree := range t.Proofs {
			g.Equal = append(g.Equal, Equality{Assumes: t.Assumes, Cases: tree})
		}
		return true
	case t.Status == prove.Refuted || t.Stopped || m.opts.Solver == nil && !strings.HasPrefix(g.Via, "egraph:"):
		return false
	}
	for _, p := range problems {
		e, ok := m.equation(p)
		if !ok {
			return false
		}
		g.Equal = append(g.Equal, e)
	}
	return true
}

// equation proves one component by any means.
func (m attempt) equation(p proof.Problem) (Equality, bool) {
	a := m.prover.Prove(m.ctx, []proof.Problem{p}, m.proving(m.allowed))
	if a.Status == prove.Unknown && !a.Stopped {
		// Arithmetic in a chain wraps, and rules that take integers as unbounded do not hold of
		// what has wrapped: x - 65535 of 16 bits is x + 1, which is not above x.
		for _, assume := range slices.Compact([]ir.Assume{0, m.allowed &^ overflow.Flags}) {
			m.workspace.Session.Reset(m.pool, assume, true)
			steps, err := m.workspace.Session.Derive(m.ctx, p.Left, p.Right, assume)
			a := canon.Assumed(steps)
			if err != nil || a&overflow.Flags != 0 || !m.allowed.Has(a) {
				continue
			}
			// The checker reads no steps in the ring: cases and bits reach what these would.
			if !slices.ContainsFunc(steps, inRing) && canon.Check(steps, p.Left, p.Right, a) == nil {
				return Equality{Assumes: a, Steps: steps}, true
			}
		}
		a = m.askSolver(p)
	}
	return Equality{Assumes: a.Assumes, Cases: a.Proof()}, a.Status == prove.Proved
}

// inRing reports whether a step of a chain is justified by the ring normal form.
func inRing(s canon.Step) bool { return s.Rule == canon.ReasonRing }

// askSolver is the last resort, where there is a solver.
func (m attempt) askSolver(p proof.Problem) (t prove.Theorem) {
	if m.opts.Solver == nil {
		return t
	}
	for _, assume := range prove.Ladder(m.allowed, p.Given, p.Left, p.Right) {
		b, err := m.opts.Solver.Prove(m.ctx, p, assume)
		if err == nil && b.Status == prove.Proved {
			return b
		}
	}
	return t
}
