package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitHull fits the extrema over all steps of a number that is multiplied by inputs of any sign: the greatest product of a
// prefix; and those of the two extremes that family interval has: the greatest product of a part.
//
//	x0*y0; max(x1, x0*y0)   →   a = y0, g = y0, l = y0: the step is x0*a; max(x1, x0*g, x0*l)
//	(a, g, l) ∘ (b, h, m) = (a*b, max(g, l, a*h, a*m), min(g, l, a*h, a*m))
//
// The greatest of x·k over factors k is x times the greatest or the least of these, whichever sign x has, so that two
// factors, the ends of the interval of all, do. Neither has to be the greater one.
func fitHull(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) < 2 || slices.ContainsFunc(p.Types, func(t ir.Type) bool { return t != p.Types[0] || !t.IsNumeric() }) || !contains(p.Values, isProduct) {
		return nil
	}
	h := hull{cx: cx, p: p, t: p.Types[0]}
	for n := range p.Types {
		if s := h.ofProduct(n); s != nil {
			return s
		}
	}
	for n := range p.Types {
		for m := n + 1; m < len(p.Types); m++ {
			if s := h.ofInterval([]int{n, m}); s != nil {
				return s
			}
		}
	}
	return nil
}

func isProduct(e ir.Expr) bool { return e.Op() == ir.Mul && !e.IsLeaf() }

// hull is a part of numbers of one type.
type hull struct {
	cx *lift.Context
	p  *tuple.Part
	t  ir.Type
}

// kept is a component that is the extremum of its values at all steps: of a number times the ends of an interval, and,
// of an interval's extremes, of a bound.
type kept struct {
	place int
	best  ir.Op
	of    ir.Expr // what it is the extremum of
}

// kept reads the components that are not among some numbers; not ok where one is no extremum of itself and of a term of the
// numbers.
func (h *hull) kept(numbers []int) (out []kept, ok bool) {
	for i, e := range h.p.Values {
		if slices.Contains(numbers, i) {
			continue
		}
		k := kept{place: i, best: e.Op()}
		switch {
		case k.best != ir.Min && k.best != ir.Max:
			return nil, false
		case e.Arg(0) == h.p.States[i]:
			k.of = e.Arg(1)
		case e.Arg(1) == h.p.States[i]:
			k.of = e.Arg(0)
		default:
			return nil, false
		}
		if k.of.States()&^tuple.MaskOf(numbers) != 0 {
			return nil, false
		}
		out = append(out, k)
	}
	return out, len(out) > 0
}

// span is the two ends of the interval of some factors, in either order, which may be missing.
type span [2]algebra.Optional

// united is the interval of two.
func (e span) united(f span) span {
	var out span
	for i, best := range [2]ir.Op{ir.Max, ir.Min} {
		out[i] = algebra.Better(best, algebra.Better(best, e[0], e[1]), algebra.Better(best, f[0], f[1]))
	}
	return out
}

func (e span) times(k ir.Expr) span {
	return span{algebra.Maybe(e[0].Has, fold.Mul(k, e[0].Value)), algebra.Maybe(e[1].Has, fold.Mul(k, e[1].Value))}
}

// extremum is the best product of a number and a factor in the interval, or o where that is better.
func (e span) extremum(best ir.Op, x ir.Expr, o algebra.Optional) algebra.Optional {
	at := e.times(x)
	return algebra.Better(best, o, algebra.Better(best, at[0], at[1]))
}

// ofProduct returns the shape where a number is a product and all other components are extrema of multiples of it; nil
// where they are not.
func (h *hull) ofProduct(n int) *lift.Shape {
	f := algebra.NewFitting(h.cx, h.p, []int{n}, algebra.NewRing(h.cx.Pool, 1))
	factor := func(e ir.Expr) ir.Expr {
		if e.States() != 1<<n {
			return ir.Expr{}
		}
		if row := f.Element(e); row != nil && fold.IsNumber(row[1], 0) {
			return row[0]
		}
		return ir.Expr{}
	}
	a := factor(h.p.Values[n])
	all, ok := h.kept([]int{n})
	if !a.IsValid() || a.IsConst(0) || !ok {
		return nil
	}
	inject, identity := []ir.Expr{a}, []ir.Expr{fold.Number(h.cx.Pool, h.t, 1)}
	for _, k := range all {
		by := factor(k.of)
		if !by.IsValid() {
			return nil
		}
		none := algebra.Missing(h.cx.Pool, h.t)
		inject = append(inject, algebra.Pack([]algebra.Optional{algebra.Present(by), algebra.Present(by)})...)
		identity = append(identity, algebra.Pack([]algebra.Optional{none, none})...)
	}
	each := func(cells []ir.Expr) (out []span) {
		for i := 1; i < len(cells); i += 4 {
			out = append(out, span(algebra.Unpack(cells[i:i+4])))
		}
		return out
	}
	return &lift.Shape{Name: "hull", Inject: inject, Identity: identity,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			out := make([]ir.Expr, len(x))
			out[n] = fold.Mul(x[n], cells[0])
			for i, e := range each(cells) {
				k := all[i]
				out[k.place] = e.extremum(k.best, x[n], algebra.Present(x[k.place])).Value
			}
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			out, second := []ir.Expr{fold.Mul(a[0], b[0])}, each(b)
			for i, e := range each(a) {
				both := e.united(second[i].times(a[0]))
				out = append(out, algebra.Pack(both[:])...)
			}
			return out
		}}
}

