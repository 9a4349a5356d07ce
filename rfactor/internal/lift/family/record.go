package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitRecord fits steps that keep an extremum and, in each other component, set a new value where there
// is a new extremum and go on from the old one elsewhere: how long ago the least element was, what
// has been added since.
//
//	min(x0, y0); select(y0 < x0, y1, x1 + 1)   →   m = y0, v = y1, b = 1
//	(m, v, b) ∘ (m', v', b') = (min(m, m'), select(m' < m, v', v + b'), b + b')
//
// The cells are the extremum of a slice, which may be missing, and for each other component its value
// behind a slice that has the new extremum, and a and b of x ↦ a·x + b for a slice that has not. Where
// a component does something else if the extremum is met again, there are cells of that, too.
func fitRecord(cx *lift.Context, p *tuple.Part) *lift.Shape {
	return recordOf(cx, p, "record", algebra.NewRing(cx.Pool, 1))
}

// fitRanked is record for components that are maxima, or minima, of what they were and of inputs.
//
//	max(x0, y0); select(y0 < x0, x1, select(x0 < y0, y1, max(x1, y1))) + 1
func fitRanked(cx *lift.Context, p *tuple.Part) *lift.Shape {
	for _, algebra := range []algebra.Algebra{algebra.NewMaxPlus(cx.Pool, 1), algebra.NewMinPlus(cx.Pool, 1)} {
		if s := recordOf(cx, p, "ranked", algebra); s != nil {
			return s
		}
	}
	return nil
}

func recordOf(cx *lift.Context, p *tuple.Part, name string, payload algebra.Algebra) *lift.Shape {
	r := &recordSteps{cx: cx, p: p, key: -1, algebra: payload}
	for i, v := range p.Values {
		if v.States() == 1<<i && p.Types[i] != ir.Bool && r.extremum(i, v) {
			r.key = i
			break
		}
	}
	if r.key < 0 || len(p.Types) < 2 {
		return nil
	}
	inject := algebra.Pack([]algebra.Optional{r.best})
	identity := algebra.Pack([]algebra.Optional{algebra.Missing(cx.Pool, p.Types[r.key])})
	for i, v := range p.Values {
		if i == r.key {
			continue
		}
		same := payload.State(0, p.Types[i])
		cells := r.payload(i, v)
		if cells == nil || same == nil {
			return nil
		}
		r.width = len(same)
		inject = append(inject, cells...)
		identity = append(append(identity, fold.Number(cx.Pool, p.Types[i], 0)), same...)
		if r.ties[len(r.ties)-1] == another {
			identity = append(identity, same...)
		}
	}
	return &lift.Shape{Name: name, Inject: inject, Identity: identity, Apply: r.apply, Compose: r.compose}
}

type recordSteps struct {
	cx      *lift.Context
	p       *tuple.Part
	key     int
	op      ir.Op            // Max or Min
	best    algebra.Optional // of the step
	algebra algebra.Algebra  // of the functions of the other components
	width   int              // of these functions, in cells
	ties    []tie            // of the other components
}

// tie says what a component does where an element equals the extremum.
type tie uint8

const (
	goesOn  tie = iota // what it does where the element is no extremum
	sets               // what it does where there is a new extremum
	another            // something else
)

// extremum reports whether v is an extremum of component i and an input, and notes which.
func (r *recordSteps) extremum(i int, v ir.Expr) bool {
	for _, r.op = range []ir.Op{ir.Max, ir.Min} {
		f := algebra.NewFitting(r.cx, r.p, []int{i}, algebra.Tropical{Pool: r.cx.Pool, N: 1, Best: r.op})
		cells := f.Element(v)
		if cells == nil {
			continue
		}
		row := algebra.Unpack(cells)
		if row[0] == algebra.Present(fold.Number(r.cx.Pool, r.p.Types[i], 0)) && !row[1].Has.IsConst(0) {
			r.best = row[1]
			return true
		}
	}
	return false
}

// payload returns the cells of another component; nil where it does not have the family's form.
func (r *recordSteps) payload(i int, v ir.Expr) []ir.Expr {
	if v.States()&^(1<<i|1<<r.key) != 0 || v.States()>>r.key&1 == 0 {
		return nil
	}
	f := algebra.NewFitting(r.cx, r.p, []int{i}, r.algebra)
	set, equal, rest := r.where(v, 1), r.where(v, 0), r.where(v, -1)
	if !set.IsLeaf() || equal.States()>>r.key&1 != 0 || rest.IsLeaf() || rest.States()>>r.key&1 != 0 {
		return nil
	}
	on, same := f.Element(rest), f.Element(equal)
	switch {
	case on == nil || same == nil:
		return nil
	case equal == set:
		r.ties = append(r.ties, sets)
	case slices.Equal(on, same):
		r.ties = append(r.ties, goesOn)
	default:
		r.ties = append(r.ties, another)
		on = append(on, same...)
	}
	return append([]ir.Expr{set}, on...)
}

