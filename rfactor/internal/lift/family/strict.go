package family

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitStrict fits the extremum of floats as loops with if find it, and what belongs to the element that is best. It assumes nothing: a state that is
// NaN stays, an input that is NaN is passed over, and of equal ones, +0 and −0 too, the first or the last stays as the update says.
//
//	if y > x { x, at = y, r }   →   p = y, q = r; (p, q) ∘ (p', q') is the second where p' > p or p is NaN, else the first
//
// A slice whose elements are all NaN is NaN, which is above nothing and changes no state; so NaN is the step that changes nothing.
func fitStrict(cx *lift.Context, p *tuple.Part) *lift.Shape {
	for k, t := range p.Types {
		if t.IsFloat() {
			if s := strictBy(cx, p, k); s != nil {
				return s
			}
		}
	}
	return nil
}

// strictBy is fitStrict with component k as the number that is compared.
func strictBy(cx *lift.Context, p *tuple.Part, k int) *lift.Shape {
	v, x := p.Values[k], p.States[k]
	if v.Op() != ir.Select || v.Arg(2) != x || !v.Arg(1).IsLeaf() {
		return nil
	}
	y := v.Arg(1)
	op, ok := takes(v.Arg(0), y, x)
	if !ok {
		return nil
	}
	inject, identity := slices.Clone(p.Values), slices.Clone(p.Values)
	for i, v := range p.Values {
		if v.Op() != ir.Select || v.Arg(2) != p.States[i] || !v.Arg(1).IsLeaf() {
			return nil
		}
		if also, ok := takes(v.Arg(0), y, x); !ok || also != op {
			return nil
		}
		inject[i], identity[i] = v.Arg(1), cx.Pool.Const(v.Type(), 0)
	}
	identity[k] = cx.Pool.Float(x.Type(), math.NaN())
	return &lift.Shape{Name: "strict", Inject: inject, Identity: identity,
		Apply: func(x, cells []ir.Expr) []ir.Expr { return algebra.Chosen(ir.Make(op, cells[k], x[k]), cells, x) },
		Compose: func(a, b []ir.Expr) []ir.Expr {
			return algebra.Chosen(fold.Or(ir.Make(op, b[k], a[k]), ir.Make(ir.Ne, a[k], a[k])), b, a)
		}}
}

// takes reads a condition as a comparison of an input with the state, in this order.
func takes(c, y, x ir.Expr) (op ir.Op, ok bool) {
	turned := map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Le: ir.Ge, ir.Gt: ir.Lt, ir.Ge: ir.Le}
	switch {
	case turned[c.Op()] == 0 || c.NumArgs() != 2:
		return 0, false
	case c.Arg(0) == y && c.Arg(1) == x:
		return c.Op(), true
	case c.Arg(0) == x && c.Arg(1) == y:
		return turned[c.Op()], true
	}
	return 0, false
}
