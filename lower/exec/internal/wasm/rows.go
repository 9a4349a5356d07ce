package wasm

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// pointer is where an access lies while a row runs.
type pointer struct {
	at      uint32 // a local
	step    uint32 // a local: by how many bytes an iteration moves it
	literal bool   // by is known: step is no local then
	by      int
	behind  int // of an access so many bytes behind it
}

// unrolled is how many steps of a row are written at once, where they are of few operations: loads of several elements are compared once with the end
// of memory.
const (
	unrolled    = 4
	mostAtOnce  = 24
	mostChoices = 12
)

// innermost writes the innermost loop. Bounds of its indices are compared once; where they are outside of arrays, each index is where it occurs.
func (w *writer) innermost(lo, hi uint32) {
	w.within(opBlock, func(exit int) {
		w.get(lo, hi)
		w.emit(0x4a) // lo > hi
		w.branch(opBrIf, exit)
		inside := w.compare(lo, hi)
		if inside == nil {
			w.scope(func() { w.newRow(lo, hi).fast(lo) })
			return
		}
		w.push(*inside)
		w.within(opIf, func(int) {
			w.scope(func() { w.newRow(lo, hi).fast(lo) })
			w.branch(opBr, exit)
		})
		w.scope(func() { w.newRow(lo, hi).slow() })
	})
	w.row = nil
}

// coordinate puts the coordinate of the iteration on the stack, the k-th of those that are written at once.
func (r *row) coordinate() {
	r.get(r.hi, r.rest)
	r.emit(sub32)
	r.number(i32, int64(r.k+1))
	r.emit(add32)
}

// compare gives whether all affine accesses are inside of their arrays in a whole row; nil where none can be outside.
func (w *writer) compare(lo, hi uint32) *value {
	var inside *value
	n := w.local(i64) // steps from the first to the last
	w.get(hi)
	w.emit(extendS)
	w.get(lo)
	w.emit(extendS, sub64)
	w.with(opSet, n)
	type limit struct {
		index ir.Expr
		array string
		dim   int
	}
	done := map[limit]bool{}
	for _, f := range w.affine() {
		for d, c := range f.dims {
			l := limit{c.Index, w.array(f), d}
			if done[l] || w.s.inRange(l.array, d, c.Index) {
				continue
			}
			done[l] = true
			from, to := w.local(i64), w.local(i64)
			w.at(c, lo)
			w.emit(extendS)
			if least := w.s.least(l.array, d); !least.IsConst(0) {
				w.push(w.term(least))
				w.emit(extendS, sub64)
			}
			w.with(opTee, from)
			w.push(w.term(c.Coef[0]))
			w.emit(extendS)
			w.get(n)
			w.emit(mul64, add64)
			w.with(opSet, to)
			extent := w.slot(Slot{What: Extent, Array: l.array, Dim: d})
			for _, x := range []uint32{from, to} {
				w.get(x)
				w.push(extent)
				w.emit(extendS, ltu64)
			}
			w.emit(and32)
			if inside != nil {
				w.push(*inside)
				w.emit(and32)
				w.with(opSet, inside.local)
			} else {
				v := w.take(ir.Bool)
				inside = &v
			}
		}
	}
	return inside
}

// affine lists the accesses whose coordinates are affine in the row's variable.
func (w *writer) affine() []form {
	if w.s.target.affine() && len(w.s.target.dims) > 0 && w.s.counter == "" {
		return append(slices.Clone(w.s.reads), w.s.target)
	}
	return w.s.reads
}

// array is what an access reads, or the buffer that the stage updates.
func (w *writer) array(f form) string {
	if f.call.IsValid() {
		return f.call.Name()
	}
	return w.s.buffer.Name
}

// at puts a coordinate on the stack as it is in an iteration, whose number a local has.
func (w *writer) at(c access.Coordinate, v uint32) {
	rest := w.term(c.Rest)
	if c.Coef[0].IsConst(0) {
		w.push(rest)
		return
	}
	w.push(w.term(c.Coef[0]))
	w.get(v)
	w.emit(mul32)
	w.push(rest)
	w.emit(add32)
}

