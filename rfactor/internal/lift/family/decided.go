package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// maxOutcomes bounds the conditions on the last element whose outcomes are told apart.
const maxOutcomes = 2

// Decided fits steps that look at the last element only by conditions: runs of equal elements, of
// ascending ones.
//
//	y0; select(x0 < y0, x1 + 1, min(x1, 5))   →   first = y0, last = y0, then two lists of cells for x1
//	where x0 < first: x1 ↦ x1 + 1;  elsewhere: x1 ↦ min(x1, 5)
//
// The effect of a slice depends on how the conditions come out at its first element. The cells are the
// inputs of that element that occur in conditions, the last element after the slice, and for each
// outcome the cells of what the slice does to the other components. fit returns the shape of these
// under one outcome. Of two slices the last element of the first one decides the outcome of the
// second. The shape has no identity.
func Decided(cx *lift.Context, p *tuple.Part, fit func(*tuple.Part) *lift.Shape) *lift.Shape {
	d := decisionOf(cx, p)
	if d == nil {
		return nil
	}
	inject := [][]ir.Expr{d.leaves, tuple.Pick(p.Values, d.memories)}
	var inner *lift.Shape
	for s := range 1 << len(d.conditions) {
		sub := d.under(s)
		if sub == nil {
			return nil
		}
		f := fit(sub)
		if f == nil || inner != nil && len(f.Inject) != len(inner.Inject) {
			return nil
		}
		inner = f
		inject = append(inject, f.Inject)
	}
	return d.shape(inner, slices.Concat(inject...))
}

// decision says how a part looks at its last element.
type decision struct {
	cx             *lift.Context
	p              *tuple.Part
	memories, rest []int
	conditions     []ir.Expr
	leaves         []ir.Expr // of the conditions
	memory         uint64
}

// decisionOf returns the memories of a part and the conditions on them; nil where there are none, or
// more than maxOutcomes conditions.
func decisionOf(cx *lift.Context, p *tuple.Part) *decision {
	d := &decision{cx: cx, p: p}
	for i, v := range p.Values {
		if v.States() == 0 {
			d.memories = append(d.memories, i)
			d.memory |= 1 << i
		} else {
			d.rest = append(d.rest, i)
		}
	}
	if len(d.memories) == 0 || len(d.rest) == 0 {
		return nil
	}
	ir.Walk(p.Values, func(e ir.Expr) {
		if d.isCondition(e) && !slices.Contains(d.conditions, Normal(e)) {
			d.conditions = append(d.conditions, Normal(e))
		}
	})
	d.leaves = lift.Varying(d.conditions)
	if n := len(d.conditions); n == 0 || n > maxOutcomes || len(d.leaves) == 0 {
		return nil
	}
	return d
}

// isCondition reports whether a term is a comparison, or a flag, of the last element.
func (d *decision) isCondition(e ir.Expr) bool {
	return e.Type() == ir.Bool && e.States() != 0 && e.States()&^d.memory == 0 && (e.Op().IsComparison() || e.Op() == ir.Var)
}

// Normal returns one of a comparison and its negation, with its sides in a fixed order, where the
// type is totally ordered.
func Normal(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Eq, ir.Ne:
		if e.Arg(0).States() == 0 {
			return ir.EqOf(e.Arg(1), e.Arg(0))
		}
		return ir.EqOf(e.Arg(0), e.Arg(1))
	case ir.Gt:
		return ir.LtOf(e.Arg(1), e.Arg(0))
	case ir.Ge:
		return Normal(ir.LeOf(e.Arg(1), e.Arg(0)))
	case ir.Le:
		if !e.Arg(0).Type().IsFloat() {
			return ir.LtOf(e.Arg(1), e.Arg(0))
		}
	}
	return e
}

// under returns the other components of the part where the conditions have outcome s; nil where these
// look at the last element in another way, too.
func (d *decision) under(s int) *tuple.Part {
	holds := func(e ir.Expr) ir.Expr { return d.cx.Pool.Bool(s>>slices.Index(d.conditions, Normal(e))&1 != 0) }
	values := d.cx.Pool.Map(tuple.Pick(d.p.Values, d.rest), func(e ir.Expr) ir.Expr {
		switch {
		case !d.isCondition(e):
			return ir.Expr{}
		case e.Op() == ir.Ne || e.Op() == ir.Ge && Normal(e).Op() == ir.Lt || e.Op() == ir.Le && Normal(e).Op() == ir.Lt:
			return fold.Not(holds(e))
		}
		return holds(e)
	})
	sub := &tuple.Part{Set: d.rest, Types: make([]ir.Type, len(d.rest)), States: make([]ir.Expr, len(d.rest))}
	for j, i := range d.rest {
		sub.Types[j], sub.States[j] = d.p.Types[i], d.cx.Pool.X(j, d.p.Types[i])
		values[j] = algebra.Settled(values[j])
		if values[j].States()&d.memory != 0 {
			return nil
		}
	}
	sub.Values = tuple.MapStates(d.cx.Pool, values, func(i int, _ ir.Type) ir.Expr { return sub.States[slices.Index(d.rest, i)] })
	return sub
}

// shape extends the shape of the other components by the last element.
func (d *decision) shape(inner *lift.Shape, inject []ir.Expr) *lift.Shape {
	k, n, c, w := len(d.leaves), len(d.memories), len(d.conditions), len(inner.Inject)
	at := func(cells []ir.Expr, s int) []ir.Expr { return cells[k+n+s*w : k+n+(s+1)*w] }
	// chosen is what a slice does behind these memories.
	chosen := func(memories, cells []ir.Expr) []ir.Expr {
		var options [][]ir.Expr
		for s := range 1 << c {
			options = append(options, at(cells, s))
		}
		return algebra.ChooseCells(d.outcomes(memories, cells[:k]), options)
	}
	return &lift.Shape{Name: "last element and " + inner.Name, Inject: inject,
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			out := make([]ir.Expr, len(x))
			for j, e := range inner.Apply(tuple.Pick(x, d.rest), chosen(tuple.Pick(x, d.memories), cells)) {
				out[d.rest[j]] = e
			}
			for j, i := range d.memories {
				out[i] = cells[k+j]
			}
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			second := chosen(a[k:k+n], b)
			out := [][]ir.Expr{a[:k], b[k : k+n]}
			for s := range 1 << c {
				out = append(out, inner.Compose(at(a, s), second))
			}
			return slices.Concat(out...)
		}}
}

// outcomes returns the conditions at some memories and inputs.
func (d *decision) outcomes(memories, leaves []ir.Expr) []ir.Expr {
	return d.cx.Pool.Map(d.conditions, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		if i := slices.Index(d.leaves, e); i >= 0 {
			return leaves[i]
		}
		if e.Kind() == ir.State {
			return memories[slices.Index(d.memories, e.Index())]
		}
		return ir.Expr{}
	})
}
