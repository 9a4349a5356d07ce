package wasm

import (
	"encoding/binary"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Stage is what functions are written of. Writing them adds no term to a pool, so that several may be written at once.
type Stage struct {
	Weight  int // of a step: 1 for one of few operations, n for one that takes n times as long
	loops   []plan.Loop
	vars    []ir.Expr
	where   []ir.Expr
	index   []ir.Expr
	values  []ir.Expr
	buffer  *plan.Buffer
	ends    *plan.Ends
	over    int                  // from this loop on, all iterations update one element, which may end
	counter string               // the buffer that counts places; "" for none
	target  form                 // of the element, by the innermost loop
	reads   []form               // of reads of which all coordinates are affine in it
	lags    map[ir.Expr]int      // how many steps of it ago the elements were written that the stage reads of its own; nil where one was not
	inside  map[place]bool       // coordinates that their values alone keep inside
	mins    map[string][]ir.Expr // the least coordinates of buffers; those of inputs are 0
	zero    ir.Expr
	still   []ir.Expr    // reads of one element for a whole row
	parts   []folds.Part // what each component is a fold of; nil where one is none
	changes ir.Expr      // the condition under which a step changes something; the zero Expr where it may always
	regroup bool         // sums of floats may be regrouped
	own     bool         // the stage reads its own buffer, at other places or the same
}

// place is a coordinate of an array.
type place struct {
	array string
	dim   int
	index ir.Expr
}

// form is where an access lies, by the variable of the innermost loop.
type form struct {
	call ir.Expr // the zero Expr for the element that is updated
	dims []access.Coordinate
}

// mostLag is how many steps ago an element may have been written that is kept in a local.
const mostLag = 4

// mostOperations bounds the operations of a step: a function is written twice, and compiled in a time that grows faster than its text.
const mostOperations = 2000

// weigh counts the operations of a step, and reports whether they are few enough.
func (s *Stage) weigh() bool {
	n, calls := 0, 0
	ir.Walk(slices.Concat(s.where, s.index, s.values), func(e ir.Expr) {
		if n++; e.NumArgs() > 0 && !access.IsRead(e) && e.Op() != ir.Select && e.Op() != ir.Cast && instruction(e.Op(), e.Arg(0).Type()) == 0 && operations[e.Op()] == nil {
			calls++
		}
	})
	s.Weight = 1 + (n+calling*calls)/light
	return n <= mostOperations
}

// A call of the host takes as long as so many operations; so few are light.
const (
	calling = 128
	light   = 16
)

// New prepares a stage, whose loops are those of a nest. It is nil where no function is written: where how far a loop runs depends on data, and where a step
// has too many operations.
func New(p *plan.Plan, n *loopnest.Nest) *Stage {
	s := &Stage{loops: n.Loops, vars: loopnest.VarsOfLoops(n.Loops), where: n.Where, index: n.Index, values: n.Values, buffer: n.Buffer, ends: n.Ends, inside: map[place]bool{}, mins: map[string][]ir.Expr{}, zero: p.Program.Pool.Int(ir.I32, 0)}
	if n.Places != nil {
		s.counter = n.Places.Counter.Name
	}
	for _, l := range s.loops {
		if l.Span.Min.Type() != ir.I32 || l.Span.Extent.Type() != ir.I32 || access.AnyRead(l.Span.Min, l.Span.Extent) {
			return nil
		}
	}
	if len(s.loops) == 0 || len(s.values) == 0 || !s.weigh() {
		return nil
	}
	for s.over = len(s.loops); s.over > 0 && n.EndsOver(s.loops[s.over-1:], s.index); {
		s.over--
	}
	inner := s.vars[len(s.vars)-1:]
	s.target = form{dims: access.Coordinates(s.index, inner)}
	lags, all := map[ir.Expr]int{}, true
	for _, r := range n.Reads() {
		f := form{r.Call, access.Coordinates(access.Operands(r.Call), inner)}
		if f.affine() && r.Array != s.counter {
			s.reads = append(s.reads, f)
		}
		if r.Array != s.buffer.Name {
			continue
		}
		s.own = true
		lag := s.lag(f)
		if lags[r.Call] = lag; lag < 1 || lag > mostLag {
			all = false
		}
	}
	if all && s.own {
		s.lags = lags
	}
	for _, f := range s.reads {
		if f.still() && f.call.Name() != s.buffer.Name {
			s.still = append(s.still, f.call)
		}
	}
	if s.target.still() && !s.own {
		s.parts, s.changes, s.regroup = partsOf(s.where, s.values), s.changesOf(), loopnest.Regroups(p, n)
	}
	for _, a := range n.Accesses() {
		for d, c := range a.Dims {
			if isInt32(c.Index.Type()) && loopnest.InRange(p, n, a.Array, d, c.Index) {
				s.inside[place{a.Array, d, c.Index}] = true
			}
		}
	}
	for _, b := range p.Buffers {
		for _, d := range b.Dims {
			s.mins[b.Name] = append(s.mins[b.Name], d.Min)
		}
	}
	return s
}

// isInt32 reports whether all numbers of a type are some of 32 bits with a sign.
func isInt32(t ir.Type) bool { return t == ir.I32 || narrow(t) }

func (s *Stage) inRange(array string, d int, index ir.Expr) bool {
	return s.inside[place{array, d, index}]
}

// least is the least coordinate of a dimension.
func (s *Stage) least(array string, d int) ir.Expr {
	if mins := s.mins[array]; d < len(mins) {
		return mins[d]
	}
	return s.zero
}

// affine reports whether bounds of the coordinates say all of where an access lies. In other types than I32 sums may wrap at other places.
func (f *form) affine() bool {
	return !slices.ContainsFunc(f.dims, func(c access.Coordinate) bool { return !c.Affine || c.Index.Type() != ir.I32 })
}

// still reports whether an access is one element wherever the innermost loop is.
func (f *form) still() bool {
	return f.affine() && !slices.ContainsFunc(f.dims, func(c access.Coordinate) bool { return !c.Coef[0].IsConst(0) })
}

// lag is how many steps ago a read was the element that the stage updates; 0 where that is not known.
func (s *Stage) lag(f form) (lag int) {
	if !f.affine() || !s.target.affine() {
		return 0
	}
	for d, c := range f.dims {
		t := s.target.dims[d]
		if c.Coef[0] != t.Coef[0] || t.Coef[0].Op() != ir.Const {
			return 0
		}
		apart := loopnest.SumOf(t.Rest).Plus(loopnest.SumOf(c.Rest), -1)
		if len(apart.Atoms) > 0 {
			return 0
		}
		switch k := t.Coef[0].Int(); {
		case k == 0 && apart.K == 0:
		case k == 0 || apart.K%k != 0 || lag != 0 && lag != int(apart.K/k):
			return 0
		default:
			lag = int(apart.K / k)
		}
	}
	return lag
}

// Slot is what a frame has at a place, eight bytes for each, as values are carried: the loops' variables come first.
type Slot struct {
	What      What
	Expr      ir.Expr // of Scalar: a variable of a loop, a parameter or an extent
	Array     string
	Component int // of Base
	Dim       int
}

// What tells the slots apart: one has the value of an expression, or a number of an array, which is the address of a component, the extent of a dimension, or
// how many elements a step along it passes.
type What uint8

// See What.
const (
	Scalar What = iota
	Base
	Extent
	Stride
)

// Code is a function that runs one loop of a stage, and those inside of it.
//
// Its parameters are the address of a frame, and the first and the last iteration. It returns Done, Ended, where the element has ended that all
// iterations update, or Failed, where an iteration reads or writes outside of an array: the variables in the frame say which one, and that one has changed nothing.
type Code struct {
	Module []byte
	Slots  []Slot
}

// A function returns one of these.
const (
	Done = iota
	Ended
	Failed
)

// The function's parameters.
const (
	frame = iota
	first
	last
)

// writer writes a function.
type writer struct {
	function
	s        *Stage
	vectors  bool
	prologue function
	slots    []Slot
	slotOf   map[Slot]value
	vars     map[ir.Expr]value // of loops
	ended    uint32            // whether the element has, where that is asked
	count    value             // the counter of places
	opened   int               // blocks

	// Of what has been computed in the scopes around the place where code is written.
	known, faulty, outside map[ir.Expr]value
	trail                  []ir.Expr

	// Of the row that is written.
	row      *row
	fails    map[ir.Expr]bool
	pointers map[ir.Expr]pointer // of reads that were compared before the row
	state    []value             // of the element: what the step begins with
	element  []pointer
	held     bool // states stay in locals while the row runs
}

// Write writes the function that runs the loop at a depth, with vectors or without.
func (s *Stage) Write(depth int, vectors bool) *Code {
	w := &writer{s: s, vectors: vectors, slotOf: map[Slot]value{}, vars: map[ir.Expr]value{}, known: map[ir.Expr]value{}, faulty: map[ir.Expr]value{}, outside: map[ir.Expr]value{}}
	w.locals, w.params = []byte{i32, i32, i32}, 3
	for _, v := range s.vars {
		w.slots = append(w.slots, Slot{What: Scalar, Expr: v})
	}
	w.ended = w.local(i32)
	if s.counter != "" {
		w.count = value{w.local(i32), ir.I32}
		w.get(w.slot(Slot{What: Base, Array: s.counter}).local)
		w.load(ir.I32, 0)
		w.with(opSet, w.count.local)
	}
	w.loop(depth, first, last)
	w.leave(func() { w.get(w.ended) })
	w.code = append(w.prologue.code, w.code...)
	return &Code{Module: w.module(), Slots: w.slots}
}

// leave writes back what locals hold for the whole function, and what it returns.
func (w *writer) leave(status func()) {
	if w.s.counter != "" {
		w.get(w.slot(Slot{What: Base, Array: w.s.counter}).local)
		w.push(w.count)
		w.store(ir.I32, 0)
	}
	status()
}

// slot is a number of the frame, which the prologue loads.
func (w *writer) slot(s Slot) value {
	if v, ok := w.slotOf[s]; ok {
		return v
	}
	at, t := len(w.slots), ir.I32
	if s.What == Scalar {
		t = s.Expr.Type()
		if i := slices.Index(w.s.vars, s.Expr); i >= 0 {
			at = i
		}
	}
	if at == len(w.slots) {
		w.slots = append(w.slots, s)
	}
	v := value{w.local(machineType(t)), t}
	p := &w.prologue
	p.get(frame)
	p.emit(map[byte]byte{i32: 0x28, i64: 0x29, f32: 0x2a, f64: 0x2b}[machineType(t)], 0)
	p.code = binary.AppendUvarint(p.code, uint64(8*at))
	p.with(opSet, v.local)
	w.slotOf[s] = v
	return v
}

func (w *writer) keep(e ir.Expr, v value)    { w.known[e] = v; w.trail = append(w.trail, e) }
func (w *writer) keepBad(e ir.Expr, v value) { w.faulty[e] = v; w.trail = append(w.trail, e) }

// scope forgets behind it what was computed in it.
func (w *writer) scope(body func()) {
	n := len(w.trail)
	body()
	for _, e := range w.trail[n:] {
		delete(w.known, e)
		delete(w.faulty, e)
		delete(w.outside, e)
	}
	w.trail = w.trail[:n]
}

// within writes a block, a loop or a condition; the body is given its label.
func (w *writer) within(kind byte, body func(label int)) {
	w.emit(kind, noResult)
	w.opened++
	body(w.opened)
	w.opened--
	w.emit(opEnd)
}

// branch leaves a block, or begins a loop again.
func (w *writer) branch(code byte, label int) { w.with(code, uint32(w.opened-label)) }

// loop writes a loop from iteration lo to hi, which are locals, and all that is inside of it.
func (w *writer) loop(d int, lo, hi uint32) {
	s := w.s
	w.hoist(d)
	w.scope(func() {
		if d == len(s.loops)-1 {
			w.innermost(lo, hi)
			return
		}
		v := value{w.local(i32), ir.I32}
		w.vars[s.vars[d]] = v
		w.within(opBlock, func(exit int) {
			w.get(lo, hi)
			w.emit(0x4a) // lo > hi
			w.branch(opBrIf, exit)
			w.get(lo)
			w.with(opSet, v.local)
			w.within(opLoop, func(again int) {
				w.scope(func() {
					min, extent := w.term(s.loops[d+1].Span.Min), w.term(s.loops[d+1].Span.Extent)
					end := w.local(i32)
					w.within(opBlock, func(none int) {
						w.push(extent)
						w.number(i32, 0)
						w.emit(0x4c) // extent <= 0
						w.branch(opBrIf, none)
						w.push(min, extent)
						w.emit(add32)
						w.number(i32, 1)
						w.emit(sub32)
						w.with(opTee, end)
						w.push(min)
						w.emit(lts32) // more than coordinates count
						w.within(opIf, func(int) { w.fail() })
						w.loop(d+1, min.local, end)
					})
				})
				if s.ends != nil {
					w.get(w.ended)
					if d >= s.over {
						w.branch(opBrIf, exit)
					} else {
						w.within(opIf, func(int) { w.number(i32, 0); w.with(opSet, w.ended) })
					}
				}
				w.push(v)
				w.get(hi)
				w.emit(eq32)
				w.branch(opBrIf, exit)
				w.push(v)
				w.number(i32, 1)
				w.emit(add32)
				w.with(opSet, v.local)
				w.branch(opBr, again)
			})
		})
		delete(w.vars, s.vars[d])
	})
}

// fail returns, with the variables of the iteration in the frame.
func (w *writer) fail() {
	keep := func(i int, put func()) {
		w.get(frame)
		put()
		w.emit(extendS, 0x37, 0)
		w.code = binary.AppendUvarint(w.code, uint64(8*i))
	}
	for i, e := range w.s.vars {
		if v, ok := w.vars[e]; ok {
			keep(i, func() { w.push(v) })
		}
	}
	if w.row != nil {
		keep(len(w.s.vars)-1, w.row.coordinate)
	}
	if w.held {
		w.storeAt(w.element, w.state)
	}
	w.leave(func() { w.number(i32, Failed) })
	w.emit(opReturn)
}

// hoist computes what does not change in a loop ahead of it: what depends neither on its variable and those inside of it nor on data.
func (w *writer) hoist(d int) {
	s := w.s
	done := map[ir.Expr]bool{}
	changes := map[ir.Expr]bool{}
	var varies func(e ir.Expr) bool
	varies = func(e ir.Expr) bool {
		v, ok := changes[e]
		if !ok {
			v = access.IsRead(e) || e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf || slices.Contains(s.vars[d:], e))
			for i := range e.NumArgs() {
				v = v || varies(e.Arg(i))
			}
			changes[e] = v
		}
		return v
	}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if done[e] {
			return
		}
		done[e] = true
		if !varies(e) {
			if e.NumArgs() > 0 {
				w.term(e)
			}
			return
		}
		for i := range e.NumArgs() {
			visit(e.Arg(i))
		}
	}
	for _, es := range [][]ir.Expr{s.where, s.index, s.values, loopnest.SpansOf(s.loops[min(d+1, len(s.loops)):])} {
		for _, e := range es {
			visit(e)
		}
	}
	for _, f := range append(slices.Clone(s.reads), s.target) {
		for _, c := range f.dims {
			if f.affine() {
				visit(c.Coef[0])
				visit(c.Rest)
			}
		}
	}
}
