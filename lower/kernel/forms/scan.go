package forms

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Steps is what a scan does with elements, whose steps have parameters that compose, in expressions of a serial kernel.
//
//	f(r) = f(r - 1) + in(r)          →   y0 of in(r); x0 + y0; x0 + y0
//	f(r) = f(r - 1)*a(r) + in(r)     →   y0, y1 of a(r), in(r); x0*y0, x1*y0 + y1; x0*y0 + y1
type Steps struct {
	Inject  []ir.Expr // the parameters of an element's step
	Combine []ir.Expr // those of two steps, over ir.State and ir.Leaf
	Apply   []ir.Expr // the state behind steps, over ir.State, the one before them, and ir.Leaf
	Keep    int       // the component that is written behind each element
	Block   int       // elements that a fixed tree composes; 0 where steps are composed in any order
	Finite  bool      // of a tree: whether parameters are finite is looked at besides states
}

// Serial is the kernel of the steps over what another one reads: a tree, or the loop that computes the values to.
func (s *Steps) Serial(k *kernel.Kernel, to []ir.Expr) *kernel.Kernel {
	out := *k
	out.State, out.Outputs = nil, []ir.Type{s.Apply[s.Keep].Type()}
	for _, e := range s.Apply {
		out.State = append(out.State, e.Type())
	}
	out.Body = []kernel.Node{kernel.Each{To: to, Put: []int{s.Keep}}}
	if s.Block > 0 {
		for range len(s.Inject) + 1 {
			out.State = append(out.State, out.State[0])
		}
		out.State = append(out.State, ir.Bool)
		out.Body = []kernel.Node{kernel.Tree{Block: s.Block, Inject: s.Inject, Combine: s.Combine, Apply: s.Apply, Keep: s.Keep, Finite: s.Finite}}
	}
	return &out
}

// scanner makes the lanes of steps.
type scanner struct {
	*Steps
	t                      ir.Type // of lanes
	inject, combine, apply []*kernel.Value
	out                    *kernel.Kernel
	fill                   []*kernel.Value // what combines with parameters to themselves, bit for bit; nil where that is not known
	start                  []*kernel.Value // of each accumulator
	loop                   kernel.Loop
	first, behind          []kernel.Node  // what is done with the first vector, and behind the loop
	fold                   []kernel.Merge // of lanes with components
}

// ScanOf makes lanes of a serial kernel of steps, each of which takes those below it, and all take the state before them. It is nil, and says why,
// where lanes do not compute the steps.
func ScanOf(k *kernel.Kernel, s *Steps) (*kernel.Kernel, string) {
	values := slices.Concat(s.Inject, s.Combine, s.Apply)
	t := s.Apply[0].Type()
	for _, v := range values {
		if v.Type() != t || !kernel.HasVectors(t) {
			return nil, "its parameters are no numbers of one type with lanes"
		}
	}
	if loopnest.Operations(values) > mostOperations/4 { // as a tree has some four levels
		return nil, "steps take too many operations for lanes that compose them"
	}
	lanes, lacks := scanned(k, values)
	if lacks != "" {
		return nil, lacks
	}
	m, b := len(s.Inject), &scanner{Steps: s, t: t, out: k.NewKernel()}
	b.inject, b.combine, b.apply = lanes[:m], lanes[m:2*m], lanes[2*m:]
	b.out.Outputs, b.out.Bits = k.Outputs, kernel.Archsimd.Bits
	b.loop = kernel.Loop{Vectors: 2, Copies: 1, Parts: 1, Leaves: true}
	if s.Block > 0 {
		b.loop.Block = max(s.Block/b.lanes(), 1)
	}
	if m > 2 || m > 1 && b.inject[0].Varies() {
		b.loop.Vectors = max(b.loop.Block, 1)
	}
	b.fill = b.neutral()
	op, plain := b.operation(0)
	plain = plain && m == 1 && s.Apply[0] == s.Combine[0]
	switch {
	case s.Block > 0:
		b.tree()
	case plain && t == ir.F32 && (op == ir.Min || op == ir.Max):
		b.extremes(op)
	case plain && t.IsInt() && t.Bits() >= 32:
		b.windows(op)
	default:
		b.carried()
	}
	b.out.Least = max(4, 2*s.Block/b.lanes())
	out := b.out.Share()
	if _, lacks := out.Shape(kernel.Archsimd); lacks != "" {
		return nil, lacks
	}
	return out, ""
}

