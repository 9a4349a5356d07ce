package lower

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// order chooses the order of a stage's loops. Loops over pure variables may run in any
// order, so that a parallel one may go outermost and the one that steps through memory
// innermost, as far as no span mentions it from outside. The others keep theirs.
func (run *execution) order(n *prepared) []int {
	loops := n.stage.Loops
	order := make([]int, len(loops))
	for i := range order {
		order[i] = i
	}
	if len(order) < 2 {
		return order
	}
	w := newWalker(run, n, order)
	w.first()
	inner := len(order) - 1
	best := w.cost(inner)
	for i := range loops[:inner] {
		if n.lanes == nil && !n.parallel(loops[i]) && mayBeInnermost(loops, i) {
			if c := w.cost(i); c < best {
				inner, best = i, c
			}
		}
	}
	order = append(slices.Delete(order, inner, inner+1), inner)
	for at, i := range order[:len(order)-1] {
		if l := loops[i]; n.parallel(l) && !spanMentions(l.Span, n.vars) {
			order = slices.Insert(slices.Delete(order, at, at+1), 0, i)
			break
		}
	}
	return order
}

// mayBeInnermost reports whether the loops inside the i-th may go around it: of two loops
// that change places one must be pure, and spans must be known.
func mayBeInnermost(loops []rfactor.Loop, i int) bool {
	l := loops[i]
	return !slices.ContainsFunc(loops[i+1:], func(m rfactor.Loop) bool {
		return !l.Pure && !m.Pure || spanMentions(m.Span, []ir.Expr{l.Var})
	})
}

func spanMentions(s rfactor.Span, vars []ir.Expr) bool {
	for _, v := range ir.Vars(s.Min, s.Extent) {
		if slices.Contains(vars, v) {
			return true
		}
	}
	return false
}

// first sets the variables to the first point of the loops.
func (w *walker) first() {
	for i := range w.loops {
		*w.vars[i] = w.mins[i]()
		w.point++
	}
	w.takeError()
}

// cost estimates the nanoseconds for each point where a loop is innermost: what blocks cost
// on a machine of our time, beside a row's own.
func (w *walker) cost(loop int) float64 {
	extent := max(1, int64(w.extents[loop]()))
	w.takeError()
	cost := 100 / float64(extent)
	for _, dims := range w.nest.forms[loop] {
		switch stride, ok := w.stride(dims); {
		case !ok:
			cost += 2
		case stride == 1:
			cost += 0.1
		case stride != 0:
			cost++
		}
	}
	switch stride, ok := w.stride(w.nest.targets[loop]); {
	case !ok:
		cost += 2
	case stride == 1:
		cost += 0.3
	case stride != 0:
		cost += 1.5
	case slices.Contains(w.nest.isPart, false) && len(w.nest.searches) == 0:
		cost += 20
	}
	return cost
}

// stride is how far apart in dimension 1 two neighbours of a row are; it stands for a great
// one in others.
func (w *walker) stride(dims []Coordinate) (int, bool) {
	stride := 0
	for i, d := range dims {
		if !d.Affine {
			return 0, false
		}
		c := int(int64(w.compile(d.Coef[0])()))
		if i > 0 {
			c *= 1 << 10
		}
		stride += c
	}
	w.takeError()
	return stride, true
}
