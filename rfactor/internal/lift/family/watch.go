package family

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitWatch fits steps that raise flags when running extrema, or clamped numbers, pass inputs: an ascending
// sequence, a trailing stop. Numbers are only compared, so that the laws hold of words.
//
//	max(x0, y0); x1 && y0 >= x0   →   b = y0, t = y0: x0 ↦ max(x0, b), and x1 is lowered where x0 > t
//	(b, t, c) ∘ (b', t', c') = (max(b, b'), min(t, t'), c || c' || b > t')
//
// The cells of a number are those of clamp. The cells of a flag are, for each number, the least input
// that the number may pass and the greatest one that it may fall below, either of which may be
// missing, and whether the flag is raised whatever the numbers are.
func fitWatch(cx *lift.Context, p *tuple.Part) *lift.Shape {
	w := &watching{cx: cx, p: p}
	var inject, identity []ir.Expr
	for i, v := range p.Values {
		if p.Types[i] == ir.Bool {
			w.flags = append(w.flags, i)
			continue
		}
		f := algebra.NewFitting(cx, p, []int{i}, algebra.NewClamp(cx.Pool, 1))
		if v.States() != 1<<i || !lift.Chooses(v, 0) {
			return nil
		}
		cells := f.Element(v)
		if cells == nil || cells[3].Op() != ir.Const || cells[5].Op() != ir.Const || // one that inputs reset has better lifts
			!cells[0].IsConst(0) || !fold.IsNumber(cells[1], 1) || !fold.IsNumber(cells[2], 0) {
			return nil
		}
		w.numbers = append(w.numbers, i)
		inject, identity = append(inject, cells[3:]...), append(identity, f.Algebra.State(0, p.Types[i])[3:]...)
	}
	if len(w.flags) == 0 || len(w.numbers) == 0 {
		return nil
	}
	for _, i := range w.flags {
		e := w.read(i)
		if e == nil {
			return nil
		}
		inject = append(inject, w.pack(*e)...)
		identity = append(identity, w.pack(w.never())...)
	}
	return &lift.Shape{Name: "watch", Inject: inject, Identity: identity, Apply: w.apply, Compose: w.compose}
}

// watching is a part by its roles.
type watching struct {
	cx             *lift.Context
	p              *tuple.Part
	numbers, flags []int
	lowered        []bool // of each flag, in place of raised
	loose          []bool // of each flag: a number that equals the input raises it, too
}

// event is what raises a flag.
type event struct {
	above, below []algebra.Optional // of each number: the input that it is above, or below
	sure         ir.Expr
}

func (w *watching) never() (e event) {
	for _, i := range w.numbers {
		none := algebra.Missing(w.cx.Pool, w.p.Types[i])
		e.above, e.below = append(e.above, none), append(e.below, none)
	}
	e.sure = w.cx.Pool.Bool(false)
	return e
}

// read reads the value of flag i; nil where it is not raised, or lowered, for good.
func (w *watching) read(i int) *event {
	v, x := w.p.Values[i], w.p.States[i]
	off, on := with(w.cx, v, x, false), with(w.cx, v, x, true)
	cond, lowered := off, false
	switch {
	case on.IsConst(1):
	case off.IsConst(0):
		cond, lowered = on, true
	default:
		return nil
	}
	loose := contains([]ir.Expr{cond}, func(e ir.Expr) bool {
		strict := e.Op() == ir.Lt || e.Op() == ir.Gt
		return !e.IsLeaf() && e.Op().IsComparison() && strict == lowered
	})
	w.lowered, w.loose = append(w.lowered, lowered), append(w.loose, loose)
	return w.event(cond, lowered, loose)
}

// event reads a condition, or its negation; nil where it does not have the form.
func (w *watching) event(c ir.Expr, negated, loose bool) *event {
	e := w.never()
	op := c.Op()
	switch {
	case c.IsLeaf():
		if e.sure = c; negated {
			e.sure = fold.Not(c)
		}
		return &e
	case op == ir.Not:
		return w.event(c.Arg(0), !negated, loose)
	case op == ir.Or && !negated || op == ir.And && negated:
		a, b := w.event(c.Arg(0), negated, loose), w.event(c.Arg(1), negated, loose)
		if a == nil || b == nil {
			return nil
		}
		both := w.either(*a, *b)
		return &both
	case op == ir.And || op == ir.Or:
		a, b := c.Arg(0), c.Arg(1)
		if !a.IsLeaf() {
			a, b = b, a
		}
		rest := w.event(b, negated, loose)
		if !a.IsLeaf() || rest == nil {
			return nil
		}
		if negated {
			a = fold.Not(a)
		}
		only := w.where(a, *rest)
		return &only
	case !op.IsComparison() || op == ir.Eq || op == ir.Ne:
		return nil
	}
	less, more := c.Arg(0), c.Arg(1)
	if (op == ir.Gt || op == ir.Ge) != negated {
		less, more = more, less
	}
	if strict := (op == ir.Lt || op == ir.Gt) != negated; strict == loose {
		return nil
	}
	for n, i := range w.numbers {
		switch x := w.p.States[i]; {
		case more == x && less.IsLeaf():
			e.above[n] = algebra.Present(less)
			return &e
		case less == x && more.IsLeaf():
			e.below[n] = algebra.Present(more)
			return &e
		}
	}
	return nil
}