// Pays reports whether a scan in lanes is estimated to take less than its elements one after another, at so many cycles each.
func Pays(lanes *kernel.Kernel, plain float64) bool {
	return lanes.Cost(kernel.Archsimd) <= kernel.Alike*plain
}

// scanned makes values of expressions in lanes that hold a state, to which narrow elements are extended.
func scanned(k *kernel.Kernel, es []ir.Expr) (values []*kernel.Value, lacks string) {
	t := es[len(es)-1].Type()
	word := kernel.LaneWord(t)
	for i, of := range k.Streams {
		if of := kernel.LaneType(of); of.Bits() < word.Bits() && !kernel.Extends(of, word) && kernel.Mentions(es, kernel.Load, i) {
			return nil, differ
		}
	}
	b := k.Builder(t.Bits(), func(e ir.Expr) *kernel.Value {
		of, i, _ := kernel.Operand(e)
		if (of == kernel.State || of == kernel.Right) && e.Type() == t {
			return kernel.Leaf(of, i, t)
		}
		if of != kernel.Load || e.Type() != word || !kernel.Extends(k.Streams[i], word) {
			return nil
		}
		return kernel.Leaf(kernel.Load, i, word)
	})
	b.Truth = func(e ir.Expr) *kernel.Value { // truth values are bytes
		of, i, _ := kernel.Operand(e)
		if of != kernel.Load || !kernel.Extends(ir.U8, word) {
			return nil
		}
		return kernel.Apply(ir.Ne, kernel.Leaf(kernel.Load, i, word), kernel.Spread(word, 0))
	}
	for _, e := range es {
		e, ok := widened(e, word)
		if !ok {
			return nil, differ
		}
		v := b.Value(e)
		if v == nil {
			return nil, b.Lacks()
		}
		values = append(values, v)
	}
	return values, ""
}

func (b *scanner) lanes() int { return kernel.LanesIn(b.t) }

// operation is the one that combines parameter i with that of an earlier step, and with nothing else; false where others do.
func (b *scanner) operation(i int) (op ir.Op, ok bool) {
	e := b.Combine[i]
	if e.NumArgs() != 2 {
		return 0, false
	}
	x, y := e.Pool().X(i, e.Type()), e.Pool().Y(i, e.Type())
	return e.Op(), e.Arg(0) == x && e.Arg(1) == y || e.Arg(0) == y && e.Arg(1) == x
}

// neutral is what combines with any parameters to these: what is neutral for an operation, or else 0, where that is proven.
func (b *scanner) neutral() []*kernel.Value {
	var from, to []ir.Expr
	for i, e := range b.Combine {
		bits := uint64(0)
		if op, ok := b.operation(i); ok {
			bits = folds.NeutralValue(op, b.t)
		}
		from, to = append(from, e.Pool().X(i, b.t)), append(to, e.Pool().Const(b.t, bits))
	}
	out := make([]*kernel.Value, len(to))
	for i, e := range b.Combine {
		if others := e.States() &^ (1 << i); others == 0 && folds.Holds(0, ir.Subst(e, from, to), e.Pool().Y(i, b.t)) {
			out[i] = kernel.Spread(b.t, to[i].Value())
		}
	}
	return out
}

// combined is the parameters of two steps.
func (b *scanner) combined(left, right []*kernel.Value) []*kernel.Value {
	return kernel.With(b.combine, left, right)
}

