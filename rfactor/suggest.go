package rfactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// suggestion is a hint with the reason that gives it in words; empty where there is none. A hint
// is printed only if a match that follows it to the letter gives an answer.
type suggestion struct {
	hint   Hint
	reason string
}

// maxReason is how many bytes of a composition a reason shows.
const maxReason = 200

// wouldMatchUnder says which further assumptions would give an answer, and of which kind it is.
func (m *matcher) wouldMatchUnder() (none suggestion, status Status) {
	update := m.answer.Update
	if m.opts.Allowed == ir.AllAssumptions || !hasFloat(update) && (!overflow.StateMayOverflow(update, ir.AllAssumptions) || overflow.StateIsInRing(update)) {
		return none, Refused
	}
	opts := m.opts
	opts.Allowed, opts.Named, opts.onlyOverflow = ir.AllAssumptions, ir.AllAssumptions, true
	more := canon.MatterTo(ir.TypesIn(update)) &^ m.opts.Allowed
	opts.outline = more&(more-1) != 0 // else the hint can but name that one, and following it is this match
	b := m.again(m.promised, m.forHint(opts))
	if b == nil || b.Assumes&^m.opts.Allowed == 0 { // the search was allowed more, the proof needs no more
		return none, Refused
	}
	lost, named := compensation(m.answer.Update, &m.meter), b.contradicts
	if lost.IsValid() {
		named |= m.opts.Named & ir.Reassoc
	}
	for _, allowed := range slices.Compact([]ir.Assume{m.opts.Allowed | b.Assumes, ir.AllAssumptions}) {
		hint := Hint{Assume: m.asked | allowed}
		pass := toPass(hint.Assume, named)
		hint.Named = Named(pass)
		if opts.outline || named != 0 || !hint.Assume.Has(canon.MatterTo(ir.TypesIn(b.Operator.Exprs))) {
			if b = m.follow(Hint{Assume: hint.Assume, Named: hint.Named, Given: m.promised}); b == nil {
				continue
			}
		}
		what := b.inShort()
		if lost.IsValid() && b.Assumes.Has(ir.Reassoc) {
			what += ", which loses that " + m.inSource(lost) + " compensates for rounding"
		}
		under := fmt.Sprintf("%s (-assume %s)", allowed&^m.opts.Allowed, pass)
		if b.Status == Lifted {
			return suggestion{hint, fmt.Sprintf("it has a lift under %s: %s", under, what)}, Lifted
		}
		switch m.needs(b, allowed) {
		case everyOne:
			return suggestion{hint, fmt.Sprintf("matches only under %s: %s", under, what)}, Associative
		case some:
			return suggestion{hint, fmt.Sprintf("matches under %s: %s", under, what)}, Associative
		}
		return suggestion{hint, fmt.Sprintf("matches under %s: %s; without that it is neither proven nor refuted", under, what)}, Associative
	}
	return none, Refused
}

// forHint is within for a search for a hint, or one that follows it: it may spend a fifth of the effort of the match.
func (m *matcher) forHint(opts Options) Options {
	opts = m.within(opts, 1)
	opts.share = min(opts.share, max(1, m.total/5))
	return opts
}

// again matches the update under other options, and returns the answer; nil for a refusal.
func (m *matcher) again(given []ir.Expr, opts Options) *Answer {
	u := &ir.Update{Pool: m.pool, Types: m.answer.Types, Values: m.answer.Update, NonNeg: m.nonNeg, Given: given, Init: m.initial}
	b, err := Match(m.ctx, u, opts)
	if err != nil || b.Operator == nil {
		return nil
	}
	return b
}

// follow matches the update as a hint says, and returns the answer; nil for a refusal.
func (m *matcher) follow(h Hint) *Answer {
	opts := m.opts
	opts.Allowed, opts.trial = h.Assume, true
	opts.onlyOverflow = len(h.Given) == len(m.promised) && h.Assume&^m.opts.Allowed&^overflow.Flags == 0
	opts.Named = h.Named
	return m.again(h.Given, m.forHint(opts))
}

// toPass writes a set of assumptions as -assume takes it, some of them by name.
func toPass(a, named ir.Assume) string {
	switch {
	case a == ir.AllAssumptions && named == 0:
		return "all"
	case a == ir.AllAssumptions:
		return "all," + named.String()
	case a == ir.DefaultAssumptions && named == 0:
		return "default"
	case a.Has(ir.DefaultAssumptions):
		return "+" + (a&^ir.DefaultAssumptions | named).String()
	}
	return a.String()
}

// inShort writes an answer's operator, or of a large composition how it was found and its cost.
func (a *Answer) inShort() string {
	what := ir.Strings(a.Operator.Exprs)
	if a.Status == Lifted && len(what) > maxReason {
		what = a.Via() + ", " + a.LiftCost().String()
	}
	return what
}

// need says which of the further assumptions of an answer values show to be needed.
type need uint8

const (
	unknown  need = iota // without all of them the answer is not refuted
	some                 // without all of them it is refuted
	everyOne             // without any one of them it is refuted, whatever else is assumed
)

// needs looks for values that refute an answer without the assumptions that were not allowed, and
// without each of them.
func (m *matcher) needs(b *Answer, allowed ir.Assume) need {
	if !m.refutes(b, m.promised, m.opts.Allowed) {
		return unknown
	}
	for more := allowed &^ m.opts.Allowed; more != 0; more &= more - 1 {
		if one := more & -more; !m.refutes(b, m.promised, ir.AllAssumptions&^one) {
			return some
		}
	}
	return everyOne
}

