package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// merge puts the operators of the groups together to one on the whole tuple. It reports false where
// two groups disagree about a component that they share.
func (m *matcher) merge(all groups) bool {
	a := m.answer
	a.Groups = make([]Group, 0, len(all))
	for _, g := range all {
		a.Groups = append(a.Groups, *g)
	}
	slices.SortFunc(a.Groups, func(x, y Group) int { return slices.Compare(x.Components, y.Components) })
	if !m.attempt(m.opts.Allowed).allUnbounded(a.Groups) {
		a.Groups, m.disagreement = nil, "the groups of components have operators that do not fit together: only some hold where nothing overflows"
		return false
	}
	n := len(a.Types)
	op := &Operator{Operator: proof.Operator{Types: a.Types, Exprs: m.pool.List(n)}, Identity: m.pool.List(n), Side: proof.Two, Commutative: true, Idempotent: true}
	a.Inject = m.pool.List(n)
	for i := range a.Groups {
		g := &a.Groups[i]
		if !m.mergeGroup(op, g) {
			a.Groups, a.Inject, a.Assumes, a.Given = nil, nil, 0, nil
			m.disagreement = "the groups of components have operators that do not fit together"
			return false
		}
		a.Assumes |= g.Assumes
		if len(g.Operator.Given)+len(g.Where) > 0 {
			a.Given = m.used(a.Given, g.Components)
		}
		op.Side = joinSides(op.Side, g.Operator.Side)
		op.Commutative = op.Commutative && g.Operator.Commutative
		op.Idempotent = op.Idempotent && g.Operator.Idempotent
	}
	if op.Side == proof.NoSide {
		op.Identity = nil
	}
	a.Operator, a.Status = op, Associative
	return true
}

// joinSides returns the side on which a tuple of two identities is an identity. A left and a right one
// together are a middle one.
func joinSides(a, b proof.Side) proof.Side {
	switch {
	case a == b || b == proof.Two:
		return a
	case a == proof.Two:
		return b
	case a == proof.NoSide || b == proof.NoSide:
		return proof.NoSide
	}
	return proof.Middle
}

// mergeGroup enters a group's components into the whole operator.
func (m *matcher) mergeGroup(op *Operator, g *Group) bool {
	exprs := tuple.RenumberOperands(m.pool, g.Components, g.Operator.Exprs)
	for j, i := range g.Components {
		if op.Exprs[i].IsValid() {
			if m.unboundedOf(i) != g.Assumes&overflow.Flags || !m.equalFunctions(op.Exprs[i], exprs[j], g.Assumes) || !m.equalFunctions(m.answer.Inject[i], g.Inject[j], g.Assumes) {
				return false
			}
			if g.Operator.Side != proof.NoSide && op.Identity[i].IsValid() && op.Identity[i] != g.Operator.Identity[j] {
				op.Side = proof.NoSide // the parts of the tuple would be identities of different groups
			}
			continue
		}
		op.Exprs[i], m.answer.Inject[i] = exprs[j], g.Inject[j]
		if g.Operator.Side != proof.NoSide {
			op.Identity[i] = g.Operator.Identity[j]
		}
	}
	return true
}

// unboundedOf returns the assumptions on overflow of the first group that has component i.
func (m *matcher) unboundedOf(i int) ir.Assume {
	for _, g := range m.answer.Groups {
		if slices.Contains(g.Components, i) {
			return g.Assumes & overflow.Flags
		}
	}
	panic("rfactor: internal: no group has the component")
}

// equalFunctions proves that two expressions are equal, of integers that wrap or are unbounded as
// the assumptions of a group say.
func (m *matcher) equalFunctions(a, b ir.Expr, assumes ir.Assume) bool {
	if a == b {
		return true
	}
	p := proof.Problem{Left: a, Right: b}
	o := m.proving(m.opts.Allowed &^ overflow.Flags)
	if assumes&overflow.Flags != 0 {
		o = m.exactly(m.answer.Assumes&^overflow.Flags | assumes)
	}
	t := m.prover.Prove(m.ctx, []proof.Problem{p}, o)
	m.answer.Assumes |= t.Assumes
	return t.Status == prove.Proved
}

// used returns the promises of a list together with those on some components and on inputs: a group that uses one of these keeps
// all of them. The result has the order of the promises.
func (m *matcher) used(list []ir.Expr, components []int) []ir.Expr {
	return slices.DeleteFunc(slices.Clone(m.promised), func(c ir.Expr) bool {
		state, inputs := restrictGiven(m.pool, []ir.Expr{c}, components)
		return len(state)+len(inputs) == 0 && !slices.Contains(list, c)
	})
}
