package rfactor

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// context returns what finders see of a match.
func (m attempt) context() *find.Context {
	return &find.Context{Study: m.opts.Study, Tables: m.opts.Table, Over: m.over, Consider: m.consider, Pool: m.pool, Allowed: m.allowed,
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
