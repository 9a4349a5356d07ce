package rfactor

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/construct"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// keyed finds the operator of a part in which one component keeps the best of its inputs and others
// go with it.
func (m attempt) keyed(p *tuple.Part) *Group {
	return m.constructed(p, "keyed", construct.Keyed(m.pool, p))
}

// conjugated finds the operator of a part that is a sum under a bijection.
func (m attempt) conjugated(p *tuple.Part) *Group {
	if !m.allowed.Has(ir.Reassoc) {
		return nil
	}
	return m.constructed(p, "conjugate", construct.Conjugate(m.pool, p, m.consider))
}

// positional finds the operator of a part whose components are digits of one number, in the ranges that are given of them.
func (m attempt) positional(p *tuple.Part) *Group {
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	c, ok := construct.Positional(m.pool, p, m.state)
	if !ok {
		return nil
	}
	return m.constructed(p, "positional", slices.Values([]construct.Candidate{c}))
}

// inserted finds the operator of a part that is a sorted list into which steps insert elements, where it is given that it is sorted.
func (m attempt) inserted(p *tuple.Part) *Group {
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	if len(m.state) == 0 {
		return nil
	}
	return m.constructed(p, "inserted", construct.Inserted(m.pool, p))
}

// built finds an operator that is put together out of what the step does. It may use a part of the
// effort that is left, since lifts and what is given come later.
func (m attempt) built(p *tuple.Part) *Group {
	kept := m.meter.Left() / 4 * 3
	m.meter.Hold(kept)
	defer m.meter.Hold(-kept)
	return m.constructed(p, "built", construct.Built(&construct.Setting{Pool: m.pool, Allowed: m.allowed, NonNeg: m.nonNeg,
		State: m.state, Inputs: m.inputs, Registers: &m.workspace.Registers, Buffers: &m.buffers, Meter: &m.meter}, p))
}

// builtGiven is built on the states that satisfy the given conditions. A suggestion of what might be given is looked
// for without it: it would be half of what a refusal costs.
func (m attempt) builtGiven(p *tuple.Part) *Group {
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	if len(m.state)+len(m.inputs) == 0 || m.opts.outline {
		return nil
	}
	return m.built(p)
}

// constructed returns the first candidate that is proven; nil where none is.
func (m attempt) constructed(p *tuple.Part, via string, candidates iter.Seq[construct.Candidate]) *Group {
	for c := range candidates {
		if m.over() {
			return nil
		}
		g := m.confirm(p, via, c.Exprs, c.Inject, func(t attempt) *prove.Proven { return t.laws(p, c.Exprs, t.allowed) })
		if g != nil {
			return g
		}
	}
	return nil
}
