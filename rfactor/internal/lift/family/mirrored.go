package family

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitMirrored fits steps that multiply the two ends of an interval, and exchange them where the factor is negative.
//
//	select(y0 < 0, max(y0, x1*y0), max(y0, x0*y0)); select(y0 < 0, min(y0, x0*y0), min(y0, x1*y0))
//	→   f = y0 < 0, k = abs(y0), g = y0, l = y0: the step is max(g, ±k*x0 or x1); min(l, ±k*x1 or x0)
//	(f, k, g, l) ∘ (f', k', g', l') = (f != f', k*k', max(g', k'*g or −k'*l), min(l', k'*l or −k'*g))
//
// The cells are whether the interval is mirrored, k, which counts as 0 where it is below, and the bounds g and l, each of which
// may be missing. Unlike family interval it takes no extremum of both ends, so that the state need not be in order.
func fitMirrored(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 2 || p.Types[0] != p.Types[1] || !p.Types[0].IsSigned() && !p.Types[0].IsFloat() || !multiplies(p.Values) {
		return nil
	}
	f := algebra.NewFitting(cx, p, []int{0, 1}, algebra.NewRing(cx.Pool, 2))
	for greater := range 2 {
		v := mirrored{cx: cx, t: p.Types[0], greater: greater}
		flip, k, above := v.read(f, p.Values[greater], ir.Max, greater)
		flip2, k2, below := v.read(f, p.Values[1-greater], ir.Min, 1-greater)
		if !flip.IsValid() || flip != flip2 || k != k2 {
			continue
		}
		none := algebra.Missing(cx.Pool, v.t)
		return &lift.Shape{Name: "mirrored", Inject: append([]ir.Expr{flip, k}, algebra.Pack([]algebra.Optional{above, below})...),
			Identity: append([]ir.Expr{cx.Pool.Bool(false), fold.Number(cx.Pool, v.t, 1)}, algebra.Pack([]algebra.Optional{none, none})...),
			Apply:    v.apply, Compose: v.compose}
	}
	return nil
}

type mirrored struct {
	cx      *lift.Context
	t       ir.Type
	greater int // the component that is the greater end
}

// read reads component own as the extremum of a bound and of ±k times an end, which is the other one where flip holds; flip
// is the zero Expr where e does not have that form.
func (v mirrored) read(f *algebra.Fitting, e ir.Expr, best ir.Op, own int) (flip, k ir.Expr, bound algebra.Optional) {
	switch op := e.Op(); {
	case op == ir.Select && e.Arg(0).IsLeaf():
		flip, k, x := v.read(f, e.Arg(1), best, own)
		flip2, k2, y := v.read(f, e.Arg(2), best, own)
		if !flip.IsValid() || !flip2.IsValid() {
			return ir.Expr{}, k, bound
		}
		on := e.Arg(0)
		return fold.Select(on, flip, flip2), fold.Select(on, k, k2), algebra.Either(on, x, y)
	case op == best && (e.Arg(0).IsLeaf() || e.Arg(1).IsLeaf()):
		l, rest := e.Arg(0), e.Arg(1)
		if !l.IsLeaf() {
			l, rest = rest, l
		}
		flip, k, x := v.read(f, rest, best, own)
		if !flip.IsValid() {
			return flip, k, x
		}
		return flip, k, algebra.Better(best, algebra.Present(l), x)
	}
	row := f.Element(e)
	for i := range 2 {
		if row == nil || !fold.IsNumber(row[1-i], 0) || !fold.IsNumber(row[2], 0) {
			continue
		}
		if i == own {
			return v.cx.Pool.Bool(false), row[i], algebra.Missing(v.cx.Pool, v.t)
		}
		return v.cx.Pool.Bool(true), fold.Neg(row[i]), algebra.Missing(v.cx.Pool, v.t)
	}
	return flip, k, bound
}

// factor is k, or 0 where that is greater.
func (v mirrored) factor(k ir.Expr) ir.Expr {
	if k.Op() == ir.Var {
		return ir.MaxOf(k, fold.Number(v.cx.Pool, v.t, 0))
	}
	return k
}

// moved returns the ends of an interval after a step without its bounds.
func (v mirrored) moved(cells []ir.Expr, greater, less algebra.Optional) (algebra.Optional, algebra.Optional) {
	k := v.factor(cells[1])
	up := algebra.Either(cells[0], algebra.Maybe(less.Has, fold.Neg(less.Value)), greater)
	down := algebra.Either(cells[0], algebra.Maybe(greater.Has, fold.Neg(greater.Value)), less)
	return algebra.Maybe(up.Has, fold.Mul(up.Value, k)), algebra.Maybe(down.Has, fold.Mul(down.Value, k))
}

func (v mirrored) apply(x, cells []ir.Expr) []ir.Expr {
	bounds := algebra.Unpack(cells[2:])
	greater, less := v.moved(cells, algebra.Present(x[v.greater]), algebra.Present(x[1-v.greater]))
	out := make([]ir.Expr, 2)
	out[v.greater], out[1-v.greater] = algebra.Better(ir.Max, bounds[0], greater).Value, algebra.Better(ir.Min, bounds[1], less).Value
	return out
}

func (v mirrored) compose(a, b []ir.Expr) []ir.Expr {
	first, second := algebra.Unpack(a[2:]), algebra.Unpack(b[2:])
	greater, less := v.moved(b, first[0], first[1])
	return append([]ir.Expr{fold.Select(b[0], fold.Not(a[0]), a[0]), fold.Mul(v.factor(a[1]), v.factor(b[1]))},
		algebra.Pack([]algebra.Optional{algebra.Better(ir.Max, second[0], greater), algebra.Better(ir.Min, second[1], less)})...)
}
