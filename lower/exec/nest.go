package exec

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// prepared is a stage as it was prepared by Compile: all expressions that a run needs.
type prepared struct {
	stage   *plan.Stage
	answer  *rfactor.Answer // nil where the stage's update was not factored
	vars    []ir.Expr       // of the loops
	forms   []map[ir.Expr][]access.Coordinate
	targets [][]access.Coordinate // of the element, and above of each read, by the loop that is innermost

	comparisons []map[ir.Expr]comparison // among the conditions, by the innermost loop

	form   *scanForm // of a scan that blocks serve; nil for others
	ending *ending   // of steps that end by a condition on inputs; nil for others

	readsItself bool // at other elements than the one it updates

	lanes     *lanes   // that the innermost loop was joined of; nil for most
	long      *longRow // the same with loops joined; nil where that cannot be
	fixed     []bool   // the loops whose span mentions no other's variable
	inner     []bool   // those that may be innermost
	collapsed int      // how many loops the innermost was joined of, and dimensions of what it reads

	x, y []ir.Expr // the operands of ⊕ by component; see Operands of ir.Pool

	tabled   *stepTable  // nil where steps are computed
	history  *history    // nil where no component is what the last elements say
	powers   *powersForm // nil where steps are no linear maps
	masked   []ir.Expr   // the values, or the state where a condition does not hold; nil where no steps are composed
	identity []uint64    // what ⊕ leaves as it is, where partial results begin with it; nil where that is no literal

	// How each component can be computed for many points at once.
	parts    []folds.Part
	isPart   []bool
	searches []folds.Search
	changes  []change
}

func newPrepared(p *plan.Plan, s *plan.Stage) (*prepared, error) {
	form, err := newScanForm(p, s)
	if err != nil {
		return nil, err
	}
	s = unsplit(cheapened(s))
	n, err := prepareLoops(p, s)
	if err != nil {
		return nil, err
	}
	n.form = form
	if n.ending, err = endingOf(p, s); err != nil {
		return nil, err
	}
	if n.ending != nil && !slices.Equal(n.ending.plain.vars, n.vars) { // lanes were joined
		n.ending = nil
	}
	n.long, err = newLongRow(p, s)
	return n, err
}

// prepareLoops prepares a stage with its loops as they are, but for lanes.
func prepareLoops(planned *plan.Plan, s *plan.Stage) (*prepared, error) {
	plain, pair := s, access.LoopVars(s)
	s, l := joinedFolds(s)
	n := &prepared{stage: s, vars: access.LoopVars(s), lanes: l}
	if s.From != nil {
		n.answer = planned.Answers[s.From]
	}
	n.identity = identityOf(planned, s)
	if len(s.Index) != len(s.Buffer.Dims) {
		return nil, fmt.Errorf("%s has %d dimensions and is written at %d coordinates", s.Buffer.Name, len(s.Buffer.Dims), len(s.Index))
	}
	reads := blockReads(s)
	for _, v := range n.vars {
		forms := map[ir.Expr][]access.Coordinate{}
		for _, a := range reads {
			forms[a.Call] = access.Coordinates(access.Operands(a.Call), []ir.Expr{v})
			n.readsItself = n.readsItself || a.Array == s.Buffer.Name
		}
		n.forms = append(n.forms, forms)
		n.targets = append(n.targets, access.Coordinates(s.Index, []ir.Expr{v}))
		comparisons := map[ir.Expr]comparison{}
		for _, e := range s.Where {
			if c, ok := comparisonOf(e, v); ok {
				comparisons[e] = c
			}
		}
		n.comparisons = append(n.comparisons, comparisons)
	}
	for i, l := range s.Loops {
		n.fixed, n.inner = append(n.fixed, !spanMentions(l.Span, n.vars)), append(n.inner, mayBeInnermost(s.Loops, i))
	}
	for c, v := range s.Values {
		// Several runs may go on at once, so that none of them may use the pool.
		n.x, n.y = append(n.x, v.Pool().X(c, v.Type())), append(n.y, v.Pool().Y(c, v.Type()))
		p, ok := folds.Of(v, c)
		n.parts, n.isPart = append(n.parts, p), append(n.isPart, ok)
		n.changes = append(n.changes, changeOf(s, c))
	}
	if l != nil {
		n.targets[len(n.targets)-1] = l.still(plain.Index, pair[len(pair)-2:])
	}
	if s.Buffer.Steps != "" && len(s.Where) > 0 {
		n.masked = maskedValues(s, n.x)
	}
	n.powers = powersOf(n)
	n.tabled = n.tabulate()
	n.searches = folds.Searches(s.Values, n.parts, n.isPart)
	var err error
	n.history, err = historyOf(planned, n)
	return n, err
}

// maskedValues are the values of a stage where its conditions hold, and the state elsewhere.
func maskedValues(s *plan.Stage, x []ir.Expr) (out []ir.Expr) {
	cond := folds.All(s.Where)
	for c, v := range s.Values {
		out = append(out, ir.SelectOf(cond, v, x[c]))
	}
	return out
}

// identityOf is the first value of the partial results that a stage makes.
func identityOf(planned *plan.Plan, s *plan.Stage) (out []uint64) {
	for _, first := range planned.Stages {
		if first.Role != plan.First || first.Buffer != s.Buffer || s.Buffer.Output {
			continue
		}
		for _, v := range first.Values {
			if !v.IsClosed() {
				return nil
			}
			out = append(out, ir.Eval(v, &ir.Env{}))
		}
		return out
	}
	return nil
}

