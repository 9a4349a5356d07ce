package pattern

import (
	"context"
	"math/bits"

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
	var best Hit
	g := s.Graph()
	c.table.Match(g, &egraph.Query{
		Roots: roots,
		Bound: states,
		Accept: func(_ *egraph.Graph, v int, class egraph.Class) bool {
			f := s.Facts(class)
			switch {
			case v >= firstK:
				return f.IsInvariant()
			case v >= firstN && v < firstK:
				return f.IsLeaf() && f.IsNonNeg()
			}
			return v < firstY || f.IsLeaf()
		},
		Found: func(entry int, subst []egraph.Class) bool {
			f := &c.forms[entry]
			if best.form != nil && !c.better(f, best.form) {
				return true
			}
			best.form, best.Entry = f, c.Entries[f.entry]
			best.values = best.values[:0]
			for _, v := range f.wild {
				best.values = append(best.values, subst[roleNumber(v)])
			}
			return true
		},
	})
	return best, best.form != nil
}

// Search saturates until an entry matches. A match with a long operator is kept while one
// more iteration looks for a shorter one, so that one family of updates is not answered by
// two operators.
func (c *Compiled) Search(ctx context.Context, s *canon.Session, b canon.Budget, states, roots []egraph.Class) (Hit, bool) {
	var best Hit
	asked, foundAt := 0, 0
	s.Saturate(ctx, b, func() bool {
		asked++
		hit, ok := c.Match(s, states, roots)
		switch {
		case ok && (best.form == nil || c.better(hit.form, best.form)):
			if best.form == nil {
				foundAt = asked
			}
			best = hit
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
	bound := map[ir.Expr]ir.Expr{}
	for i, v := range h.form.wild {
		level := canon.LeafTerm
		if v.Kind() == ir.Param {
			level = canon.InvariantTerm
		}
		e, ok := s.Extract(h.values[i], level)
		if !ok {
			panic("pattern: internal: a wildcard's class has no leaf")
		}
		if small := canon.Greedy(e, 0); small.Size() < e.Size() {
			e = small
		}
		bound[v] = e
	}
	operator = s.Pool().Map(h.Entry.Exprs, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.Kind() != ir.Param {
			return ir.Expr{}
		}
		if b, ok := bound[e]; ok {
			return b
		}
		return s.Pool().Const(e.Type(), 0) // the form is one that any constant gives
	})
	inject = s.Pool().Map(h.form.inject, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		if b, ok := bound[e]; ok {
			return b
		}
		return s.Pool().Const(e.Type(), 0) // the operator does not look at it
	})
	return operator, inject
}
