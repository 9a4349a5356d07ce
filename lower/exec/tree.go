package exec

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
)

// tree reduces a row by an operator that is neither fold nor search, or composes the steps of a lift.
//
//	2×2 matrices   →   512 partial products side by side, then 256 products of neighbours, …
//
// It applies the stage's operator ⊕ where its components are neither folds nor
// searches: lanes begin with inject of an element each, are updated side by side with the
// elements that follow, and neighbours are combined in pairs until one is left. ⊕ is
// associative as the plan relies on it, under the same assumptions; where it commutes as
// well, lanes take turns, otherwise each has a contiguous segment, short enough that all segments lie in a near
// cache. Their elements come through tiles.
//
// Steps of a lift begin with the step that changes nothing. Each lane composes those of its segment, which is a
// slice of the loop like any other, so that its parameters are as safe as those of the plan's slices.
type tree struct {
	row        *rowCode
	components []int // that it reduces
	needed     []int // these, and those whose partial results they need: folds that are also reduced elsewhere
	commutes   bool

	inject, update, merge *code
	kinds                 []kernel.Kind
	identity              []uint64 // the step of a lift that changes nothing, where there is one
	states                []any    // of the lanes, by component of the stage; nil for others
	others                []any    // right operands of ⊕
	first, next, both     []any    // what the three codes give, in memory of their own; first is nil where lanes begin with the identity
	last                  []func() uint64
	zero                  int
	end                   int     // of the row
	tabled                *tabled // looks steps up; nil where these are computed
	powers                *powers // of linear steps; nil for others
	narrow                *narrow // has lanes of half the width for a segment; nil where its parameters may not fit
}

// newTree is nil where a row is not reduced so.
func (r *rowCode) newTree(components []int) *tree {
	n := r.w.nest
	s := n.Stage
	if n.Answer == nil || len(s.Operator) == 0 || !n.Composes() && !n.Regroups() ||
		n.Answer.Assumes&(ir.NSW|ir.NUW) != 0 && !s.Buffer.Wide { // lanes hold results that the serial loop does not
		return nil
	}
	first, next := s.Inject, s.Values
	switch {
	case r.mask != nil && (n.Seen() || !n.Composes()):
		return nil
	case r.mask != nil:
		next = n.Masked
	case n.Seen():
		var ok bool
		if first, next, ok = n.Peeled(); !ok {
			return nil
		}
		components = slices.DeleteFunc(slices.Clone(components), func(c int) bool { return c == len(next) })
	}
	if len(s.Operator) != len(next) {
		return nil
	}
	for _, c := range components {
		for i := range s.Operator {
			if s.Operator[c].States()>>i&1 != 0 && !slices.Contains(components, i) {
				return nil
			}
		}
	}
	t := &tree{row: r, components: components, needed: n.NeededBy(components), identity: n.Identity}
	t.commutes = !n.Composes() && n.Answer.Operator.Commutative
	t.inject, t.update, t.merge = newCode(r.w), newCode(r.w), newCode(r.w)
	for _, c := range []*code{t.inject, t.update, t.merge} {
		c.block = min(c.block, prepare.MaxTreeLanes)
	}
	t.inject.tiled, t.update.tiled = !t.commutes, !t.commutes
	t.states, t.others = make([]any, len(next)), make([]any, len(next))
	for i, v := range next {
		z := kernel.Of(v.Type())
		t.kinds = append(t.kinds, z)
		t.states[i], t.others[i] = z.Register(t.merge.block), z.Register(t.merge.block)
		x, y := n.X[i], n.Y[i]
		t.update.regs[x], t.merge.regs[x], t.merge.regs[y] = t.states[i], t.states[i], t.others[i]
	}
	if !n.Composes() || n.Seen() {
		t.first = t.outputs(t.inject, first)
	}
	t.next = t.outputs(t.update, next)
	t.both = t.outputs(t.merge, s.Operator)
	t.last = t.compileLast()
	t.tabled = t.newTabled()
	t.powers, t.narrow = t.newPowers(), t.newNarrow()
	for _, c := range []*code{t.inject, t.update, t.merge} {
		if c.indexed {
			return nil
		}
		r.cursors = append(r.cursors, c.cursors...)
	}
	return t
}

// outputs are the registers of the components. All ys are needed, of whichever component.
// Each has memory of its own, which is to become that of the state.
func (t *tree) outputs(c *code, es []ir.Expr) []any {
	needed := t.needed
	if c == t.inject {
		needed = nil
		for i := range es {
			needed = append(needed, i)
		}
	}
	return c.outputs(t.states, needed, es)
}

// outputs are those of some components, whose states lie in registers; nil for others.
func (c *code) outputs(states []any, components []int, es []ir.Expr) []any {
	out := make([]any, len(es))
	for i, e := range es {
		if !slices.Contains(components, i) {
			continue
		}
		reg := c.value(e)
		if reg != states[i] && (!c.own[reg] || slices.Contains(out, reg)) {
			z, from := kernel.Of(e.Type()), reg
			reg = z.Register(c.block)
			c.steps = append(c.steps, func(k, n int) { z.Move(reg, from, n) })
		}
		out[i] = reg
	}
	return out
}

// compileLast is ⊕ of the element and lane 0.
func (t *tree) compileLast() []func() uint64 {
	w := t.row.w
	s := scalar.NewScalars(&w.run.Names)
	s.Slots = w.Slots
	for i, z := range t.kinds {
		s.Memo[w.nest.Y[i]] = z.At(t.states[i], &t.zero)
	}
	var out []func() uint64
	for _, c := range t.components {
		f := s.Compile(w.nest.Stage.Operator[c])
		out = append(out, func() uint64 {
			s.Point++
			return f()
		})
	}
	return out
}

