package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Bounds of the search: the components of a part that gets other coordinates, and the terms that are
// tried as coordinates.
const (
	maxMoved       = 3
	maxCoordinates = 6
)

// fitCoordinates fits steps that are max-plus in other coordinates than the components: in components
// with the opposite sign, in sums and in differences of components.
//
//	min(x0, y0); max(x1, y0 - x0)   →   max-plus in u = -x0 and v = x1: p = -y0, q = y0, r = -∞
//	u ↦ max(u, p), v ↦ max(u + q, v, r);  (p, q, r) ∘ (p', q', r') = (max(p, p'), max(q, q'), max(p + q', r, r'))
//
// A minimum is the maximum of the opposites, and the fall of a sum below its greatest value is a
// difference of two components. The family looks for as many coordinates as there are components,
// such that a step makes each a maximum of shifted coordinates, and that the components are integer
// combinations of the coordinates.
func fitCoordinates(cx *lift.Context, p *tuple.Part) *lift.Shape {
	n := len(p.Types)
	t := p.Types[0]
	if n < 2 || n > maxMoved || len(cx.State) == 0 && !subtractsState(p.Values) && !bothExtrema(p.Values) || !t.IsSigned() && !t.IsFloat() || slices.ContainsFunc(p.Types, func(u ir.Type) bool { return u != t }) {
		return nil
	}
	c := &moved{cx: cx, p: p}
	c.close()
	var s *lift.Shape
	subsets(len(c.terms), n, func(chosen []int) bool {
		s = c.shape(chosen)
		return s == nil
	})
	return s
}

// subsets calls f with the k-element subsets of 0 … n-1 until f returns false.
func subsets(n, k int, f func([]int) bool) {
	for mask := range uint64(1) << n {
		if set := tuple.Members(mask); len(set) == k && !f(set) {
			return
		}
	}
}

// subtractsState reports whether a term with the state is subtracted.
func subtractsState(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		n := e.NumArgs()
		found = found || (e.Op() == ir.Sub || e.Op() == ir.Neg) && e.Arg(n-1).States() != 0
	})
	return found
}

// bothExtrema reports whether both a minimum and a maximum of terms with the state are taken.
func bothExtrema(es []ir.Expr) bool {
	least, greatest := false, false
	ir.Walk(es, func(e ir.Expr) {
		least = least || e.Op() == ir.Min && !e.IsLeaf()
		greatest = greatest || e.Op() == ir.Max && !e.IsLeaf()
	})
	return least && greatest
}

// combination is a sum of components, each times its integer factor.
type combination [maxMoved]int

func unit(i, factor int) (c combination) {
	c[i] = factor
	return c
}

// moved is a part with the combinations that are candidates for its coordinates.
type moved struct {
	cx    *lift.Context
	p     *tuple.Part
	terms []combination
	made  [][]combination // of each term: those of which a step takes the greatest
}

// close collects the candidates: each component, or its opposite where steps take its minimum, and
// then every combination that a step takes the maximum of to make another candidate.
func (c *moved) close() {
	for i := range c.p.Types {
		if !c.enter(unit(i, 1)) {
			c.enter(unit(i, -1))
		}
	}
	for i := 0; i < len(c.terms); i++ {
		for _, t := range c.made[i] {
			if t != (combination{}) && !slices.Contains(c.terms, t) && len(c.terms) < maxCoordinates {
				c.enter(t)
			}
		}
	}
}

// enter adds a combination to the candidates if steps make it a maximum of combinations, and reports
// whether they do.
func (c *moved) enter(t combination) bool {
	var made []combination
	if !c.after(t, func(t combination, _ ir.Expr) ir.Expr {
		made = append(made, t)
		return c.p.States[0]
	}).IsValid() {
		return false
	}
	c.terms, c.made = append(c.terms, t), append(c.made, made)
	return true
}

