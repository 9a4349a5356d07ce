// Package construct builds operators that no table lists out of what a step does. It proves nothing:
// its caller confirms what it builds.
//
//	max(x0, y0); select(x0 < y0, x0, max(x1, y0))
//	→ max(x0, y0); select(x0 < y0, max(y1, x0), max(x1, y0))   with inject y0; tmin
package construct

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Candidate is an operator Exprs over x_i and y_i, with the second operand Inject that stands for a step. Nothing is proven of it.
type Candidate struct {
	Exprs, Inject []ir.Expr
}

// Keyed yields operators of a part in which one component, the key, keeps the best of its inputs, and
// the others depend on which of two keys is better: payloads of the best element, what is second
// best, how many are best.
//
// Of two states the one with the better key wins. Its payloads meet the other state as they would
// an element with that key and payloads; of equal keys the payloads are merged by an operator that
// merges them with an element's as the step does.
func Keyed(pool *ir.Pool, p *tuple.Part) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if len(p.Types) < 2 {
			return
		}
		for k := range p.Types {
			c, ok := keyOf(pool, p, k)
			if !ok {
				continue
			}
			for e := range c.candidates() {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// keyed is a part with its key.
type keyed struct {
	pool   *ir.Pool
	p      *tuple.Part
	k      int
	input  ir.Expr // the element's key
	most   bool    // greater keys are better
	y      []ir.Expr
	inject []ir.Expr
}

// keyOf reads component k as the key of a part.
func keyOf(pool *ir.Pool, p *tuple.Part, k int) (*keyed, bool) {
	x, v := p.States[k], p.Values[k]
	if !p.Types[k].IsNumeric() { // a condition between inputs may choose booleans
		return nil, false
	}
	c := &keyed{pool: pool, p: p, k: k}
	var a, b ir.Expr
	switch {
	case v.Op() == ir.Min || v.Op() == ir.Max:
		a, b, c.most = v.Arg(0), v.Arg(1), v.Op() == ir.Max
	case v.Op() == ir.Select && v.Arg(0).Op().IsComparison():
		less, ok := lesser(v.Arg(0))
		if !ok {
			return nil, false
		}
		a, b = v.Arg(1), v.Arg(2)
		c.most = b == less // where less < other holds it takes the other
	default:
		return nil, false
	}
	if a != x {
		a, b = b, a
	}
	if a != x || !b.IsLeaf() || b.IsInvariant() {
		return nil, false
	}
	c.input = b
	_, c.y = pool.Operands(p.Types)
	return c, true
}

// lesser returns the side of an inequality that is less where it holds.
func lesser(c ir.Expr) (ir.Expr, bool) {
	switch c.Op() {
	case ir.Lt, ir.Le:
		return c.Arg(0), true
	case ir.Gt, ir.Ge:
		return c.Arg(1), true
	}
	return ir.Expr{}, false
}

// order says how the key of the state compares with the element's.
type order int

const (
	less order = iota - 1
	equal
	greater
)

// at returns component i after a step where the keys compare so.
func (c *keyed) at(i int, o order) ir.Expr {
	x, l := c.p.States[c.k], c.input
	v := c.pool.Map(c.p.Values[i:i+1], func(e ir.Expr) ir.Expr {
		if e.NumArgs() != 2 || !(e.Arg(0) == x && e.Arg(1) == l || e.Arg(0) == l && e.Arg(1) == x) {
			return ir.Expr{}
		}
		sign := o
		if e.Arg(0) == l {
			sign = -o
		}
		switch e.Op() {
		case ir.Lt:
			return c.pool.Bool(sign < 0)
		case ir.Le:
			return c.pool.Bool(sign <= 0)
		case ir.Gt:
			return c.pool.Bool(sign > 0)
		case ir.Ge:
			return c.pool.Bool(sign >= 0)
		case ir.Eq:
			return c.pool.Bool(sign == 0)
		case ir.Ne:
			return c.pool.Bool(sign != 0)
		case ir.Min, ir.Max:
			if (o < 0) == (e.Op() == ir.Max) && o != equal {
				return l
			}
			return x
		}
		return ir.Expr{}
	})[0]
	return canon.Greedy(v, 0)
}

// candidates yields an operator for every way to merge payloads of equal keys that agrees with the step.
func (c *keyed) candidates() iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		n := len(c.p.Types)
		options := make([][]ir.Expr, n) // for each component
		x, y := c.p.States, c.y
		after := c.afterStep()
		if after == nil {
			return
		}
		for i := range n {
			if options[i] = c.options(i, after[i], x, y); options[i] == nil {
				return
			}
		}
		for at := range maxOptions {
			exprs := make([]ir.Expr, n)
			for i, list := range options {
				exprs[i], at = list[at%len(list)], at/len(list)
			}
			if at > 0 || !yield(Candidate{exprs, c.inject}) {
				return
			}
		}
	}
}