func each(values []*kernel.Value, f func(*kernel.Value) *kernel.Value) (out []*kernel.Value) {
	for _, v := range values {
		out = append(out, f(v))
	}
	return out
}

// moved is the lanes that lanes take which are composed by so many: of floats the last one of a lower half, as a tree does, else the one below.
// What takes none has fill, or anything where that is nil.
func (b *scanner) moved(v, fill *kernel.Value, by int) *kernel.Value {
	if b.t.IsFloat() || 2*by == b.lanes() {
		return kernel.Lower(v, fill, by)
	} else if fill == nil {
		fill = v
	}
	return kernel.Up(v, fill, by)
}

// takes is the lanes that take some.
func (b *scanner) takes(by int) *kernel.Value {
	switch {
	case 2*by == b.lanes():
		return kernel.UpperHalf(b.t)
	case b.t.IsFloat():
		return kernel.Where(b.t, func(lane int) bool { return lane&by != 0 })
	}
	return kernel.Where(b.t, func(lane int) bool { return lane >= by })
}

// composed composes the steps of a vector's lanes, each with all below it.
func (b *scanner) composed(p []*kernel.Value) []*kernel.Value {
	for by := 1; by < b.lanes(); by *= 2 {
		var lower []*kernel.Value
		for i, v := range p {
			lower = append(lower, b.moved(v, b.fill[i], by))
		}
		own := p
		p = b.combined(lower, own)
		for i, v := range p {
			if j := b.scaled(i); j >= 0 {
				x := kernel.Apply(ir.Mul, b.moved(own[i], kernel.Spread(b.t, 0), by), own[j])
				p[i] = kernel.Apply(ir.Add, kernel.Signed(x, b.takes(by)), own[i])
			} else if b.fill[i] == nil && v != own[i] {
				p[i] = kernel.Chosen(v, b.takes(by), own[i])
			}
		}
	}
	return p
}

// scaled is j where floats of a tree are combined to x_i·y_j + y_i, else -1. Lanes that take nothing then add −0, the sign bit on top of 0·y_j: where y_j, a
// product itself, is not finite, products with it are not, nor are states behind them, and nobody asks for these.
func (b *scanner) scaled(i int) int {
	e := b.Combine[i]
	if b.Block == 0 || !b.t.IsFloat() || e.Op() != ir.Add {
		return -1
	}
	pool := e.Pool()
	for j := range b.Combine {
		x := ir.Make(ir.Mul, pool.X(i, b.t), pool.Y(j, b.t))
		if op, ok := b.operation(j); i != j && ok && op == ir.Mul && (e == ir.Make(ir.Add, x, pool.Y(i, b.t)) || e == ir.Make(ir.Add, pool.Y(i, b.t), x)) {
			return j
		}
	}
	return -1
}

// accumulator adds one, which begins with a value.
func (b *scanner) accumulator(comp int, start *kernel.Value) (state *kernel.Value) {
	elem, out, n := start.Type.Elem, start.Type.Elem, len(b.out.Accumulators)
	if comp != kernel.NoComp {
		out = b.out.State[comp]
	}
	b.out.Accumulators = append(b.out.Accumulators, kernel.Accumulator{Comp: comp, Elem: elem, Out: out, Copies: 1})
	b.start = append(b.start, start)
	return kernel.Leaf(kernel.State, n, elem)
}

// accumulators adds those of some components.
func (b *scanner) accumulators(from, n int) (states []*kernel.Value) {
	for i := range n {
		states = append(states, b.accumulator(from+i, kernel.SpreadComp(from+i, b.t)))
	}
	return states
}

// put is what a step writes.
func (b *scanner) put(v *kernel.Value, at int) {
	b.loop.Do = append(b.loop.Do, kernel.Put{Value: v, At: at})
}

