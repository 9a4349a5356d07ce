package rfactor

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Code tells kinds of refusals apart.
type Code string

// The codes of refusals. The list is closed for a schema of answers. With the first three, Hint says
// what would give an answer.
const (
	NeedsAssumption     Code = "needs-assumption"      // there is an operator under more assumptions
	LiftNeedsAssumption Code = "lift-needs-assumption" // there is a lift under more assumptions
	NeedsGiven          Code = "needs-given"           // there is an operator on states that satisfy a condition
	GroupsDisagree      Code = "groups-disagree"       // groups of components have operators that do not fit together
	NotAssociative      Code = "not-associative"       // a counterexample shows that the update is not its own operator
	NotItsOperator      Code = "not-its-operator"      // the leaves cannot be a second operand that makes it one
	Unproven            Code = "unproven"              // that it is its own operator is neither proven nor refuted
	NoOperator          Code = "no-operator"           // the matchers that were asked for found none
)

// Hint says what would give a refused update an answer. It is zero where nothing is known.
type Hint struct {
	Assume ir.Assume // all assumptions to allow, those that were allowed included
	Given  []ir.Expr // conditions on the state that have to hold
}

// refuse states why there is no answer.
func (m *matcher) refuse() {
	a := m.answer
	a.Status = Refused
	if m.ctx.Err() != nil || m.opts.onlyOverflow || m.opts.onlyGiven {
		return // asked in the course of another refusal, which gives the reason
	}
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
	a.Nearest = m.attempt(m.opts.Allowed).nearest()
	a.Code, a.Reason = NoOperator, "no operator of the table equals this update"
	if m.opts.Matchers&Direct == 0 {
		return
	}
	if a.Counter = m.counterexample(); a.Counter != nil {
		a.Code, a.Reason = NotAssociative, "not associative as it stands, and no operator of the table equals it"
	} else {
		code, reason := m.noRoles()
		a.Code = code
		a.Reason += ", and " + reason
	}
	a.Reason += m.nearLift.reason()
}

// suggestion is a hint with the reason that gives it in words; empty where there is none.
type suggestion struct {
	hint   Hint
	reason string
}

// noRoles says why the update is not its own operator, where no values show it.
func (m *matcher) noRoles() (Code, string) {
	a := m.answer
	units := inputs(a.Update)
	for _, u := range units {
		if !slices.Contains(a.Types, u.Type()) {
			return NotItsOperator, fmt.Sprintf("its input %s is %s, which no component is: the step cannot be its own operator", m.textOf(u), u.Type())
		}
	}
	if m.unproven || len(m.promised) > 0 { // what is refuted may hold while what is given does
		return Unproven, "that it is associative, its leaves in the role of the second operand, is neither proven nor refuted"
	}
	if n, k := len(units), len(a.Types); n > k {
		return NotItsOperator, fmt.Sprintf("with %d inputs for %d of state no assignment of them to the second operand makes it associative", n, k)
	}
	return NotItsOperator, "no assignment of its leaves to the second operand makes it associative"
}

// textOf is a leaf as the source writes it.
func (m *matcher) textOf(v ir.Expr) string {
	for _, l := range m.answer.Leaves {
		if l.Var == v {
			return l.Text
		}
	}
	return v.String()
}

// maxReason is how many bytes of a composition a reason shows.
const maxReason = 200

// wouldMatchUnder says which further assumptions would give an answer, and of which kind it is.
func (m *matcher) wouldMatchUnder() (none suggestion, status Status) {
	if m.opts.Allowed == ir.AllAssumptions {
		return none, Refused
	}
	a := m.answer
	u := &ir.Update{Pool: m.pool, Types: a.Types, Values: a.Update, NonNeg: m.nonNeg, Given: m.promised}
	opts := m.opts
	opts.Allowed, opts.onlyOverflow, opts.left = ir.AllAssumptions, true, m.left()
	b, err := Match(m.ctx, u, opts)
	if err != nil || b.Operator == nil {
		return none, Refused
	}
	more := b.Assumes &^ m.opts.Allowed
	if more == 0 {
		return none, Refused // the search was allowed more, the proof needs no more
	}
	what := ir.Strings(b.Operator.Exprs)
	if b.Status == Lifted && len(what) > maxReason {
		what = b.Via() + ", " + b.LiftCost().String()
	}
	hint := Hint{Assume: m.opts.Allowed | b.Assumes}
	if b.Status == Lifted {
		return suggestion{hint, fmt.Sprintf("it has a lift only under %s: %s", more, what)}, Lifted
	}
	if m.mayHold(b) {
		return suggestion{hint, fmt.Sprintf("matches under %s: %s; without that it is neither proven nor refuted", more, what)}, Associative
	}
	return suggestion{hint, fmt.Sprintf("matches only under %s: %s", more, what)}, Associative
}

// mayHold reports whether no values are found that refute an answer without the assumptions that it
// makes.
func (m *matcher) mayHold(b *Answer) bool {
	a := m.answer
	if !slices.Equal(m.pool.Import(b.Update...), a.Update) {
		return false
	}
	op := proof.Operator{Types: a.Types, Exprs: m.pool.Import(b.Operator.Exprs...)}
	state, inputs := restrictGiven(m.pool, m.promised, tuple.Indices(len(a.Types)))
	op.Given = state
	ps := op.Associativity()
	x, _, _ := op.Operands()
	for i, e := range op.Apply(x, m.pool.Import(b.Inject...)) {
		ps = append(ps, proof.Problem{Given: slices.Concat(state, inputs, m.notNegative), Left: a.Update[i], Right: e})
	}
	var points testpoint.Evaluator
	return !slices.ContainsFunc(ps, func(p proof.Problem) bool { return points.Refute(p, m.opts.Allowed) != nil })
}

// left is what a match that only looks for a reason may spend on proofs.
func (m *matcher) left() int { return max(1, m.proofsLeft/2) }

// counterexample shows that the update itself, its leaves in the role of the second
// operand, is not associative. It needs as many leaves as components, of the same types.
func (m *matcher) counterexample() *prove.Counterexample {
	a := m.answer
	if len(a.Types) > maxDirect {
		return nil
	}
	units := inputs(a.Update)
	if len(units) > len(a.Types) {
		units = wholeLeaves(a.Update)
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
	w := assignment{m: m.attempt(m.opts.Allowed), values: a.Update, units: units}
	op := proof.Operator{Types: a.Types, Exprs: w.replaceUnits(by)}
	op.Given, _ = restrictGiven(m.pool, m.promised, tuple.Indices(len(a.Types)))
	ps := op.Associativity()
	t := m.prover.Prove(m.ctx, ps, m.exactly(m.opts.Allowed))
	if t.Counter == nil { // perhaps there is one where integers wrap
		t = m.prover.Prove(m.ctx, ps, m.exactly(m.opts.Allowed&^(ir.NSW|ir.NUW)))
	}
	if t.Counter == nil {
		return nil
	}
	a.Roles, a.Refuted = units, t.Failed
	return new(testpoint.Evaluator).Shrink(ps[t.Failed], t.Assumes, t.Counter)
}