// maxOptions bounds the operators of one key.
const maxOptions = 16

// afterStep returns each component as a step leaves it where the state has the better key, where the
// keys are equal, and where the element's is better. It finds the payloads of elements; nil where
// it does not.
func (c *keyed) afterStep() [][3]ir.Expr {
	n := len(c.p.Types)
	wins, loses := greater, less
	if !c.most {
		wins, loses = less, greater
	}
	after := make([][3]ir.Expr, n)
	c.inject = make([]ir.Expr, n)
	c.inject[c.k] = c.input
	for i := range n {
		after[i] = [3]ir.Expr{c.at(i, wins), c.at(i, equal), c.at(i, loses)}
		if i != c.k && after[i][2].IsLeaf() {
			c.inject[i] = after[i][2]
		}
	}
	for i := range n {
		if !c.inject[i].IsValid() && !c.neutral(i, after[i]) {
			return nil
		}
	}
	return after
}

// options lists what component i of x ⊕ y may be.
func (c *keyed) options(i int, after [3]ir.Expr, x, y []ir.Expr) (out []ir.Expr) {
	if i == c.k {
		if c.most {
			return []ir.Expr{ir.MaxOf(x[i], y[i])}
		}
		return []ir.Expr{ir.MinOf(x[i], y[i])}
	}
	yWins := ir.LtOf(y[c.k], x[c.k])
	if c.most {
		yWins = ir.LtOf(x[c.k], y[c.k])
	}
	keeps, ok := c.meets(after[0], x, y)
	taken, also := c.meets(after[0], y, x)
	if !ok || !also {
		return nil
	}
	if after[1] == after[0] {
		out = append(out, fold.Select(yWins, taken, keeps))
	}
	for _, merged := range c.merged(i, after[1]) {
		out = append(out, fold.Select(yWins, taken, fold.Select(ir.EqOf(x[c.k], y[c.k]), merged, keeps)))
	}
	return out
}

// neutral finds the payload of an element for a component that a step sets by the old state where the
// element wins: one that makes what the loser adds to it that.
func (c *keyed) neutral(i int, after [3]ir.Expr) bool {
	t := c.p.Types[i]
	for _, e := range []ir.Expr{c.pool.Const(t, t.Min()), c.pool.Const(t, t.Max()), fold.Number(c.pool, t, 0)} {
		winner := slices.Clone(c.y)
		winner[i] = e
		got, ok := c.meets(after[0], winner, c.p.States)
		if ok && canon.Greedy(got, 0) == after[2] {
			c.inject[i] = e
			return true
		}
	}
	return false
}

// meets returns a component of a winner that meets a loser, as the step says of an element.
func (c *keyed) meets(e ir.Expr, winner, loser []ir.Expr) (out ir.Expr, ok bool) {
	ok = true
	out = c.pool.Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if i := slices.Index(c.inject, e); i >= 0 && e.IsLeaf() && !e.IsInvariant() {
			return loser[i]
		}
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		switch e.Kind() {
		case ir.State:
			return winner[e.Index()]
		case ir.Leaf, ir.Coord:
			ok = false
		}
		return ir.Expr{}
	})[0]
	return out, ok
}

// merged lists the payloads of equal keys merged, by operators that give what the step gives.
func (c *keyed) merged(i int, step ir.Expr) (out []ir.Expr) {
	x, y, h := c.p.States[i], c.y[i], c.inject[i]
	makers := []func(a, b ir.Expr) ir.Expr{ir.MaxOf, ir.MinOf, ir.AddOf}
	if c.p.Types[i] == ir.Bool {
		makers = []func(a, b ir.Expr) ir.Expr{fold.Or, fold.And}
	}
	for _, merge := range makers {
		if canon.Greedy(merge(x, h), 0) == step {
			out = append(out, merge(x, y))
		}
	}
	switch step {
	case x:
		out = append(out, x)
	case h:
		out = append(out, y)
	}
	return out
}
