package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitInterval fits steps of two extremes that are both multiplied by an input, of any sign: the greatest
// product of a part needs the least one, too; a range that is scaled and moved.
//
//	max(y0, max(x0*y0, x1*y0)); min(y0, min(x0*y0, x1*y0))   →   a = y0, c = 0, g = y0, l = y0
//	(a, c, g, l) ∘ (a', c', g', l') = (a*a', a'*c + c', max(g', a'*g or a'*l + c'), min(l', a'*l or a'*g + c'))
//
// A step is (x0, x1) ↦ (max(g, a·x0 + c, a·x1 + c), min(l, a·x0 + c, a·x1 + c)). The cells are a and c,
// and the bounds g and l, each of which may be missing. The greater of two numbers times a is the
// greatest product where a is not negative, and else that of the lesser one.
func fitInterval(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 2 || p.Types[0] != p.Types[1] || !p.Types[0].IsSigned() && !p.Types[0].IsFloat() || !multiplies(p.Values) {
		return nil
	}
	v := interval{cx: cx, t: p.Types[0]}
	f := algebra.NewFitting(cx, p, []int{0, 1}, algebra.NewRing(cx.Pool, 2))
	for greater := range 2 {
		a, c, above := v.read(f, p.Values[greater], ir.Max)
		b, d, below := v.read(f, p.Values[1-greater], ir.Min)
		if !a.IsValid() || a != b || c != d {
			continue
		}
		v.greater = greater
		zero := fold.Number(cx.Pool, v.t, 0)
		none := algebra.Missing(cx.Pool, v.t)
		return &lift.Shape{Name: "interval", Inject: append([]ir.Expr{a, c}, algebra.Pack([]algebra.Optional{above, below})...),
			Identity: append([]ir.Expr{fold.Number(cx.Pool, v.t, 1), zero}, algebra.Pack([]algebra.Optional{none, none})...),
			Apply:    v.apply, Compose: v.compose}
	}
	return nil
}

// multiplies reports whether extremes are taken and both states are multiplied.
func multiplies(values []ir.Expr) bool {
	return !slices.ContainsFunc(values, func(e ir.Expr) bool {
		has := func(ops ...ir.Op) bool {
			return contains([]ir.Expr{e}, func(e ir.Expr) bool { return !e.IsLeaf() && slices.Contains(ops, e.Op()) })
		}
		return !has(ir.Mul, ir.Neg) || !has(ir.Min, ir.Max)
	})
}

type interval struct {
	cx      *lift.Context
	t       ir.Type
	greater int // the component that is the greater one
}

// read reads an extremum of sums a·x + c for either state x and of inputs; a is the zero Expr where e does not
// have that form.
func (v interval) read(f *algebra.Fitting, e ir.Expr, best ir.Op) (a, c ir.Expr, bound algebra.Optional) {
	switch op := e.Op(); {
	case e.IsLeaf():
		return fold.Number(v.cx.Pool, v.t, 0), e, algebra.Present(e)
	case op == ir.Select && e.Arg(0).IsLeaf():
		a, c, x := v.read(f, e.Arg(1), best)
		b, d, y := v.read(f, e.Arg(2), best)
		if !a.IsValid() || !b.IsValid() {
			return ir.Expr{}, c, bound
		}
		on := e.Arg(0)
		return fold.Select(on, a, b), fold.Select(on, c, d), algebra.Either(on, x, y)
	case op == best:
		a, c, x := v.read(f, e.Arg(0), best)
		b, d, y := v.read(f, e.Arg(1), best)
		switch {
		case !a.IsValid() || !b.IsValid() || !e.Arg(0).IsLeaf() && !e.Arg(1).IsLeaf() && (a != b || c != d):
			return ir.Expr{}, c, bound
		case e.Arg(0).IsLeaf():
			return b, d, algebra.Better(best, x, y)
		}
		return a, c, algebra.Better(best, x, y)
	case op == ir.Add && e.Arg(1).IsLeaf():
		a, c, x := v.read(f, e.Arg(0), best)
		if a.IsValid() {
			return a, fold.Add(c, e.Arg(1)), algebra.Maybe(x.Has, fold.Add(x.Value, e.Arg(1)))
		}
		return a, c, bound
	}
	row := f.Element(e)
	for i := range 2 {
		if row != nil && fold.IsNumber(row[1-i], 0) {
			return row[i], row[2], algebra.Missing(v.cx.Pool, v.t)
		}
	}
	return a, c, bound
}

// moved returns a·x + c of two numbers, of which the first is the greater one, and extreme ones of
// these with the bounds.
func (v interval) moved(x, cells []ir.Expr, bounds []algebra.Optional) (greater, less algebra.Optional) {
	at := func(x ir.Expr) algebra.Optional { return algebra.Present(fold.Add(fold.Mul(x, cells[0]), cells[1])) }
	return algebra.Better(ir.Max, bounds[0], algebra.Better(ir.Max, at(x[0]), at(x[1]))), algebra.Better(ir.Min, bounds[1], algebra.Better(ir.Min, at(x[0]), at(x[1])))
}

func (v interval) apply(x, cells []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, 2)
	greater, less := v.moved(x, cells, algebra.Unpack(cells[2:]))
	out[v.greater], out[1-v.greater] = greater.Value, less.Value
	return out
}

func (v interval) compose(a, b []ir.Expr) []ir.Expr {
	first, second := algebra.Unpack(a[2:]), algebra.Unpack(b[2:])
	rises := ir.LeOf(fold.Number(v.cx.Pool, v.t, 0), b[0])
	through := func(up, down algebra.Optional) algebra.Optional {
		moved := func(o algebra.Optional) algebra.Optional {
			return algebra.Maybe(o.Has, fold.Add(fold.Mul(o.Value, b[0]), b[1]))
		}
		return algebra.Either(rises, moved(up), moved(down))
	}
	return append([]ir.Expr{fold.Mul(a[0], b[0]), fold.Add(fold.Mul(a[1], b[0]), b[1])},
		algebra.Pack([]algebra.Optional{algebra.Better(ir.Max, second[0], through(first[0], first[1])), algebra.Better(ir.Min, second[1], through(first[1], first[0]))})...)
}
