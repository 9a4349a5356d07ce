package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Saturate proposes the instance of an operator of the table that the e-graph of the update has.
func (cx *Context) Saturate(p *tuple.Part) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		table := cx.Table(p.Types)
		states, roots := cx.load(p)
		if hit, found := table.Search(cx.Ctx, cx.Session, states, roots); found {
			exprs, inject := hit.Expressions(cx.Session)
			yield(ofEntry("egraph:", hit.Entry, exprs, inject))
		}
	}
}

// Exact proposes the operator of the table that the update is as it stands.
func (cx *Context) Exact(p *tuple.Part) iter.Seq[Candidate] {
	return cx.match(p, "exact:", cx.Tables.SyntacticTable(p.Types, cx.Allowed, false))
}

// Commuted proposes the operator of the table that the update is, whatever the order of operands.
func (cx *Context) Commuted(p *tuple.Part) iter.Seq[Candidate] {
	return cx.match(p, "commuted:", cx.Tables.SyntacticTable(p.Types, cx.Allowed, true))
}

// Greedy proposes the operator of the table that the update is after the greedy simplifier.
func (cx *Context) Greedy(p *tuple.Part) iter.Seq[Candidate] {
	q := *p
	q.Values = nil
	for _, v := range p.Values {
		q.Values = append(q.Values, canon.Greedy(v, cx.Allowed))
	}
	return cx.match(&q, "greedy:", cx.Tables.GreedyTable(p.Types, cx.Allowed))
}

// match proposes what a table has for a part, without saturation.
func (cx *Context) match(p *tuple.Part, way string, table *pattern.Compiled) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		states, roots := cx.load(p)
		if hit, found := table.Match(cx.Session, states, roots); found {
			exprs, inject := hit.Expressions(cx.Session)
			yield(ofEntry(way, hit.Entry, exprs, inject))
		}
	}
}

// load puts a part into the e-graph and returns the classes of its states and values. They hold until
// the next call.
func (cx *Context) load(p *tuple.Part) (states, roots []egraph.Class) {
	cx.Session.Reset(cx.Pool, cx.Allowed, false)
	cx.Session.AssumeNonNeg(cx.NonNeg)
	n := len(p.Values)
	cx.classes = slices.Grow(cx.classes[:0], 2*n)[:2*n]
	states, roots = cx.classes[:n], cx.classes[n:]
	for i := range p.Values {
		states[i] = cx.Session.Add(p.States[i])
		roots[i] = cx.Session.Add(p.Values[i])
	}
	return states, roots
}
