package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// history is a stage of which some components are what the last elements make of them, whatever was before. The others read these elements instead, and
// are folds or stay as they are. The first elements are taken by steps, and the last ones once more, which says what the former are.
//
//	{x0 + i32(x1 != in(r)), in(r)}   →   x0 + i32(in(r - 1) != in(r)), behind the first element
type history struct {
	rest  *prepared // its other components stay
	past  []int
	depth int // how many elements behind the one that a step takes are read, or say what a component is
}

// historyOf is nil where a stage has no such component, or others are no folds.
func historyOf(planned *plan.Plan, n *prepared) (*history, error) {
	s := n.stage
	last := len(s.Loops) - 1
	byData := func(d access.Coordinate) bool { return !d.Affine }
	if last < 0 || slices.ContainsFunc(n.targets[last], byData) || s.Loops[last].Pure || len(s.Where) > 0 || s.Ends != nil || s.Places != nil || s.Scan != nil || n.lanes != nil || n.readsItself || !isStill(n.targets[last]) {
		return nil, nil
	}
	h := &historian{history: &history{past: pastComponents(s.Values)}, n: n}
	if len(h.past) == 0 {
		return nil, nil
	}
	rest := *s
	rest.Values, rest.Operator, rest.Inject = nil, nil, nil
	for c, v := range s.Values {
		switch to := h.behind(v, 0); {
		case slices.Contains(h.past, c):
			h.depth = max(h.depth, h.reach(c))
			rest.Values = append(rest.Values, n.x[c])
		case to != n.x[c] && !n.foldsTo(c, to):
			return nil, nil
		default:
			rest.Values = append(rest.Values, to)
		}
	}
	var err error
	h.rest, err = prepareLoops(planned, &rest)
	return h.history, err
}

// pastComponents lists the components whose next value reads elements alone, or components of that kind.
func pastComponents(values []ir.Expr) (past []int) {
	for changed := true; changed; {
		changed = false
		for i, v := range values {
			reads := v.States()
			for _, j := range past {
				reads &^= 1 << j
			}
			if reads == 0 && !slices.Contains(past, i) {
				past, changed = append(past, i), true
			}
		}
	}
	return past
}

// foldsTo reports whether a component folds what a value reads besides it, in whatever order blocks have.
func (n *prepared) foldsTo(c int, to ir.Expr) bool {
	p, ok := folds.Of(to, c)
	return ok && p.Op != ir.Const && to.States()&^(1<<c) == 0 && (!to.Type().IsFloat() || n.mayRegroup() || p.Op == ir.Min || p.Op == ir.Max)
}

// historian rewrites the values of a stage.
type historian struct {
	*history
	n *prepared
}

// behind is an expression so many steps earlier, without the components of the past.
func (h *historian) behind(e ir.Expr, by int) ir.Expr {
	v := h.n.vars[len(h.n.vars)-1]
	from, to := []ir.Expr{v}, []ir.Expr{v}
	if by > 0 {
		h.depth = max(h.depth, by)
		to[0] = ir.SubOf(v, v.Pool().Int(v.Type(), int64(by)))
	}
	for _, c := range h.past {
		if e.States()>>c&1 != 0 {
			from, to = append(from, h.n.x[c]), append(to, h.behind(h.n.stage.Values[c], by+1))
		}
	}
	return forms.Decided(ir.Subst(e, from, to))
}

// reach is how many steps decide what a component of the past is.
func (h *historian) reach(c int) int {
	steps := 1
	for _, j := range h.past {
		if h.n.stage.Values[c].States()>>j&1 != 0 {
			steps = max(steps, 1+h.reach(j))
		}
	}
	return steps
}

// historyRow runs rows of such a stage.
type historyRow struct {
	*history
	all  *code // has a cursor for each read of a step
	rest *walker
}

// newHistory is nil where rows are run otherwise.
func newHistory(w *walker) *historyRow {
	h := w.nest.history
	if h == nil || w.inner != len(w.nest.vars)-1 {
		return nil
	}
	r := &historyRow{history: h, all: newCode(w), rest: walkerLike(w, h.rest)}
	for call, dims := range w.nest.forms[w.inner] {
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
func walkerLike(w *walker, n *prepared) *walker {
	order := make([]int, 0, len(w.loops))
	for _, l := range w.loops {
		order = append(order, slices.IndexFunc(w.nest.stage.Loops, func(o plan.Loop) bool { return o.Var == l.Var }))
	}
	return newWalker(w.run, n, order, w.block)
}

// fewHistories is how many elements are too few for a row of their own.
const fewHistories = 32

// fits reports whether a row is worth it, and all that its steps read is there.
func (h *historyRow) fits(span ndarray.Range) bool {
	if span.Extent < 2*h.depth+fewHistories {
		return false
	}
	for _, c := range h.all.cursors {
		if lo, hi := c.place(span.Min, span.Extent); lo > 0 || hi < span.Extent {
			return false
		}
	}
	return h.all.w.err == nil
}

// run runs a row, whose element has its place in target.
func (h *historyRow) run(w *walker, span ndarray.Range, target *cursor) error {
	if err := w.points(ndarray.Range{Min: span.Min, Extent: h.depth}); err != nil {
		return err
	}
	for i, v := range w.vars[:len(w.vars)-1] {
		*h.rest.vars[i] = *v
	}
	h.rest.point++
	if err := h.rest.row.run(ndarray.Range{Min: span.Min + h.depth, Extent: span.Extent - h.depth}); err != nil {
		return err
	}
	keep := make([]uint64, len(w.old))
	for c, get := range w.old {
		keep[c] = get(target.Offset)
	}
	err := w.points(ndarray.Range{Min: span.Min + span.Extent - h.depth, Extent: h.depth})
	for c, put := range w.set {
		if !slices.Contains(h.past, c) {
			put(target.Offset, keep[c])
		}
	}
	return err
}