// pointer computes where an access lies in the first iteration, which a local has.
func (w *writer) pointer(f form, component int, t ir.Type, lo uint32) pointer {
	p := pointer{at: w.local(i32), literal: true}
	name, shift := w.array(f), int64(loads[t].shift)
	scale := func() {
		if shift > 0 {
			w.number(i32, shift)
			w.emit(shl32)
		}
	}
	w.push(w.slot(Slot{What: Base, Array: name, Component: component}))
	for d, c := range f.dims {
		w.at(c, lo)
		if least := w.s.least(name, d); !least.IsConst(0) {
			w.push(w.term(least))
			w.emit(sub32)
		}
		if d > 0 {
			w.push(w.slot(Slot{What: Stride, Array: name, Dim: d}))
			w.emit(mul32)
		}
		scale()
		w.emit(add32)
		switch k := c.Coef[0]; {
		case k.IsConst(0):
		case k.Op() == ir.Const && d == 0 && k.Int() == int64(int16(k.Int())): // a few steps are less than instructions count
			p.by = int(k.Int()) << shift
		default:
			p.literal = false
		}
	}
	w.with(opSet, p.at)
	if p.literal {
		return p
	}
	p.step = w.local(i32)
	w.number(i32, 0)
	for d, c := range f.dims {
		w.push(w.term(c.Coef[0]))
		if d > 0 {
			w.push(w.slot(Slot{What: Stride, Array: name, Dim: d}))
			w.emit(mul32)
		}
		scale()
		w.emit(add32)
	}
	w.with(opSet, p.step)
	return p
}

// move moves a pointer by so many iterations.
func (w *writer) move(p pointer, steps int) {
	if p.literal && p.by == 0 {
		return
	}
	w.get(p.at)
	if p.literal {
		w.number(i32, int64(p.by*steps))
	} else if w.get(p.step); steps > 1 {
		w.number(i32, int64(steps))
		w.emit(mul32)
	}
	w.emit(add32)
	w.with(opSet, p.at)
}

// row writes a row.
type row struct {
	*writer
	rest    uint32           // how many iterations are left
	hi      uint32           // the last one
	moving  []pointer        // of reads that move, and of the element
	reads   []form           // that moving pointers are of
	targets []pointer        // of the element's components; nil where each iteration computes its place
	past    map[lagged]value // elements that the stage wrote before
	choose  bool             // conditions choose between the state and the values
	end     int              // the label behind the row
	stop    uint32           // a local: steps leave so many iterations to others; 0 for none
	moves   map[ir.Expr]bool // what differs from iteration to iteration
	k       int              // which of the iterations that are written at once
}

// lagged is an element that was written so many steps ago.
type lagged struct{ component, lag int }

// newRow begins a row of iterations from lo to hi, which are locals.
func (w *writer) newRow(lo, hi uint32) *row {
	w.row = &row{writer: w, rest: w.local(i32), hi: hi, moves: map[ir.Expr]bool{}}
	w.get(hi, lo)
	w.emit(sub32)
	w.number(i32, 1)
	w.emit(add32)
	w.with(opSet, w.row.rest)
	w.fails, w.pointers, w.held, w.state = map[ir.Expr]bool{}, map[ir.Expr]pointer{}, false, nil
	return w.row
}

// fast writes a row whose affine accesses are inside of their arrays.
func (r *row) fast(lo uint32) {
	s := r.s
	past := s.lags != nil && len(s.where) == 0 && s.ends == nil
	for _, f := range s.reads {
		own := f.call.Name() == s.buffer.Name
		if own && past {
			r.pointers[f.call] = pointer{} // it is known
			continue
		}
		p := r.pointer(f, f.call.Index(), f.call.Type(), lo)
		r.pointers[f.call] = p
		if p.literal && p.by == 0 && !own { // one element for the whole row
			r.get(p.at)
			r.load(f.call.Type(), 0)
			r.keep(f.call, r.take(f.call.Type()))
			continue
		}
		r.moving, r.reads = append(r.moving, p), append(r.reads, f)
	}
	if s.counter == "" && s.target.affine() {
		for c, t := range s.buffer.Types {
			r.targets = append(r.targets, r.pointer(s.target, c, t, lo))
		}
	}
	r.within(opBlock, func(end int) {
		r.end = end
		if r.held = r.targets != nil && s.target.still() && !s.own; r.held {
			r.state, r.element = r.loadAt(r.targets), r.targets
			r.unlessEnded(end)
		}
		if past && s.own {
			r.remember()
		}
		r.choose = r.held && len(s.where) > 0 && !r.anyFails(s.where, s.values) && r.operations(mostChoices) < mostChoices
		if r.vectors {
			r.fold()
			r.skip()
			r.inALane()
		}
		if r.atOnce() {
			r.steps(unrolled)
		}
		r.steps(1)
	})
	if r.held {
		r.storeAt(r.targets, r.state)
	}
	r.held, r.state = false, nil
}

