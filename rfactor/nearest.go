package rfactor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Nearest is an operator of the table that agrees with a refused update at most of the points at which
// they were compared, with a point at which the two differ.
type Nearest struct {
	Components []int
	Name       string    // in the table
	Exprs      []ir.Expr // as the whole tuple numbers components
	Inject     []ir.Expr
	Component  int                   // the one that differs
	Counter    *prove.Counterexample // Left is the update's value, Right is x ⊕ inject
}

// nearest finds small values at which the best trial differs from the update.
func (m attempt) nearest() *Nearest {
	p, c := m.context().Nearest(m.probed)
	if p == nil || hasNaN(c.Inject) { // NaN says nothing of a person's update
		return nil
	}
	op, inject := proof.Operator{Types: p.Types, Exprs: m.simplest(c.Exprs, nil, 0)}, m.simplest(c.Inject, nil, 0)
	for i, e := range op.Apply(p.States, inject) {
		ps := m.answer.inTerms(tuple.RenumberStates(m.pool, p.Set, []ir.Expr{p.Values[i], e}))
		problem := proof.Problem{Given: slices.Concat(m.promised, m.notNegative), Left: ps[0], Right: ps[1]}
		if counter := m.points.Refute(problem, m.opts.Allowed); counter != nil {
			return &Nearest{Components: p.Set, Name: c.Entry.Name, Exprs: tuple.RenumberOperands(m.pool, p.Set, op.Exprs), Inject: inject,
				Component: p.Set[i], Counter: m.points.Shrink(problem, m.opts.Allowed, counter)}
		}
	}
	return nil
}

func hasNaN(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		found = found || e.Op() == ir.Const && e.Type().IsFloat() && math.IsNaN(ir.Float(e.Type(), e.Value()))
	})
	return found
}

// nearLift is the last lift whose steps equal a refused update but do not compose. Where there is none
// it is the first lift whose steps differ from the update, or else the family that reads most of the
// update.
type nearLift struct {
	families []string
	ofUpdate bool
	problem  proof.Problem
	theorem  prove.Theorem

	family string  // the one that reads most of an update, where no steps are found …
	term   ir.Expr // … and what it has no form for
}

// unread notes a term that a family has no form for though it has one for its operands.
func (n *nearLift) unread(family string, e ir.Expr) {
	if family != "" && (!n.term.IsValid() || e.Size() > n.term.Size()) {
		n.family, n.term = family, e
	}
}

func (n *nearLift) note(families []string, c *liftClaim, t prove.Theorem) {
	if t.Counter != nil && (!c.ofUpdate || n.families == nil) {
		*n = nearLift{families: families, ofUpdate: c.ofUpdate, problem: c.Problems[t.Failed], theorem: t}
	}
}

// nearestLift returns the clause of a refusal that says at which small values the lift fails, or what it has no form
// for; empty where there is no near lift.
func (m *matcher) nearestLift() string {
	n, inSource := &m.nearLift, m.inSource
	if n.families == nil && n.term.IsValid() && n.term.Size() < maxReason/4 {
		return fmt.Sprintf("; the nearest lift family is %s, which has no form for %s", n.family, inSource(n.term))
	} else if n.families == nil {
		return ""
	}
	at := m.points.Shrink(n.problem, n.theorem.Assumes, n.theorem.Counter)
	where := make([]string, len(at.Inputs))
	for i, v := range at.Inputs {
		where[i] = v.String() + " = " + verify.ValueText(v.Type(), at.Values[i])
	}
	how := "of which two steps in turn give %s, but composed %s"
	if n.ofUpdate {
		how = "but the update gives %s where that gives %s"
	}
	return fmt.Sprintf("; the nearest lift is %s, "+how+": %s", strings.Join(n.families, " and "),
		verify.ValueText(at.Type, at.Left), verify.ValueText(at.Type, at.Right), strings.Join(where, ", "))
}
