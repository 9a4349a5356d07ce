package rfactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// An update may come with given conditions: on its state, which hold before every step, and on its
// inputs and constants. An answer that relies on them proves that inject gives
// states that satisfy them, that ⊕ preserves them, and that the identity satisfies them.

// startsAsGiven returns an error where what is given contradicts itself, and where the initial value of a
// program violates it.
func (m *matcher) startsAsGiven(u *ir.Update) error {
	m.initial = nil
	if m.contradictory(m.promised) {
		return fmt.Errorf("rfactor: what is given never holds: %s", strings.ReplaceAll(ir.Strings(m.promised), "; ", " && "))
	}
	if len(u.Init) == len(u.Types) {
		m.initial = importValid(m.pool, u.Init)
	}
	for _, c := range m.promised {
		if !m.violated(c) {
			continue
		}
		var at []string
		for _, v := range ir.Vars(c) {
			if v.Kind() == ir.State {
				at = append(at, fmt.Sprintf("%s = %s", v, m.initial[v.Index()]))
			}
		}
		return fmt.Errorf("rfactor: what is given, %s, does not hold of the initial value %s", c, strings.Join(at, ", "))
	}
	return nil
}

// contradictory reports whether it proves that the conditions never hold together. From such conditions anything would follow.
func (m *matcher) contradictory(conditions []ir.Expr) bool {
	if len(conditions) == 0 {
		return false
	}
	o := m.exactly(0)
	o.Limit = maxLemma
	p := proof.Problem{Given: slices.Concat(conditions, m.notNegative), Left: m.pool.Bool(false), Right: m.pool.Bool(true)}
	return m.prover.Prove(m.ctx, []proof.Problem{p}, o).Status == prove.Proved
}

// violated reports whether the initial value is known not to satisfy a condition.
func (m *matcher) violated(c ir.Expr) bool {
	if m.initial == nil || c.States() == 0 {
		return false
	}
	at, ok := atInitial(m.pool, c, m.initial)
	return ok && at.IsClosed() && ir.Eval(at, &ir.Env{}) == 0
}

// restrictGiven returns the conditions that mention only components of the set, renumbered as in the set, or only constants.
// It returns the conditions on inputs apart. It leaves out a condition on a state and an input, which holds at one step only.
func restrictGiven(pool *ir.Pool, conditions []ir.Expr, set []int) (state, inputs []ir.Expr) {
	for _, c := range conditions {
		onInput := slices.ContainsFunc(ir.Vars(c), func(v ir.Expr) bool { return v.Kind() == ir.Leaf || v.Kind() == ir.Coord })
		switch {
		case onInput && c.States() == 0:
			inputs = append(inputs, c)
		case !onInput && c.States()&^tuple.MaskOf(set) == 0:
			state = append(state, c)
		}
	}
	return tuple.MapStates(pool, state, func(i int, t ir.Type) ir.Expr { return pool.X(slices.Index(set, i), t) }), inputs
}

// given finds the operator of a part on the states that satisfy the given conditions; nil where there
// is none.
func (m attempt) given(p *tuple.Part) *Group {
	m.state, m.inputs = restrictGiven(m.pool, m.promised, p.Set)
	if len(m.state)+len(m.inputs) == 0 {
		return nil
	}
	return m.lookupOrDirect(p)
}

// admits proves that Inject satisfies what is given of states, for every input that satisfies what is
// given of inputs.
func (m attempt) admits(g *Group, op proof.Operator) bool {
	if len(op.Given) == 0 {
		return true
	}
	t := m.prover.Prove(m.ctx, op.Holds(g.Inject, m.hypotheses()), m.proving(m.allowed))
	for _, tree := range t.Proofs {
		g.Admits = append(g.Admits, Equality{Assumes: t.Assumes, Cases: tree})
	}
	return t.Status == prove.Proved
}

// hypotheses returns the conditions that proofs about inputs may use.
func (m attempt) hypotheses() []ir.Expr { return slices.Concat(m.inputs, m.notNegative) }