// after returns the combination t after a step, as a maximum; leaf returns the operand of the maximum
// for a combination and the input that is added to it. The result is the zero Expr where t is no
// such maximum.
func (c *moved) after(t combination, leaf func(combination, ir.Expr) ir.Expr) ir.Expr {
	var todo []multiple
	for i, factor := range t[:len(c.p.Types)] {
		if factor != 0 {
			todo = append(todo, multiple{c.p.Values[i], factor})
		}
	}
	return c.spread(todo, combination{}, fold.Number(c.cx.Pool, c.p.Types[0], 0), leaf)
}

// multiple is a term times a factor.
type multiple struct {
	e      ir.Expr
	factor int
}

// spread returns the sum of the multiples in todo, a combination and an input as a maximum of simple
// sums; the zero Expr where it is no such maximum.
func (c *moved) spread(todo []multiple, t combination, plus ir.Expr, leaf func(combination, ir.Expr) ir.Expr) (none ir.Expr) {
	if len(todo) == 0 {
		return leaf(t, plus)
	}
	e, factor := todo[0].e, todo[0].factor
	rest := todo[1:]
	with := func(more ...multiple) ir.Expr { return c.spread(append(more, rest...), t, plus, leaf) }
	both := func(join func(a, b ir.Expr) ir.Expr) ir.Expr {
		n := e.NumArgs()
		a, b := with(multiple{e.Arg(n - 2), factor}), with(multiple{e.Arg(n - 1), factor})
		if !a.IsValid() || !b.IsValid() {
			return none
		}
		return join(a, b)
	}
	switch op := e.Op(); {
	case e.IsLeaf():
		return c.spread(rest, t, fold.Add(plus, fold.Mul(e, fold.Number(c.cx.Pool, e.Type(), int64(factor)))), leaf)
	case op == ir.Var:
		t[e.Index()] += factor
		return c.spread(rest, t, plus, leaf)
	case op == ir.Neg:
		return with(multiple{e.Arg(0), -factor})
	case op == ir.Add:
		return with(multiple{e.Arg(0), factor}, multiple{e.Arg(1), factor})
	case op == ir.Sub:
		return with(multiple{e.Arg(0), factor}, multiple{e.Arg(1), -factor})
	case op == ir.Select && e.Arg(0).IsLeaf():
		yes := c.spread(c.where(todo, e.Arg(0), true), t, plus, leaf)
		no := c.spread(c.where(todo, e.Arg(0), false), t, plus, leaf)
		if !yes.IsValid() || !no.IsValid() {
			return none
		}
		return ir.SelectOf(e.Arg(0), yes, no)
	case op == ir.Select:
		if g := algebra.Unfold(c.cx, e, e.States()); g.IsValid() {
			return with(multiple{g, factor})
		}
	case op == ir.Max || op == ir.Min:
		if joint := c.joint(todo); joint != nil {
			return c.spread(joint, t, plus, leaf)
		}
		if op == ir.Max && factor > 0 || op == ir.Min && factor < 0 {
			return both(ir.MaxOf)
		}
		for i, m := range rest { // an extremum with which it is none may come
			if m.e.NumArgs() > 0 && !m.e.IsLeaf() && m.e.Op() != ir.Max && m.e.Op() != ir.Min {
				return c.spread(slices.Concat([]multiple{m}, rest[:i], rest[i+1:], todo[:1]), t, plus, leaf)
			}
		}
	}
	return none
}

// where returns the multiples under a condition on inputs, or under its negation.
func (c *moved) where(todo []multiple, cond ir.Expr, holds bool) []multiple {
	out := slices.Clone(todo)
	for i, m := range todo {
		es, _ := When(c.cx, []ir.Expr{m.e}, cond, holds)
		out[i].e = es[0]
	}
	return out
}

// joint adds up the first of some multiples with another one: max(a, b) + min(a + d, b + d) is
// a + b + d. It returns nil where no other one fits.
func (c *moved) joint(todo []multiple) []multiple {
	op, a, b := todo[0].extremum()
	for i, m := range todo[1:] {
		other, first, second := m.extremum()
		if op == 0 || other == 0 || op == other {
			continue
		}
		for range 2 {
			gap := ir.SubOf(ir.SubOf(first, b), ir.SubOf(second, a))
			if fold.IsNumber(poly.Normal(gap, c.cx.Allowed), 0) {
				return slices.Concat([]multiple{{a, 1}, {first, 1}}, todo[1:i+1], todo[i+2:])
			}
			a, b = b, a
		}
	}
	return nil
}

