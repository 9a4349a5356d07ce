package canon

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
)

// TestCanonical: the terms of a row have one canonical form, the first of them.
func TestCanonical(t *testing.T) {
	for _, row := range []struct {
		types   string
		allowed ir.Assume
		terms   []string
	}{
		{"x0:i32,y0:i32", 0, []string{"x0 + y0", "y0 + x0", "~(~x0 - y0)", "x0 - (-y0)", "(x0 ^ y0) + 2*(x0 & y0)"}},
		{"x0:i32,y0:i32", 0, []string{"max(x0, y0)", "max(y0, x0)", "~min(~x0, ~y0)", "select(y0 <= x0, x0, y0)", "x0 + y0 - min(x0, y0)"}},
		{"x0:i32,y0:i32,k0:i32", 0, []string{"max(min(x0, k0), y0)", "min(max(y0, x0), max(y0, k0))"}},
		{"x0:bool,y0:bool", 0, []string{"x0 || y0", "!(!x0 && !y0)", "select(x0, true, y0)"}},
		{"x0:i32,x1:i32,y0:i32", 0, []string{"x0 + x1 + y0", "y0 + x1 + x0", "x1 + (y0 + x0)"}},
		{"x0:i32,y0:i32", 0, []string{"x0*2 + y0", "y0 + x0 + x0"}},
		{"x0:f32,y0:f32", ir.DefaultAssumptions, []string{"max(x0, y0)", "select(x0 >= y0, x0, y0)"}},
		{"x0:i32,y0:i32", ir.NSW, []string{"min(x0, y0)", "-max(-x0, -y0)"}},
		{"x0:i32,y0:i32", 0, []string{"y0", "x0 - x0 + y0"}},
	} {
		for _, e := range parse(t, row.types, row.terms...) {
			if got := Canonical(e, row.allowed).String(); got != row.terms[0] {
				t.Errorf("Canonical(%s) = %s, want %s", e, got, row.terms[0])
			}
		}
	}
}

// Canonical returns the term that is printed for all terms that saturation under the allowed
// assumptions finds equal to e: the one with the fewest leaves, then the shortest
// operators, then the first in reading order: x_i before x_(i+1) before y_j, constants to
// the right. It is exact where nothing is allowed.
func Canonical(e ir.Expr, allowed ir.Assume) ir.Expr {
	s := NewSession()
	s.Reset(e.Pool(), allowed, false)
	s.purpose = simplifying
	c := s.Add(e)
	s.Saturate(context.Background(), func() bool { return false })
	return s.canonical(c)
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
			e := tidied(s.exprOf(op, s.kids, func(k egraph.Class) ir.Expr { return best[k] }), s.allowed)
			if old, ok := best[k]; !ok || readsBefore(e, old) {
				best[k] = e
			}
		}
	}
	return best[c]
}