// finish makes the body of the kernel, whose accumulators get new values in a step. The last lane of those of some components is what these become.
func (b *scanner) finish(to []*kernel.Value, last []int) {
	all := kernel.Below(len(b.start))
	b.loop.Body = []kernel.Set{{Accumulators: all, To: to}}
	stored := slices.Clone(b.fold)
	for _, i := range last {
		stored = append(stored, kernel.Merge{Accumulators: []int{i}})
	}
	if b.Block > 0 {
		b.out.Body = append(b.out.Body, kernel.Head{Elements: b.Block})
	}
	b.out.Body = append(b.out.Body, kernel.Begin{Set: kernel.Set{Accumulators: all, To: b.start}, Do: b.first}, b.loop)
	b.out.Body = append(b.out.Body, b.behind...)
	b.out.Body = append(b.out.Body, kernel.Store{Merges: stored}, kernel.Leave{}, kernel.Fold{Merges: b.fold}, kernel.Last{Accumulators: last}, kernel.Rest{})
}

// carried carries the state from vector to vector in all lanes.
func (b *scanner) carried() {
	c, p := b.accumulators(0, len(b.apply)), b.composed(b.inject)
	states := kernel.With(b.apply, c, p)
	b.put(states[b.Keep], 0)
	b.finish(b.passed(b.apply, c, p, states), kernel.Below(len(c)))
}

// passed is what a vector leaves to the next in all lanes: values of what it got and of the steps of its last lane, or the last lane of these values, of
// which the former waits less for the vector before, and the latter takes fewer operations.
func (b *scanner) passed(values, from, p, all []*kernel.Value) []*kernel.Value {
	if len(p) <= 2 {
		return kernel.With(values, from, each(p, kernel.Top))
	}
	return each(all, kernel.Top)
}

// windows combines in each lane its element with those before it, as many as a vector has, and the state behind them, which the vector of states
// before has in the same lane: nothing is moved from the last lane to all. Where elements are taken as they are, the first step loads the ones before.
//
//	out[i] = out[i-8] + (in[i-7] + … + in[i])
func (b *scanner) windows(op ir.Op) {
	id, y := kernel.Spread(b.t, folds.NeutralValue(op, b.t)), b.inject[0]
	loaded := y.Op == kernel.Load && y.Type.Elem == b.out.Streams[y.Imm] && len(b.out.Streams) == 1
	window := func(before []*kernel.Value, behind *kernel.Value) (levels []*kernel.Value) {
		v := y
		for i, by := 0, 1; by < b.lanes(); i, by = i+1, 2*by {
			levels = append(levels, v)
			if i == 0 && behind != nil {
				v = kernel.Apply(op, v, behind)
			} else {
				v = kernel.Apply(op, v, kernel.Behind(before[i], v, by))
			}
		}
		return append(levels, v)
	}
	levels := len(window(slices.Repeat([]*kernel.Value{id}, 8), nil)) - 1
	first := slices.Repeat([]*kernel.Value{id}, levels)
	var behind *kernel.Value
	sum := kernel.SpreadComp(0, b.t)
	if loaded { // the first vector has none before it
		behind, b.loop.Before = kernel.Ahead([]*kernel.Value{y}, -1)[0], 1
		first = window(first, nil)
		sum = kernel.Apply(op, sum, first[levels])
		b.first = []kernel.Node{kernel.Put{Value: sum}}
	}
	out := b.accumulator(0, sum)
	before := make([]*kernel.Value, levels)
	for i := range levels {
		if i > 0 || !loaded {
			before[i] = b.accumulator(kernel.NoComp, first[i])
		}
	}
	to := window(before, behind)
	state := kernel.Apply(op, out, to[levels])
	next := []*kernel.Value{state}
	for i := range levels {
		if before[i] != nil {
			next = append(next, to[i])
		}
	}
	b.loop.Vectors = 4
	b.put(state, 0)
	b.finish(next, []int{0})
}

