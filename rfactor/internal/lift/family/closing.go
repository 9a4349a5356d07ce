package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// fitClosing fits steps that combine some components with an operator until an input starts a new segment, and add to others what the segment
// was when it closed, or when a count in it passed a number.
//
//	select(y1, 0, x0 + y0); x1 + select(y1 && x0 > 10, 1, 0)
//	select(y0, x0 + 1, 0); x1 + select(y0 && x0 == 2, 1, 0)
//
// A slice closes the segment before it at its first start, and closes its own segments, which are known. The cells are whether a segment
// starts, the operand up to the first start, the state after the last one, the inputs that the first closing reads, and
// what is added besides. A count passes a number at most once between two starts.
func fitClosing(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) < 2 {
		return nil
	}
	for _, c := range resets(p.Values) {
		if s := closingAt(cx, p, c); s != nil {
			return s
		}
	}
	return nil
}

// closings is a part by its roles.
type closings struct {
	cx     *lift.Context
	p      *tuple.Part
	of     []int         // components of the segment …
	op     *prove.Proven // … which this combines
	totals []total
	reads  []ir.Expr // the inputs that closings read
}

// total is a component that gathers what segments are.
type total struct {
	i      int
	op     ir.Op
	closed ir.Expr // what a start adds, over the segment's state and inputs
	above  ir.Expr // a condition on the segment's state, or the zero Expr …
	once   ir.Expr // … what the step adds that makes it hold
	at     ir.Expr // whether it holds at a start
}

// closingAt is closing with the condition that starts a segment.
func closingAt(cx *lift.Context, p *tuple.Part, c ir.Expr) *lift.Shape {
	start, ok := when(cx, p.Values, c, true)
	if !ok {
		return nil
	}
	rest, ok := when(cx, p.Values, c, false)
	if !ok {
		return nil
	}
	s := &closings{cx: cx, p: p, of: segmentOf(start, rest)}
	if len(s.of) == 0 || len(s.of) == len(p.Types) {
		return nil
	}
	var inject []ir.Expr
	s.op, inject = cx.Operator(tuple.Restrict(cx.Pool, p.Types, rest, s.of), nil)
	if s.op == nil || s.op.Side != proof.Two {
		return nil
	}
	var besides []ir.Expr
	for i := range p.Types {
		if slices.Contains(s.of, i) {
			continue
		}
		t, beside, ok := s.total(i, start, rest)
		if !ok {
			return nil
		}
		s.totals = append(s.totals, t)
		besides = append(besides, fold.Select(c, s.neutral(t), beside))
	}
	for _, t := range s.totals {
		for _, v := range lift.Varying([]ir.Expr{t.closed}) {
			if !slices.Contains(s.reads, v) {
				s.reads = append(s.reads, v)
			}
		}
	}
	first := algebra.ZipCells(s.op.Identity, inject, func(none, y ir.Expr) ir.Expr { return fold.Select(c, none, y) })
	return &lift.Shape{Name: "closing", Inject: slices.Concat([]ir.Expr{c}, first, tuple.Pick(start, s.of), s.reads, besides), Identity: s.identity(),
		Apply: s.apply, Compose: s.compose}
}

// segmentOf lists the components that a start sets to inputs and that read no others elsewhere.
func segmentOf(start, rest []ir.Expr) []int {
	var mask uint64
	for i, e := range start {
		if e.IsLeaf() {
			mask |= 1 << i
		}
	}
	for {
		smaller := mask
		for _, i := range tuple.Members(mask) {
			if rest[i].States()&^mask != 0 {
				smaller &^= 1 << i
			}
		}
		if smaller == mask {
			return tuple.Members(mask)
		}
		mask = smaller
	}
}

// total reads what a component gathers, and what a step that starts no segment adds to it. It reports false where that is no fold.
func (s *closings) total(i int, start, rest []ir.Expr) (t total, beside ir.Expr, ok bool) {
	none := ir.Expr{}
	closed, ok := s.fold(start[i], i)
	if !ok {
		return t, none, false
	}
	other, ok := s.fold(rest[i], i)
	if !ok || closed.Op != ir.Const && other.Op != ir.Const && closed.Op != other.Op {
		return t, none, false
	}
	t = total{i: i, op: closed.Op, closed: closed.Leaf}
	if t.op == ir.Const {
		t.op = other.Op
	}
	switch t.op {
	case ir.Const:
		return t, none, false
	case ir.Add, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.And, ir.Or:
	default:
		return t, none, false
	}
	if closed.Op == ir.Const {
		t.closed = s.neutral(t)
	}
	beside = other.Leaf
	if other.Op == ir.Const {
		beside = s.neutral(t)
	}
	if beside.IsLeaf() {
		return t, beside, true
	}
	if t.above, t.once = passing(beside); t.op != ir.Add || !t.above.IsValid() {
		return t, none, false
	}
	t.at = s.at(t.above, tuple.Pick(start, s.of))
	return t, s.neutral(t), len(lift.Varying([]ir.Expr{t.at})) == 0
}

