package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Lemma is a proven equation From = To, by which an update was simplified before it was matched.
type Lemma struct {
	From, To ir.Expr
	Equality
}

// Bounds of the proof of a lemma of sweeping, of which terms are simple already: nanoseconds as package effort counts, and the part of what is left.
// Some proofs that fail take all of it.
const (
	maxLemma  = 8_000_000
	lemmaPart = 32
)

// lemma proves that a term is what takes its place; ok is false where it does not.
func (m *matcher) lemma(r find.Rewriting, o prove.Options) (l Lemma, ok bool) {
	a := m.prover.Prove(m.ctx, []proof.Problem{{Left: r.From, Right: r.To}}, o)
	return Lemma{r.From, r.To, Equality{Assumes: a.Assumes, Cases: a.Proof()}}, a.Status == prove.Proved
}

// proven returns the part with terms replaced, each by a lemma; nil where none is replaced.
func (m attempt) proven(p *tuple.Part, rewritings []find.Rewriting) (q *tuple.Part, lemmas []Lemma) {
	for _, r := range rewritings {
		if l, ok := m.lemma(r, m.proving(m.allowed)); ok {
			lemmas = append(lemmas, l)
		}
	}
	if len(lemmas) == 0 {
		return nil, nil
	}
	return &tuple.Part{Set: p.Set, Types: p.Types, States: p.States, Values: applyLemmas(m.pool, p.Values, lemmas)}, lemmas
}

// sweep returns the part with its terms simplified by lemmas, in the order in which they were used; nil where it is no smaller.
func (m *matcher) sweep(p *tuple.Part, allowed ir.Assume) (q *tuple.Part, lemmas []Lemma) {
	q = m.attempt(allowed).context().Sweep(p, func(r find.Rewriting, unbounded bool) bool {
		o := m.proving(allowed &^ overflow.Flags)
		if unbounded {
			o = m.exactly(allowed & overflow.Flags)
		}
		o.Limit = min(maxLemma, o.Limit, max(1, m.meter.Left()/lemmaPart))
		l, ok := m.lemma(r, o)
		if ok {
			lemmas = append(lemmas, l)
		}
		return ok
	})
	return q, lemmas
}

// applyLemmas replaces terms by what lemmas say they are, one lemma after the other.
func applyLemmas(pool *ir.Pool, values []ir.Expr, lemmas []Lemma) []ir.Expr {
	if out := applyAtOnce(pool, values, lemmas); out != nil {
		return out
	}
	for _, l := range lemmas {
		values = tuple.Replace(pool, values, []ir.Expr{l.From}, []ir.Expr{l.To})
	}
	return values
}

// applyAtOnce is applyLemmas in one pass, so that many lemmas do not rebuild a large update each. It returns nil where the result
// may be another: where a term to be replaced is a part of another one, or stands in what comes out.
func applyAtOnce(pool *ir.Pool, values []ir.Expr, lemmas []Lemma) []ir.Expr {
	to := make(map[ir.Expr]ir.Expr, len(lemmas))
	var parts []ir.Expr
	for _, l := range lemmas {
		to[l.From] = l.To
		for i := range l.From.NumArgs() {
			parts = append(parts, l.From.Arg(i))
		}
	}
	left := len(to) < len(lemmas)
	find := func(e ir.Expr) { left = left || to[e].IsValid() }
	if ir.Walk(parts, find); left {
		return nil
	}
	out := pool.Map(values, func(e ir.Expr) ir.Expr { return to[e] })
	if ir.Walk(out, find); left {
		return nil
	}
	return out
}

// Simplified returns the group's update with its lemmas applied. Equal proves equations of it.
func (g *Group) Simplified() []ir.Expr {
	if len(g.Lemmas) == 0 {
		return g.Update
	}
	return applyLemmas(g.Update[0].Pool(), g.Update, g.Lemmas)
}

// swept finds the operator of the simpler part that sweeping leaves; nil where there is none. It has
// work set apart, because proofs about a roundabout update may have failed at great cost. Inputs may
// be simplified by all assumptions on floats, whatever matching may use of them.
func (m attempt) swept(p *tuple.Part) *Group {
	m.begin(sweeping)
	q, lemmas := m.sweep(p, m.allowed|m.opts.Allowed&^overflow.Flags)
	if q == nil || 4*tuple.Size(q.Values) > 3*tuple.Size(p.Values) { // what failed before would fail again, at the same price
		return nil
	}
	g := m.lookup(q)
	if g == nil {
		g = m.ifDirect(q)
	}
	return m.withLemmas(p, g, lemmas)
}

// withLemmas makes the group of a simplified part one of the part itself; nil where there is
// none.
func (m attempt) withLemmas(p *tuple.Part, g *Group, lemmas []Lemma) *Group {
	if g == nil {
		return nil
	}
	if g.Lemmas = slices.Concat(lemmas, g.Lemmas); !m.alsoUnbounded(p, g) {
		return nil
	}
	for _, l := range lemmas {
		g.Assumes |= l.Assumes
	}
	return g
}
