package pattern

import (
	"context"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Hit is a match of an entry: Operator applied to Inject is the update.
type Hit struct {
	Entry  *Entry
	form   *form
	values []egraph.Class // per wildcard of the form
}

// Match finds the best entry whose expressions equal the update's, given the classes of
// the states x_i and of the components' new values: the fewest assumptions, then the
// fewest leaves, then the first of the table. One pass over the whole table.
func (c *Compiled) Match(s *canon.Session, states, roots []egraph.Class) (Hit, bool) {
	w := c.matching(s, states, roots)
	ok := w.match()
	return w.hit, ok
}

// matching asks one update for its best entry, as often as its graph has grown.
type matching struct {
	c     *Compiled
	s     *canon.Session
	query egraph.Query
	hit   Hit
	skip  []bool // entries that do not count; nil for none
}

func (c *Compiled) matching(s *canon.Session, states, roots []egraph.Class) *matching {
	w := &matching{c: c, s: s}
	w.query = egraph.Query{Roots: roots, Bound: states, Accept: w.accept, Found: w.found}
	return w
}

// match finds the best entry, as w.hit.
func (w *matching) match() bool {
	w.hit.form = nil
	w.c.table.Match(w.s.Graph(), &w.query)
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
	f := &w.c.forms[entry]
	if w.skip != nil && w.skip[f.entry] {
		return true
	}
	if w.hit.form != nil && !w.c.better(f, w.hit.form) {
		return true
	}
	w.hit.form, w.hit.Entry = f, w.c.Entries[f.entry]
	w.hit.values = w.hit.values[:0]
	for _, v := range f.wild {
		w.hit.values = append(w.hit.values, subst[roleNumber(v)])
	}
	return true
}

// Search saturates until an entry matches. A match with a long operator is kept while one
// more iteration looks for a shorter one, so that one family of updates is not answered by
// two operators.
func (c *Compiled) Search(ctx context.Context, s *canon.Session, b canon.Budget, states, roots []egraph.Class) (Hit, bool) {
	return c.searchWithout(ctx, s, b, states, roots, nil)
}

// searchWithout is Search where some entries do not count.
func (c *Compiled) searchWithout(ctx context.Context, s *canon.Session, b canon.Budget, states, roots []egraph.Class, skip []bool) (Hit, bool) {
	w := c.matching(s, states, roots)
	w.skip = skip
	var best Hit
	asked, foundAt := 0, 0
	s.Saturate(ctx, b, func() bool {
		asked++
		ok := w.match()
		switch {
		case ok && (best.form == nil || c.better(w.hit.form, best.form)):
			if best.form == nil {
				foundAt = asked
			}
			best.form, best.Entry, best.values = w.hit.form, w.hit.Entry, append(best.values[:0], w.hit.values...)
		case best.form == nil:
			return false
		}
		return best.form.leaves <= plainLeaves*len(roots) || asked > foundAt+patience
	})
	return best, best.form != nil
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

// Expressions are the hit's operator over x_i and y_i, and the inject map, in the
// session's pool: cheapest terms of the classes that the wildcards were bound to.
func (h Hit) Expressions(s *canon.Session) (operator, inject []ir.Expr) {
	var few [4]ir.Expr
	bound := few[:0] // what the wildcards stand for
	for i, v := range h.form.wild {
		level := canon.LeafTerm
		if v.Kind() == ir.Param {
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
		if i := slices.Index(h.form.wild, e); i >= 0 {
			return bound[i]
		}
		return s.Pool().Const(e.Type(), 0) // the form is one that any constant gives
	})
	inject = s.Pool().Map(h.form.inject, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		if i := slices.Index(h.form.wild, e); i >= 0 {
			return bound[i]
		}
		return s.Pool().Const(e.Type(), 0) // the operator does not look at it
	})
	return operator, inject
}
