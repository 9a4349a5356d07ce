package pattern

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
)

// Hit is a match of an entry. The zero Hit is no match.
type Hit struct {
	Entry  *Entry
	form   *form
	values []egraph.Class // per wildcard of the form
}

// set copies a hit into the memory of h.
func (h *Hit) set(from Hit) {
	h.Entry, h.form, h.values = from.Entry, from.form, append(h.values[:0], from.values...)
}

// Match finds the best entry whose expressions equal the update's. states are the classes of the
// x_i in the session's graph, and roots those of the components' new values. The best entry has
// the fewest assumptions, then the fewest leaves, then it is the first of the table. ok is false
// where no entry matches. Match takes one pass over the whole table, and does not saturate.
func (c *Compiled) Match(s *canon.Session, states, roots []egraph.Class) (hit Hit, ok bool) {
	w := c.matching(s, states, roots)
	defer w.release()
	ok = w.match()
	hit.set(w.hit)
	return hit, ok
}

// matching asks one update for its best entry, as often as its graph has grown. It is reused.
type matching struct {
	c     *Compiled
	in    *group // that is asked
	s     *canon.Session
	query egraph.Query
	hit   Hit    // the best of the last match …
	best  Hit    // … and of all
	skip  []bool // entries that do not count; nil for none
}

var matchings = sync.Pool{New: func() any {
	w := new(matching)
	w.query.Accept, w.query.Found = w.accept, w.found
	return w
}}

func (c *Compiled) matching(s *canon.Session, states, roots []egraph.Class) *matching {
	if c == nil || c.groups == nil || s == nil {
		panic("pattern: matching needs a table from Table, and a session")
	}
	if len(states) != len(roots) {
		panic(fmt.Sprintf("pattern: %d states for %d components", len(states), len(roots)))
	}
	w := matchings.Get().(*matching)
	w.c, w.s, w.query.Roots, w.query.Bound = c, s, roots, states
	w.hit.form, w.best.form = nil, nil
	return w
}

func (w *matching) release() {
	w.c, w.in, w.s, w.query.Roots, w.query.Bound, w.skip = nil, nil, nil, nil, nil, nil
	matchings.Put(w)
}

// match finds the best entry, as w.hit.
func (w *matching) match() bool {
	w.hit.form = nil
	graph := w.s.Graph()
	has := graph.Operators()
	for _, g := range w.c.groups {
		if g.needs&^has == 0 {
			w.in = w.c.compiled(g)
			w.in.table.Match(graph, &w.query)
			w.s.Meter.Spend(effort.Tables, w.query.Steps)
		}
	}
	return w.hit.form != nil
}

// accept says what the roles of variables may stand for.
func (w *matching) accept(_ *egraph.Graph, v int, class egraph.Class) bool {
	f := w.s.Facts(class)
	switch {
	case v >= firstK:
		return f.IsInvariant()
	case v >= firstN && v < firstK:
		return f.IsLeaf() && f.IsNonNeg()
	}
	return v < firstY || f.IsLeaf()
}

func (w *matching) found(entry int, subst []egraph.Class) bool {
	f := &w.in.forms[entry]
	if w.skip != nil && w.skip[f.entry] {
		return true
	}
	if w.hit.form != nil && !w.c.better(f, w.hit.form) {
		return true
	}
	w.hit.form, w.hit.Entry = f, w.c.Entries[f.entry]
	w.hit.values = w.hit.values[:0]
	for _, v := range f.wild {
		w.hit.values = append(w.hit.values, subst[v])
	}
	return true
}

// Search saturates the session's graph until an entry matches, as Match says, or the budget is
// spent or ctx cancelled; then it returns false. A match with a long operator is kept while one
// more iteration looks for a shorter one, so that one family of updates is not answered by
// two operators.
func (c *Compiled) Search(ctx context.Context, s *canon.Session, states, roots []egraph.Class) (Hit, bool) {
	return c.searchWithout(ctx, s, states, roots, nil)
}

// searchWithout is Search where some entries do not count.
func (c *Compiled) searchWithout(ctx context.Context, s *canon.Session, states, roots []egraph.Class, skip []bool) (hit Hit, ok bool) {
	w := c.matching(s, states, roots)
	defer w.release()
	w.skip = skip
	best := &w.best
	asked, foundAt := 0, 0
	s.Saturate(ctx, func() bool {
		asked++
		ok := w.match()
		switch {
		case ok && (best.form == nil || c.better(w.hit.form, best.form)):
			if best.form == nil {
				foundAt = asked
			}
			best.set(w.hit)
		case best.form == nil:
			return false
		}
		return int(best.form.leaves) <= plainLeaves*len(roots) || asked > foundAt+patience
	})
	hit.set(*best)
	return hit, hit.form != nil
}

const (
	plainLeaves = 2 // per component: no operator on two operands has fewer
	patience    = 2 // goal checks: before and after the theory steps of an iteration
)

// better reports whether form a is to be preferred to form b.
func (c *Compiled) better(a, b *form) bool {
	na, nb := c.Entries[a.entry].Assumes, c.Entries[b.entry].Assumes
	if x, y := bits.OnesCount8(uint8(na)), bits.OnesCount8(uint8(nb)); x != y {
		return x < y
	}
	if a.leaves != b.leaves {
		return a.leaves < b.leaves
	}
	return a.entry < b.entry
}

// Expressions returns the hit's operator over x_i and y_i, and the inject map, in the
// session's pool: the operator applied to inject is the update. Wildcards become cheapest terms of
// the classes that they were bound to, in the session in which the hit was found. It panics for
// the zero Hit.
func (h Hit) Expressions(s *canon.Session) (operator, inject []ir.Expr) {
	if h.form == nil {
		panic("pattern: Expressions of the zero Hit, which is no match")
	}
	var few [4]ir.Expr
	bound := few[:0] // what the wildcards stand for
	for i, v := range h.form.wild {
		level := canon.LeafTerm
		if v >= firstK {
			level = canon.InvariantTerm
		}
		e, ok := s.Extract(h.values[i], level)
		if !ok {
			panic("pattern: internal: a wildcard's class has no leaf")
		}
		if e.Size() > 1 {
			if small := canon.Greedy(e, 0); small.Size() < e.Size() {
				e = small
			}
		}
		bound = append(bound, e)
	}
	operator = s.Pool().Map(h.Entry.Exprs, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.Kind() != ir.Param {
			return ir.Expr{}
		}
		if i := slices.Index(h.form.wild, uint8(roleNumber(e))); i >= 0 {
			return bound[i]
		}
		return s.Pool().Const(e.Type(), 0) // the form is one that any constant gives
	})
	inject = s.Pool().Map(h.form.inject, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		if i := slices.Index(h.form.wild, uint8(roleNumber(e))); i >= 0 {
			return bound[i]
		}
		return s.Pool().Const(e.Type(), 0) // the operator does not look at it
	})
	return operator, inject
}