// extremes scans integers of the order of floats, in which −0 is below +0. NaN is beyond all others, on the side that is kept.
func (b *scanner) extremes(op ir.Op) {
	sign := kernel.Spread(ir.I32, ir.I32.Max())
	turned := func(v *kernel.Value) *kernel.Value {
		return kernel.Apply(ir.BitXor, v, kernel.Apply(ir.BitAnd, kernel.Shifted(ir.Shr, v, 31), sign))
	}
	beyond := kernel.Spread(ir.I32, ir.I32.Min())
	if op == ir.Max {
		beyond = sign
	}
	ordered := func(v *kernel.Value) *kernel.Value {
		return kernel.Chosen(turned(kernel.SameBits(v, ir.I32)), kernel.Apply(ir.Eq, v, v), beyond)
	}
	b.t = ir.I32
	v := b.inject[0]
	b.fill = []*kernel.Value{kernel.Spread(ir.I32, folds.NeutralValue(op, ir.I32))}
	b.combine = []*kernel.Value{kernel.Apply(op, kernel.Leaf(kernel.State, 0, ir.I32), kernel.Leaf(kernel.Right, 0, ir.I32))}
	c := b.accumulator(0, ordered(kernel.SpreadComp(0, ir.F32)))
	p := b.composed([]*kernel.Value{ordered(v)})
	states := b.combined([]*kernel.Value{c}, p)
	b.put(kernel.SameBits(turned(states[0]), ir.F32), 0)
	b.behind = []kernel.Node{kernel.Flush{Into: kernel.Set{Accumulators: []int{0}, To: []*kernel.Value{turned(c)}}}}
	b.finish(b.passed(b.combine, []*kernel.Value{c}, p, states), []int{0})
}

// watch adds 0 times each value, so that one addition alone waits for the last vector's.
func watch(fine *kernel.Value, values []*kernel.Value) *kernel.Value {
	zero := kernel.Spread(fine.Type.Elem, 0)
	if len(values) == 1 {
		return kernel.FMA(values[0], zero, fine)
	}
	sum := kernel.Apply(ir.Mul, values[0], zero)
	for _, v := range values[1:] {
		sum = kernel.FMA(v, zero, sum)
	}
	return kernel.Apply(ir.Add, fine, sum)
}

// together is the sum of the accumulators from one on.
func (b *scanner) together(from int) *kernel.Value {
	sum := kernel.Leaf(kernel.State, from, b.t)
	for i := from + 1; i < len(b.start); i++ {
		sum = kernel.Apply(ir.Add, sum, kernel.Leaf(kernel.State, i, b.t))
	}
	return sum
}

// tree composes blocks of floats by a tree, and all blocks with what was composed before. The state stays as it is before all of them; 0 times what comes
// of it tells whether all is finite.
func (b *scanner) tree() {
	n, m, block := len(b.apply), len(b.inject), max(b.loop.Block, 1)
	var x []*kernel.Value
	for i := range n {
		x = append(x, kernel.SpreadComp(i, b.t))
	}
	so := b.accumulators(n, m)
	zero := kernel.Spread(b.t, 0)
	var p, all, fine []*kernel.Value
	for j := range block {
		q := b.composed(kernel.Ahead(b.inject, j*b.lanes()))
		if p != nil {
			q = b.combined(each(p, kernel.Top), q)
		}
		p, all = q, b.combined(so, q)
		states := kernel.With(b.apply, x, all)
		b.put(states[b.Keep], j*b.lanes())
		if b.Finite {
			states = append(states, all...)
		}
		comp := n + m
		if j > 0 {
			comp = kernel.NoComp
		}
		fine = append(fine, watch(b.accumulator(comp, zero), states))
	}
	if block > 1 {
		b.behind = []kernel.Node{kernel.Flush{Into: kernel.Set{Accumulators: []int{m}, To: []*kernel.Value{b.together(m)}}}}
	}
	pool := b.Apply[0].Pool()
	b.fold = []kernel.Merge{{Accumulators: []int{m}, Plain: []ir.Expr{ir.AddOf(pool.X(n+m, b.t), pool.Y(n+m, b.t))}}}
	b.finish(append(b.passed(b.combine, so, p, all), fine...), kernel.Below(m))
}
