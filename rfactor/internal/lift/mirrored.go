package lift

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// mirrored fits steps that multiply the two ends of an interval, and exchange them where the factor is negative.
//
//	select(y0 < 0, max(y0, x1*y0), max(y0, x0*y0)); select(y0 < 0, min(y0, x0*y0), min(y0, x1*y0))
//	→   f = y0 < 0, k = abs(y0), g = y0, l = y0: the step is max(g, ±k*x0 or x1); min(l, ±k*x1 or x0)
//	(f, k, g, l) ∘ (f', k', g', l') = (f != f', k*k', max(g', k'*g or −k'*l), min(l', k'*l or −k'*g))
//
// The cells are whether the interval is mirrored, k, which counts as 0 where it is below, and the bounds g and l, each of which
// may be missing. Unlike family interval it takes no extremum of both ends, so that the state need not be in order.
func (cx *Context) mirrored(p *tuple.Part) *Shape {
	if len(p.Types) != 2 || p.Types[0] != p.Types[1] || !p.Types[0].IsSigned() && !p.Types[0].IsFloat() || !multiplies(p.Values) {
		return nil
	}
	f := &fitting{cx: cx, p: p, roles: roles{numbers: []int{0, 1}}, algebra: newRing(cx.Pool, 2)}
	for greater := range 2 {
		v := mirrored{cx: cx, t: p.Types[0], greater: greater}
		flip, k, above := v.read(f, p.Values[greater], ir.Max, greater)
		flip2, k2, below := v.read(f, p.Values[1-greater], ir.Min, 1-greater)
		if !flip.IsValid() || flip != flip2 || k != k2 {
			continue
		}
		none := missing(cx.Pool, v.t)
		return &Shape{Name: "mirrored", Inject: append([]ir.Expr{flip, k}, pack([]optional{above, below})...),
			Identity: append([]ir.Expr{cx.Pool.Bool(false), fold.Number(cx.Pool, v.t, 1)}, pack([]optional{none, none})...),
			Apply:    v.apply, Compose: v.compose}
	}
	return nil
}

type mirrored struct {
	cx      *Context
	t       ir.Type
	greater int // the component that is the greater end
}

// read reads component own as the extremum of a bound and of ±k times an end, which is the other one where flip holds; flip
// is the zero Expr where e does not have that form.
func (v mirrored) read(f *fitting, e ir.Expr, best ir.Op, own int) (flip, k ir.Expr, bound optional) {
	switch op := e.Op(); {
	case op == ir.Select && e.Arg(0).IsLeaf():
		flip, k, x := v.read(f, e.Arg(1), best, own)
		flip2, k2, y := v.read(f, e.Arg(2), best, own)
		if !flip.IsValid() || !flip2.IsValid() {
			return ir.Expr{}, k, bound
		}
		on := e.Arg(0)
		return fold.Select(on, flip, flip2), fold.Select(on, k, k2), either(on, x, y)
	case op == best && (e.Arg(0).IsLeaf() || e.Arg(1).IsLeaf()):
		l, rest := e.Arg(0), e.Arg(1)
		if !l.IsLeaf() {
			l, rest = rest, l
		}
		flip, k, x := v.read(f, rest, best, own)
		if !flip.IsValid() {
			return flip, k, x
		}
		return flip, k, better(best, present(l), x)
	}
	row := f.element(e)
	for i := range 2 {
		if row == nil || !fold.IsNumber(row[1-i], 0) || !fold.IsNumber(row[2], 0) {
			continue
		}
		if i == own {
			return v.cx.Pool.Bool(false), row[i], missing(v.cx.Pool, v.t)
		}
		return v.cx.Pool.Bool(true), fold.Neg(row[i]), missing(v.cx.Pool, v.t)
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
func (v mirrored) moved(cells []ir.Expr, greater, less optional) (optional, optional) {
	k := v.factor(cells[1])
	up := either(cells[0], optional{less.has, fold.Neg(less.v)}, greater)
	down := either(cells[0], optional{greater.has, fold.Neg(greater.v)}, less)
	return optional{up.has, fold.Mul(up.v, k)}, optional{down.has, fold.Mul(down.v, k)}
}

func (v mirrored) apply(x, cells []ir.Expr) []ir.Expr {
	bounds := unpack(cells[2:])
	greater, less := v.moved(cells, present(x[v.greater]), present(x[1-v.greater]))
	out := make([]ir.Expr, 2)
	out[v.greater], out[1-v.greater] = better(ir.Max, bounds[0], greater).v, better(ir.Min, bounds[1], less).v
	return out
}

func (v mirrored) compose(a, b []ir.Expr) []ir.Expr {
	first, second := unpack(a[2:]), unpack(b[2:])
	greater, less := v.moved(b, first[0], first[1])
	return append([]ir.Expr{fold.Select(b[0], fold.Not(a[0]), a[0]), fold.Mul(v.factor(a[1]), v.factor(b[1]))},
		pack([]optional{better(ir.Max, second[0], greater), better(ir.Min, second[1], less)})...)
}
