package lower

import (
	"fmt"
	"math"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// prepared is a stage as it was prepared by Compile.
type prepared struct {
	stage  *rfactor.Stage
	reads  map[ir.Expr]*Access
	target Access
	answer *rfactor.Answer // nil where the stage's update was not factored
}

func newPrepared(plan *rfactor.Plan, s *rfactor.Stage) (*prepared, error) {
	n := &prepared{stage: s, reads: map[ir.Expr]*Access{}, target: Target(s)}
	for _, a := range Reads(s) {
		n.reads[a.Call] = &a
	}
	if s.From != nil {
		n.answer = plan.Answers[s.From]
	}
	if len(s.Index) != len(s.Buffer.Dims) {
		return nil, fmt.Errorf("%s has %d dimensions and is written at %d coordinates", s.Buffer.Name, len(s.Buffer.Dims), len(s.Index))
	}
	return n, nil
}

// nest runs a stage: the iterations of its parallel loop in slices, on goroutines.
func (run *execution) nest(n *prepared) error {
	w := newWalker(run, n)
	at := w.parallelLoop()
	if at != 0 {
		return w.loop(0)
	}
	span, err := w.span(0)
	if err != nil || span.Extent <= 0 {
		return err
	}
	count := w.slices(span)
	if count < 2 {
		return w.loop(0)
	}
	return run.slices(n, span, count)
}

// slices runs contiguous parts of the outermost loop. They are begun in order, and a part
// that was begun is run to its end unless the context ends, so that the error is the one
// that comes first in the order of the loop.
func (run *execution) slices(n *prepared, span rfactor.FixedExtent, count int) error {
	errs := make([]error, count)
	var (
		mu     sync.Mutex
		next   int
		failed bool
		wg     sync.WaitGroup
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if failed || next == count {
			return -1
		}
		run.tell(float64(next) / float64(count))
		next++
		return next - 1
	}
	for range min(run.opts.Goroutines, count) {
		wg.Go(func() {
			w := newWalker(run, n)
			w.quiet = true
			for i := take(); i >= 0; i = take() {
				lo, hi := span.Extent*i/count, span.Extent*(i+1)/count
				if errs[i] = w.iterate(0, rfactor.FixedExtent{Min: span.Min + lo, Extent: hi - lo}); errs[i] != nil {
					mu.Lock()
					failed = true
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// walker runs loops of a stage on one goroutine.
type walker struct {
	*scalars
	nest    *prepared
	loops   []rfactor.Loop
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
	buffer  *Array
	quiet   bool // does not report progress
}

func newWalker(run *execution, n *prepared) *walker {
	s := n.stage
	w := &walker{scalars: newScalars(run), nest: n, loops: s.Loops, buffer: run.arrays[s.Buffer.Name]}
	for _, l := range w.loops {
		w.vars = append(w.vars, w.slot(l.Var))
		w.mins = append(w.mins, w.compile(l.Span.Min))
		w.extents = append(w.extents, w.compile(l.Span.Extent))
	}
	w.where, w.index, w.values = w.compileAll(s.Where), w.compileAll(s.Index), w.compileAll(s.Values)
	w.at, w.fresh = make([]int64, len(s.Index)), make([]uint64, len(s.Values))
	for c, t := range s.Buffer.Types {
		if len(s.Values) > 0 {
			w.states = append(w.states, w.slot(s.Values[0].Pool().X(c, t)))
		}
		w.old, w.set = append(w.old, loader(w.buffer.Data[c])), append(w.set, storer(w.buffer.Data[c]))
	}
	return w
}

// parallelLoop is the number of the first parallel loop, -1 where there is none.
func (w *walker) parallelLoop() int {
	for i, l := range w.loops {
		if l.Pure && l.How == rfactor.InParallel {
			return i
		}
	}
	return -1
}

// slices is in how many parts the outermost loop is worth being cut.
func (w *walker) slices(span rfactor.FixedExtent) int {
	bytes := w.bytes()
	each := max(1, (w.run.opts.Grain+bytes-1)/bytes)
	return min(span.Extent/each, 8*w.run.opts.Goroutines)
}

// bytes estimates how much an iteration of the outermost loop reads: as much as the first.
func (w *walker) bytes() int {
	n := 0
	for call := range w.nest.reads {
		n += sizeOf(call.Type())
	}
	for i := range w.loops {
		span, err := w.span(i)
		if err != nil {
			w.takeError()
			break
		}
		*w.vars[i] = uint64(int64(span.Min))
		w.point++
		if i > 0 {
			n *= max(min(span.Extent, math.MaxInt32), 1)
		}
		if n <= 0 || n > 1<<40 {
			return 1 << 40
		}
	}
	return max(n, 1)
}

func (w *walker) span(i int) (rfactor.FixedExtent, error) {
	lo, n := int64(w.mins[i]()), int64(w.extents[i]())
	err := w.takeError()
	if err == nil && n > 0 && lo+n-1 > math.MaxInt32 {
		err = fmt.Errorf("it runs over %d..%d, more than coordinates, which are i32, can count", lo, lo+n-1)
	}
	if err != nil {
		return rfactor.FixedExtent{}, fmt.Errorf("loop %s: %w", w.loops[i].Var, err)
	}
	return rfactor.FixedExtent{Min: int(lo), Extent: int(n)}, nil
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

func (w *walker) iterate(i int, span rfactor.FixedExtent) error {
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
		w.point++
		if err := w.loop(i + 1); err != nil {
			return err
		}
	}
	return nil
}

// element updates one element.
func (w *walker) element() error {
	for _, f := range w.where {
		ok := f()
		if w.err != nil {
			return w.takeError()
		}
		if ok == 0 {
			return nil
		}
	}
	for d, f := range w.index {
		w.at[d] = int64(f())
	}
	if w.err != nil {
		return w.takeError()
	}
	i, err := w.buffer.offset(w.at)
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", w.nest.stage.Buffer.Name, err)
	}
	for c, p := range w.states {
		*p = w.old[c](i)
	}
	w.point++
	for c, f := range w.values {
		w.fresh[c] = f()
	}
	for c, v := range w.fresh {
		w.set[c](i, v)
	}
	return w.takeError()
}