// where returns the value of a component where the element is beyond the extremum, for a rank of 1,
// equals it, for 0, or is on its other side.
func (r *recordSteps) where(v ir.Expr, rank int) ir.Expr {
	x := r.p.States[r.key]
	newer := x
	if rank > 0 {
		newer = r.best.Value
	}
	v = ir.Subst(v, []ir.Expr{r.p.Values[r.key]}, []ir.Expr{newer})
	var known []ir.Expr // to hold
	if rank >= 0 {
		known = conjuncts(r.best.Has)
	}
	if r.op == ir.Min {
		rank = -rank // the order of the element and the state
	}
	v = r.cx.Pool.Map([]ir.Expr{v}, func(e ir.Expr) ir.Expr {
		switch {
		case slices.Contains(known, e):
			return r.cx.Pool.Bool(true)
		case !e.Op().IsComparison():
		case e.Arg(0) == x && e.Arg(1).IsLeaf():
			return r.cx.Pool.Bool(holds(e.Op(), -rank))
		case e.Arg(1) == x && e.Arg(0).IsLeaf():
			return r.cx.Pool.Bool(holds(e.Op(), rank))
		}
		return ir.Expr{}
	})[0]
	return canon.Greedy(v, 0)
}

// holds reports whether a comparison of two numbers holds whose difference has a sign.
func holds(op ir.Op, sign int) bool {
	switch op {
	case ir.Lt:
		return sign < 0
	case ir.Le:
		return sign <= 0
	case ir.Gt:
		return sign > 0
	case ir.Ge:
		return sign >= 0
	case ir.Eq:
		return sign == 0
	}
	return sign != 0
}

// beats returns the condition under which b, the later extremum, counts as new; with late, also where
// it equals a.
func (r *recordSteps) beats(a, b algebra.Optional, late bool) ir.Expr {
	x, y := a.Value, b.Value
	if r.op == ir.Max {
		x, y = y, x
	}
	c := ir.LtOf(y, x)
	if late {
		c = ir.LeOf(y, x)
	}
	return fold.And(b.Has, fold.Or(fold.Not(a.Has), c))
}

// payloadCells are the cells of a component: the value that it is set to, and rows of functions.
type payloadCells struct {
	tie       tie
	set       ir.Expr
	on, equal []ir.Expr
}

func (r *recordSteps) payloads(cells []ir.Expr) []payloadCells {
	out := make([]payloadCells, len(r.ties))
	for i, t := range r.ties {
		out[i] = payloadCells{tie: t, set: cells[0], on: cells[1 : 1+r.width]}
		if cells = cells[1+r.width:]; t == another {
			out[i].equal, cells = cells[:r.width], cells[r.width:]
		}
	}
	return out
}

// after returns the value of a component after a slice with some cells, for the extremum and the value
// before it.
func (r *recordSteps) after(now, at algebra.Optional, x ir.Expr, c payloadCells) ir.Expr {
	value := r.algebra.Apply([]ir.Expr{x}, c.on)
	if c.tie == another {
		value = fold.Select(r.beats(now, at, true), r.algebra.Apply([]ir.Expr{x}, c.equal), value)
	}
	return fold.Select(r.beats(now, at, c.tie == sets), c.set, value)
}

func (r *recordSteps) apply(x, cells []ir.Expr) []ir.Expr {
	at, now := algebra.Maybe(cells[0], cells[1]), algebra.Present(x[r.key])
	out := make([]ir.Expr, len(x))
	payloads := r.payloads(cells[2:])
	for i := range x {
		if i == r.key {
			out[i] = algebra.Better(r.op, now, at).Value
			continue
		}
		out[i] = r.after(now, at, x[i], payloads[0])
		payloads = payloads[1:]
	}
	return out
}

func (r *recordSteps) compose(a, b []ir.Expr) []ir.Expr {
	first, second := algebra.Maybe(a[0], a[1]), algebra.Maybe(b[0], b[1])
	out := algebra.Pack([]algebra.Optional{algebra.Better(r.op, first, second)})
	then := func(f, g []ir.Expr) []ir.Expr { return r.algebra.Compose([][]ir.Expr{f}, g) }
	earlier := r.payloads(a[2:])
	for i, c := range r.payloads(b[2:]) {
		e := earlier[i]
		out = append(append(out, r.after(first, second, e.set, c)), then(e.on, c.on)...)
		if c.tie == another { // of a state that equals the greater extremum
			beats, ties := r.beats(first, second, false), r.beats(first, second, true)
			out = append(out, then(algebra.Chosen(beats, e.on, e.equal), algebra.Chosen(ties, c.equal, c.on))...)
		}
	}
	return out
}
