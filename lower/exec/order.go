package exec

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// frame holds what one execution compiled of a stage.
type frame struct {
	nest   *prepare.Stage
	plain  *walker // its loops in their own order; it tells costs
	fit    *scalar.Scalars
	crews  []*crew
	epoch  int // of chosen
	chosen *crew
}

// crew runs the loops of a stage in some order: a walker for each goroutine.
type crew struct {
	nest    *prepare.Stage
	order   []int
	block   int
	walkers []*walker
}

// walker gives the walker of the i-th goroutine, and makes those that are missing.
func (c *crew) walker(run *execution, i int) *walker {
	for len(c.walkers) <= i {
		w := newWalker(run, c.nest, c.order, c.block)
		w.row = newRow(w)
		w.steps = newSteps(w)
		c.walkers = append(c.walkers, w)
	}
	return c.walkers[i]
}

func (run *execution) frame(n *prepare.Stage) *frame {
	f := run.frames[n]
	if f == nil {
		order := make([]int, len(n.Stage.Loops))
		for i := range order {
			order[i] = i
		}
		f = &frame{nest: n, plain: newWalker(run, n, order, 0), fit: scalar.NewScalars(&run.Names)}
		run.frames[n] = f
	}
	return f
}

// crew chooses who runs a stage.
func (run *execution) crew(n *prepare.Stage) *crew {
	f := run.frame(n)
	if f.epoch == run.epoch {
		return f.chosen
	}
	f.epoch = run.epoch
	if n.Long != nil && run.fits(n.Long, f.fit) {
		f.chosen = run.crew(n.Long.Nest)
		return f.chosen
	}
	f.plain.Point++
	order := f.order()
	block := f.block(order)
	for _, c := range f.crews {
		if c.block == block && slices.Equal(c.order, order) {
			f.chosen = c
			return c
		}
	}
	f.chosen = &crew{nest: n, order: order, block: block}
	f.crews = append(f.crews, f.chosen)
	return f.chosen
}

// block is how many elements a row's code treats at once: where it is known how long rows
// are, no more than twice as many.
func (f *frame) block(order []int) int {
	block := f.plain.run.opts.Block
	if len(order) == 0 || !f.nest.Fixed[order[len(order)-1]] {
		return block
	}
	extent := int(int64(f.plain.extents[order[len(order)-1]]()))
	f.plain.TakeError() // the run finds it again
	if extent >= block {
		return block
	}
	return min(block, 1<<bits.Len(uint(max(extent, 1)-1)))
}

// order chooses the order of a stage's loops. Loops over pure variables may run in any
// order, so that a parallel one may go outermost and the one that steps through memory
// innermost, as far as no span mentions it from outside. The others keep theirs.
func (f *frame) order() []int {
	n, w := f.nest, f.plain
	loops := n.Stage.Loops
	order := make([]int, len(loops))
	for i := range order {
		order[i] = i
	}
	if len(order) < 2 {
		return order
	}
	w.first()
	inner := len(order) - 1
	best := w.cost(inner)
	for i := range loops[:inner] {
		if n.Lanes == nil && !n.Parallel(loops[i]) && n.Inner[i] {
			if c := w.cost(i); c < best {
				inner, best = i, c
			}
		}
	}
	order = append(slices.Delete(order, inner, inner+1), inner)
	for at, i := range order[:len(order)-1] {
		if n.Parallel(loops[i]) && n.Fixed[i] {
			order = slices.Insert(slices.Delete(order, at, at+1), 0, i)
			break
		}
	}
	return order
}

// first sets the variables to the first point of the loops.
func (w *walker) first() {
	for i := range w.loops {
		*w.vars[i] = w.mins[i]()
		w.Point++
	}
	w.TakeError()
}

// cost estimates the nanoseconds for each point where a loop is innermost: what blocks cost
// on a machine of our time, beside a row's own.
func (w *walker) cost(loop int) float64 {
	extent := max(1, int64(w.extents[loop]()))
	w.TakeError()
	cost := 100 / float64(extent)
	for _, dims := range w.nest.Forms[loop] {
		switch stride, ok := w.stride(dims); {
		case !ok:
			cost += 2
		case stride == 1:
			cost += 0.1
		case stride != 0:
			cost++
		}
	}
	switch stride, ok := w.stride(w.nest.Targets[loop]); {
	case !ok:
		cost += 2
	case stride == 1:
		cost += 0.3
	case stride != 0:
		cost += 1.5
	case slices.Contains(w.nest.IsPart, false) && len(w.nest.Searches) == 0:
		cost += 20
	}
	return cost
}

// stride is how far apart in dimension 1 two neighbours of a row are; it stands for a great
// one in others.
func (w *walker) stride(dims []access.Coordinate) (int, bool) {
	stride := 0
	for i, d := range dims {
		if !d.Affine {
			return 0, false
		}
		c := int(int64(w.Compile(d.Coef[0])()))
		if i > 0 {
			c *= 1 << 10
		}
		stride += c
	}
	w.TakeError()
	return stride, true
}
