package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/simd"
)

// rowCode runs the innermost loop of a stage in blocks.
type rowCode struct {
	code
	when    []func() uint64      // conditions that are the same all over the row
	limits  []limit              // those that bound it
	mask    *kernel.Vector[bool] // the remaining conditions; nil where there are none
	target  *scalar.Cursor       // nil where the left side depends on data
	tree    *tree                // reduces components ahead of scans; nil where it cannot
	scans   []kernel.Step        // point by point
	all     []kernel.Step        // finish, then scans
	finish  []kernel.Step        // the rest of what changes the buffer, after all steps went well
	several bool                 // the row is more than one block
	joined  bool                 // finish is several passes at once
	end     []func()             // after the last block
	keeping *keeping             // of a stage at counted places; nil elsewhere
	history *historyRow          // runs the row instead where components are what the last elements say; nil elsewhere
	until   *until               // runs the row instead where its steps end by a condition on inputs; nil elsewhere
}

// limit is a comparison that bounds a row, with what its sides are at 0.
type limit struct {
	prepare.Comparison
	less, more func() uint64
}

// newRow compiles the innermost loop. It is nil where that runs point by point.
func newRow(w *walker) *rowCode {
	if len(w.loops) == 0 || w.nest.ReadsItself {
		return nil
	}
	r := &rowCode{code: *newCode(w)}
	r.conditions()
	dims := w.nest.Targets[w.inner]
	if w.nest.Stage.Places == nil {
		r.target = r.cursor(dims, w.buffer)
	}
	switch {
	case w.nest.Stage.Places != nil:
		r.keep()
	case r.target == nil:
		r.scatter()
	case !prepare.IsLiteral(dims):
		return nil
	case prepare.IsStill(dims):
		r.until, r.history = newUntil(w), newHistory(w)
		r.reduce()
	default:
		r.update()
	}
	r.all = slices.Concat(r.finish, r.scans)
	return r
}

func (r *rowCode) conditions() {
	z := kernel.Of(ir.Bool)
	for _, e := range r.w.nest.Stage.Where {
		if !r.varies(e) {
			r.when = append(r.when, r.w.Compile(e))
			continue
		}
		if cmp, ok := r.w.nest.Comparisons[r.w.inner][e]; ok {
			r.limits = append(r.limits, limit{cmp, r.w.Compile(cmp.Less.Rest), r.w.Compile(cmp.More.Rest)})
			continue
		}
		m := r.value(e).(*kernel.Vector[bool])
		if r.mask != nil {
			both := z.Register(r.block).(*kernel.Vector[bool])
			r.steps = append(r.steps, z.Binary(ir.And, both, r.mask, m))
			m = both
		}
		r.mask = m
	}
}

// update is the mode in which each point of a row has an element of its own.
func (r *rowCode) update() {
	r.bare = false
	s := r.w.nest.Stage
	var regs []any
	for c, v := range s.Values {
		x := r.w.nest.X[c]
		if _, known := r.regs[x]; !known && slices.ContainsFunc(s.Values, func(v ir.Expr) bool { return v.States()&x.States() != 0 }) {
			reg := kernel.Of(v.Type()).Register(0)
			r.steps = append(r.steps, kernel.Of(v.Type()).Copied(reg, r.w.buffer.Columns[c], &r.target.Strided))
			r.regs[x] = reg
		}
	}
	for _, v := range s.Values {
		regs = append(regs, r.value(v))
	}
	for c, reg := range regs {
		z := kernel.Of(s.Buffer.Types[c])
		r.finish = append(r.finish, z.Store(r.w.buffer.Columns[c], reg, &r.target.Strided, r.mask))
	}
}

// reduce is the mode in which all points of a row update one element: component by
// component where they are folds or searches, the others together, point by point.
func (r *rowCode) reduce() {
	n := r.w.nest
	rest := r.together()
	var passes []kernel.Pass
	for _, s := range n.Searches {
		if r.mask == nil && !rest[s.Key] {
			passes = append(passes, r.search(s))
		}
	}
	for c, p := range n.Parts {
		if !rest[c] && n.IsPart[c] && p.Op != ir.Const && !n.IsSearch(c) {
			passes = append(passes, r.fold(c, p))
		}
	}
	r.join(passes)
	var list []int
	for c := range rest {
		if rest[c] {
			list = append(list, c)
		}
	}
	if len(list) > 0 && !r.complexProduct(list) {
		r.scan(list, nil)
		if !r.indexed {
			r.tree = r.newTree(list)
		}
	}
}

// together are the components that are neither folds nor found by a search, and those that
// they read.
func (r *rowCode) together() []bool {
	n := r.w.nest
	rest := make([]bool, len(n.Parts))
	for c := range rest {
		rest[c] = !n.IsPart[c] && !n.IsPayload(c) && !n.IsSearch(c) || r.mask != nil && (n.IsSearch(c) || n.IsPayload(c))
	}
	for changed := true; changed; {
		changed = false
		for c, v := range n.Stage.Values {
			for i := range rest {
				// whoever shares a state with these is one of them
				if i != c && v.States()>>i&1 != 0 && rest[c] != rest[i] {
					rest[c], rest[i], changed = true, true, true
				}
			}
		}
	}
	return rest
}

