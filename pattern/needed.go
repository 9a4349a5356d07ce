package pattern

import (
	"context"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Needed lists the entries of a table that matching cannot do without, in their order. An entry
// given as an update is needed if saturation finds it, and no other entry answers it. Of two
// entries of which either would do, the first is needed. keep names entries that stay in any case;
// nil keeps none. Names of entries must differ. Needed saturates twice for each entry; stopped by
// ctx, it lists entries that it has not asked about yet, too.
func Needed(ctx context.Context, entries []*Entry, keep func(e *Entry) bool) (needed []*Entry) {
	if ctx == nil {
		panic("pattern: Needed needs a context")
	}
	n := needs{compiled: map[ir.Assume]*Compiled{}, dropped: map[string]bool{}, session: canon.NewSession()}
	for i := len(entries) - 1; i >= 0 && ctx.Err() == nil; i-- {
		e := entries[i]
		if keep != nil && keep(e) {
			continue
		}
		c := n.compiled[e.Assumes]
		if c == nil {
			c = compileTable(entries, e.Assumes, saturated)
			n.compiled[e.Assumes] = c
		}
		n.dropped[e.Name] = true
		n.dropped[e.Name] = n.finds(ctx, c, e, n.dropped) || !n.finds(ctx, c, e, nil)
	}
	for _, e := range entries {
		if !n.dropped[e.Name] {
			needed = append(needed, e)
		}
	}
	return needed
}

// needs is what Needed knows of a table.
type needs struct {
	compiled map[ir.Assume]*Compiled
	dropped  map[string]bool // by name
	session  *canon.Session
}

// finds reports whether an entry, given as an update, is found by those that are not dropped.
func (n *needs) finds(ctx context.Context, c *Compiled, e *Entry, dropped map[string]bool) bool {
	skip := make([]bool, len(c.Entries))
	for i, o := range c.Entries {
		skip[i] = dropped[o.Name]
	}
	_, ok := c.searchEntry(ctx, n.session, e, skip)
	return ok
}

// searchEntry searches for an entry's expressions, given as an update, among the entries that
// are not skipped.
func (c *Compiled) searchEntry(ctx context.Context, s *canon.Session, e *Entry, skip []bool) (Hit, bool) {
	pool := ir.NewPool()
	s.Reset(pool, c.allowed, false)
	var states, roots []egraph.Class
	for i, x := range pool.Import(e.Exprs...) {
		states = append(states, s.Add(pool.X(i, e.Types[i])))
		roots = append(roots, s.Add(x))
	}
	return c.searchWithout(ctx, s, states, roots, skip)
}
