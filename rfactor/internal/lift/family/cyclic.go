package family

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitCyclic fits steps of one integer that go round in 0 … k−1, where that range is given of the state: indices of
// ring buffers, clocks.
//
//	select(x0 + 1 == k0, 0, x0 + 1) given x0 < k0   →   n = select(1 == k0, 0, 1)
//	n ∘ m = select(n < k0 - m, n + m, n - (k0 - m))
//
// The cell is how far a step goes from 0. Sums are reduced by a comparison in place of a remainder, so that
// they do not wrap. A cell out of the range stands for 0, and a state out of it is kept: the laws hold of all numbers, and only the
// step relies on the range.
func fitCyclic(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 1 || !p.Types[0].IsInt() {
		return nil
	}
	c := &cyclic{zero: cx.Pool.Int(p.Types[0], 0)}
	for _, given := range cx.State {
		for _, e := range conjuncts(given) {
			c.read(e, p.States[0])
		}
	}
	if !c.k.IsValid() || p.Types[0].IsSigned() && !c.natural {
		return nil
	}
	n := canon.Greedy(ir.Subst(p.Values[0], p.States, []ir.Expr{c.zero}), 0)
	if n.States() != 0 {
		return nil
	}
	return &lift.Shape{Name: "cyclic", Inject: []ir.Expr{n}, Identity: []ir.Expr{c.zero},
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			return []ir.Expr{fold.Select(c.within(x[0]), c.sum(x[0], c.reduced(cells[0])), x[0])}
		},
		Compose: func(a, b []ir.Expr) []ir.Expr { return []ir.Expr{c.sum(c.reduced(a[0]), c.reduced(b[0]))} }}
}

// cyclic says in which range a state goes round.
type cyclic struct {
	zero    ir.Expr
	k       ir.Expr // numbers of the range are below it
	natural bool    // the state is not negative
}

// read takes a condition on the state x into account.
func (c *cyclic) read(e, x ir.Expr) {
	if e.NumArgs() != 2 {
		return
	}
	a, b := e.Arg(0), e.Arg(1)
	switch op := e.Op(); {
	case (op == ir.Le && b == x || op == ir.Ge && a == x) && (a == c.zero || b == c.zero):
		c.natural = true
	case op == ir.Lt && a == x && b.IsInvariant():
		c.k = b
	case op == ir.Gt && b == x && a.IsInvariant():
		c.k = a
	case op == ir.Le && a == x && b.Op() == ir.Const && b.Value() != b.Type().Max():
		c.k = b.Pool().Int(b.Type(), b.Int()+1)
	case op == ir.Ge && b == x && a.Op() == ir.Const && a.Value() != a.Type().Max():
		c.k = a.Pool().Int(a.Type(), a.Int()+1)
	}
}

// within returns the condition that a number is in the range.
func (c *cyclic) within(n ir.Expr) ir.Expr {
	below := ir.LtOf(n, c.k)
	if n.Type().IsSigned() {
		below = ir.AndOf(ir.LeOf(c.zero, n), below)
	}
	return algebra.Evaluated(below)
}

// reduced returns a number in the range, and 0 in place of others.
func (c *cyclic) reduced(n ir.Expr) ir.Expr { return fold.Select(c.within(n), n, c.zero) }

// sum returns the sum of two numbers in the range, modulo its size.
func (c *cyclic) sum(a, b ir.Expr) ir.Expr {
	rest := ir.SubOf(c.k, b)
	return ir.SelectOf(ir.LtOf(a, rest), ir.AddOf(a, b), ir.SubOf(a, rest))
}
