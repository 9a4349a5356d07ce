package ir

import (
	"slices"
	"sync"
)

// visits is what a walk over expressions of one pool remembers of them, by their ids. It is
// reused: what another walk left there has another stamp.
type visits struct {
	stamps []uint32
	stamp  uint32
	ids    []uint32 // of what a subterm became, in Map
	vars   []Expr
}

var freeVisits = sync.Pool{New: func() any { return new(visits) }}

// visitsOf begins a walk over expressions of a pool.
func visitsOf(p *Pool) *visits {
	v := freeVisits.Get().(*visits)
	if v.stamp++; v.stamp == 0 {
		clear(v.stamps)
		v.stamp = 1
	}
	v.reach(len(p.nodes))
	return v
}

// reach makes room for ids below n.
func (v *visits) reach(n int) {
	if len(v.stamps) < n {
		v.stamps = append(v.stamps, make([]uint32, n+n/2+64-len(v.stamps))...)
	}
}

func (v *visits) seen(id uint32) bool { return v.stamps[id] == v.stamp }

// Map rebuilds es bottom-up in pool p, sharing what they share: where leaf answers an
// expression for a subterm, that expression takes its place and nothing below it is
// visited; the zero Expr means "go on". p may be another pool than theirs.
// leaf is asked once for each distinct subterm, before its operands.
func (p *Pool) Map(es []Expr, leaf func(Expr) Expr) []Expr {
	out := p.List(len(es))
	if len(es) == 0 {
		return out
	}
	m := mapper{to: p, leaf: leaf, visits: visitsOf(es[0].pool)}
	defer freeVisits.Put(m.visits)
	if n := len(m.stamps); len(m.ids) < n {
		m.ids = append(m.ids, make([]uint32, n-len(m.ids))...)
	}
	for i, e := range es {
		out[i] = m.visit(e)
	}
	return out
}

type mapper struct {
	*visits
	to   *Pool
	leaf func(Expr) Expr
}

func (m *mapper) visit(e Expr) Expr {
	if m.seen(e.id) {
		return Expr{m.to, m.ids[e.id]}
	}
	var d Expr
	if m.leaf != nil {
		d = m.leaf(e)
	}
	if !d.IsValid() {
		d = m.rebuild(e)
	}
	m.to.own(d)
	m.stamps[e.id], m.ids[e.id] = m.stamp, d.id
	return d
}

func (m *mapper) rebuild(e Expr) Expr {
	switch e.Op() {
	case Const:
		return m.to.Const(e.Type(), e.Value())
	case Var:
		return m.to.Var(e.Kind(), e.Name(), e.Index(), e.Type())
	case Call:
		args := make([]Expr, e.NumArgs())
		for i := range args {
			args[i] = m.visit(e.Arg(i))
		}
		if e.pool != m.to && e.pool.isTuple(e) {
			m.to.MarkTuple(e.Name())
		}
		return m.to.Call(e.Type(), e.Name(), e.Index(), args...)
	}
	var args [3]Expr
	n := e.NumArgs()
	for i := range n {
		args[i] = m.visit(e.Arg(i))
	}
	if e.Op() == Cast {
		return m.to.intern(node{op: Cast, typ: e.Type(), a: args[0].id}, nil)
	}
	return makeTyped(e.Op(), e.Type(), args[:n])
}

// Import copies es into pool p.
func (p *Pool) Import(es ...Expr) []Expr {
	return p.Map(es, nil)
}

// Subst is e with each occurrence of the expression from[i] replaced by to[i].
func Subst(e Expr, from, to []Expr) Expr {
	return e.pool.Map([]Expr{e}, func(s Expr) Expr {
		for i, f := range from {
			if s == f {
				return to[i]
			}
		}
		return Expr{}
	})[0]
}

// Walk calls f once for each distinct subterm of es, operands first, in a fixed order.
func Walk(es []Expr, f func(Expr)) {
	if len(es) == 0 {
		return
	}
	v := visitsOf(es[0].pool)
	defer freeVisits.Put(v)
	for _, e := range es {
		v.walk(e, f)
	}
}

func (v *visits) walk(e Expr, f func(Expr)) {
	if v.seen(e.id) {
		return
	}
	v.stamps[e.id] = v.stamp
	for i := range e.NumArgs() {
		v.walk(e.Arg(i), f)
	}
	f(e)
}

// Vars lists the distinct variables of es in the order of their first occurrence.
func Vars(es ...Expr) []Expr {
	if len(es) == 0 {
		return nil
	}
	v := visitsOf(es[0].pool)
	defer freeVisits.Put(v)
	v.vars = v.vars[:0]
	for _, e := range es {
		v.addVars(e)
	}
	out := slices.Clone(v.vars)
	clear(v.vars)
	return out
}

func (v *visits) addVars(e Expr) {
	if v.seen(e.id) {
		return
	}
	v.stamps[e.id] = v.stamp
	if e.Op() == Var {
		v.vars = append(v.vars, e)
	}
	for i := range e.NumArgs() {
		v.addVars(e.Arg(i))
	}
}
