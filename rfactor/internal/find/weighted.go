package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Weighted proposes the part with a sum in the place of a component that divides it by another one: a weighted mean, of which the other component
// is the weight.
//
//	x0*k0 + y1; (x1*x0*k0 + y0*y1)/(x0*k0 + y1)   →   x0*k0 + y1; x1*k0 + y0*y1, where x1 was x1/x0
func (cx *Context) Weighted(p *tuple.Part) iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		for k, v := range p.Values {
			j := -1
			if v.Op() == ir.Div && v.Type().IsFloat() && cx.Allowed.Has(ir.Reassoc) {
				j = slices.Index(p.Values, v.Arg(1))
			}
			if j < 0 || j == k || slices.ContainsFunc(p.Values, func(e ir.Expr) bool { return e != v && e.States()>>k&1 != 0 }) {
				continue
			}
			q := *p
			q.Values = slices.Clone(p.Values)
			q.Values[k] = poly.Normal(ir.Subst(v.Arg(0), p.States[k:k+1], []ir.Expr{ir.DivOf(p.States[k], p.States[j])}), cx.Allowed)
			if q.Values[k].Size() >= v.Size() {
				continue // it is no sum of what the component has by weight
			}
			back := func(op proof.Operator, inject []ir.Expr) (exprs, operand []ir.Expr) {
				x, y := cx.Pool.Operands(p.Types)
				x[k], y[k] = ir.MulOf(x[k], x[j]), ir.MulOf(y[k], y[j])
				mean, ok := quotient(inject[k], inject[j])
				if !ok {
					return nil, nil
				}
				exprs, operand = op.Apply(x, y), slices.Clone(inject)
				exprs[k], operand[k] = ir.DivOf(exprs[k], exprs[j]), mean
				return exprs, operand
			}
			if !yield(Transfer{Part: &q, Given: cx.State, Back: back}) {
				return
			}
		}
	}
}

// quotient returns a number divided by a weight, where it is a product of that; no weight of an element may be a pole.
func quotient(a, weight ir.Expr) (q ir.Expr, ok bool) {
	switch {
	case fold.IsNumber(weight, 1):
		return a, true
	case a.Op() == ir.Mul && a.Arg(0) == weight:
		return a.Arg(1), true
	case a.Op() == ir.Mul && a.Arg(1) == weight:
		return a.Arg(0), true
	}
	return q, false
}