func (r *rowCode) allComponents() []int {
	var all []int
	for c := range r.w.nest.Stage.Values {
		all = append(all, c)
	}
	return all
}

// fold folds one component.
func (r *rowCode) fold(c int, p folds.Part) kernel.Pass {
	var counted kernel.Pass
	t := r.w.nest.Stage.Buffer.Types[c]
	f := &kernel.Folding{Op: p.Op, Data: r.w.buffer.Columns[c], At: &r.target.Offset}
	f.Exact = t.IsFloat() && (p.Op == ir.Add || p.Op == ir.Mul) && !r.w.nest.MayRegroup()
	if l := r.w.nest.Lanes; l != nil {
		f.Lanes, f.Leaf, r.bare = l.Count, r.value(p.Leaf), false
		r.w.run.onShape(func() { f.Stride = r.w.buffer.Apart(l.Step) })
	} else {
		counted = r.operands(f, p.Leaf, t)
	}
	counted.Alone = kernel.Of(t).Fold(f)
	if counted.Kind != nil {
		counted.Took = func(_, n int, v uint64) { r.w.set[c](r.target.Offset, r.w.old[c](r.target.Offset)+v) }
		return counted
	}
	return r.element(kernel.Pass{Alone: counted.Alone, Kind: kernel.Of(t), Over: f.Leaf, Fold: f.Fold()}, c)
}

// operands chooses a kernel that spares a pass over the block. Where elements are counted, it
// answers how that is done beside others.
func (r *rowCode) operands(f *kernel.Folding, e ir.Expr, t ir.Type) (counted kernel.Pass) {
	varies := func(i int) bool { return r.varies(e.Arg(i)) }
	switch {
	case r.mask != nil || !r.varies(e) || f.Exact || t == ir.Bool:
	case e.Op() == ir.Mul && f.Op == ir.Add && varies(0) && varies(1):
		f.Leaf, f.Factor = r.value(e.Arg(0)), r.value(e.Arg(1))
		return counted
	case e.Op() == ir.Abs && (f.Op == ir.Add || f.Op == ir.Max):
		// MaxAbs takes the element as it is, and no magnitude is less than it is.
		f.Leaf, f.Abs = r.value(e.Arg(0)), true
		return counted
	case f.Op == ir.Add && t.IsInt() && e.Op() == ir.Cast && e.Arg(0).Type().IsInt():
		f.Counted = kernel.Of(e.Arg(0).Type()).Total(r.value(e.Arg(0)))
		return counted
	case f.Op == ir.Add && t == ir.F64 && e.Op() == ir.Cast && e.Arg(0).Type() == ir.F32:
		f.Narrow = r.value(e.Arg(0)).(*kernel.Vector[float32])
		return counted
	case f.Op == ir.Add && t.IsInt():
		if op, x, than, ok := r.count(e); ok {
			mask := ^uint64(0)
			if bits := x.Op() == ir.BitAnd && x.Arg(1).Op() == ir.Const && (op == ir.Eq || op == ir.Ne); bits {
				x, mask = x.Arg(0), x.Arg(1).Value()
			}
			k := r.w.Compile(than)
			z, over := kernel.Of(x.Type()), r.value(x)
			f.Counted = z.Count(op, over, mask, k)
			if mask == ^uint64(0) {
				return kernel.Pass{Kind: z, Over: over, Fold: countFolds[op], K: k}
			}
			return kernel.Pass{Kind: z, Over: over, Fold: simd.CountMaskedEq, K: k, Mask: mask, Rest: op == ir.Ne}
		}
	}
	leaf := r.value(e)
	if r.mask != nil {
		z := kernel.Of(t)
		nothing, masked := z.Register(r.block), z.Register(r.block)
		z.Fill(nothing, folds.NeutralValue(f.Op, t), r.block)
		r.steps = append(r.steps, z.Choose(masked, r.mask, leaf, nothing))
		leaf, r.bare = masked, false
	}
	f.Leaf = leaf
	return counted
}

// count recognises select(x < than, 1, 0), where than is the same all over the row.
func (r *rowCode) count(e ir.Expr) (op ir.Op, x, than ir.Expr, ok bool) {
	cond, ok := folds.Counted(e)
	if !ok || !cond.Op().IsComparison() {
		return op, x, than, false
	}
	op, x, than = cond.Op(), cond.Arg(0), cond.Arg(1)
	if !r.varies(x) {
		op, x, than = folds.Mirrored(op), than, x
	}
	return op, x, than, x.Type() != ir.Bool && r.varies(x) && !r.varies(than)
}

// bigBlock is by how much blocks may be longer that need no registers.
const bigBlock = 64