// blockReads are the reads of a stage and of the operands with which a tree begins: these
// are whole tuples, of which the values need not mention every component.
func blockReads(s *plan.Stage) []access.Access {
	whole := *s
	whole.Values = slices.Concat(s.Values, s.Inject)
	return access.Reads(&whole)
}

// joinedFolds joins lanes where all components are folds of numbers; else it lets lanes
// be moved outwards.
func joinedFolds(s *plan.Stage) (*plan.Stage, *lanes) {
	if j, l := joined(s); j != nil {
		all := true
		for c, v := range j.Values {
			p, ok := folds.Of(v, c)
			all = all && ok && (p.Op == ir.Const || v.Type() != ir.Bool)
		}
		if all {
			return j, l
		}
	}
	return relaxed(s), nil
}

// parallel reports whether a loop is to run on goroutines: as it says, or as the loop does
// inside which the buffer is computed.
func (n *prepared) parallel(l plan.Loop) bool {
	at := n.stage.Buffer.At
	return l.Pure && (l.How == plan.InParallel || at != nil && at.Var == l.Var)
}

// mayRegroup reports whether floats may be combined in another order than the plan's.
func (n *prepared) mayRegroup() bool { return n.answer != nil && n.answer.Assumes.Has(ir.Reassoc) }

// isSearch and isPayload tell the components of searches.
func (n *prepared) isSearch(c int) bool {
	return slices.ContainsFunc(n.searches, func(s folds.Search) bool { return s.Key == c })
}

func (n *prepared) isPayload(c int) bool {
	return slices.ContainsFunc(n.searches, func(s folds.Search) bool { return slices.Contains(s.Payload, c) })
}

// nest runs a stage: the iterations of its parallel loop in slices, on goroutines.
func (run *execution) nest(n *prepared) error {
	if run.scansTiles(n) {
		return run.tiles(n)
	}
	c := run.crew(n)
	w := c.walker(run, 0)
	w.point++
	if p := n.stage.Places; p != nil && p.Parallel && len(w.loops) == 1 && w.row != nil {
		span, err := w.span(0)
		if err != nil || span.Extent <= 0 {
			return err
		}
		if count := w.slices(span); count >= 2 && run.opts.Goroutines > 1 && run.keepSlices(c, span, count) {
			return nil
		}
	}
	if len(w.loops) > 0 && w.nest.parallel(w.loops[0]) {
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
		w.point++
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
	*scalars
	nest    *prepared
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
	buffer  *memory
	counter *kernel.Vector[int32] // of a stage at counted places; nil elsewhere
	block   int                   // elements that a row's code treats at once
	quiet   bool                  // does not report progress
	later   bool                  // the outermost loop ends after a result that has ended; see plan.Ends
	ended   bool                  // it did
}

func newWalker(run *execution, n *prepared, order []int, block int) *walker {
	s := n.stage
	w := &walker{scalars: newScalars(run), nest: n, buffer: run.arrays[s.Buffer.Name], block: block}
	for _, i := range order {
		l := s.Loops[i]
		w.inner, w.loops = i, append(w.loops, l)
		w.vars = append(w.vars, w.slot(l.Var))
		w.mins = append(w.mins, w.compile(l.Span.Min))
		w.extents = append(w.extents, w.compile(l.Span.Extent))
	}
	w.counter = counterOf(w)
	w.later = s.Ends != nil && s.Ends.Later && order[0] == 0
	for c, t := range s.Buffer.Types {
		if len(s.Values) > 0 {
			w.states = append(w.states, w.slot(n.x[c]))
		}
		w.old, w.set = append(w.old, kernel.Of(t).Get(w.buffer.data[c])), append(w.set, kernel.Of(t).Put(w.buffer.data[c]))
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
	for call := range w.nest.forms[0] {
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
	err := w.takeError()
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
		w.point++
		if err := w.loop(i + 1); err != nil {
			return err
		}
		if i == 0 && w.later && w.hasEnded(span.Min+k) {
			w.ended = true
			break
		}
	}
	return nil
}

// hasEnded reports whether the result of an iteration of the outermost loop is one from which on nothing changes.
func (w *walker) hasEnded(at int) bool {
	i, err := w.buffer.Dims.Offset([]int64{int64(at)})
	return err == nil && w.endedAt(i)
}

// endedAt reports whether steps on an element of the buffer change nothing any more.
func (w *walker) endedAt(i int) bool {
	e := w.nest.stage.Ends
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
	s := w.nest.stage
	w.where, w.index, w.values = w.compileAll(s.Where), w.compileAll(s.Index), w.compileAll(s.Values)
	w.at, w.fresh = make([]int64, len(s.Index)), make([]uint64, len(s.Values))
}

// element updates one element.
func (w *walker) element() error {
	if w.fresh == nil {
		w.compileElement()
	}
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
	i, err := w.buffer.Dims.Offset(w.at)
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", w.nest.stage.Buffer.Name, err)
	}
	if w.endedAt(i) {
		return nil
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
	if w.counter != nil {
		w.counter.V[0]++
	}
	return w.takeError()
}
