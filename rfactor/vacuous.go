package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A promise may say so much that little is left of an update:
//
//	x0 + y0; x1 + u32(x0 + y0 < x0)   under nuw   →   x0 + y0; x1
//
// counts no carries, because there are none where no sum overflows. An answer under such a promise
// is vacuous: it is true, and of no use to anyone whose sums do overflow.

// isVacuous reports whether the promises of a group empty the update of its part.
func (m attempt) isVacuous(p *tuple.Part, g *Group) bool {
	var conditions []ir.Expr
	if len(g.Operator.Given)+len(g.Where) > 0 {
		conditions = m.promised
	}
	if keepsAll(&g.Operator.Operator) && m.keepsOnlyWithin(p, g.Assumes, conditions) {
		return true
	}
	return m.emptiedBy(p, g.Assumes, conditions)
}

// keepsAll reports whether an operator changes no component: x ⊕ y = x.
func keepsAll(op *proof.Operator) bool {
	for i, e := range op.Exprs {
		if e.Op() != ir.Var || e.Kind() != ir.State || e.Index() != i {
			return false
		}
	}
	return true
}

// keepsOnlyWithin reports whether a part that is proven not to change, under what is assumed and given, does
// change elsewhere, or is given a condition on a state that no step changes.
func (m attempt) keepsOnlyWithin(p *tuple.Part, assumes ir.Assume, conditions []ir.Expr) bool {
	flags := assumes & overflow.Flags
	state, inputs := restrictGiven(m.pool, conditions, p.Set)
	if len(state) > 0 && !m.opts.inferring {
		m.emptied = ir.Strings(state)
		return true
	}
	if flags == 0 {
		return false
	}
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	s := m.vacuity
	s.Evaluate(p, m.nonNeg, m.allowed&^overflow.Flags)
	all := s.Holding(slices.Concat(state, inputs))
	for i, t := range p.Types {
		if differ(s, t, s.Want[i], s.States[i], all) {
			m.emptied = flags.String()
			return true
		}
	}
	return false
}

// emptiedBy reports whether an answer is vacuous for a part: its assumptions and conditions leave nothing of the update.
func (m attempt) emptiedBy(p *tuple.Part, assumes ir.Assume, conditions []ir.Expr) bool {
	flags := assumes & overflow.Flags
	if flags == 0 && len(conditions) == 0 {
		return false
	}
	state, inputs := restrictGiven(m.pool, conditions, p.Set)
	given := slices.Concat(state, inputs)
	switch {
	case len(state) > 0 && !m.opts.inferring && m.keeps(p, given):
		// A condition on a state that no step changes is about the initial value alone.
		m.emptied = ir.Strings(state)
	case m.empties(p, flags, given, given):
		m.emptied = flags.String()
	default:
		return false
	}
	return true
}

// empties reports whether a component of a part does not change, or does not depend on an input,
// where nothing overflows and conditions hold, though it does at a point that satisfies what is given.
func (m attempt) empties(p *tuple.Part, flags ir.Assume, conditions, given []ir.Expr) bool {
	if flags == 0 && len(conditions) == len(given) {
		return false
	}
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	s := m.vacuity
	s.Evaluate(p, m.nonNeg, m.allowed&^overflow.Flags) // points at which sums wrap
	within := ^s.Tape.Overflowed(flags)
	all := s.Holding(given)
	within &= s.Holding(conditions)
	for i, t := range p.Types {
		if differ(s, t, s.Want[i], s.States[i], all) && !differ(s, t, s.Want[i], s.States[i], within) &&
			m.equalWithin(p.Values[i], p.States[i], flags, conditions) {
			return true
		}
	}
	for n, v := range tuple.Inputs(p.Values) {
		used := m.workspace.Rows.Used
		row, moved := s.Value(v), m.workspace.Rows.Take()
		for lane := range moved {
			moved[lane] = row[(lane*5+8)%len(row)]
		}
		by := &sample.Instead{Vars: []ir.Expr{v}, Rows: []*sample.Row{moved}}
		holding := func(conditions []ir.Expr) (lanes uint64) {
			lanes = ^uint64(0)
			for _, c := range conditions {
				lanes &= sample.Truths(s.Run(m.workspace.Registers.NewTape(c), by)[0])
			}
			return lanes
		}
		all, within := all&holding(given), within&holding(conditions)
		want := s.Run(&s.Tape, by)
		within &^= s.Tape.Overflowed(flags)
		for i, t := range p.Types {
			if !differ(s, t, s.Want[i], want[i], all) || differ(s, t, s.Want[i], want[i], within) {
				continue
			}
			const first = 1 << 21 // numbers that no other leaf has
			other := m.pool.Placeholder(ir.Leaf, "other", first+n, v.Type())
			swapped := m.pool.Map(append([]ir.Expr{p.Values[i]}, conditions...), func(e ir.Expr) ir.Expr {
				if e == v {
					return other
				}
				return ir.Expr{}
			})
			if m.equalWithin(p.Values[i], swapped[0], flags, slices.Concat(conditions, swapped[1:])) {
				return true
			}
		}
		m.workspace.Rows.GiveBack(used)
	}
	return false
}

// keeps proves that a part does not change where conditions hold.
func (m attempt) keeps(p *tuple.Part, conditions []ir.Expr) bool {
	for i, x := range p.States {
		if !m.equalWithin(p.Values[i], x, 0, conditions) {
			return false
		}
	}
	return true
}

// equalWithin proves an equation where nothing overflows and conditions hold.
func (m attempt) equalWithin(a, b ir.Expr, flags ir.Assume, conditions []ir.Expr) bool {
	m.limit(4)
	p := proof.Problem{Given: slices.Concat(conditions, m.notNegative), Left: a, Right: b}
	return m.prover.Prove(m.ctx, []proof.Problem{p}, m.exactly(m.allowed&^overflow.Flags|flags)).Status == prove.Proved
}

// differ reports whether two rows differ in one of the lanes of a mask.
func differ(s *sample.Sample, t ir.Type, a, b *sample.Row, lanes uint64) bool {
	for lane := range a {
		if lanes>>lane&1 != 0 && a[lane] != b[lane] && !testpoint.Close(t, s.Allowed, a[lane], b[lane]) {
			return true
		}
	}
	return false
}
