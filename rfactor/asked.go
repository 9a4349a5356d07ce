package rfactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// An update may ask what an assumption answers:
//
//	select(is_nan(x0), y0, x0)   under nnan      →   x0
//	select(x0 - x0 == 0, …, y0)  under reassoc   →   …
//
// Whoever asks that counts on both answers. So an assumption that would make a truth value of the update constant, which is not
// constant without it, is taken only if the user named it, and then the answer has a remark.

// Named returns the assumptions that a list for [ir.ParseAssume] has by their own names, and not in a set such as all or default.
func Named(list string) (named ir.Assume) {
	for _, word := range strings.Split(strings.TrimPrefix(list, "+"), ",") {
		word = strings.TrimPrefix(strings.TrimSpace(word), "+")
		if a, err := ir.ParseAssume(word); err == nil && slices.Equal(a.Names(), []string{word}) {
			named |= a
		}
	}
	return named
}

// answered is a truth value of the update that assumptions make constant.
type answered struct {
	question ir.Expr
	constant bool
	assumes  ir.Assume
}

// forgo takes from the allowed assumptions those that answer a question of the update and are not named. It notes the questions
// that named ones answer. Where there are too many to ask, it takes all that are not named.
func (m *matcher) forgo() {
	m.answered = nil
	if m.opts.Allowed&onFloats == 0 {
		return
	}
	var questions []ir.Expr
	ir.Walk(m.answer.Update, func(e ir.Expr) {
		if e.Type() == ir.Bool && e.NumArgs() > 0 && e.Op() != ir.Call && ir.TypesIn([]ir.Expr{e})&ir.FloatTypes != 0 {
			questions = append(questions, e)
		}
	})
	for _, q := range questions {
		if m.meter.Left() < m.total/4 {
			m.opts.Allowed &^= onFloats &^ m.opts.Named
			break
		}
		for {
			a, ok := m.answerTo(q)
			if !ok {
				break
			}
			unnamed := a.assumes &^ m.opts.Named
			if unnamed == 0 {
				m.answered = append(m.answered, a)
				break
			}
			m.opts.Allowed &^= unnamed
		}
	}
}

// answerTo returns which constant the allowed assumptions on floats make of a truth value that has both values without; not ok where they
// do not, as far as is proven.
func (m *matcher) answerTo(question ir.Expr) (a answered, ok bool) {
	allowed := m.opts.Allowed & onFloats
	if allowed == 0 {
		return a, false
	}
	for _, constant := range []bool{false, true} {
		p := proof.Problem{Left: question, Right: m.pool.Bool(constant)}
		if m.points.Refute(p, allowed) != nil || m.points.Refute(p, 0) == nil || m.points.Refute(proof.Problem{Left: question, Right: m.pool.Bool(!constant)}, 0) == nil {
			continue
		}
		o := m.proving(allowed)
		o.Limit = maxLemma
		if t := m.prover.Prove(m.ctx, []proof.Problem{p}, o); t.Status == prove.Proved && t.Assumes != 0 {
			return answered{question, constant, t.Assumes}, true
		}
	}
	return a, false
}

// remarkAnswered notes which questions of the update the assumptions of the answer answer, and which functions of inputs afn, where it is
// named, leaves out.
func (m *matcher) remarkAnswered() {
	a := m.answer
	for _, q := range m.answered {
		if a.Status != Refused && a.Assumes.Has(q.assumes) {
			a.contradicts |= q.assumes
			a.Remarks = append(a.Remarks, fmt.Sprintf("under %s %s is %t", q.assumes, m.inSource(q.question), q.constant))
		}
	}
	if !a.Assumes.Has(ir.AFN) || !m.opts.Named.Has(ir.AFN) {
		return
	}
	kept := map[ir.Expr]bool{}
	ir.Walk(a.Inject, func(e ir.Expr) { kept[e] = true })
	ir.Walk(a.Update, func(e ir.Expr) {
		if op := e.Op(); e.IsLeaf() && (op == ir.Log || op == ir.Log1p || op == ir.Sqrt) && !kept[e] {
			a.Remarks = append(a.Remarks, fmt.Sprintf("under afn %s is not computed as the update has it", m.inSource(e)))
		}
	})
}
