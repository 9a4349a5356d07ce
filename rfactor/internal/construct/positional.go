package construct

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Positional returns the addition of numbers whose digits are the components of a part; not ok where they do not look like
// digits. A digit is a word that wraps, a flag, or an integer that is given to lie in 0 … b−1 for a literal b. Its base is
// 2^n, 2 or b. The most significant digit may be an integer of any type.
//
//	select(x0 == 59, 0, x0 + 1); select(x0 == 59, x1 + 1, x1)   given x0 < 60
//	→ the digits of (x0 + 60·x1) + (y0 + 60·y1)                 with inject 1; 0
//
// The inject is the step from zero, since a step adds the same number to every state.
func Positional(pool *ir.Pool, p *tuple.Part, given []ir.Expr) (c Candidate, ok bool) {
	order, ok := bySignificance(p)
	if !ok {
		return c, false
	}
	c.Exprs, c.Inject = make([]ir.Expr, len(p.Types)), make([]ir.Expr, len(p.Types))
	var carry ir.Expr // none into the least significant digit
	for n, i := range order {
		t := p.Types[i]
		d := digit{x: p.States[i], y: pool.Y(i, t), carry: carry, base: baseOf(p.States[i], given)}
		if d.base == nil && t.IsSigned() && n+1 < len(order) {
			return c, false
		}
		c.Exprs[i], carry = d.sum()
		c.Inject[i] = canon.Greedy(tuple.MapStates(pool, p.Values[i:i+1], func(_ int, t ir.Type) ir.Expr { return pool.Const(t, 0) })[0], 0)
	}
	return c, true
}

// bySignificance orders the components of a part so that each reads itself and all before it; not ok where none does so,
// or where one is no integer or flag.
func bySignificance(p *tuple.Part) (order []int, ok bool) {
	if len(p.Types) < 2 || slices.ContainsFunc(p.Types, func(t ir.Type) bool { return t.IsFloat() }) {
		return nil, false
	}
	reach := tuple.Reachable(p.Values)
	order = tuple.Indices(len(p.Types))
	slices.SortFunc(order, func(i, j int) int { return bits.OnesCount64(reach[i]) - bits.OnesCount64(reach[j]) })
	for n, i := range order {
		if reach[i] != tuple.MaskOf(order[:n+1]) {
			return nil, false
		}
	}
	return order, true
}

// digit is a digit of both operands, with the carry into it. An invalid carry is none. A nil base is that of the type.
type digit struct {
	x, y, carry ir.Expr
	base        *big.Int
}

// sum returns the digit of the sum and the carry out of it.
func (d *digit) sum() (sum, carry ir.Expr) {
	x, y, pool := d.x, d.y, d.x.Pool()
	t := x.Type()
	if t == ir.Bool {
		sum, carry = ir.Make(ir.Ne, x, y), ir.AndOf(x, y)
		if d.carry.IsValid() {
			sum, carry = ir.Make(ir.Ne, sum, d.carry), ir.SelectOf(d.carry, ir.OrOf(x, y), carry)
		}
		return sum, carry
	}
	from, all := x, ir.AddOf(x, y) // from has the carry added, and is at most the base
	if d.carry.IsValid() {
		c := ir.SelectOf(d.carry, pool.Int(t, 1), pool.Int(t, 0))
		from, all = ir.AddOf(x, c), ir.AddOf(all, c)
	}
	if d.base == nil {
		carry = ir.LtOf(all, x)
		if d.carry.IsValid() {
			carry = ir.SelectOf(d.carry, ir.LeOf(all, x), carry)
		}
		return all, carry
	}
	base := pool.Const(t, d.base.Uint64())
	if twice := new(big.Int).Lsh(d.base, 1); twice.Cmp(limitOf(t)) > 0 { // the sum may not fit
		rest := ir.SubOf(base, y)
		carry = ir.LeOf(rest, from)
		return ir.SelectOf(carry, ir.SubOf(from, rest), all), carry
	}
	carry = ir.LeOf(base, all)
	return ir.SubOf(all, ir.SelectOf(carry, base, pool.Const(t, 0))), carry
}

// limitOf is the greatest value of an integer type.
func limitOf(t ir.Type) *big.Int { return new(big.Int).SetUint64(t.Max()) }

// baseOf returns the literal b of which x < b or x <= b − 1 is given; nil where none is, or the type does not hold it.
func baseOf(x ir.Expr, given []ir.Expr) *big.Int {
	for _, g := range given {
		switch {
		case g.Op() == ir.And:
			if b := baseOf(x, []ir.Expr{g.Arg(0), g.Arg(1)}); b != nil {
				return b
			}
			continue
		case !g.Op().IsComparison():
			continue
		}
		op, a, b := g.Op(), g.Arg(0), g.Arg(1)
		if op == ir.Gt || op == ir.Ge {
			a, b = b, a
		}
		if a != x || b.Op() != ir.Const || op == ir.Eq || op == ir.Ne {
			continue
		}
		base := new(big.Int).SetUint64(b.Value())
		if op == ir.Le || op == ir.Ge {
			base.Add(base, big.NewInt(1))
		}
		if base.Cmp(big.NewInt(1)) > 0 && base.Cmp(limitOf(x.Type())) <= 0 {
			return base
		}
	}
	return nil
}
