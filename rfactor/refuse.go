package rfactor

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Code is the kind of a refusal.
type Code string

// The codes of refusals. The list is closed for a schema of answers. With the first three, and with
// LosesCompensation, Hint says what would give an answer.
const (
	NeedsAssumption     Code = "needs-assumption"      // there is an operator under more assumptions
	LiftNeedsAssumption Code = "lift-needs-assumption" // there is a lift under more assumptions
	NeedsGiven          Code = "needs-given"           // there is an operator on states that satisfy a condition
	GroupsDisagree      Code = "groups-disagree"       // groups of components have operators that do not fit together
	NotAssociative      Code = "not-associative"       // a counterexample shows that the update is not its own operator
	LosesCompensation   Code = "loses-compensation"    // there is an operator that does not compensate for rounding
	NotItsOperator      Code = "not-its-operator"      // the leaves cannot be a second operand that makes it one
	Unproven            Code = "unproven"              // that it is its own operator is neither proven nor refuted
	NeedsEffort         Code = "needs-effort"          // effort ended the search before everything was tried
	NoOperator          Code = "no-operator"           // the matchers that were asked for found none
)

// Hint says what would give a refused update an answer. It is zero where nothing is known.
type Hint struct {
	Assume ir.Assume // all assumptions to allow, those that were allowed included
	Named  ir.Assume // those of them that have to be in Options.Named: the command has them listed, and not in a set
	Given  []ir.Expr // conditions on the state that have to hold
}

// refuse states why there is no answer.
func (m *matcher) refuse() {
	a := m.answer
	a.Status = Refused
	if m.ctx.Err() != nil || m.opts.onlyOverflow || m.opts.onlyGiven || m.opts.trial {
		return // asked in the course of another refusal, which gives the reason
	}
	if m.opts.Unexplained {
		a.Code, a.Reason = NoOperator, "no operator was found, and why was not asked"
		return
	}
	m.begin(reasoning)
	m.during = nil
	more, status := m.wouldMatchUnder()
	switch {
	case status == Associative:
		a.Code, a.Hint, a.Reason = NeedsAssumption, more.hint, more.reason
		return
	case m.disagreement != "":
		a.Code, a.Reason = GroupsDisagree, m.disagreement
		return
	}
	if while := m.wouldMatchWhile(); while.reason != "" {
		a.Code, a.Hint, a.Reason = NeedsGiven, while.hint, while.reason
		return
	}
	if status == Lifted {
		a.Code, a.Hint, a.Reason = LiftNeedsAssumption, more.hint, more.reason
		if a.Counter = m.counterexample(); a.Counter != nil {
			a.Reason = "not associative as it stands, and " + a.Reason
		}
		return
	}
	if m.narrow != "" {
		a.Code, a.Reason = NotItsOperator, m.narrow
		return
	}
	a.Nearest = m.attempt(m.opts.Allowed).nearest()
	a.Code, a.Reason = NoOperator, "no operator of the table equals this update"
	if m.opts.Matchers&Direct == 0 {
		m.refuseForEffort()
		return
	}
	if a.Counter = m.counterexample(); a.Counter != nil {
		a.Code, a.Reason = NotAssociative, "not associative as it stands, and no operator of the table equals it"
	} else {
		code, reason := m.noRoles()
		a.Code = code
		a.Reason += ", and " + reason
	}
	if m.ungrouped > maxSets {
		a.Reason += fmt.Sprintf("; groups of the %d sets of components that hang together were not tried, which is done of %d at most", m.ungrouped, maxSets)
	}
	if m.emptied != "" {
		a.Reason += "; under " + m.emptied + " the update does less than otherwise, so that an answer there is vacuous"
	}
	a.Reason += m.nearestLift()
	m.refuseForEffort()
}

// refuseAtOnce refuses where effort ended refuse, too.
func (m *matcher) refuseAtOnce() {
	a := m.answer
	a.Status, a.Code, a.Reason = Refused, NoOperator, "no operator was found, and effort ended the search for the reason"
	m.refuseForEffort()
}

// noRoles says why the update is not its own operator, where no values show it.
func (m *matcher) noRoles() (Code, string) {
	a := m.answer
	units := tuple.Inputs(a.Update)
	for _, u := range units {
		if !slices.Contains(a.Types, u.Type()) {
			return NotItsOperator, fmt.Sprintf("its input %s is %s, which no component is: the step cannot be its own operator", m.inSource(u), u.Type())
		}
	}
	if m.unrefuted > 0 {
		return Unproven, fmt.Sprintf("that it is associative is not proven, and not refuted at the first %d states from the initial one on", m.unrefuted)
	}
	if m.unproven || len(m.promised) > 0 { // what is refuted may hold while what is given does
		return Unproven, "that it is associative, its leaves in the role of the second operand, is neither proven nor refuted"
	}
	at, p := m.attempt(m.opts.Allowed), m.restrict(tuple.Indices(len(a.Types)))
	at.state, at.inputs = restrictGiven(m.pool, m.promised, p.Set)
	tried, all := at.context().Survey(p)
	switch n, k := len(units), len(a.Types); {
	case !all:
		return Unproven, "not every assignment of its leaves to the second operand is refuted"
	case tried == 1:
		return NotItsOperator, "values refute that it is associative, its leaves in the only role that they can have"
	case tried > 0:
		return NotItsOperator, fmt.Sprintf("no assignment of its leaves to the second operand makes it associative: values refute each of the %d", tried)
	case n > k:
		return NotItsOperator, fmt.Sprintf("its %d inputs are more than the second operand has components, %d", n, k)
	}
	return NotItsOperator, "the second operand has no components of the types of its leaves"
}

// counterexample shows that the update itself, its leaves in the role of the second
// operand, is not associative. It needs as many leaves as components, of the same types.
func (m *matcher) counterexample() *prove.Counterexample {
	a := m.answer
	if len(a.Types) > find.MaxDirect {
		return nil
	}
	units := tuple.Inputs(a.Update)
	if len(units) > len(a.Types) {
		units = tuple.WholeLeaves(a.Update)
	}
	if len(units) > len(a.Types) {
		return nil
	}
	by := make([]ir.Expr, len(units))
	for i, u := range units {
		if u.Type() != a.Types[i] {
			return nil
		}
		by[i] = m.pool.Y(i, u.Type())
	}
	op := proof.Operator{Types: a.Types, Exprs: tuple.Replace(m.pool, a.Update, units, by)}
	op.Given, _ = restrictGiven(m.pool, m.promised, tuple.Indices(len(a.Types)))
	ps := op.Associativity()
	if states := m.reached(); states != nil {
		return m.counterexampleAt(states, ps, units)
	}
	t := m.refute(ps, m.opts.Allowed)
	if t.Counter == nil { // perhaps there is one where integers wrap
		t = m.refute(ps, m.opts.Allowed&^(ir.NSW|ir.NUW))
	}
	if t.Counter == nil {
		return nil
	}
	a.Roles, a.Refuted = units, t.Failed
	return m.points.Shrink(ps[t.Failed], t.Assumes, t.Counter)
}

// refute looks for values that refute one of the problems; where no effort is left, at test points alone.
func (m *matcher) refute(ps []proof.Problem, assume ir.Assume) prove.Theorem {
	if !m.meter.Done() {
		return m.prover.Prove(m.ctx, ps, m.exactly(assume))
	}
	for i, p := range ps {
		if c := m.points.Refute(p, assume); c != nil {
			return prove.Theorem{Status: prove.Refuted, Assumes: assume, Counter: c, Failed: i}
		}
	}
	return prove.Theorem{}
}
