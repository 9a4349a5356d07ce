package exec

import (
	"fmt"
	"math"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/exec/internal/wasm"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// stage is a stage as it runs: all expressions that a run needs, since runs, of which several may go on at once, add none to the program's pool.
type stage struct {
	*loopnest.Nest
	code  *wasm.Stage // nil where its loops are not compiled
	state []ir.Expr   // the components of the element, as values mention them
	reads []ir.Expr
	over  int // from this loop on, all iterations update one element, which may end
}

func newStage(p *plan.Plan, s *plan.Stage) (*stage, error) {
	if len(s.Index) != len(s.Buffer.Dims) {
		return nil, fmt.Errorf("%s has %d dimensions and is written at %d coordinates", s.Buffer.Name, len(s.Buffer.Dims), len(s.Index))
	}
	n := &stage{Nest: loopnest.New(s)}
	n.code = wasm.New(p, n.Nest)
	for c, v := range n.Values {
		n.state = append(n.state, v.Pool().X(c, v.Type()))
	}
	for _, r := range n.Reads() {
		n.reads = append(n.reads, r.Call)
	}
	for n.over = len(n.Loops); n.over > 0 && s.EndsOver(n.Loops[n.over-1:], n.Index); {
		n.over--
	}
	return n, nil
}

// parallel reports whether the outermost loop is to run on goroutines: as it says, or as the loop does inside which the buffer is computed.
func (n *stage) parallel() bool {
	if len(n.Loops) == 0 || !n.Loops[0].Pure {
		return false
	}
	l, at := n.Loops[0], n.Buffer.At
	return l.How == plan.InParallel || at != nil && at.Var == l.Var
}

// nest runs a stage: the iterations of its parallel loop in slices, on goroutines.
func (run *execution) nest(n *stage) error {
	if n.Zeroed() { // as new memory is
		return nil
	}
	w := run.walker(n, 0)
	w.Point++
	w.quiet = false
	for _, f := range w.steps {
		if int64(f()) <= 0 { // the update has none: see loopnest.LeaveOut
			return w.TakeError()
		}
	}
	if len(w.vars) == 0 {
		return w.element()
	}
	span, err := w.span(0)
	if err != nil || span.Extent <= 0 {
		return err
	}
	count := 1
	if n.parallel() {
		count = w.slices(span)
	}
	done, err := run.compile(n, min(max(count, 1), run.opts.Goroutines))
	if err != nil {
		return err
	}
	if count >= 2 {
		err = run.slices(n, span, count)
	} else {
		err = w.iterate(0, span)
	}
	if e := done(); err == nil {
		err = e
	}
	return err
}

// slices runs contiguous parts of the outermost loop. They are begun in order, and a part
// that was begun is run to its end unless the context ends, so that the error is the one
// that comes first in the order of the loop.
func (run *execution) slices(n *stage, span ndarray.Range, count int) error {
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
		w := run.walker(n, g)
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
	nest    *stage
	vars    []*uint64
	mins    []func() uint64
	extents []func() uint64
	steps   []func() uint64 // extents without which the stage is left out
	where   []func() uint64
	index   []func() uint64
	at      []int64
	values  []func() uint64
	states  []*uint64
	fresh   []uint64
	buffer  *scalar.Memory
	counter *scalar.Memory // of a stage at counted places; nil elsewhere
	code    *calls         // runs loops; nil where nothing is compiled
	kept    []*calls       // of runs before
	quiet   bool           // does not report progress
	later   bool           // the outermost loop ends after a result that has ended; see plan.Ends
	ended   bool           // it did
}

// walker gives the walker of the i-th goroutine, and makes those that are missing.
func (run *execution) walker(n *stage, i int) *walker {
	for len(run.walkers[n]) <= i {
		run.walkers[n] = append(run.walkers[n], newWalker(run, n))
	}
	return run.walkers[n][i]
}

func newWalker(run *execution, n *stage) *walker {
	w := &walker{Scalars: scalar.NewScalars(&run.Names), run: run, nest: n, buffer: run.Arrays[n.Buffer.Name]}
	for _, l := range n.Loops {
		w.vars = append(w.vars, w.Slot(l.Var))
		w.mins = append(w.mins, w.Compile(l.Span.Min))
		w.extents = append(w.extents, w.Compile(l.Span.Extent))
	}
	w.steps = w.CompileAll(n.Steps)
	if p := n.Places; p != nil {
		w.counter = run.Arrays[p.Counter.Name]
	}
	w.later = n.EndsLater(0)
	for _, x := range n.state {
		w.states = append(w.states, w.Slot(x))
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
	for _, call := range w.nest.reads {
		n += scalar.SizeOf(call.Type())
	}
	for i := range w.vars[1:] {
		times := w.times(i + 1)
		if n == 0 || n > maxBytes/times {
			return maxBytes
		}
		n *= times
	}
	return max(n, 1)
}

// times is how many iterations a loop has in the first one of the loops around it; 1 where that is not known.
func (w *walker) times(i int) int {
	for k := range i {
		*w.vars[k] = w.mins[k]()
		w.Point++
	}
	span, err := w.span(i)
	if err != nil {
		return 1
	}
	return max(min(span.Extent, math.MaxInt32), 1)
}

func (w *walker) span(i int) (ndarray.Range, error) {
	lo, n := int64(w.mins[i]()), int64(w.extents[i]())
	err := w.TakeError()
	if err == nil && n > 0 && lo+n-1 > math.MaxInt32 {
		err = fmt.Errorf("it runs over %d..%d, more than coordinates, which are i32, can count", lo, lo+n-1)
	}
	if err != nil {
		return ndarray.Range{}, fmt.Errorf("loop %s: %w", w.nest.Loops[i].Var, err)
	}
	return ndarray.Range{Min: int(lo), Extent: int(n)}, nil
}

// loop runs the loops from the i-th on.
func (w *walker) loop(i int) error {
	if i == len(w.vars) {
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
	if w.code != nil && w.code.depth == i {
		return w.code.iterate(span)
	}
	for k := range span.Extent {
		if k&0xff == 0 || i+1 < len(w.vars) {
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
		if i >= w.nest.over && w.hasEnded() {
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
	e := w.nest.Ends
	return e != nil && e.Holds(w.buffer.Columns[e.Component].At(i))
}

// compileElement is for stages that are not compiled as a whole.
func (w *walker) compileElement() {
	n := w.nest
	w.where, w.index, w.values = w.CompileAll(n.Where), w.CompileAll(n.Index), w.CompileAll(n.Values)
	w.at, w.fresh = make([]int64, len(n.Index)), make([]uint64, len(n.Values))
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
		return fmt.Errorf("%s is written where it has no element: %w", w.nest.Buffer.Name, err)
	}
	if w.endedAt(i) {
		return nil
	}
	for c, p := range w.states {
		*p = w.buffer.Columns[c].At(i)
	}
	w.Point++
	for c, f := range w.values {
		w.fresh[c] = f()
	}
	for c, v := range w.fresh {
		w.buffer.Columns[c].Set(i, v)
	}
	if w.counter != nil {
		w.counter.Columns[0].Set(0, w.counter.Columns[0].At(0)+1)
	}
	return w.TakeError()
}
