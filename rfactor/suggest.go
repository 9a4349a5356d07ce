package rfactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

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
	kept := m.invariants()
	for _, c := range kept[:min(len(kept), maxSuggestions)] {
		tries = append(tries, []ir.Expr{c})
	}
	orders := slices.DeleteFunc(slices.Clone(kept), func(c ir.Expr) bool { return c.NumArgs() != 2 || c.Arg(0).States() == 0 || c.Arg(1).States() == 0 })
	if len(orders) > 1 && len(a.Types) > 2 {
		tries = append(tries, orders) // of ranked components
	}
	for _, given := range tries {
		if m.ctx.Err() != nil {
			return none
		}
		u := &ir.Update{Pool: m.pool, Types: a.Types, Values: a.Update, NonNeg: m.nonNeg, Given: given}
		opts := m.opts
		opts.left = m.left()
		opts.onlyGiven, opts.Matchers = true, opts.Matchers&(Probe|Direct)
		b, err := Match(m.ctx, u, opts)
		if err == nil && b.Status == Associative {
			hint := Hint{Assume: m.opts.Allowed, Given: m.pool.Import(b.Given...)}
			return suggestion{hint, fmt.Sprintf("matches only while %s, which may be said with -given: %s", strings.ReplaceAll(ir.Strings(b.Given), "; ", " && "), ir.Strings(b.Operator.Exprs))}
		}
	}
	return none
}

// invariants are orders between components, and signs, that the update preserves.
func (m *matcher) invariants() []ir.Expr {
	return m.preserved(m.candidateInvariants(m.restrict(tuple.Indices(len(m.answer.Types)))))
}

// preserved are those conditions that the update preserves, by evaluation.
func (m *matcher) preserved(conditions []ir.Expr) (kept []ir.Expr) {
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	p := m.restrict(tuple.Indices(len(m.answer.Types)))
	m.sample.Evaluate(p, m.nonNeg, m.opts.Allowed)
	s := m.sample
	after := sample.Instead{Vars: p.States, Rows: s.Want}
	for _, c := range conditions {
		before := s.Holding([]ir.Expr{c}) & s.Valid
		r := s.Run(m.workspace.Registers.NewTape(c), &after)[0]
		lost := before
		for lane := range r {
			if r[lane] != 0 {
				lost &^= 1 << lane
			}
		}
		if before != 0 && before != s.Valid && lost == 0 {
			kept = append(kept, c)
		}
	}
	return kept
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
