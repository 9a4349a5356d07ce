package ir

import (
	"fmt"
	"slices"
	"sync"
)

// visits is what a walk over expressions of one pool remembers of them, by their ids. It is
// reused: what another walk left there has another stamp.
type visits struct {
	stamps []uint32
	stamp  uint32
	walked int
	ids    []uint32 // of what a subterm became, in Map
	vars   []Expr
}

var freeVisits = sync.Pool{New: func() any { return new(visits) }}

// visitsOf begins a walk over expressions of one pool, of which there is at least one.
func visitsOf(es []Expr) *visits {
	for _, e := range es {
		e.owner().own(es[0])
	}
	v := freeVisits.Get().(*visits)
	v.walked = 0
	if v.stamp++; v.stamp == 0 {
		clear(v.stamps)
		v.stamp = 1
	}
	v.reach(len(es[0].pool.nodes))
	return v
}

// reach makes room for ids below n.
func (v *visits) reach(n int) {
	if len(v.stamps) < n {
		v.stamps = append(v.stamps, make([]uint32, n+n/2+64-len(v.stamps))...)
	}
}

func (v *visits) seen(id uint32) bool { return v.stamps[id] == v.stamp }

// Map rebuilds es bottom-up in pool p, sharing what they share. Where leaf answers an
// expression of p for a subterm, that expression takes its place and nothing below it is
// visited; the zero Expr means "go on", and so does a nil leaf. p may be another pool than
// theirs. leaf is asked once for each distinct subterm, before its operands. Map takes time
// linear in the number of distinct subterms.
func (p *Pool) Map(es []Expr, leaf func(Expr) Expr) []Expr {
	out := p.List(len(es))
	if len(es) == 0 {
		return out
	}
	m := mapper{to: p, leaf: leaf, visits: visitsOf(es)}
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
		return m.to.variable(e.Kind(), e.Name(), e.Index(), e.Type())
	case Call:
		args := make([]Expr, e.NumArgs())
		for i := range args {
			args[i] = m.visit(e.arg(i))
		}
		if e.pool != m.to && e.pool.isTuple(e) {
			m.to.MarkTuple(e.Name())
		}
		return m.to.call(e.Type(), e.Name(), e.Index(), args)
	}
	var args [3]Expr
	n := e.NumArgs()
	for i := range n {
		args[i] = m.visit(e.arg(i))
	}
	if e.Op() == Cast {
		return m.to.intern(node{op: Cast, typ: e.Type(), a: args[0].id}, nil)
	}
	return makeTyped(e.Op(), e.Type(), args[:n])
}

// Import returns copies of es in pool p.
func (p *Pool) Import(es ...Expr) []Expr {
	return p.Map(es, nil)
}

// Subst returns e with each occurrence of the expression from[i] replaced by to[i], of the same
// type. It panics unless from and to have the same length.
func Subst(e Expr, from, to []Expr) Expr {
	if len(from) != len(to) {
		panic(fmt.Sprintf("ir: Subst of %d expressions by %d", len(from), len(to)))
	}
	return e.owner().Map([]Expr{e}, func(s Expr) Expr {
		for i, f := range from {
			if s == f {
				return to[i]
			}
		}
		return Expr{}
	})[0]
}

// Walk calls f once for each distinct subterm of es, expressions of one pool, operands first,
// in a fixed order.
func Walk(es []Expr, f func(Expr)) {
	if len(es) == 0 {
		return
	}
	v := visitsOf(es)
	defer freeVisits.Put(v)
	for _, e := range es {
		v.walk(e, f)
	}
	es[0].pool.Work(v.walked / walkedOfMade)
}

// walkedOfMade is how many expressions Walk visits in the time of one that is made.
const walkedOfMade = 8

func (v *visits) walk(e Expr, f func(Expr)) {
	if v.seen(e.id) {
		return
	}
	v.stamps[e.id] = v.stamp
	v.walked++
	for i := range e.NumArgs() {
		v.walk(e.arg(i), f)
	}
	f(e)
}

// Vars lists the distinct variables of es, expressions of one pool, in the order of their first
// occurrence; nil where es is empty.
func Vars(es ...Expr) []Expr {
	if len(es) == 0 {
		return nil
	}
	v := visitsOf(es)
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
		v.addVars(e.arg(i))
	}
}
