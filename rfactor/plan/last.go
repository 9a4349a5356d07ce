package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	folded "github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// Last is what the last elements of an update make of any state, where that may be the same for all: then no other element counts.
//
//	select(flag(r), in(r), f() + in(r))   →   the sum of the last Count elements, if one of their flags holds
//
// Whoever runs the plan sets Count, runs First and Steps and, where Holds is true behind them, Merge in place of all stages of the update. Partial
// results compose, so that the elements before the last ones make a state of the one that the loop begins with, whichever it is.
type Last struct {
	Buffer *Buffer // of what the elements do to a state; it has no dimensions
	Count  ir.Expr // how many elements, at least 1 and at most all: a parameter that no program has
	First  *Stage
	Steps  *Stage // over the last Count elements
	Holds  ir.Expr
	Merge  *Stage // into the function
}

// Of how many elements a run asks first, how many times as many it asks next, and what share of all it asks of at most: what it reads in vain is less than
// a fiftieth of what it reads otherwise.
const (
	LastFirst = 256
	LastMore  = 8
	LastShare = 64
)

// lastTerms is of how many terms steps are too many to be asked, which they are some thousand times.
const lastTerms = 512

// Firsts lists the stages that give buffers their first values, those of Last behind the others.
func (p *Plan) Firsts() (stages []*Stage) {
	for _, s := range p.Stages {
		if s.Role == First {
			stages = append(stages, s)
		}
	}
	for _, s := range p.Stages {
		if s.Last != nil {
			stages = append(stages, s.Last.First)
		}
	}
	return stages
}

// last is nil where an update has more than one element or dimension, or something of what came before always counts.
func (s *scheduler) last(n *nest) *Last {
	written, op := s.written[n.def], s.matched[n.def]
	if op.commutative || len(n.buffer.Dims) > 0 || len(written.axes) != 1 || len(written.where) > 0 || written.axes[0].pure {
		return nil
	}
	p, inner, axis := s.pool, op.composition(), written.axes[0]
	b := &Buffer{Name: s.unused(n.buffer.Name + "_last"), Types: inner.types, Func: n.buffer.Func, Wide: inner.wide}
	if inner.answer.Lift != nil {
		b.Steps = inner.answer.LiftCost().String()
	}
	var reads []ir.Expr
	for i, t := range b.Types {
		reads = append(reads, p.Call(t, b.Name, i))
	}
	if len(reads) > 1 {
		p.MarkTuple(b.Name)
	}
	if !inner.enough(false) {
		b.Seen, b.Types = true, append(slices.Clone(b.Types), ir.Bool)
	}
	merged := *op
	merged.inject, merged.written, merged.inOrder = reads, nil, nil
	l := &Last{Buffer: b, Count: p.Var(ir.Param, b.Name+".count", 0, ir.I32)}
	l.Merge = &Stage{Role: Merge, Buffer: n.buffer, Values: merged.update(n.buffer), From: n.def}
	if l.Holds = independent(l.Merge.Values...); l.Holds.IsConst(0) {
		return nil
	}
	l.First = &Stage{Role: First, Buffer: b, Values: inner.start(p, b, nil, nil), From: n.def}
	end := plus(axis.span.Min, axis.span.Extent)
	l.Steps = &Stage{Role: Intermediate, Buffer: b, Loops: []Loop{{Var: axis.v, Span: Span{minus(end, l.Count), l.Count}}}, Values: inner.update(b), From: n.def}
	if !inner.wide {
		l.Steps.Operator, l.Steps.Inject = inner.exprs, inner.inject
	}
	if !l.happens() {
		return nil
	}
	s.lasts = append(s.lasts, l)
	return l
}

// happens reports whether Holds does behind LastFirst elements of some drawn data: what an expression allows, steps may never do.
func (l *Last) happens() bool {
	var literals []ir.Expr
	terms := 0
	ir.Walk(l.Steps.Values, func(e ir.Expr) {
		terms++
		if e.Op() == ir.Const {
			literals = append(literals, e)
		}
	})
	if terms > lastTerms {
		return false
	}
	const draws = 8
	for seed := range uint64(draws) {
		d := &drawnRun{rng: rand.New(rand.NewPCG(seed, 5)), literals: literals, fixed: map[ir.Expr]uint64{}, loop: l.Steps.Loops[0].Var, buffer: l.Buffer.Name}
		env := &ir.Env{Var: d.value, Call: func(c ir.Expr, _ []uint64) uint64 { return d.value(c) }}
		d.state = ir.EvalAll(l.First.Values, env)
		for range LastFirst {
			d.state = ir.EvalAll(l.Steps.Values, env)
		}
		if ir.Eval(l.Holds, env) != 0 {
			return true
		}
	}
	return false
}

// drawnRun is the state of steps on data that is drawn as it is read.
type drawnRun struct {
	rng      *rand.Rand
	literals []ir.Expr
	fixed    map[ir.Expr]uint64 // what is the same in all steps
	loop     ir.Expr
	buffer   string // whose elements are the state
	state    []uint64
}

