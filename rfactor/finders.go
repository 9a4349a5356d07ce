package rfactor

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// context returns what finders see of a match.
func (m attempt) context() *find.Context {
	return &find.Context{Ctx: m.ctx, Study: m.opts.Study, Tables: m.opts.Table, Over: m.over, Consider: m.consider, Pool: m.pool, Allowed: m.allowed,
		NonNeg: m.nonNeg, State: m.state, Inputs: m.inputs, AnyState: m.opts.onlyGiven, Workspace: m.workspace}
}

// proposed makes a stage of a finder.
func proposed(finder func(*find.Context, *tuple.Part) iter.Seq[find.Candidate]) func(attempt, *tuple.Part) *Group {
	return func(m attempt, p *tuple.Part) *Group { return m.confirmed(p, finder(m.context(), p)) }
}

// probe finds an operator of the table that agrees with the part at points.
func (m attempt) probe(p *tuple.Part) *Group {
	if !slices.Contains(m.probed, p) && m.isOfUpdate(p) {
		m.probed = append(m.probed, p)
	}
	return m.confirmed(p, m.context().Probe(p))
}

// isOfUpdate reports whether the part has the values of the update itself: not those of one branch,
// nor those that sweeping left, which may read fewer components.
func (m attempt) isOfUpdate(p *tuple.Part) bool {
	for _, i := range p.Set {
		if m.answer.Update[i].States()&^tuple.MaskOf(p.Set) != 0 {
			return false
		}
	}
	return len(p.Types) == len(p.Set) && slices.Equal(p.Values, m.restrict(p.Set).Values)
}

// direct takes the part for its own operator.
func (m attempt) direct(p *tuple.Part) *Group {
	cx := m.context()
	g := m.confirmed(p, cx.Direct(p))
	m.unproven = m.unproven || cx.Unrefuted
	return g
}

// ifProbe is probe if Options switch it on.
func (m attempt) ifProbe(p *tuple.Part) *Group {
	if m.opts.Matchers&Probe == 0 {
		return nil
	}
	return m.probe(p)
}

// saturate finds an operator of the table in the e-graph of the part.
var saturate = proposed((*find.Context).Saturate)

// rewritten makes a stage of others, which are tried on the part with terms replaced, each by a proof.
func rewritten(rewrite func(*find.Context, *tuple.Part) []find.Rewriting, stages ...func(attempt, *tuple.Part) *Group) func(attempt, *tuple.Part) *Group {
	return func(m attempt, p *tuple.Part) *Group {
		q, lemmas := m.proven(p, rewrite(m.context(), p))
		if q == nil {
			return nil
		}
		for _, s := range stages {
			if g := s(m, q); g != nil {
				return m.withLemmas(p, g, lemmas)
			}
		}
		return nil
	}
}

// keep finds the operator of a component that no step changes: x ⊕ y = x.
func (m attempt) keep(p *tuple.Part) *Group {
	if !m.context().Keeps(p) {
		return nil
	}
	inject := []ir.Expr{m.pool.Const(p.Types[0], 0)}
	return m.confirm(p, keep, p.States, inject, func(t attempt) *prove.Proven { return t.laws(p, p.States, 0) })
}

// keep is the name of the stage keep in Via.
const keep = "keep"
