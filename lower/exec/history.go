package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// historyRow runs rows of such a stage.
type historyRow struct {
	*prepare.History
	all  *code // has a cursor for each read of a step
	rest *walker
}

// newHistory is nil where rows are run otherwise.
func newHistory(w *walker) *historyRow {
	h := w.nest.History
	if h == nil || w.inner != len(w.nest.Vars)-1 {
		return nil
	}
	r := &historyRow{History: h, all: newCode(w), rest: walkerLike(w, h.Rest)}
	for call, dims := range w.nest.Forms[w.inner] {
		if r.all.cursor(dims, r.all.source(call)) == nil {
			return nil
		}
	}
	if row := newRow(r.rest); row != nil && row.tree == nil && len(row.scans) == 0 {
		r.rest.row = row
		return r
	}
	return nil
}

// walkerLike is a walker of another stage with the same loops, in the same order.
func walkerLike(w *walker, n *prepare.Stage) *walker {
	order := make([]int, 0, len(w.loops))
	for _, l := range w.loops {
		order = append(order, slices.IndexFunc(w.nest.Stage.Loops, func(o plan.Loop) bool { return o.Var == l.Var }))
	}
	return newWalker(w.run, n, order, w.block)
}

// fewHistories is how many elements are too few for a row of their own.
const fewHistories = 32

// fits reports whether a row is worth it, and all that its steps read is there.
func (h *historyRow) fits(span ndarray.Range) bool {
	if span.Extent < 2*h.Depth+fewHistories {
		return false
	}
	for _, c := range h.all.cursors {
		if lo, hi := c.Place(span.Min, span.Extent); lo > 0 || hi < span.Extent {
			return false
		}
	}
	return h.all.w.Err == nil
}

// run runs a row, whose element has its place in target.
func (h *historyRow) run(w *walker, span ndarray.Range, target *scalar.Cursor) error {
	if err := w.points(ndarray.Range{Min: span.Min, Extent: h.Depth}); err != nil {
		return err
	}
	for i, v := range w.vars[:len(w.vars)-1] {
		*h.rest.vars[i] = *v
	}
	h.rest.Point++
	if err := h.rest.row.run(ndarray.Range{Min: span.Min + h.Depth, Extent: span.Extent - h.Depth}); err != nil {
		return err
	}
	keep := make([]uint64, len(w.old))
	for c, get := range w.old {
		keep[c] = get(target.Offset)
	}
	err := w.points(ndarray.Range{Min: span.Min + span.Extent - h.Depth, Extent: h.Depth})
	for c, put := range w.set {
		if !slices.Contains(h.Past, c) {
			put(target.Offset, keep[c])
		}
	}
	return err
}