// slow writes a row whose indices are compared where they occur.
func (r *row) slow() {
	r.within(opBlock, func(end int) {
		r.end = end
		r.steps(1)
	})
}

// steps writes a loop of so many iterations at once.
func (r *row) steps(n int) {
	r.within(opBlock, func(enough int) {
		r.within(opLoop, func(again int) {
			r.get(r.rest)
			if r.stop != 0 {
				r.get(r.stop)
				r.emit(sub32)
			}
			r.number(i32, int64(n))
			r.emit(ltu32)
			r.branch(opBrIf, enough)
			r.scope(func() {
				loaded := make([]map[ir.Expr]value, n)
				for k := n - 1; k >= 0 && n > 1; k-- { // the highest address first: it alone is compared with the end of memory
					loaded[k] = map[ir.Expr]value{}
					for i, f := range r.reads {
						r.get(r.moving[i].at)
						r.load(f.call.Type(), k*r.moving[i].by)
						loaded[k][f.call] = r.take(f.call.Type())
					}
				}
				if n > 1 && !r.held && r.targets != nil {
					r.get(r.targets[0].at) // compares the last place that is written with the end of memory
					r.load(r.s.buffer.Types[0], (n-1)*r.targets[0].by)
					r.take(r.s.buffer.Types[0])
				}
				for k := range n {
					r.k = k
					r.scope(func() {
						for i, f := range r.reads {
							if x, ok := loaded[k][f.call]; ok {
								r.keep(f.call, x)
								continue
							}
							r.get(r.moving[i].at)
							r.load(f.call.Type(), 0)
							r.keep(f.call, r.take(f.call.Type()))
						}
						r.step()
					})
				}
			})
			r.get(r.rest)
			r.number(i32, int64(n))
			r.emit(sub32)
			r.with(opSet, r.rest)
			for _, p := range append(slices.Clone(r.moving), r.targets...) {
				r.move(p, n)
			}
			r.branch(opBr, again)
		})
	})
}

// step writes an iteration.
func (r *row) step() {
	s := r.s
	for call, lag := range s.lags {
		if x, ok := r.past[lagged{call.Index(), lag}]; ok {
			r.keep(call, x)
		}
	}
	r.within(opBlock, func(skip int) {
		if r.choose {
			r.choice()
			return
		}
		for _, c := range s.where {
			r.failIf(c)
			r.push(r.term(c))
			r.emit(eqz32)
			r.branch(opBrIf, skip)
		}
		targets := r.targets
		if targets == nil {
			targets = r.place()
		}
		if !r.held && (s.ends != nil || slices.ContainsFunc(s.values, func(e ir.Expr) bool { return e.States() != 0 })) {
			r.state = r.loadAt(moved(targets, r.k))
			r.unlessEnded(skip)
		}
		for _, v := range s.values {
			r.failIf(v)
		}
		values := r.terms(s.values)
		if r.held {
			r.assign(r.state, values)
		} else {
			r.storeAt(moved(targets, r.k), values)
		}
		r.recall(values)
		if s.counter != "" {
			r.push(r.count)
			r.number(i32, 1)
			r.emit(add32)
			r.with(opSet, r.count.local)
		}
		if s.ends != nil && len(s.loops)-1 >= s.over {
			r.endedBy(values)
			r.with(opTee, r.ended)
			r.branch(opBrIf, r.end)
		}
	})
	if !r.held {
		r.state = nil
	}
}

// moved are pointers k iterations on.
func moved(ps []pointer, k int) (out []pointer) {
	for _, p := range ps {
		p.behind = k * p.by
		out = append(out, p)
	}
	return out
}

