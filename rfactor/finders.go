package rfactor

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// finder finds the operator of a part; it returns nil where it finds none.
type finder = func(attempt, *tuple.Part) *Group

// context returns what finders see of a match.
func (m attempt) context() *find.Context {
	return &find.Context{Ctx: m.ctx, Study: m.opts.Study, Tables: m.opts.Table, Over: m.over, Consider: m.consider, Pool: m.pool, Allowed: m.allowed,
		NonNeg: m.nonNeg, State: m.state, Inputs: m.inputs, Workspace: m.workspace}
}

// proposed makes a stage of a finder.
func proposed(propose func(*find.Context, *tuple.Part) iter.Seq[find.Candidate]) finder {
	return func(m attempt, p *tuple.Part) *Group { return m.confirmed(p, propose(m.context(), p)) }
}

// probe finds an operator of the table that agrees with the part at points.
func (m attempt) probe(p *tuple.Part) *Group {
	if !slices.Contains(m.probed, p) && m.isOfUpdate(p) {
		m.probed = append(m.probed, p)
	}
	return m.confirmed(p, m.context().Probe(p))
}

// isOfUpdate reports whether the part has the values of the update itself: not those of one branch,
// nor those that sweeping left, which may read fewer components.
func (m attempt) isOfUpdate(p *tuple.Part) bool {
	for _, i := range p.Set {
		if m.answer.Update[i].States()&^tuple.MaskOf(p.Set) != 0 {
			return false
		}
	}
	return len(p.Types) == len(p.Set) && slices.Equal(p.Values, m.restrict(p.Set).Values)
}

// direct takes the part for its own operator.
func (m attempt) direct(p *tuple.Part) *Group {
	cx := m.context()
	g := m.confirmed(p, cx.Direct(p))
	m.unproven = m.unproven || cx.Unrefuted
	return g
}

// ifProbe is probe if Options switch it on.
func (m attempt) ifProbe(p *tuple.Part) *Group {
	if m.opts.Matchers&Probe == 0 {
		return nil
	}
	return m.probe(p)
}

// saturate finds an operator of the table in the e-graph of the part.
var saturate = proposed((*find.Context).Saturate)

// rewritten makes a stage of others, which are tried on the part with terms replaced, each by a proof.
func rewritten(rewrite func(*find.Context, *tuple.Part) []find.Rewriting, stages ...finder) finder {
	return func(m attempt, p *tuple.Part) *Group {
		q, lemmas := m.proven(p, rewrite(m.context(), p))
		if q == nil {
			return nil
		}
		return m.withLemmas(p, m.firstOf(stages, q), lemmas)
	}
}

// keep finds the operator of a component that no step changes: x ⊕ y = x.
func (m attempt) keep(p *tuple.Part) *Group {
	if !m.context().Keeps(p) {
		return nil
	}
	inject := []ir.Expr{m.pool.Const(p.Types[0], 0)}
	return m.confirm(p, keep, p.States, inject, func(t attempt) *prove.Proven { return t.laws(p, p.States, 0) })
}

// keep is the name of the stage keep in Via.
const keep = "keep"

// transferred makes a stage of others, which are tried on another part until one finds its operator. It proves what that makes of the
// part at hand.
func transferred(way string, propose func(*find.Context, *tuple.Part) iter.Seq[find.Transfer], stages ...finder) finder {
	return func(m attempt, p *tuple.Part) *Group {
		for t := range propose(m.context(), p) {
			inner := m
			inner.state = t.Given
			other := inner.firstOf(stages, t.Part)
			if other == nil {
				continue
			}
			exprs, inject := t.Back(other.Operator.Operator, other.Inject)
			if exprs == nil {
				continue
			}
			if g := m.confirmCandidate(p, find.Candidate{Via: way + other.Via, Exprs: exprs, Inject: inject}); g != nil {
				return g
			}
		}
		return nil
	}
}

// firstOf returns what the first of some stages finds that finds something; nil where none does.
func (m attempt) firstOf(stages []finder, p *tuple.Part) *Group {
	for _, s := range stages {
		if g := s(m, p); g != nil {
			return g
		}
	}
	return nil
}

// inParts finds an operator of each closed set of a part's components, where they agree on those that they share; nil where there is none. Nothing
// is proven of them together.
func (m attempt) inParts(p *tuple.Part) *Group {
	n := len(p.Types)
	exprs, inject := make([]ir.Expr, n), make([]ir.Expr, n)
	all := &Group{Inject: inject, Operator: &prove.Proven{}}
	for _, set := range tuple.ClosedSets(p.Values) {
		g := m.lookup(tuple.Restrict(m.pool, p.Types, p.Values, set))
		if g == nil {
			return nil
		}
		x, y := m.pool.Operands(p.Types)
		for j, e := range g.Operator.Apply(tuple.Pick(x, set), tuple.Pick(y, set)) {
			i := set[j]
			if exprs[i].IsValid() && (exprs[i] != e || inject[i] != g.Inject[j]) {
				return nil
			}
			exprs[i], inject[i] = e, g.Inject[j]
		}
		all.Via = g.Via
	}
	all.Operator.Operator = proof.Operator{Types: p.Types, Exprs: exprs}
	return all
}

// Stages on other parts that stages on yet other parts use.
var (
	withoutFlag = transferred("adjoined:", (*find.Context).Adjoined, attempt.lookupOrDirect)
	withFloats  = transferred("counted:", (*find.Context).Counted, attempt.lookup, attempt.conjugated)
	withWeights = transferred("weighted:", (*find.Context).Weighted, attempt.inParts)
)
