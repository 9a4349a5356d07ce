package family

import (
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitCrossing fits steps that move a number, hold it at a bound, and remember in other components what
// the inputs were when the number last met the bound: the sum of the greatest tail and where that
// tail begins.
//
//	max(x0 + y0, 0); select(x0 + y0 < 0, r, x1)   →   a = y0, t = -y0, v = r
//	(a, t, v) ∘ (a', t', v') = (a + a', max(t, t' - a), select(t < t' - a, v', v))
//
// A step is x ↦ max(x, t) + a, and sets the other components to v where x < t. The cells are a, the
// bound t before the step, which may be missing, and one v for each other component. Seen from
// before the first of two steps, the second one has its bound at t' − a.
func fitCrossing(cx *lift.Context, p *tuple.Part) *lift.Shape {
	num := -1
	for i, v := range p.Values {
		if v.States() == 1<<i && (p.Types[i].IsSigned() || p.Types[i].IsFloat()) {
			if num >= 0 {
				return nil
			}
			num = i
		}
	}
	if num < 0 || len(p.Types) < 2 {
		return nil
	}
	f := algebra.NewFitting(cx, p, []int{num}, algebra.NewClamp(cx.Pool, 1))
	cells := f.Element(p.Values[num])
	if cells == nil || !cells[0].IsConst(0) || !fold.IsNumber(cells[1], 1) {
		return nil
	}
	c := &crossing{cx: cx, num: num, best: ir.Max, move: cells[2]}
	bounds := algebra.Unpack(cells[3:])
	c.at = bounds[1]
	if bounds[1].Has.IsConst(0) {
		c.best, c.at = ir.Min, bounds[0]
	} else if !bounds[0].Has.IsConst(0) {
		return nil
	}
	if c.at.Has.IsConst(0) {
		return nil
	}
	c.at.Value = fold.Add(c.at.Value, fold.Neg(c.move))
	f.Algebra = algebra.NewRing(cx.Pool, 1)
	inject := append([]ir.Expr{c.move}, algebra.Pack([]algebra.Optional{c.at})...)
	identity := append([]ir.Expr{fold.Number(cx.Pool, p.Types[num], 0)}, algebra.Pack([]algebra.Optional{algebra.Missing(cx.Pool, p.Types[num])})...)
	for i, v := range p.Values {
		if i == num {
			continue
		}
		set := c.remembered(f, i, v)
		if !set.IsValid() {
			return nil
		}
		inject, identity = append(inject, set), append(identity, cx.Pool.Const(set.Type(), 0))
	}
	return &lift.Shape{Name: "crossing", Inject: inject, Identity: identity, Apply: c.apply, Compose: c.compose}
}

type crossing struct {
	cx    *lift.Context
	num   int
	best  ir.Op
	move  ir.Expr          // of the step
	at    algebra.Optional // its bound, before it
	loose bool             // at the bound itself, too, components are set
}

// remembered returns what component i is set to where the number meets the bound; the zero Expr
// where the component remembers nothing.
func (c *crossing) remembered(f *algebra.Fitting, i int, v ir.Expr) (set ir.Expr) {
	x := f.Part.States[i]
	if v.Op() != ir.Select {
		return set
	}
	cond, a, b := v.Arg(0), v.Arg(1), v.Arg(2)
	kept := a == x // where the condition holds
	switch {
	case kept && b.IsLeaf():
		set = b
	case b == x && a.IsLeaf():
		set = a
	default:
		return ir.Expr{}
	}
	for cond.Op() == ir.Not {
		cond, kept = cond.Arg(0), !kept
	}
	side := bound(f, cond)
	if kept {
		side = side.opposite()
	}
	if side = side.closed(); !side.end.IsValid() || side.atLeast != (c.best == ir.Min) {
		return ir.Expr{}
	}
	c.loose = !side.strict && (side.end.Type().IsFloat() || poly.Normal(ir.SubOf(side.end, c.at.Value), 0).IsConst(0))
	return set
}

// meets returns the condition under which the number x meets a bound.
func (c *crossing) meets(x, bound ir.Expr) ir.Expr {
	if c.best == ir.Min {
		x, bound = bound, x
	}
	if c.loose {
		return ir.LeOf(x, bound)
	}
	return ir.LtOf(x, bound)
}

func (c *crossing) apply(x, cells []ir.Expr) []ir.Expr {
	at := algebra.Maybe(cells[1], cells[2])
	out := make([]ir.Expr, len(x))
	sets := cells[3:]
	for i := range x {
		if i == c.num {
			out[i] = fold.Add(algebra.Better(c.best, algebra.Present(x[i]), at).Value, cells[0])
			continue
		}
		out[i] = fold.Select(fold.And(at.Has, c.meets(x[c.num], at.Value)), sets[0], x[i])
		sets = sets[1:]
	}
	return out
}

func (c *crossing) compose(a, b []ir.Expr) []ir.Expr {
	first := algebra.Maybe(a[1], a[2])
	second := algebra.Maybe(b[1], fold.Add(b[2], fold.Neg(a[0])))
	out := append([]ir.Expr{fold.Add(a[0], b[0])}, algebra.Pack([]algebra.Optional{algebra.Better(c.best, first, second)})...)
	later := fold.And(second.Has, fold.Or(fold.Not(first.Has), c.meets(first.Value, second.Value)))
	for i := range a[3:] {
		out = append(out, fold.Select(later, b[3+i], a[3+i]))
	}
	return out
}