// ofInterval returns the shape where two numbers are those of family interval, and all other components are extrema of
// these; nil where they are not. The cells of an extremum are the best bound that one of the two had, and then the ends of
// the interval of their factors.
func (h *hull) ofInterval(numbers []int) *lift.Shape {
	all, ok := h.kept(numbers)
	if !ok || len(all) > 2 {
		return nil
	}
	if reads := h.p.Values[numbers[0]].States() | h.p.Values[numbers[1]].States(); reads&^tuple.MaskOf(numbers) != 0 {
		return nil
	}
	pair := tuple.Restrict(h.cx.Pool, h.p.Types, h.p.Values, numbers)
	s := fitInterval(h.cx, pair)
	if s == nil || !fold.IsNumber(s.Inject[1], 0) {
		return nil
	}
	const own = 6 // cells of the interval: a factor, a summand, which is 0, and two bounds
	greater := s.Apply(pair.States, s.Inject)[0].Op() == ir.Max
	inject, identity := slices.Clone(s.Inject), slices.Clone(s.Identity)
	bounds := make([]int, len(all)) // the place of the bound of the number that is kept
	for i, k := range all {
		which := slices.IndexFunc(numbers, func(n int) bool { return h.p.Values[n] == k.of })
		if which < 0 || (k.best == ir.Max) != (greater == (which == 0)) {
			return nil
		}
		bounds[i] = 2
		if k.best == ir.Min {
			bounds[i] = 4
		}
		none, a := algebra.Missing(h.cx.Pool, h.t), algebra.Present(s.Inject[0])
		inject = append(append(inject, s.Inject[bounds[i]:bounds[i]+2]...), algebra.Pack([]algebra.Optional{a, a})...)
		identity = append(identity, algebra.Pack([]algebra.Optional{none, none, none})...)
	}
	type part struct {
		bound algebra.Optional
		span
	}
	read := func(cells []ir.Expr, i int) part {
		all := algebra.Unpack(cells[own+6*i : own+6*(i+1)])
		return part{all[0], span(all[1:])}
	}
	zero := fold.Number(h.cx.Pool, h.t, 0)
	return &lift.Shape{Name: "hull", Inject: inject, Identity: identity,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			out := make([]ir.Expr, len(x))
			two := s.Apply([]ir.Expr{x[numbers[0]], x[numbers[1]]}, cells[:own])
			out[numbers[0]], out[numbers[1]] = two[0], two[1]
			for i, k := range all {
				e := read(cells, i)
				best := algebra.Better(k.best, algebra.Present(x[k.place]), e.bound)
				for _, n := range numbers {
					best = e.extremum(k.best, x[n], best)
				}
				out[k.place] = best.Value
			}
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			out := s.Compose(a[:own], b[:own])
			first := algebra.Unpack(a[2:own])
			for i, k := range all {
				e, f := read(a, i), read(b, i)
				bound := algebra.Better(k.best, e.bound, f.bound)
				for _, by := range f.span { // what a bound of the first step becomes, times a factor of the second
					up, down := first[0], first[1]
					if k.best == ir.Min {
						up, down = down, up
					}
					times := func(o algebra.Optional) algebra.Optional {
						return algebra.Maybe(fold.And(o.Has, by.Has), fold.Mul(o.Value, by.Value))
					}
					bound = algebra.Better(k.best, bound, algebra.Either(ir.LeOf(zero, by.Value), times(up), times(down)))
				}
				both := e.united(f.times(a[0]))
				out = append(append(out, algebra.Pack([]algebra.Optional{bound})...), algebra.Pack(both[:])...)
			}
			return out
		}}
}
