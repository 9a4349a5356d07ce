package exec

import (
	"fmt"
	"math"
	"sync"

	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// nest runs a stage: the iterations of its parallel loop in slices, on goroutines.
func (run *execution) nest(n *prepare.Stage) error {
	if run.scansTiles(n) {
		return run.tiles(n)
	}
	c := run.crew(n)
	w := c.walker(run, 0)
	w.Point++
	if p := n.Stage.Places; p != nil && p.Parallel && len(w.loops) == 1 && w.row != nil {
		span, err := w.span(0)
		if err != nil || span.Extent <= 0 {
			return err
		}
		if count := w.slices(span); count >= 2 && run.opts.Goroutines > 1 && run.keepSlices(c, span, count) {
			return nil
		}
	}
	if len(w.loops) > 0 && w.nest.Parallel(w.loops[0]) {
		span, err := w.span(0)
		if err != nil || span.Extent <= 0 {
			return err
		}
		if count := w.slices(span); count >= 2 {
			return run.slices(c, span, count)
		}
	}
	w.quiet = false
	return w.loop(0)
}

// slices runs contiguous parts of the outermost loop. They are begun in order, and a part
// that was begun is run to its end unless the context ends, so that the error is the one
// that comes first in the order of the loop.
func (run *execution) slices(c *crew, span ndarray.Range, count int) error {
	errs := make([]error, count)
	var (
		mu     sync.Mutex
		next   int
		failed bool
		last   = count - 1 // what comes behind it is not needed
		wg     sync.WaitGroup
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if failed || next > last {
			return -1
		}
		run.tell(float64(next) / float64(count))
		next++
		return next - 1
	}
	for g := range min(run.opts.Goroutines, count) {
		w := c.walker(run, g)
		w.Point++
		w.quiet = true
		wg.Go(func() {
			for i := take(); i >= 0; i = take() {
				lo, hi := span.Extent*i/count, span.Extent*(i+1)/count
				w.ended = false
				errs[i] = w.iterate(0, ndarray.Range{Min: span.Min + lo, Extent: hi - lo})
				if errs[i] != nil || w.ended {
					mu.Lock()
					if failed = failed || errs[i] != nil; w.ended {
						last = min(last, i)
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs[:last+1] {
		if err != nil {
			return err
		}
	}
	return nil
}

// walker runs loops of a stage on one goroutine.
type walker struct {
	*scalar.Scalars
	run     *execution
	nest    *prepare.Stage
	inner   int // the number of the innermost loop in the stage
	loops   []plan.Loop
	row     *rowCode // runs the innermost loop; nil where that runs point by point
	steps   *steps   // runs the two innermost; nil where it cannot
	vars    []*uint64
	mins    []func() uint64
	extents []func() uint64
	where   []func() uint64
	index   []func() uint64
	at      []int64
	values  []func() uint64
	states  []*uint64
	old     []func(int) uint64
	set     []func(int, uint64)
	fresh   []uint64
	buffer  *scalar.Memory
	counter *kernel.Vector[int32] // of a stage at counted places; nil elsewhere
	block   int                   // elements that a row's code treats at once
	quiet   bool                  // does not report progress
	later   bool                  // the outermost loop ends after a result that has ended; see plan.Ends
	ended   bool                  // it did
	over    int                   // from this loop on, all iterations update one element, which may end
}

func newWalker(run *execution, n *prepare.Stage, order []int, block int) *walker {
	s := n.Stage
	w := &walker{Scalars: scalar.NewScalars(&run.Names), run: run, nest: n, buffer: run.Arrays[s.Buffer.Name], block: block}
	for _, i := range order {
		l := s.Loops[i]
		w.inner, w.loops = i, append(w.loops, l)
		w.vars = append(w.vars, w.Slot(l.Var))
		w.mins = append(w.mins, w.Compile(l.Span.Min))
		w.extents = append(w.extents, w.Compile(l.Span.Extent))
	}
	w.counter = counterOf(w)
	w.later = s.Ends != nil && s.Ends.Later && order[0] == 0
	for w.over = len(order); w.over > 0 && s.EndsOver(w.loops[w.over-1:], s.Index); {
		w.over--
	}
	for c, t := range s.Buffer.Types {
		if len(s.Values) > 0 {
			w.states = append(w.states, w.Slot(n.X[c]))
		}
		w.old, w.set = append(w.old, kernel.Of(t).Get(w.buffer.Columns[c])), append(w.set, kernel.Of(t).Put(w.buffer.Columns[c]))
	}
	return w
}

// slices is in how many parts the outermost loop is worth being cut.
func (w *walker) slices(span ndarray.Range) int {
	bytes := w.bytes()
	each := max(1, (w.run.opts.Grain+bytes-1)/bytes)
	return min(span.Extent/each, 8*w.run.opts.Goroutines)
}

// maxBytes bounds the estimate of bytes.
const maxBytes = min(1<<40, math.MaxInt)

// bytes estimates how much an iteration of the outermost loop reads: as much as the first.
func (w *walker) bytes() int {
	n := 0
	for call := range w.nest.Forms[0] {
		n += scalar.SizeOf(call.Type())
	}
	for i := range w.loops {
		span, err := w.span(i)
		if err != nil {
			w.TakeError()
			break
		}
		*w.vars[i] = uint64(int64(span.Min))
		w.Point++
		times := 1
		if i > 0 {
			times = max(min(span.Extent, math.MaxInt32), 1)
		}
		if n == 0 || n > maxBytes/times {
			return maxBytes
		}
		n *= times
	}
	return max(n, 1)
}

func (w *walker) span(i int) (ndarray.Range, error) {
	lo, n := int64(w.mins[i]()), int64(w.extents[i]())
	err := w.TakeError()
	if err == nil && n > 0 && lo+n-1 > math.MaxInt32 {
		err = fmt.Errorf("it runs over %d..%d, more than coordinates, which are i32, can count", lo, lo+n-1)
	}
	if err != nil {
		return ndarray.Range{}, fmt.Errorf("loop %s: %w", w.loops[i].Var, err)
	}
	return ndarray.Range{Min: int(lo), Extent: int(n)}, nil
}

// loop runs the loops from the i-th on.
func (w *walker) loop(i int) error {
	if i == len(w.loops) {
		return w.element()
	}
	span, err := w.span(i)
	if err != nil {
		return err
	}
	return w.iterate(i, span)
}

// iterate runs iterations of the i-th loop.
func (w *walker) iterate(i int, span ndarray.Range) error {
	if w.row != nil && i+1 == len(w.loops) {
		return w.row.run(span)
	}
	if w.steps != nil && i+2 == len(w.loops) && !w.later {
		return w.steps.run(i, span)
	}
	for k := range span.Extent {
		if k&0xff == 0 || i+1 < len(w.loops) {
			if err := w.run.ctx.Err(); err != nil {
				return err
			}
			if i == 0 && !w.quiet {
				w.run.tell(float64(k) / float64(span.Extent))
			}
		}
		*w.vars[i] = uint64(int64(span.Min + k))
		w.Point++
		if err := w.loop(i + 1); err != nil {
			return err
		}
		if i == 0 && w.later && w.hasEnded() {
			w.ended = true
			break
		}
		if i >= w.over && w.hasEnded() {
			break
		}
	}
	return nil
}

// hasEnded reports whether the element that the loops update now is in a state from which on nothing changes.
func (w *walker) hasEnded() bool {
	if w.fresh == nil {
		w.compileElement()
	}
	for d, f := range w.index {
		w.at[d] = int64(f())
	}
	i, err := w.buffer.Dims.Offset(w.at)
	return w.TakeError() == nil && err == nil && w.endedAt(i)
}

// endedAt reports whether steps on an element of the buffer change nothing any more.
func (w *walker) endedAt(i int) bool {
	e := w.nest.Stage.Ends
	return e != nil && e.Holds(w.old[e.Component](i))
}

// points runs iterations of the innermost loop point by point.
func (w *walker) points(span ndarray.Range) error {
	if span.Extent <= 0 {
		return nil
	}
	row := w.row
	if row.keeping != nil && row.keeping.slice {
		row.keeping.missed = true
		return nil
	}
	w.row = nil
	defer func() { w.row = row }()
	return w.iterate(len(w.loops)-1, span)
}

// compileElement is for stages that do not run in blocks alone.
func (w *walker) compileElement() {
	s := w.nest.Stage
	w.where, w.index, w.values = w.CompileAll(s.Where), w.CompileAll(s.Index), w.CompileAll(s.Values)
	w.at, w.fresh = make([]int64, len(s.Index)), make([]uint64, len(s.Values))
}

// element updates one element.
func (w *walker) element() error {
	if w.fresh == nil {
		w.compileElement()
	}
	for _, f := range w.where {
		ok := f()
		if w.Err != nil {
			return w.TakeError()
		}
		if ok == 0 {
			return nil
		}
	}
	for d, f := range w.index {
		w.at[d] = int64(f())
	}
	if w.Err != nil {
		return w.TakeError()
	}
	i, err := w.buffer.Dims.Offset(w.at)
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", w.nest.Stage.Buffer.Name, err)
	}
	if w.endedAt(i) {
		return nil
	}
	for c, p := range w.states {
		*p = w.old[c](i)
	}
	w.Point++
	for c, f := range w.values {
		w.fresh[c] = f()
	}
	for c, v := range w.fresh {
		w.set[c](i, v)
	}
	if w.counter != nil {
		w.counter.V[0]++
	}
	return w.TakeError()
}
