package exec

import (
	"sync"
	"sync/atomic"

	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/ndarray"
)

// keeping writes the elements of a row at which the conditions hold one behind another: see plan.Places.
type keeping struct {
	r       *rowCode
	counter *kernel.Vector[int32]
	least   int // the first coordinate of the buffer
	length  int // of its elements
	at      int // the place of the next element, as an index of the buffer
	kept    int // of the block

	slice  bool // the row is a slice: at is its own, and the counter stays
	counts bool // elements are only counted
	missed bool // some points of the slice are none of a block
}

// keep is the mode of a stage at counted places.
func (r *rowCode) keep() {
	w := r.w
	k := &keeping{r: r, counter: counterOf(w)}
	r.keeping, r.bare = k, false
	var moves []func(at, n int)
	for c, v := range w.nest.Stage.Values {
		moves = append(moves, kernel.Of(v.Type()).Keep(w.buffer.Columns[c], r.value(v), r.mask, r.block))
	}
	r.steps = append(r.steps, func(_, n int) {
		k.kept = n
		if r.mask != nil {
			k.kept = kernel.CountTrue(r.mask, n)
		}
		r.bad = r.bad || k.at < 0 || k.at+k.kept > k.length // points find the element
	})
	r.finish = append(r.finish, func(_, n int) {
		for _, move := range moves {
			if !k.counts {
				move(k.at, n)
			}
		}
		if k.at += k.kept; !k.slice {
			k.counter.V[0] = int32(k.at + k.least)
		}
	})
}

// counterOf is the memory of what counts the places of a stage; nil where nothing does.
func counterOf(w *walker) *kernel.Vector[int32] {
	p := w.nest.Stage.Places
	if p == nil {
		return nil
	}
	return w.run.Arrays[p.Counter.Name].Columns[0].(*kernel.Vector[int32])
}

// start begins a row at the place that the counter has.
func (k *keeping) start() {
	d := k.r.w.buffer.Dims[0]
	k.least, k.length = d.Min, d.Extent
	if !k.slice {
		k.at = int(k.counter.V[0]) - k.least
	}
}

// part does a slice from a place on, and returns the place behind it; ok is false where some of its points are none of a block.
func (k *keeping) part(span ndarray.Range, at int, counts bool) (end int, ok bool) {
	k.slice, k.counts, k.missed, k.at = true, counts, false, at
	defer func() { k.slice, k.counts = false, false }()
	err := k.r.run(span)
	return k.at, err == nil && !k.missed
}

// keepSlices runs a stage at counted places as slices on goroutines: each counts its elements, and then writes them behind
// those of the slices before it. It reports false where the loop has to do it again: that finds which element has an error, or that the context has
// ended.
func (run *execution) keepSlices(c *crew, span ndarray.Range, count int) bool {
	part := func(i int) ndarray.Range {
		lo, hi := span.Extent*i/count, span.Extent*(i+1)/count
		return ndarray.Range{Min: span.Min + lo, Extent: hi - lo}
	}
	k := c.walker(run, 0).row.keeping
	k.start()
	places := make([]int, count+1)
	places[0] = k.at
	if !run.share(c, count, func(k *keeping, i int) (ok bool) {
		places[i+1], ok = k.part(part(i), 0, true)
		return ok
	}) {
		return false
	}
	for i := range count {
		places[i+1] += places[i]
	}
	if places[0] < 0 || places[count] > k.length {
		return false
	}
	if !run.share(c, count, func(k *keeping, i int) bool {
		_, ok := k.part(part(i), places[i], false)
		return ok
	}) {
		return false
	}
	k.counter.V[0] = int32(places[count] + k.least)
	return true
}

// share does the parts of a stage on goroutines, and reports whether all of them went well.
func (run *execution) share(c *crew, count int, do func(k *keeping, i int) bool) bool {
	var (
		next atomic.Int64
		bad  atomic.Bool
		wg   sync.WaitGroup
	)
	for g := range min(run.opts.Goroutines, count) {
		w := c.walker(run, g)
		w.Point++
		w.quiet = true
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < count && !bad.Load(); i = int(next.Add(1)) - 1 {
				if !do(w.row.keeping, i) {
					bad.Store(true)
				}
			}
		})
	}
	wg.Wait()
	return !bad.Load()
}
