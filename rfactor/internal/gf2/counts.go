package gf2

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// maxCounted bounds the bits by which cases of counts are told apart.
const maxCounted = 13

// counts are the cases of what shifts are counted by: the values of the conditions that choose a
// count, and the low bits of variables that a mask leaves of it.
type counts struct {
	conditions, vars []ir.Expr
	width            int      // of what the masks leave of each variable
	values           []uint64 // in the present case, of conditions and variables
}

// find collects the counts in some expressions. It reports false where one has another form, or
// where a variable of theirs occurs elsewhere, too.
func (c *counts) find(es []ir.Expr) bool {
	ok := true
	masked := map[ir.Expr]bool{}
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() == ir.Shl || e.Op() == ir.Shr {
			masked[e.Arg(1)] = true
			ok = ok && c.read(e.Arg(1))
		}
	})
	seen := map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		ok = ok && !slices.Contains(c.vars, e)
		for i := range e.NumArgs() {
			if !masked[e.Arg(i)] || i == 0 || e.Op() != ir.Shl && e.Op() != ir.Shr {
				visit(e.Arg(i))
			}
		}
	}
	for _, e := range es {
		visit(e)
	}
	return ok && c.bits() <= maxCounted
}

func (c *counts) bits() int { return len(c.conditions) + c.width*len(c.vars) }

// read takes a count into account: one of literals, or one of which a mask 2^k − 1 leaves the
// low bits.
func (c *counts) read(n ir.Expr) bool {
	ok, varies := c.local(n)
	if !ok || !varies {
		return ok
	}
	if n.Op() != ir.BitAnd {
		return false
	}
	for i := range 2 {
		m := n.Arg(i)
		if m.Op() != ir.Const {
			continue
		}
		if k := bits.Len64(m.Value()); k < 64 && m.Value() == 1<<k-1 {
			c.width = max(c.width, k)
			return true
		}
	}
	return false
}

// local collects conditions and variables of a term, and reports whether for every k its low k
// bits depend on nothing but the low k bits of these, and whether there are variables.
func (c *counts) local(e ir.Expr) (ok, varies bool) {
	first := 0
	switch e.Op() {
	case ir.Const:
		return true, false
	case ir.Var:
		if !slices.Contains(c.vars, e) {
			c.vars = append(c.vars, e)
		}
		return e.Type().IsInt(), true
	case ir.Select:
		if !slices.Contains(c.conditions, e.Arg(0)) {
			c.conditions = append(c.conditions, e.Arg(0))
		}
		first = 1
	case ir.Add, ir.Sub, ir.BitAnd:
	default:
		return false, false
	}
	a, inA := c.local(e.Arg(first))
	b, inB := c.local(e.Arg(first + 1))
	return a && b, inA || inB
}

// tell makes number n the present case.
func (c *counts) tell(n int) {
	c.values = c.values[:0]
	for range c.conditions {
		c.values = append(c.values, uint64(n&1))
		n >>= 1
	}
	for range c.vars {
		c.values = append(c.values, uint64(n&(1<<c.width-1)))
		n >>= c.width
	}
}

// value is that of a count in the present case.
func (c *counts) value(e ir.Expr) uint64 {
	t := e.Type()
	arg := func(i int) uint64 { return c.value(e.Arg(i)) }
	switch e.Op() {
	case ir.Const:
		return e.Value()
	case ir.Var:
		return c.values[len(c.conditions)+slices.Index(c.vars, e)]
	case ir.Select:
		if c.values[slices.Index(c.conditions, e.Arg(0))] != 0 {
			return arg(1)
		}
		return arg(2)
	case ir.Add:
		return t.Wrap(arg(0) + arg(1))
	case ir.Sub:
		return t.Wrap(arg(0) - arg(1))
	case ir.BitAnd:
		return arg(0) & arg(1)
	}
	panic("gf2: internal: a count of another form")
}
