package canon

import (
	"math"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// Level says what a term may mention. Each level allows less than the one before.
type Level int

const (
	AnyTerm       Level = iota // everything
	LeafTerm                   // not the state
	InvariantTerm              // neither the state nor what changes from step to step
	levels
)

// choice is, at one level, the cheapest node of every class and the expression that it stands for.
type choice struct {
	changes uint64 // of the graph when it was made, plus 1
	cost    []uint32
	node    []egraph.Node
	expr    []ir.Expr
}

const noCost = math.MaxUint32

// costOf returns the cost of an operator's own node: leaves weigh most, then long operators.
func costOf(op egraph.Op) uint32 {
	if op >= firstLiteral {
		return 8
	}
	switch ir.Op(op >> 4) {
	case ir.Neg, ir.Not, ir.BitNot:
		return 1
	case ir.Select, ir.Cast, ir.SatAdd, ir.SatSub:
		return 3
	}
	return 2
}

// Extract returns the cheapest term of the class that mentions no more than the level allows;
// false if the class has none.
func (s *Session) Extract(c egraph.Class, level Level) (ir.Expr, bool) {
	for n := range s.g.Nodes(s.g.Find(c)) { // nothing is cheaper than a variable or a literal
		if s.kids = s.g.Kids(n, s.kids[:0]); len(s.kids) == 0 && level <= s.levelOf(s.g.Op(n)) {
			return s.atom(s.g.Op(n)), true
		}
	}
	ch := s.cheapest(level)
	c = s.g.Find(c)
	if int(c) >= len(ch.cost) || ch.cost[c] == noCost {
		return ir.Expr{}, false
	}
	return s.build(ch, c), true
}

// cheapest finds the cheapest nodes at a level, unless the graph has not changed since.
func (s *Session) cheapest(level Level) *choice {
	ch := &s.best[level]
	if ch.changes == s.g.Changes()+1 {
		return ch
	}
	last := egraph.Class(0)
	for c := range s.g.Classes() {
		last = c
	}
	ch.reset(int(last) + 1)
	for again := true; again; {
		again = false
		for c, n := range s.g.All() {
			op := s.g.Op(n)
			if level > AnyTerm && level > s.levelOf(op) {
				continue
			}
			s.kids = s.g.Kids(n, s.kids[:0])
			again = ch.improve(c, n, op, s.kids) || again
		}
	}
	ch.changes = s.g.Changes() + 1
	return ch
}

// levelOf returns the highest level at which a symbol may occur.
func (s *Session) levelOf(op egraph.Op) Level {
	if op < firstSession || s.heads[op-firstSession].Op() != ir.Var {
		return InvariantTerm
	}
	switch h := s.heads[op-firstSession]; {
	case !h.IsLeaf():
		return AnyTerm
	case !h.IsInvariant():
		return LeafTerm
	}
	return InvariantTerm
}

func (ch *choice) reset(n int) {
	for len(ch.cost) < n {
		ch.cost, ch.node, ch.expr = append(ch.cost, 0), append(ch.node, 0), append(ch.expr, ir.Expr{})
	}
	ch.cost, ch.node, ch.expr = ch.cost[:n], ch.node[:n], ch.expr[:n]
	for i := range ch.cost {
		ch.cost[i] = noCost
	}
	clear(ch.expr)
}

func (ch *choice) improve(c egraph.Class, n egraph.Node, op egraph.Op, kids []egraph.Class) bool {
	cost := ch.sum(op, kids)
	if cost >= uint64(ch.cost[c]) {
		return false
	}
	ch.cost[c], ch.node[c] = uint32(cost), n
	return true
}

// sum returns the cost of an operator over the cheapest terms of its operands.
func (ch *choice) sum(op egraph.Op, kids []egraph.Class) uint64 {
	cost := uint64(costOf(op))
	for _, k := range kids {
		cost += uint64(ch.cost[k])
	}
	return cost
}

// build makes the expression of the chosen term of class c.
func (s *Session) build(ch *choice, c egraph.Class) ir.Expr {
	if e := ch.expr[c]; e.IsValid() {
		return e
	}
	n := ch.node[c]
	var few [4]egraph.Class
	e := s.exprOf(s.g.Op(n), s.g.Kids(n, few[:0]), func(k egraph.Class) ir.Expr { return s.build(ch, k) })
	ch.expr[c] = e
	return e
}

// exprOf returns the expression with the symbol at its root.
func (s *Session) exprOf(op egraph.Op, kids []egraph.Class, arg func(egraph.Class) ir.Expr) ir.Expr {
	if len(kids) == 0 {
		return s.atom(op)
	}
	var few [4]ir.Expr
	args := few[:0]
	for _, k := range kids {
		args = append(args, arg(k))
	}
	return s.apply(op, args)
}

// atom returns the expression of a symbol without operands.
func (s *Session) atom(op egraph.Op) ir.Expr {
	if op >= firstSession {
		return s.heads[op-firstSession]
	}
	t, v := literal(op)
	return s.pool.Const(t, v)
}

// apply returns the expression of a symbol over operands.
func (s *Session) apply(op egraph.Op, args []ir.Expr) ir.Expr {
	switch {
	case op >= firstSession:
		return ir.Rebuild(s.heads[op-firstSession], args)
	case op >= firstCast:
		return ir.CastTo(ir.Type(op-firstCast)&15, args[0])
	}
	return ir.Make(ir.Op(op>>4), args...)
}
