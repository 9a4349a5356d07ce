package rfactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A stage proves its answer under as few assumptions as it can, but another stage may reach the same operator
// under fewer: a sweep that used nnan for !(a < b) hides an exact proof of the term around it. So the match is
// tried again without each assumption on floats.

// refutesAnswer reports whether values refute an operator, or that it gives the update, under other assumptions than it was proven under.
func (m *matcher) refutesAnswer(a *Answer, assume ir.Assume) bool {
	if a.Lift == nil {
		return m.refutes(a, m.promised, assume)
	}
	return slices.ContainsFunc(a.Lift.claims, func(c liftClaim) bool {
		return !c.Wrapping && slices.ContainsFunc(c.Problems, func(p proof.Problem) bool { return m.points.Refute(p, c.Assumes(assume)) != nil })
	})
}

// lemmaAssumes reports whether a lemma by which the update was simplified assumes something.
func lemmaAssumes(a *Answer, one ir.Assume) bool {
	rests := func(l Lemma) bool { return l.Assumes.Has(one) }
	return a.Lift != nil && slices.ContainsFunc(a.Lift.Lemmas, rests) ||
		slices.ContainsFunc(a.Groups, func(g Group) bool { return slices.ContainsFunc(g.Lemmas, rests) })
}

// hasFoldable reports whether a term has an operation on literals, or one that says nothing of the same term twice. A sweep that
// evaluates the whole update assumes what such terms ask for, and a proof that leaves them out first need not.
func hasFoldable(es []ir.Expr) bool {
	found := false
	ir.Walk(es, func(e ir.Expr) {
		n, op := e.NumArgs(), e.Op()
		if n == 0 || op == ir.Neg {
			return
		}
		first, last := e.Arg(0), e.Arg(n-1)
		twice := n > 1 && last == e.Arg(n-2) && op != ir.Mul && op != ir.Add
		literals := first.Op() == ir.Const && (last.Op() == ir.Const || op == ir.Select)
		found = found || twice || literals
	})
	return found
}

// assumeLess replaces the answer by one with the same operator that assumes less, if a match finds it with the
// effort that is left. An answer that assumes reassoc alone rounds elsewhere than the loop and cannot do without.
func (m *matcher) assumeLess(u *ir.Update) {
	if m.opts.payer != nil || m.answer.Operator == nil || m.answer.Assumes&^(overflow.Flags|ir.Reassoc) == 0 {
		return
	}
	folds := hasFoldable(u.Values)
	for _, one := range dispensable {
		a := m.answer
		if one&overflow.Flags != 0 || !a.Assumes.Has(one) || m.over() || !lemmaAssumes(a, one) && !folds || m.refutesAnswer(a, a.Assumes&^one) {
			continue
		}
		opts := m.opts
		opts.Allowed, opts.trial = a.Assumes&^one, true
		b, err := Match(m.ctx, u, m.within(opts, 4))
		if err == nil && b.Status == a.Status && slices.Equal(texts(b.Operator.Exprs), texts(a.Operator.Exprs)) {
			m.answer = b
		}
	}
}

// noteFewer notes the operator of an update that needs fewer assumptions than that of its answer, where the update is its own operator
// under fewer.
//
//	select(x0 > y0, x0, y0)   is max under nnan and nsz, and select(y0 < x0, x0, y0) under nnan
func (m *matcher) noteFewer(u *ir.Update) {
	a, opts := m.answer, m.opts
	if m.opts.payer != nil || m.opts.Matchers&Direct == 0 || a.Status != Associative || a.Assumes == 0 || len(a.Given) > 0 {
		return
	}
	opts.trial, opts.Matchers, opts.Study = true, opts.Matchers&^Lifting, &study.Setup{Stages: map[string]bool{}}
	for _, name := range StageNames() {
		opts.Study.Stages[name] = name != "direct"
	}
	least, found := a.Assumes, (*Answer)(nil)
	for i, one := range append([]ir.Assume{least}, dispensable[:]...) {
		if opts.Allowed = least &^ one; opts.Allowed == least || i > 0 && opts.Allowed == 0 || m.over() || !m.mayBeOwn(opts.Allowed) {
			continue
		}
		if b, err := Match(m.ctx, u, m.within(opts, 4)); err == nil && b.Status == Associative {
			found, least = b, b.Assumes
		}
	}
	if found == nil {
		return
	}
	text := fmt.Sprintf("an operator that assumes only %s is %s", least, strings.Join(found.SpelledOperator(found.Operator.Exprs...), "; "))
	if least == 0 {
		text = strings.Replace(text, "only none", "nothing", 1)
	}
	if found.Operator.Side == proof.NoSide {
		text += ", which has no identity"
	}
	a.Fewer = &Hint{Assume: least}
	a.Remarks = append(a.Remarks, text)
}

// mayBeOwn reports whether points leave roles in which each part of the update is its own operator under some assumptions.
func (m *matcher) mayBeOwn(assume ir.Assume) bool {
	if a := m.answer; len(a.terms) > 0 || a.Update[0].Pool() != m.pool { // a match may look inside of terms, or another one gave the answer
		return true
	}
	return !slices.ContainsFunc(tuple.ClosedSets(m.answer.Update), func(set []int) bool {
		p := m.restrict(set)
		for range m.attempt(assume &^ useless(p)).context().Direct(p) {
			return false
		}
		return true
	})
}

// answersExactly answers an update of floats under no assumption on them, where what is allowed hides an operator from every stage:
// select(x0 < k0, max(x0, y0), max(k0, y0)) is swept to an extremum of three under nnan and nsz.
func (m *matcher) answersExactly(u *ir.Update) bool {
	opts := m.opts
	if m.opts.payer != nil || m.opts.Allowed&onFloats == 0 || !hasFloat(m.answer.Update) || m.over() {
		return false
	}
	opts.Allowed, opts.trial = opts.Allowed&^onFloats, true
	b, err := Match(m.ctx, u, m.within(opts, 2))
	if err != nil || b.Operator == nil {
		return false
	}
	m.answer = b
	return true
}
