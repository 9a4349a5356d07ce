package exec

import (
	"fmt"
	"slices"
)

// collect lists the steps of a tile at which all conditions hold.
func (w *tileWorker) collect(j *job, number int) error {
	lo := number * j.tile
	w.steps = w.steps[:0]
	last := w.vars[len(w.vars)-1]
steps:
	for i := lo; i < min(lo+j.tile, j.span.Extent); i++ {
		*last = uint64(int64(j.span.Min + i))
		if len(w.where) > 0 {
			w.Point++
		}
		for _, f := range w.where {
			ok := f()
			if w.Err != nil {
				return w.TakeError()
			}
			if ok == 0 {
				continue steps
			}
		}
		w.steps = append(w.steps, *last)
	}
	w.before = slices.Grow(w.before[:0], (len(w.steps)+1)*len(w.scan.State))[:(len(w.steps)+1)*len(w.scan.State)]
	return nil
}

// goTo lets variables mean a step, for a pass.
func (w *tileWorker) goTo(step int, c *tilePass) {
	*w.vars[len(w.vars)-1] = w.steps[step]
	for i, r := range c.Reads {
		from := step
		if r.After {
			from++
		}
		*c.reads[i] = w.before[from*len(w.scan.State)+r.Component]
	}
}

// reduce computes the total of a tile, step by step, or, for lanes, the totals up to each step, by a tree in blocks.
func (w *tileWorker) reduce(c *tilePass) error {
	n, size := len(w.steps), len(c.Types)
	if c.InOrder {
		w.local = w.local[:0]
		return nil
	}
	if w.scan.Lanes > 1 {
		w.local = slices.Grow(w.local[:0], n*size)[:n*size]
		for i := range n {
			w.goTo(i, c)
			w.evaluate(c.inject, w.local[i*size:(i+1)*size])
		}
		w.tree(c)
		return w.TakeError()
	}
	w.local = slices.Grow(w.local[:0], size)[:size]
	for i := range n {
		w.goTo(i, c)
		if i == 0 {
			w.evaluate(c.inject, w.local)
			continue
		}
		assign(c.so, w.local)
		w.evaluate(c.next, w.local)
	}
	return w.TakeError()
}

// tree combines the totals of steps, in blocks of lanes, and then those before each block with it.
func (w *tileWorker) tree(c *tilePass) {
	n, size, lanes := len(w.steps), len(c.Types), int(w.scan.Lanes)
	at := func(i int) []uint64 { return w.local[i*size : (i+1)*size] }
	combine := func(a, b int) {
		assign(c.left, at(a))
		assign(c.right, at(b))
		w.evaluate(c.combine, at(b))
	}
	for lo := 0; lo < n; lo += lanes {
		hi := min(n, lo+lanes)
		for d := 1; d < lanes; d *= 2 {
			for i := d; i < hi-lo; i++ {
				if i&d != 0 {
					combine(lo+i&^(d-1)-1, lo+i)
				}
			}
		}
		for i := lo; i < hi && lo > 0; i++ {
			combine(lo-1, i)
		}
	}
}

// applied puts the state into out that a total gives from the state before the tile.
func (w *tileWorker) applied(c *tilePass, total, out []uint64) {
	assign(c.before, c.from)
	assign(c.total, total)
	w.evaluate(c.apply, out)
	for i, k := range c.Components {
		out[i] = w.scan.State[k].Wrap(out[i])
	}
}

// behind computes the state behind a tile by its total; false where totals do not count.
func (w *tileWorker) behind(c *tilePass) bool {
	if c.InOrder {
		return false
	}
	size := len(c.Types)
	copy(c.to, c.from)
	first := 0
	if c.IsExact() {
		first = max(0, len(w.local)-size) // no other total is looked at
	}
	for i := first; i+size <= len(w.local) && len(w.steps) > 0; i += size {
		total := w.local[i : i+size]
		w.applied(c, total, c.to)
		if !w.scan.Counts(c.Pass, c.from, total, c.to) {
			w.local = w.local[:0]
			return false
		}
	}
	return true
}

// through gives each step the state before it, and that behind the last one: by the totals of lanes where these count, else step by
// step. Where totals do not count that is the state behind the tile.
func (w *tileWorker) through(c *tilePass) error {
	n, size, states := len(w.steps), len(c.Types), len(w.scan.State)
	put := func(i int, values []uint64) {
		for j, k := range c.Components {
			w.before[i*states+k] = values[j]
		}
	}
	put(0, c.from)
	if w.scan.Lanes > 1 && len(w.local) > 0 {
		state := make([]uint64, len(c.to))
		for i := range n {
			w.applied(c, w.local[i*size:(i+1)*size], state)
			put(i+1, state)
		}
		return w.TakeError()
	}
	state, next := slices.Clone(c.from), make([]uint64, len(c.from))
	for i := range n {
		w.goTo(i, c)
		assign(c.state, state)
		w.evaluate(c.update, next)
		state, next = next, state
		put(i+1, state)
	}
	if len(w.local) == 0 {
		copy(c.to, state)
	}
	return w.TakeError()
}

// keepAll writes what the steps of a tile keep.
func (w *tileWorker) keepAll() error {
	states := len(w.scan.State)
	for i, r := range w.steps {
		*w.vars[len(w.vars)-1] = r
		w.Point++
		before := w.before[i*states : (i+1)*states]
		for c, k := range w.scan.Keep {
			if k.State >= 0 {
				w.values[c] = w.before[(i+1)*states+k.State]
				continue
			}
			assign(w.kept[c], before)
			w.evaluate(w.keep[c], w.values[c:c+1])
		}
		if err := w.write(w.values); err != nil {
			return err
		}
	}
	return nil
}

// write sets the element at which the variables are.
func (w *tileWorker) write(values []uint64) error {
	for d, f := range w.index {
		w.at[d] = int64(f())
	}
	if err := w.TakeError(); err != nil {
		return err
	}
	i, err := w.tiled.run.Arrays[w.stage.Buffer.Name].Dims.Offset(w.at)
	if err != nil {
		return fmt.Errorf("%s is written where it has no element: %w", w.stage.Buffer.Name, err)
	}
	for c, v := range values {
		w.set[c](i, v)
	}
	return nil
}