// choice gives the state the values where all conditions hold.
func (r *row) choice() {
	values := r.terms(r.s.values)
	for i, c := range r.s.where {
		if r.push(r.term(c)); i > 0 {
			r.emit(and32)
		}
	}
	holds := r.take(ir.Bool)
	for i, v := range values {
		r.push(v, r.state[i], holds)
		r.emit(opSelect)
	}
	for _, x := range slices.Backward(r.state) {
		r.with(opSet, x.local)
	}
}

// assign gives locals new values at the same time.
func (w *writer) assign(to, from []value) {
	w.push(from...)
	for _, v := range slices.Backward(to) {
		w.with(opSet, v.local)
	}
}

// failIf leaves the function where an expression reads outside of an array.
func (w *writer) failIf(e ir.Expr) {
	if w.mayFail(e) {
		w.push(w.bad(e))
		w.within(opIf, func(int) { w.fail() })
	}
}

func (w *writer) anyFails(lists ...[]ir.Expr) bool {
	return slices.ContainsFunc(slices.Concat(lists...), w.mayFail)
}

// operations counts the operations of a step, up to a limit.
func (w *writer) operations(limit int) (n int) {
	ir.Walk(slices.Concat(w.s.where, w.s.values), func(e ir.Expr) {
		switch {
		case e.NumArgs() == 0 || access.IsRead(e):
		case instruction(e.Op(), e.Arg(0).Type()) != 0 || e.Op() == ir.Select:
			n++
		default:
			n += 4
		}
	})
	return min(n, limit)
}

// atOnce reports whether several iterations are written at once: no load of a later one may come before a store of an earlier one to the same place.
func (r *row) atOnce() bool {
	for _, p := range append(slices.Clone(r.moving), r.targets...) {
		if !p.literal || p.by < 0 {
			return false
		}
	}
	return (!r.s.own || r.past != nil) && r.operations(mostAtOnce) < mostAtOnce
}

// loadAt loads the components of an element.
func (w *writer) loadAt(at []pointer) (out []value) {
	for c, t := range w.s.buffer.Types {
		w.get(at[c].at)
		w.load(t, at[c].behind)
		out = append(out, w.take(t))
	}
	return out
}

// storeAt stores the components of an element.
func (w *writer) storeAt(at []pointer, values []value) {
	for c, t := range w.s.buffer.Types {
		w.get(at[c].at)
		w.push(values[c])
		w.store(t, at[c].behind)
	}
}

// remember loads the elements that the stage wrote in the steps before the row.
func (r *row) remember() {
	r.past = map[lagged]value{}
	most := map[int]int{}
	for call, lag := range r.s.lags {
		most[call.Index()] = max(most[call.Index()], lag)
	}
	for c, t := range r.s.buffer.Types {
		for lag := 1; lag <= most[c]; lag++ {
			r.get(r.targets[c].at)
			if p := r.targets[c]; p.literal {
				r.number(i32, int64(lag*p.by))
			} else {
				r.get(p.step)
				r.number(i32, int64(lag))
				r.emit(mul32)
			}
			r.emit(sub32)
			r.load(t, 0)
			r.past[lagged{c, lag}] = r.take(t)
		}
	}
}

// recall moves the elements of earlier steps on by one, before the values of this one.
func (r *row) recall(values []value) {
	var to, from []value
	for c := range r.s.buffer.Types {
		for lag := 1; ; lag++ {
			x, ok := r.past[lagged{c, lag}]
			if !ok {
				break
			}
			if to = append(to, x); lag == 1 {
				from = append(from, values[c])
			} else {
				from = append(from, r.past[lagged{c, lag - 1}])
			}
		}
	}
	r.assign(to, from)
}

// unlessEnded leaves to a label where the element is in the state from which on nothing changes.
func (r *row) unlessEnded(label int) {
	if r.s.ends == nil {
		return
	}
	r.endedBy(r.state)
	if r.held {
		r.with(opTee, r.ended)
	}
	r.branch(opBrIf, label)
}

// endedBy puts on the stack whether values are of that state.
func (w *writer) endedBy(values []value) {
	w.push(values[w.s.ends.Component])
	if !w.s.ends.Value {
		w.emit(eqz32)
	}
}
