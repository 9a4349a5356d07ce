package find

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// An operator may show only after terms are written in another way, for which there is no rule: the rule would serve few updates and
// slow down the saturation of all. The caller proves that each term is what takes its place.

// Rewriting is a term of an update, and what may take its place. Nothing is proven of it.
type Rewriting struct{ From, To ir.Expr }

// AddsNoOverflow reports whether an equation of integers that wrap may be used in values where some
// types are unbounded. What From computes is computed whenever To is in its place.
func (r Rewriting) AddsNoOverflow(values []ir.Expr, unbounded ir.Assume) bool {
	return overflow.AddsNoOverflow(append([]ir.Expr{r.From}, values...), []ir.Expr{r.To}, unbounded)
}

// rewriting lists the terms that by changes.
func rewriting(terms []ir.Expr, by func(ir.Expr) ir.Expr) (out []Rewriting) {
	for _, e := range terms {
		if to := by(e); to != e {
			out = append(out, Rewriting{e, to})
		}
	}
	return out
}

// Tidied simplifies the leaves, which saturation leaves as they are.
func (cx *Context) Tidied(p *tuple.Part) []Rewriting {
	return rewriting(tuple.MaximalLeaves(p.Values), func(e ir.Expr) ir.Expr { return canon.Greedy(e, cx.Allowed) })
}

// Multiplied writes shifts by literals, and sums of the same term, as products: (x0 << 3) + x0 is 9·x0,
// which an operator has for x0·y1.
func (cx *Context) Multiplied(p *tuple.Part) []Rewriting {
	return rewriting(p.Values, func(e ir.Expr) ir.Expr { return AsProduct(e, cx.Allowed) })
}

// AsProduct writes a term with products in the ring's normal form, and a - a/7*7 as a % 7, unless that is larger.
func AsProduct(e ir.Expr, allowed ir.Assume) ir.Expr {
	to := e.Pool().Map(products(e.Pool(), []ir.Expr{e}), asRemainder)[0]
	if isRing(to) {
		to = poly.Normal(to, allowed)
	}
	if to.Size() > e.Size() {
		return e
	}
	return to
}

// asRemainder returns a % k for a - a/k*k, where k is a literal other than 0; the zero Expr for other terms.
func asRemainder(e ir.Expr) ir.Expr {
	if e.Op() != ir.Sub || !e.Type().IsInt() || e.Arg(1).Op() != ir.Mul {
		return ir.Expr{}
	}
	a := e.Arg(0)
	for i := range 2 {
		k, q := e.Arg(1).Arg(i), e.Arg(1).Arg(1-i)
		if k.Op() == ir.Const && !k.IsConst(0) && q.Op() == ir.Div && q.Arg(0) == a && q.Arg(1) == k {
			return ir.ModOf(a, k)
		}
	}
	return ir.Expr{}
}

func isRing(e ir.Expr) bool { return e.Op() == ir.Add || e.Op() == ir.Sub || e.Op() == ir.Mul }

// Distributed takes sums into extrema where that leaves less: y0 + max(x0 - y0, y1) is max(x0, y0 + y1)
// where integers are unbounded.
func (cx *Context) Distributed(p *tuple.Part) []Rewriting { return rewriting(p.Values, cx.distribute) }

// distribute takes sums and differences into the extrema that they have for an operand, from the inside out, where the
// result is smaller. It looks into sums and extrema alone.
func (cx *Context) distribute(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Add, ir.Sub, ir.Min, ir.Max:
	default:
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = cx.distribute(e.Arg(i))
	}
	e = ir.Rebuild(e, args)
	t := e.Type()
	if e.Op() != ir.Add && e.Op() != ir.Sub || !cx.Allowed.Unbounded(t) && !(t.IsFloat() && cx.Allowed.Has(ir.Reassoc)) {
		return e
	}
	for k, extremum := range args {
		op := extremum.Op()
		if op != ir.Min && op != ir.Max {
			continue
		}
		both := [2]ir.Expr{}
		for i := range both {
			args[k] = extremum.Arg(i)
			both[i] = poly.Normal(ir.Rebuild(e, args), cx.Allowed)
		}
		args[k] = extremum
		if e.Op() == ir.Sub && k == 1 { // a - max(b, c) = min(a - b, a - c)
			op = ir.Min + ir.Max - op
		}
		if out := ir.Make(op, both[0], both[1]); out.Size() < e.Size() {
			return out
		}
	}
	return e
}

// Signs writes every a >> 31, of 32 bits, as a select on the sign of a: unbounded integers have no sign bit.
func (cx *Context) Signs(p *tuple.Part) []Rewriting {
	var shifts []ir.Expr
	ir.Walk(p.Values, func(e ir.Expr) {
		if t := e.Type(); e.Op() == ir.Shr && !e.IsLeaf() && t.IsSigned() && e.Arg(1).IsConst(uint64(t.Bits()-1)) {
			shifts = append(shifts, e)
		}
	})
	return rewriting(shifts, func(e ir.Expr) ir.Expr {
		t := e.Type()
		return ir.SelectOf(ir.LtOf(e.Arg(0), cx.Pool.Int(t, 0)), cx.Pool.Int(t, -1), cx.Pool.Int(t, 0))
	})
}

// products writes shifts by literals as products.
func products(pool *ir.Pool, values []ir.Expr) []ir.Expr {
	return pool.Map(values, func(e ir.Expr) ir.Expr {
		if t := e.Type(); e.Op() == ir.Shl && e.Arg(1).Op() == ir.Const && e.Arg(1).Value() < uint64(t.Bits()) {
			return ir.MulOf(e.Arg(0), pool.Const(t, 1<<e.Arg(1).Value()))
		}
		return ir.Expr{}
	})
}