// joinedBlock is the same for joined passes, which may look for an element in the block that
// has it.
const joinedBlock = 8

// run runs a row: in blocks where every access is in range, and the points before and behind
// one by one, so that these find the first access that is not.
func (r *rowCode) run(span ndarray.Range) error {
	w := r.w
	if err := w.run.ctx.Err(); err != nil || span.Extent <= 0 {
		return err
	}
	r.start, r.extent, r.bad = span.Min, span.Extent, false
	*r.inner = uint64(int64(span.Min))
	w.Point++
	for _, f := range r.when {
		if f() == 0 && w.Err == nil {
			return nil
		}
	}
	span, known := r.limited(span)
	if !known {
		return w.points(span)
	}
	if span.Extent <= 0 {
		return nil
	}
	r.start, r.extent = span.Min, span.Extent
	lo, hi, block := 0, span.Extent, r.block
	switch {
	case !r.bare || len(r.all) != 1: // several passes go over what is in the nearest cache
	case r.joined:
		block *= joinedBlock
	default:
		block *= bigBlock
	}
	for _, c := range r.cursors {
		l, h := c.Place(span.Min, span.Extent)
		lo, hi = max(lo, l), min(hi, h)
		if c.Stride != 1 && c != r.target {
			block = r.block
		}
	}
	if l := w.nest.Lanes; l != nil && !r.target.Reaches(l.Step, l.Count-1) {
		hi = lo
	}
	if r.ended() {
		return nil
	}
	if r.keeping != nil {
		r.keeping.start()
	}
	if r.until != nil {
		return r.until.run(span)
	}
	if r.history != nil && r.history.fits(span) {
		return r.history.run(w, span, r.target)
	}
	if lo < hi && w.Err == nil {
		for _, f := range r.begin {
			f()
		}
	}
	if lo >= hi || w.Err != nil {
		w.TakeError()
		return w.points(span)
	}
	if r.tree != nil && w.nest.Seen() {
		lo++ // sets the flag
	}
	if err := w.points(ndarray.Range{Min: span.Min, Extent: lo}); err != nil {
		return err
	}
	k := lo
	if r.tree != nil {
		k = r.grow(lo, hi)
		if len(r.finish) > 0 {
			if _, err := r.blocks(lo, k, block, r.finish); err != nil {
				return err
			}
		}
	}
	k, err := r.blocks(k, hi, block, r.all)
	if err != nil || r.ended() {
		return err
	}
	return w.points(ndarray.Range{Min: span.Min + k, Extent: span.Extent - k})
}

// firstBlock is how many elements of a row whose steps may end are treated before it is asked whether they have; then it is twice
// as many each time.
const firstBlock = 256

// ends reports whether all steps of the row update one element, which they may leave as it is from some step on.
func (r *rowCode) ends() bool {
	return r.w.nest.Stage.Ends != nil && r.target != nil && prepare.IsStill(r.w.nest.Targets[r.w.inner])
}

// ended reports whether the steps of the row change nothing any more.
func (r *rowCode) ended() bool { return r.ends() && r.w.endedAt(r.target.Offset) }

// grow runs the tree over a row, which may end, in pieces that grow, and answers how far it came.
func (r *rowCode) grow(lo, hi int) int {
	if !r.ends() {
		return r.tree.run(lo, hi)
	}
	for n := firstBlock; lo < hi && !r.ended(); n *= 2 {
		k := r.tree.run(lo, min(lo+n, hi))
		if k == lo {
			break
		}
		lo = k
	}
	return lo
}

// limited is the part of a row in which the conditions hold that bound it.
func (r *rowCode) limited(span ndarray.Range) (ndarray.Range, bool) {
	lo, hi := 0, span.Extent
	for _, l := range r.limits {
		a, b, known := l.Points(int(int64(l.less())), int(int64(l.more())), span.Min, span.Extent)
		if !known || r.w.Err != nil {
			r.w.TakeError()
			return span, false
		}
		lo, hi = max(lo, a), min(hi, b)
	}
	return ndarray.Range{Min: span.Min + lo, Extent: hi - lo}, true
}

// blocks runs [lo, hi) and answers how far it came.
func (r *rowCode) blocks(lo, hi, block int, finish []kernel.Step) (k int, err error) {
	r.several = hi-lo > block
	ends := r.ends()
	most := block
	if ends {
		block = min(block, firstBlock)
	}
	for k = lo; k < hi && err == nil; {
		n := min(block, hi-k)
		r.compute(k, n, hi, len(finish))
		if r.bad {
			break
		}
		for i, s := range finish {
			s(k, n)
			r.fetch(k+n, n, hi, len(r.steps)+i, len(r.steps)+len(finish))
		}
		if err = r.w.TakeError(); err == nil {
			k += n
			err = r.w.run.ctx.Err()
		}
		if ends && r.ended() {
			break
		}
		block = min(2*block, most)
	}
	for _, f := range r.end {
		f()
	}
	if err == nil {
		err = r.w.TakeError()
	}
	return k, err
}