// extremum reads a multiple as Max or Min of two terms; 0 where it is neither.
func (m multiple) extremum() (op ir.Op, a, b ir.Expr) {
	op = m.e.Op()
	if op != ir.Min && op != ir.Max || m.factor != 1 && m.factor != -1 {
		return 0, a, b
	}
	a, b = m.e.Arg(0), m.e.Arg(1)
	if m.factor < 0 {
		return ir.Min + ir.Max - op, fold.Neg(a), fold.Neg(b)
	}
	return op, a, b
}

// shape returns the shape with the chosen candidates as coordinates; nil where steps of these need
// other combinations, or where the components are no combinations of these.
func (c *moved) shape(chosen []int) *lift.Shape {
	pool, types := c.cx.Pool, c.p.Types
	var terms []combination
	name := "mirrored max-plus"
	for _, i := range chosen {
		terms = append(terms, c.terms[i])
		if c.terms[i].factors() > 1 {
			name = "max-plus of differences"
		}
	}
	back, ok := inverse(terms)
	if !ok {
		return nil
	}
	q := *c.p
	q.Values = make([]ir.Expr, len(terms))
	for j, t := range terms {
		q.Values[j] = c.after(t, func(t combination, plus ir.Expr) (none ir.Expr) {
			i := slices.Index(terms, t)
			switch {
			case t == combination{}:
				return plus
			case i < 0:
				return none
			}
			return fold.Add(pool.X(i, types[i]), plus)
		})
		if !q.Values[j].IsValid() {
			return nil
		}
	}
	s := algebra.Fit(c.cx, &q, "max-plus", algebra.NewMaxPlus, 0)
	if s == nil {
		return nil
	}
	apply := s.Apply
	s.Name = name
	s.Apply = func(x, cells []ir.Expr) []ir.Expr { return combined(back, apply(combined(terms, x), cells)) }
	return s
}

func (t combination) factors() (n int) {
	for _, f := range t {
		if f != 0 {
			n++
		}
	}
	return n
}

// combined evaluates combinations at the numbers x.
func combined(terms []combination, x []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(terms))
	for j, t := range terms {
		zero := fold.Number(x[0].Pool(), x[0].Type(), 0)
		out[j] = zero
		for i := range x {
			switch {
			case t[i] < 0 && out[j] != zero:
				out[j] = ir.SubOf(out[j], fold.Mul(x[i], fold.Number(x[i].Pool(), x[i].Type(), int64(-t[i]))))
			case t[i] < 0:
				out[j] = fold.Neg(fold.Mul(x[i], fold.Number(x[i].Pool(), x[i].Type(), int64(-t[i]))))
			default:
				out[j] = fold.Add(out[j], fold.Mul(x[i], fold.Number(x[i].Pool(), x[i].Type(), int64(t[i]))))
			}
		}
	}
	return out
}

// inverse returns the components as combinations of the terms; not ok where that takes other
// factors than integers.
func inverse(terms []combination) (back []combination, ok bool) {
	n := len(terms)
	left := slices.Clone(terms)
	for i := range n {
		back = append(back, unit(i, 1))
	}
	add := func(to, from, times int) {
		for k := range n {
			left[to][k] += times * left[from][k]
			back[to][k] += times * back[from][k]
		}
	}
	for i := range n {
		j := i
		for j < n && left[j][i] != 1 && left[j][i] != -1 {
			j++
		}
		if j == n {
			return nil, false
		}
		left[i], left[j], back[i], back[j] = left[j], left[i], back[j], back[i]
		if left[i][i] < 0 {
			add(i, i, -2)
		}
		for k := range n {
			if k != i {
				add(k, i, -left[k][i])
			}
		}
	}
	return back, true
}