// value returns the value of a variable or a read: of the state, a new one for what depends on the loop, or one that is drawn
// once and stays.
func (d *drawnRun) value(e ir.Expr) uint64 {
	if e.Op() == ir.Var && e.Kind() == ir.State || e.Op() == ir.Call && e.Name() == d.buffer {
		return d.state[e.Index()]
	}
	if uses(e, d.loop) {
		return d.draw(e.Type())
	}
	v, ok := d.fixed[e]
	if !ok {
		v = d.draw(e.Type())
		d.fixed[e] = v
	}
	return v
}

// draw is any bits, a small number or a literal of the steps.
func (d *drawnRun) draw(t ir.Type) uint64 {
	switch of := d.rng.IntN(3); {
	case of == 0 && !t.IsFloat():
		return t.Wrap(d.rng.Uint64())
	case of == 1 && len(d.literals) > 0:
		if v := d.literals[d.rng.IntN(len(d.literals))]; v.Type() == t {
			return v.Value()
		}
	}
	n := d.rng.IntN(16)
	if t.IsFloat() {
		return ir.FloatBits(t, float64(n))
	}
	return t.Wrap(uint64(n))
}

// independent is a condition on what is not the state, under which no expression depends on the state. It is false where none is found.
//
//	select(p0, x0 + p1, p1)   →   !p0
//	max(min(x0, p0), p1)      →   p0 <= p1
func independent(es ...ir.Expr) ir.Expr {
	d := dependence{zero: map[ir.Expr]ir.Expr{}}
	all := es[0].Pool().Bool(true)
	for _, e := range es {
		all = folded.And(all, d.none(e))
	}
	return all
}

// dependence finds where expressions depend on the state.
type dependence struct{ zero map[ir.Expr]ir.Expr }

// at is an expression at a state of zeros, which is any state where it does not depend on it.
func (d *dependence) at(e ir.Expr) ir.Expr {
	if e.States() == 0 {
		return e
	}
	z, ok := d.zero[e]
	if !ok {
		z = e.Pool().Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return e.Pool().Const(e.Type(), 0)
			}
			return ir.Expr{}
		})[0]
		d.zero[e] = z
	}
	return z
}

// none is a condition under which e does not depend on the state.
func (d *dependence) none(e ir.Expr) ir.Expr {
	p, t := e.Pool(), e.Type()
	if e.States() == 0 {
		return p.Bool(true)
	}
	if e.NumArgs() == 0 {
		return p.Bool(false)
	}
	if e.Op() == ir.Select {
		return d.noneOfSelect(e)
	}
	all := p.Bool(true)
	for i := range e.NumArgs() {
		all = folded.And(all, d.none(e.Arg(i)))
	}
	if e.NumArgs() != 2 {
		return all
	}
	for i := range 2 {
		a, b := e.Arg(i), e.Arg(1-i)
		switch op := e.Op(); {
		case op == ir.And:
			all = folded.Or(all, folded.And(d.none(a), folded.Not(d.at(a))))
		case op == ir.Or:
			all = folded.Or(all, folded.And(d.none(a), d.at(a)))
		case !t.IsInt():
		case op == ir.BitAnd: // products of even numbers become 0 as well, but that a program multiplies beyond its type is rare
			all = folded.Or(all, folded.And(d.none(a), ir.EqOf(d.at(a), p.Int(t, 0))))
		case op == ir.BitOr:
			all = folded.Or(all, folded.And(d.none(a), ir.EqOf(d.at(a), p.Int(t, -1))))
		case op == ir.Max || op == ir.Min:
			if end := limitOf(b, op == ir.Max); end.IsValid() {
				cmp := ir.Le // of the greatest that b can be
				if op == ir.Min {
					cmp = ir.Ge
				}
				all = folded.Or(all, folded.And(d.none(a), ir.Make(cmp, end, d.at(a))))
			}
		}
	}
	return all
}

// noneOfSelect is none of a choice.
func (d *dependence) noneOfSelect(e ir.Expr) ir.Expr {
	c, a, b := e.Arg(0), e.Arg(1), e.Arg(2)
	na, nb, x := d.none(a), d.none(b), d.at(c)
	chosen := folded.Or(folded.And(x, na), folded.And(folded.Not(x), nb))
	if c.States() == 0 {
		return chosen
	}
	same := e.Pool().Bool(false)
	switch t := e.Type(); {
	case t == ir.Bool:
		same = folded.Not(ir.Make(ir.Ne, d.at(a), d.at(b)))
	case t.IsInt():
		same = ir.EqOf(d.at(a), d.at(b))
	}
	return folded.Or(folded.And(d.none(c), chosen), folded.And(folded.And(na, nb), same))
}

// limitOf is the greatest value that an expression has in any state, or the least; the zero Expr where that is not seen.
func limitOf(e ir.Expr, greatest bool) ir.Expr {
	inner := ir.Min // which is at most each of its operands
	if !greatest {
		inner = ir.Max
	}
	switch {
	case e.States() == 0:
		return e
	case e.Op() == inner:
		for i := range 2 {
			if b := limitOf(e.Arg(i), greatest); b.IsValid() {
				return b
			}
		}
	}
	return ir.Expr{}
}