// refutes reports whether values are found that refute an answer to the update under other
// assumptions, and given other conditions.
func (m *matcher) refutes(b *Answer, promised []ir.Expr, assume ir.Assume) bool {
	a := m.answer
	if b.Status != Associative {
		return false
	}
	update := m.pool.Import(b.Update...)
	op := proof.Operator{Types: a.Types, Exprs: m.pool.Import(b.Operator.Exprs...)}
	state, inputs := restrictGiven(m.pool, promised, tuple.Indices(len(a.Types)))
	op.Given = state
	ps := op.Associativity()
	x, _, _ := op.Operands()
	for i, e := range op.Apply(x, m.pool.Import(b.Inject...)) {
		ps = append(ps, proof.Problem{Given: slices.Concat(state, inputs, m.notNegative), Left: update[i], Right: e})
	}
	return slices.ContainsFunc(ps, func(p proof.Problem) bool { return m.points.Refute(p, assume) != nil })
}

// maxSuggestions bounds how many invariants are tried for a refused update.
const maxSuggestions = 2

// wouldMatchWhile names an invariant of the state that would give an answer if it were
// given, as the order of two components. It is no answer by itself: without the initial
// value nobody knows that it holds.
func (m *matcher) wouldMatchWhile() (none suggestion) {
	a := m.answer
	if len(m.promised) > 0 {
		return none
	}
	var tries [][]ir.Expr
	candidates := slices.DeleteFunc(m.candidateInvariants(m.restrict(tuple.Indices(len(a.Types)))), m.violated)
	kept := m.preserved(candidates)
	for _, c := range kept[:min(len(kept), maxSuggestions)] {
		tries = append(tries, []ir.Expr{c})
	}
	orders := slices.DeleteFunc(slices.Clone(kept), func(c ir.Expr) bool { return c.NumArgs() != 2 || c.Arg(0).States() == 0 || c.Arg(1).States() == 0 })
	if len(orders) > 1 && len(a.Types) > 2 {
		tries = append(tries, orders) // of ranked components
	}
	tries = append(tries, m.chains(candidates)...)
	for _, given := range tries {
		if m.over() {
			return none
		}
		opts := m.opts
		opts.onlyGiven, opts.outline, opts.Matchers = true, true, opts.Matchers&(Probe|Direct)
		b := m.again(given, m.forHint(opts))
		if b == nil || b.Status != Associative {
			continue
		}
		hint := Hint{Assume: m.asked, Named: m.opts.Named, Given: m.pool.Import(b.Given...)}
		if b = m.follow(hint); b == nil || b.Status != Associative {
			continue
		}
		if m.attempt(m.opts.Allowed).empties(m.restrict(tuple.Indices(len(a.Types))), b.Assumes&overflow.Flags, hint.Given, nil) {
			continue
		}
		only := ""
		if m.refutes(b, nil, m.opts.Allowed) {
			only = "only "
		}
		return suggestion{hint, fmt.Sprintf("matches %swhile %s, which may be said with -given: %s", only, strings.ReplaceAll(ir.Strings(hint.Given), "; ", " && "), ir.Strings(b.Operator.Exprs))}
	}
	return none
}

// preserved returns the conditions that each by itself are preserved by the update at all points of the sample.
func (m *matcher) preserved(conditions []ir.Expr) (kept []ir.Expr) {
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	after := m.stepped()
	for _, c := range conditions {
		if before, lost := m.lost(after, []ir.Expr{c}); before && len(lost) == 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

// chains are orders of components that the update preserves together, by evaluation, but not each by itself: sorted components,
// the least first or the greatest.
func (m *matcher) chains(conditions []ir.Expr) (out [][]ir.Expr) {
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	for _, rising := range []bool{true, false} {
		together := slices.DeleteFunc(ordersOf(conditions), func(c ir.Expr) bool {
			return c.NumArgs() != 2 || c.Arg(0).Op() != ir.Var || c.Arg(1).Op() != ir.Var || (c.Arg(0).Index() < c.Arg(1).Index()) != rising
		})
		for after := m.stepped(); len(together) > 1; {
			before, lost := m.lost(after, together)
			if !before {
				break
			}
			if len(lost) == 0 {
				if len(m.preserved(together)) < len(together) {
					out = append(out, together)
				}
				break
			}
			together = slices.DeleteFunc(together, func(c ir.Expr) bool { return slices.Contains(lost, c) })
		}
	}
	return out
}

// stepped evaluates the update at points, and returns the states that it gives there.
func (m *matcher) stepped() *sample.Instead {
	p := m.restrict(tuple.Indices(len(m.answer.Types)))
	m.workspace.Points.Evaluate(p, m.nonNeg, m.opts.Allowed)
	return &sample.Instead{Vars: p.States, Rows: m.workspace.Points.Want}
}

// lost returns the conditions that a step does not preserve: at some point of the sample all conditions hold before the step, and
// this one does not hold after it. before reports whether the sample has both points at which all hold, and others.
func (m *matcher) lost(after *sample.Instead, conditions []ir.Expr) (before bool, lost []ir.Expr) {
	s := m.workspace.Points
	held := s.Holding(conditions) & s.Valid
	for i, r := range s.Run(m.workspace.Registers.NewTape(conditions...), after) {
		for lane := range r {
			if held>>lane&1 != 0 && r[lane] == 0 {
				lost = append(lost, conditions[i])
				break
			}
		}
	}
	return held != 0 && held != s.Valid, lost
}

func (m *matcher) candidateInvariants(p *tuple.Part) (out []ir.Expr) {
	for i, x := range p.States {
		for j, y := range p.States {
			if i != j && x.Type() == y.Type() && x.Type() != ir.Bool {
				out = append(out, ir.LeOf(x, y))
			}
		}
	}
	for _, x := range p.States {
		if x.Type().IsSigned() {
			zero := m.pool.Int(x.Type(), 0)
			out = append(out, ir.LeOf(zero, x), ir.LeOf(x, zero))
		}
	}
	return out
}
