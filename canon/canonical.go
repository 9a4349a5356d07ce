package canon

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

var sessions = sync.Pool{New: func() any { return NewSession() }}

// Canonical returns the term that is printed for all terms that saturation under the allowed
// assumptions finds equal to e: the one with the fewest leaves, then the shortest
// operators, then the first in reading order: x_i before x_(i+1) before y_j, constants to
// the right. It is exact where nothing is allowed.
func Canonical(e ir.Expr, allowed ir.Assume) ir.Expr {
	s := sessions.Get().(*Session)
	s.Reset(e.Pool(), allowed, false)
	s.purpose = simplifying
	c := s.Add(e)
	s.Saturate(context.Background(), func() bool { return false })
	best := s.canonical(c)
	sessions.Put(s)
	return best
}

// canonical chooses, in the order of their costs, one term for every class that is not
// dearer than c: among the cheapest nodes over canonical operands the first in reading order.
func (s *Session) canonical(c egraph.Class) ir.Expr {
	ch := s.cheapest(AnyTerm)
	c = s.g.Find(c)
	order := slices.DeleteFunc(slices.Collect(s.g.Classes()), func(k egraph.Class) bool { return ch.cost[k] > ch.cost[c] })
	slices.SortStableFunc(order, func(a, b egraph.Class) int { return cmp.Compare(ch.cost[a], ch.cost[b]) })
	best := map[egraph.Class]ir.Expr{}
	for _, k := range order {
		for n := range s.g.Nodes(k) {
			op := s.g.Op(n)
			s.kids = s.g.Kids(n, s.kids[:0])
			if ch.sum(op, s.kids) != uint64(ch.cost[k]) {
				continue
			}
			e := s.tidy(s.exprOf(op, s.kids, func(k egraph.Class) ir.Expr { return best[k] }))
			if old, ok := best[k]; !ok || readsBefore(e, old) {
				best[k] = e
			}
		}
	}
	return best[c]
}

// maxTidy is the size up to which terms are normalised for printing.
const maxTidy = 500

// tidy returns e with its operands in reading order, a ring term in its normal form where that
// is no longer.
func (s *Session) tidy(e ir.Expr) ir.Expr { return tidied(e, s.allowed) }

func tidied(e ir.Expr, allowed ir.Assume) ir.Expr {
	if e.NumArgs() == 0 || e.Op() == ir.Call {
		return e
	}
	if isRingOp(e.Op()) && e.Size() < maxTidy {
		if n := poly.Normal(e, allowed); treeCost(n) <= treeCost(e) {
			return n
		}
	}
	return inOrder(e)
}

// Tidy returns e with the operands of each subterm in reading order, and each sum of products that mentions the state in its normal
// form where that is no longer and has no other literals. Spellings that differ in these are one text then. It is exact: sums and
// products of floats are left as they are.
func Tidy(e ir.Expr) ir.Expr {
	known := map[ir.Expr]ir.Expr{}
	var tidy func(e ir.Expr) ir.Expr
	tidy = func(e ir.Expr) ir.Expr {
		if e.NumArgs() == 0 || e.IsLeaf() {
			return e
		}
		out, ok := known[e]
		if !ok {
			args := make([]ir.Expr, e.NumArgs())
			for i := range args {
				args[i] = tidy(e.Arg(i))
			}
			plain := ir.Rebuild(e, args)
			if out = tidied(plain, 0); !hasLiteralsOf(out, plain) {
				out = inOrder(plain)
			}
			known[e] = out
		}
		return out
	}
	return tidy(e)
}

// hasLiteralsOf reports whether all literals of a term are literals of another.
func hasLiteralsOf(e, other ir.Expr) bool {
	literals := func(e ir.Expr) map[ir.Expr]bool {
		out := map[ir.Expr]bool{}
		ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
			if e.Op() == ir.Const {
				out[e] = true
			}
		})
		return out
	}
	of := literals(other)
	for l := range literals(e) {
		if !of[l] {
			return false
		}
	}
	return true
}

// treeCost returns the cost of e as extraction counts it.
func treeCost(e ir.Expr) uint32 {
	cost := uint32(costOf(firstLiteral))
	if n := e.NumArgs(); n > 0 && e.Op() != ir.Call {
		cost = costOf(exprSymbol(e))
	}
	for i := range e.NumArgs() {
		cost += treeCost(e.Arg(i))
	}
	return cost
}