// passing reads a term that adds something when a count has reached a number: it returns the condition that the count is beyond that
// number, and what is added by the step at which this becomes true.
//
//	select(x0 == 2, 1, 0)   →   x0 > 2, 1
func passing(e ir.Expr) (above, once ir.Expr) {
	if e.Op() != ir.Select || !e.Arg(1).IsInvariant() || !fold.IsNumber(e.Arg(2), 0) {
		return above, once
	}
	ir.Walk([]ir.Expr{e.Arg(0)}, func(c ir.Expr) {
		if c.Op() == ir.Eq && c.States() != 0 && c.Arg(1).IsInvariant() && !above.IsValid() {
			above, once = ir.LtOf(c.Arg(1), c.Arg(0)), e.Arg(1)
		}
	})
	return above, once
}

// passed adds what the steps between two states have added of a count that passes a number. Parameters of signed numbers may lead back.
func (s *closings) passed(t total, sum, before ir.Expr, after []ir.Expr) ir.Expr {
	if !t.above.IsValid() {
		return sum
	}
	once := func(c ir.Expr) ir.Expr { return fold.Select(c, t.once, s.neutral(t)) }
	now := s.at(t.above, after)
	if s.p.Types[t.i].IsUnsigned() {
		return fold.Add(sum, once(fold.And(now, fold.Not(before))))
	}
	return fold.Add(fold.Add(sum, once(now)), fold.Neg(once(before)))
}

// fold reads a component as a fold of what may read the segment's state.
func (s *closings) fold(e ir.Expr, i int) (f folds.Part, ok bool) {
	pool := s.cx.Pool
	states, inputs := make([]ir.Expr, len(s.of)), make([]ir.Expr, len(s.of))
	for k, j := range s.of {
		states[k] = s.p.States[j]
		inputs[k] = pool.Var(ir.Leaf, "segment", 1<<18+j, s.p.Types[j])
	}
	f, ok = folds.Propose(ir.Subst(e, states, inputs), i)
	if ok && f.Op != ir.Const {
		f.Leaf = ir.Subst(f.Leaf, inputs, states)
	}
	return f, ok
}

func (s *closings) neutral(t total) ir.Expr { return folds.Neutral(t.op, s.p.States[t.i]) }

// at returns a term over the segment's state at another state.
func (s *closings) at(e ir.Expr, state []ir.Expr) ir.Expr {
	return ir.Subst(e, tuple.Pick(s.p.States, s.of), state)
}

// split takes the cells of a shape apart: whether a segment starts in the slice, the segment's steps before the first start, its
// state behind the last one, the inputs that the first start reads, and what the totals get.
func (s *closings) split(cells []ir.Expr) (starts ir.Expr, first, after, reads, besides []ir.Expr) {
	k := len(s.of)
	return cells[0], cells[1 : 1+k], cells[1+k : 1+2*k], cells[1+2*k : 1+2*k+len(s.reads)], cells[1+2*k+len(s.reads):]
}

// closed returns what the start of a segment adds to a total, given the state before it and the inputs that it reads.
func (s *closings) closed(t total, state, reads []ir.Expr) ir.Expr {
	return ir.Subst(s.at(t.closed, state), s.reads, reads)
}

// joined adds to a total.
func joined(t total, a, b ir.Expr) ir.Expr {
	switch t.op {
	case ir.Add:
		return fold.Add(a, b)
	case ir.And:
		return fold.And(a, b)
	case ir.Or:
		return fold.Or(a, b)
	}
	return ir.Make(t.op, a, b)
}

func (s *closings) apply(x, cells []ir.Expr) []ir.Expr {
	starts, first, after, reads, besides := s.split(cells)
	before := tuple.Pick(x, s.of)
	lead := s.op.Apply(before, first)
	segment := algebra.ZipCells(after, lead, func(set, combined ir.Expr) ir.Expr { return fold.Select(starts, set, combined) })
	out := slices.Clone(x)
	for k, i := range s.of {
		out[i] = segment[k]
	}
	for k, t := range s.totals {
		sum := joined(t, x[t.i], besides[k])
		if t.above.IsValid() {
			sum = s.passed(t, sum, s.at(t.above, before), lead)
		}
		out[t.i] = fold.Select(starts, s.passed(t, joined(t, sum, s.closed(t, lead, reads)), t.at, after), sum)
	}
	return out
}

func (s *closings) compose(f, g []ir.Expr) []ir.Expr {
	starts, first, after, reads, besides := s.split(f)
	starts2, first2, after2, reads2, besides2 := s.split(g)
	choose := func(c ir.Expr) func(a, b ir.Expr) ir.Expr {
		return func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) }
	}
	both := fold.And(starts, starts2)
	closing := s.op.Apply(after, first2)
	totals := make([]ir.Expr, len(s.totals))
	for k, t := range s.totals {
		sum := joined(t, besides[k], besides2[k])
		totals[k] = fold.Select(both, s.passed(t, joined(t, sum, s.closed(t, closing, reads2)), t.at, closing), sum)
	}
	return slices.Concat([]ir.Expr{fold.Or(starts, starts2)},
		algebra.ZipCells(first, s.op.Apply(first, first2), choose(starts)),
		algebra.ZipCells(after2, closing, choose(starts2)),
		algebra.ZipCells(reads, reads2, choose(starts)),
		totals)
}

func (s *closings) identity() []ir.Expr {
	none := s.op.Identity
	cells := slices.Concat([]ir.Expr{s.cx.Pool.Bool(false)}, none, none)
	for _, v := range s.reads {
		cells = append(cells, s.cx.Pool.Const(v.Type(), 0))
	}
	for _, t := range s.totals {
		cells = append(cells, s.neutral(t))
	}
	return cells
}
