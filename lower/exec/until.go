package exec

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/simd"
)

// until runs a row whose steps end where a condition on inputs holds. It looks for the first such step ahead of the steps, and does
// those before it as if they had no end.
//
//	x0 + select(x1, 0, in(r)); x1 || in(r) < 0   →   the first in(r) < 0, and x0 + in(r) up to there
type until struct {
	cond  code
	holds *kernel.Vector[bool]
	many  *code           // what a comparison reads, which many elements at once are looked through by …
	count func(n int) int // … a count of those that it holds of; nil for other conditions
	plain *walker
}

// newUntil is nil where a row does not end by a condition on inputs alone.
func newUntil(w *walker) *until {
	e := w.nest.Ending
	if e == nil {
		return nil
	}
	u := &until{cond: *newCode(w)}
	if !u.cond.varies(e.Cond) {
		return nil
	}
	u.holds = u.cond.value(e.Cond).(*kernel.Vector[bool])
	u.counts(e.Cond)
	u.plain = walkerLike(w, e.Plain)
	if u.plain.row = newRow(u.plain); u.plain.row == nil {
		return nil
	}
	return u
}

// counts looks through elements by counting with vectors, where they are compared with what is the same all over the row.
func (u *until) counts(cond ir.Expr) {
	if simd.Vector() == 0 || !cond.Op().IsComparison() || cond.Arg(0).Type() == ir.Bool {
		return
	}
	op, x, than := cond.Op(), cond.Arg(0), cond.Arg(1)
	if !u.cond.varies(x) {
		op, x, than = folds.Mirrored(op), than, x
	}
	if u.cond.varies(than) || !access.IsRead(x) {
		return
	}
	u.many = newCode(u.cond.w)
	count := kernel.Of(x.Type()).Count(op, u.many.value(x), ^uint64(0), u.cond.w.Compile(than))
	if u.many.bare {
		u.count = func(n int) int { return int(count(n)) }
	}
}

// none reports whether it is known that the end is not among n elements from k on.
func (u *until) none(k, n, hi int) bool {
	if u.count == nil {
		return false
	}
	for i, c := range u.many.cursors {
		if c.Strided = u.cond.cursors[i].Strided; c.Stride != 1 {
			return false
		}
	}
	u.many.compute(k, n, hi, 0)
	return u.count(n) == 0
}

// blocksAhead is in how many blocks at most the end is looked for before the steps in them are done.
const blocksAhead = 8

// run runs a row. In blocks where a read is outside of an array it goes on point by point, as far as the end.
func (u *until) run(span ndarray.Range) error {
	w, c := u.cond.w, &u.cond
	c.start, c.extent, c.bad = span.Min, span.Extent, false
	*c.inner = uint64(int64(span.Min))
	w.Point++
	lo, hi := 0, span.Extent
	for _, cur := range c.cursors {
		l, h := cur.Place(span.Min, span.Extent)
		lo, hi = max(lo, l), min(hi, h)
	}
	if lo > 0 || w.Err != nil {
		w.TakeError()
		return w.points(span)
	}
	for _, f := range c.begin {
		f()
	}
	for i, v := range w.vars[:len(w.vars)-1] {
		*u.plain.vars[i] = *v
	}
	u.plain.Point++
	for k, n := 0, firstBlock; k < hi; n *= 2 {
		free, end := u.ahead(k, min(hi-k, n), hi)
		if err := w.TakeError(); err != nil || c.bad {
			return w.points(ndarray.Range{Min: span.Min + k, Extent: span.Extent - k})
		}
		if err := u.steps(ndarray.Range{Min: span.Min + k, Extent: free}); err != nil {
			return err
		}
		if k += free; end {
			return w.points(ndarray.Range{Min: span.Min + k, Extent: 1})
		}
		n = min(n, blocksAhead*c.block/2)
	}
	return w.points(ndarray.Range{Min: span.Min + hi, Extent: span.Extent - hi})
}

// steps does steps before the end.
func (u *until) steps(span ndarray.Range) error {
	if u.cond.w.nest.Ending.Last {
		n := min(span.Extent, 1)
		return u.plain.points(ndarray.Range{Min: span.Min + span.Extent - n, Extent: n})
	}
	return u.plain.row.run(span)
}

// ahead returns how many of the n steps from k on come before the end, and whether it is among them.
func (u *until) ahead(k, n, hi int) (free int, end bool) {
	c := &u.cond
	if u.none(k, n, hi) {
		return n, false
	}
	for free < n {
		block := min(c.block, n-free)
		c.compute(k+free, block, hi, 0)
		if c.bad || c.w.Err != nil {
			return free, false
		}
		if i := kernel.First(u.holds, block); i >= 0 {
			return free + i, true
		}
		free += block
	}
	return free, false
}
