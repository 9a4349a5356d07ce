package lift

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// interval fits steps of two extremes that are both multiplied by an input, of any sign: the greatest
// product of a part needs the least one, too; a range that is scaled and moved.
//
//	max(y0, max(x0*y0, x1*y0)); min(y0, min(x0*y0, x1*y0))   →   a = y0, c = 0, g = y0, l = y0
//	(a, c, g, l) ∘ (a', c', g', l') = (a*a', a'*c + c', max(g', a'*g or a'*l + c'), min(l', a'*l or a'*g + c'))
//
// A step is (x0, x1) ↦ (max(g, a·x0 + c, a·x1 + c), min(l, a·x0 + c, a·x1 + c)). The cells are a and c,
// and the bounds g and l, each of which may be missing. The greater of two numbers times a is the
// greatest product where a is not negative, and else that of the lesser one.
func (cx *Context) interval(p *tuple.Part) *Shape {
	if len(p.Types) != 2 || p.Types[0] != p.Types[1] || !p.Types[0].IsSigned() && !p.Types[0].IsFloat() || !multiplies(p.Values) {
		return nil
	}
	v := interval{cx: cx, t: p.Types[0]}
	f := &fitting{cx: cx, p: p, roles: roles{numbers: []int{0, 1}}, algebra: newRing(cx.Pool, 2)}
	for greater := range 2 {
		a, c, above := v.read(f, p.Values[greater], ir.Max)
		b, d, below := v.read(f, p.Values[1-greater], ir.Min)
		if !a.IsValid() || a != b || c != d {
			continue
		}
		v.greater = greater
		zero := fold.Number(cx.Pool, v.t, 0)
		none := missing(cx.Pool, v.t)
		return &Shape{Name: "interval", Inject: append([]ir.Expr{a, c}, pack([]optional{above, below})...),
			Identity: append([]ir.Expr{fold.Number(cx.Pool, v.t, 1), zero}, pack([]optional{none, none})...),
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
	cx      *Context
	t       ir.Type
	greater int // the component that is the greater one
}

// read reads an extremum of sums a·x + c for either state x and of inputs; a is the zero Expr where e does not
// have that form.
func (v interval) read(f *fitting, e ir.Expr, best ir.Op) (a, c ir.Expr, bound optional) {
	switch op := e.Op(); {
	case e.IsLeaf():
		return fold.Number(v.cx.Pool, v.t, 0), e, present(e)
	case op == ir.Select && e.Arg(0).IsLeaf():
		a, c, x := v.read(f, e.Arg(1), best)
		b, d, y := v.read(f, e.Arg(2), best)
		if !a.IsValid() || !b.IsValid() {
			return ir.Expr{}, c, bound
		}
		on := e.Arg(0)
		return fold.Select(on, a, b), fold.Select(on, c, d), either(on, x, y)
	case op == best:
		a, c, x := v.read(f, e.Arg(0), best)
		b, d, y := v.read(f, e.Arg(1), best)
		switch {
		case !a.IsValid() || !b.IsValid() || !e.Arg(0).IsLeaf() && !e.Arg(1).IsLeaf() && (a != b || c != d):
			return ir.Expr{}, c, bound
		case e.Arg(0).IsLeaf():
			return b, d, better(best, x, y)
		}
		return a, c, better(best, x, y)
	case op == ir.Add && e.Arg(1).IsLeaf():
		a, c, x := v.read(f, e.Arg(0), best)
		if a.IsValid() {
			return a, fold.Add(c, e.Arg(1)), optional{x.has, fold.Add(x.v, e.Arg(1))}
		}
		return a, c, bound
	}
	row := f.element(e)
	for i := range 2 {
		if row != nil && fold.IsNumber(row[1-i], 0) {
			return row[i], row[2], missing(v.cx.Pool, v.t)
		}
	}
	return a, c, bound
}

// moved returns a·x + c of two numbers, of which the first is the greater one, and extreme ones of
// these with the bounds.
func (v interval) moved(x, cells []ir.Expr, bounds []optional) (greater, less optional) {
	at := func(x ir.Expr) optional { return present(fold.Add(fold.Mul(x, cells[0]), cells[1])) }
	return better(ir.Max, bounds[0], better(ir.Max, at(x[0]), at(x[1]))), better(ir.Min, bounds[1], better(ir.Min, at(x[0]), at(x[1])))
}

func (v interval) apply(x, cells []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, 2)
	greater, less := v.moved(x, cells, unpack(cells[2:]))
	out[v.greater], out[1-v.greater] = greater.v, less.v
	return out
}

func (v interval) compose(a, b []ir.Expr) []ir.Expr {
	first, second := unpack(a[2:]), unpack(b[2:])
	rises := ir.LeOf(fold.Number(v.cx.Pool, v.t, 0), b[0])
	through := func(up, down optional) optional {
		moved := func(o optional) optional { return optional{o.has, fold.Add(fold.Mul(o.v, b[0]), b[1])} }
		return either(rises, moved(up), moved(down))
	}
	return append([]ir.Expr{fold.Mul(a[0], b[0]), fold.Add(fold.Mul(a[1], b[0]), b[1])},
		pack([]optional{better(ir.Max, second[0], through(first[0], first[1])), better(ir.Min, second[1], through(first[1], first[0]))})...)
}