// run reduces as much of [lo, hi) as fills the lanes evenly, and answers how far it came.
func (t *tree) run(lo, hi int) int {
	t.end = hi
	if t.tabled != nil && t.tabled.at.Stride == 1 {
		if lo = t.lookUp(lo, hi); len(t.tabled.Steady) == 0 {
			return lo
		}
	}
	if t.commutes {
		return t.block(lo, hi, (hi-lo)/4, hi-lo)
	}
	if t.powers != nil {
		lo = t.powers.run(t, lo, hi)
	}
	t.fetch(lo, prepare.MaxTreeLanes*prepare.MaxSegment)
	for {
		k := t.block(lo, hi, (hi-lo)/tileRows, prepare.MaxSegment)
		if k == lo {
			return k
		}
		lo = k
	}
}

// block reduces the beginning of [lo, hi) by so many lanes at most, each of so many elements.
func (t *tree) block(lo, hi, lanes, most int) int {
	r := t.row
	if lanes = min(lanes, r.block, prepare.MaxTreeLanes); lanes < 2 {
		return lo
	}
	lanes = 1 << (bits.Len(uint(lanes)) - 1)
	each := min((hi-lo)/lanes, most)
	if !r.begun(lanes, t.codes()...) {
		return lo
	}
	if !t.elements(lo, lanes, each) {
		return lo
	}
	for n := lanes / 2; n > 0; n /= 2 {
		for i, s := range t.states {
			t.kinds[i].Pairs(s, t.others[i], n)
		}
		t.merge.compute(0, n, n, 0)
		t.keep(t.both)
	}
	t.finish()
	return lo + lanes*each
}

// codes lists what a block computes.
func (t *tree) codes() []*code {
	out := []*code{t.inject, t.update, t.merge}
	if t.narrow != nil {
		out = append(out, t.narrow.first, t.narrow.update)
	}
	return out
}

// begun prepares codes for as many lanes; it is false where what is the same at all points cannot be computed, which a scan finds again.
func (r *rowCode) begun(lanes int, codes ...*code) bool {
	for _, c := range codes {
		c.start, c.extent = r.start, max(r.extent, lanes)
		for _, f := range c.begin {
			f()
		}
	}
	return r.w.TakeError() == nil
}

// elements updates each lane with its elements, unless the context ends.
func (t *tree) elements(lo, lanes, each int) bool {
	ctx := t.row.w.run.ctx
	if t.commutes {
		t.turn(t.inject, lo, 0, lanes, each)
		t.keep(t.first)
		for i := 1; i < each && ctx.Err() == nil; i++ {
			t.turn(t.update, lo, i, lanes, each)
			t.keep(t.next)
		}
		return ctx.Err() == nil
	}
	i := 0
	switch {
	case t.narrow != nil:
		return t.narrow.elements(t, lo, lanes, each)
	case t.first != nil:
		t.rows(t.inject, lo, i, 1, lanes, each, func() { t.keep(t.first) })
		i++
	default:
		for i, s := range t.states {
			t.kinds[i].Fill(s, t.identity[i], lanes)
		}
	}
	for ; i < each && ctx.Err() == nil; i += tileRows {
		n := min(tileRows, each-i)
		t.fetch(lo+(each+i)*lanes, n*lanes) // of the next block
		t.rows(t.update, lo, i, n, lanes, each, func() { t.keep(t.next) })
	}
	return ctx.Err() == nil
}

// fetch asks for n points from k on: segments are too many for the processor to do so.
func (t *tree) fetch(k, n int) {
	if n = min(n, t.end-k); n > 0 {
		for _, f := range t.update.ahead {
			f(k, n)
		}
	}
}

// rows runs a code on n elements of each lane, from the i-th on; keep is called behind each of them.
func (t *tree) rows(c *code, lo, i, n, lanes, each int, keep func()) {
	before := 0 // elements that make a whole tile, which takes less time
	if n > tileRows/2 && i >= tileRows-n {
		before = tileRows - n
	}
	for _, tile := range c.tiles {
		tile.Fill(lo+i-before, before+n, lanes, each)
	}
	start := c.start
	c.by = each
	for j := range n {
		for _, tile := range c.tiles {
			tile.Row(before+j, lanes)
		}
		c.start = start + lo + i + j
		c.compute(0, lanes, lanes, 0)
		keep()
	}
	c.start, c.by = start, 1
}

// turn runs a code on the i-th element of each lane.
func (t *tree) turn(c *code, lo, i, lanes, each int) { c.compute(lo+i*lanes, lanes, lo+each*lanes, 0) }

// keep makes results the states of the lanes.
func (t *tree) keep(results []any) { become(t.kinds, t.states, results) }

// become makes results the contents of other registers.
func become(kinds []kernel.Kind, states, results []any) {
	for i, reg := range results {
		if reg != nil && reg != states[i] {
			kinds[i].Swap(states[i], reg)
		}
	}
}

// finish combines the element with the only lane left.
func (t *tree) finish() {
	w := t.row.w
	at := t.row.target.Offset
	for _, c := range t.components {
		*w.states[c] = w.old[c](at)
	}
	fresh := make([]uint64, len(t.last))
	for i, f := range t.last {
		fresh[i] = f()
	}
	for i, c := range t.components {
		w.set[c](at, fresh[i])
	}
}