// either returns what raises a flag by one of two events.
func (w *watching) either(a, b event) event {
	out := event{sure: fold.Or(a.sure, b.sure)}
	for n := range w.numbers {
		out.above = append(out.above, algebra.Better(ir.Min, a.above[n], b.above[n]))
		out.below = append(out.below, algebra.Better(ir.Max, a.below[n], b.below[n]))
	}
	return out
}

// where returns an event that happens under a condition on inputs alone.
func (w *watching) where(c ir.Expr, e event) event {
	out := event{sure: fold.And(c, e.sure)}
	for n := range w.numbers {
		out.above = append(out.above, algebra.Maybe(fold.And(c, e.above[n].Has), e.above[n].Value))
		out.below = append(out.below, algebra.Maybe(fold.And(c, e.below[n].Has), e.below[n].Value))
	}
	return out
}

func (w *watching) pack(e event) []ir.Expr {
	return append(append(algebra.Pack(e.above), algebra.Pack(e.below)...), e.sure)
}

// take takes cells apart: the cells of each number, as clamp has them, and the event of each flag.
func (w *watching) take(cells []ir.Expr) (rows [][]ir.Expr, events []event) {
	n := len(w.numbers)
	for _, i := range w.numbers {
		row := algebra.NewClamp(w.cx.Pool, 1).State(0, w.p.Types[i])[:3]
		rows, cells = append(rows, append(row, cells[:4]...)), cells[4:]
	}
	for range w.flags {
		events = append(events, event{algebra.Unpack(cells[:2*n]), algebra.Unpack(cells[2*n : 4*n]), cells[4*n]})
		cells = cells[4*n+1:]
	}
	return rows, events
}

// passes returns the condition that a is above b.
func (w *watching) passes(flag int, a, b ir.Expr) ir.Expr {
	if w.loose[flag] {
		return ir.LeOf(b, a)
	}
	return ir.LtOf(b, a)
}

func (w *watching) apply(x, cells []ir.Expr) []ir.Expr {
	rows, events := w.take(cells)
	out := make([]ir.Expr, len(x))
	for n, i := range w.numbers {
		out[i] = algebra.NewClamp(w.cx.Pool, 1).Apply(x[i:i+1], rows[n])
	}
	for j, i := range w.flags {
		raised := events[j].sure
		for n, k := range w.numbers {
			above, below := events[j].above[n], events[j].below[n]
			raised = fold.Or(raised, occurs(above, func(t ir.Expr) ir.Expr { return w.passes(j, x[k], t) }))
			raised = fold.Or(raised, occurs(below, func(t ir.Expr) ir.Expr { return w.passes(j, t, x[k]) }))
		}
		if w.lowered[j] {
			out[i] = fold.And(x[i], fold.Not(raised))
		} else {
			out[i] = fold.Or(x[i], raised)
		}
	}
	return out
}

// occurs returns a condition on what may be missing; false where it is.
func occurs(o algebra.Optional, cond func(ir.Expr) ir.Expr) ir.Expr {
	if o.Has.IsConst(0) {
		return o.Has
	}
	return fold.And(o.Has, cond(o.Value))
}

// compose joins two slices. A number max(min(x, c), b) is above an input of the second one if b is, or
// if both x and c are.
func (w *watching) compose(a, b []ir.Expr) (out []ir.Expr) {
	first, early := w.take(a)
	second, late := w.take(b)
	for n := range w.numbers {
		out = append(out, algebra.NewClamp(w.cx.Pool, 1).Compose(first[n:n+1], second[n])[3:]...)
	}
	for j := range w.flags {
		moved := event{sure: late[j].sure}
		for n := range w.numbers {
			bounds := algebra.Unpack(first[n][3:])
			most, least := bounds[0], bounds[1]
			over, under := late[j].above[n], late[j].below[n]
			moved.sure = fold.Or(moved.sure, fold.And(over.Has, occurs(least, func(l ir.Expr) ir.Expr { return w.passes(j, l, over.Value) })))
			over.Has = fold.And(over.Has, unless(most, func(m ir.Expr) ir.Expr { return w.passes(j, m, over.Value) }))
			under.Has = fold.And(under.Has, unless(least, func(l ir.Expr) ir.Expr { return w.passes(j, under.Value, l) }))
			moved.sure = fold.Or(moved.sure, fold.And(under.Has, occurs(most, func(m ir.Expr) ir.Expr { return w.passes(j, under.Value, m) })))
			moved.above, moved.below = append(moved.above, over), append(moved.below, under)
		}
		out = append(out, w.pack(w.either(early[j], moved))...)
	}
	return out
}

// unless returns a condition on what may be missing; true where it is.
func unless(o algebra.Optional, cond func(ir.Expr) ir.Expr) ir.Expr {
	if o.Has.IsConst(0) {
		return fold.Not(o.Has)
	}
	return fold.Or(fold.Not(o.Has), cond(o.Value))
}
