package find

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// A mean counts in integers and divides by f64(x1 + 1). Where integers are unbounded and floats are a field, that is f64(x1) + 1: the
// count could as well be a float, for which there are operators.

// Counted proposes the part with floats for the integer counts that others read as floats.
func (cx *Context) Counted(p *tuple.Part) iter.Seq[Transfer] {
	return func(yield func(Transfer) bool) {
		q, counts := cx.countsAsFloats(p)
		if q == nil {
			return
		}
		yield(Transfer{Part: q, Given: cx.State, Back: func(op proof.Operator, inject []ir.Expr) (exprs, _ []ir.Expr) {
			exprs, inject = cx.asCounts(p, q, counts, op.Exprs), slices.Clone(inject)
			for i, step := range counts {
				if step.IsValid() {
					exprs[i], inject[i] = ir.AddOf(p.States[i], cx.Pool.Y(i, p.Types[i])), step
				}
			}
			return exprs, inject
		}})
	}
}

// asCounts puts counts in the place of their floats, in both operands of an operator on q.
func (cx *Context) asCounts(p, q *tuple.Part, counts, op []ir.Expr) []ir.Expr {
	return cx.Pool.Map(cx.Pool.Import(op...), func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var || e.Index() >= len(q.Types) || !counts[e.Index()].IsValid() || !e.Type().IsFloat() {
			return ir.Expr{}
		}
		switch i := e.Index(); e {
		case q.States[i]:
			return ir.CastTo(e.Type(), p.States[i])
		case cx.Pool.Y(i, e.Type()):
			return ir.CastTo(e.Type(), cx.Pool.Y(i, p.Types[i]))
		}
		return ir.Expr{}
	})
}

// countsAsFloats returns the part with floats for the components that count and that others read as floats alone, and what a
// step adds to each count; nil where there are none.
func (cx *Context) countsAsFloats(p *tuple.Part) (q *tuple.Part, counts []ir.Expr) {
	if !cx.Allowed.Has(ir.Reassoc) || ir.TypesIn(p.Values)&ir.FloatTypes == 0 {
		return nil, nil
	}
	q, counts = &tuple.Part{Set: p.Set, Types: slices.Clone(p.Types), States: slices.Clone(p.States)}, make([]ir.Expr, len(p.Types))
	found := false
	for i, t := range p.Types {
		step := increment(p, i)
		if !step.IsValid() || !cx.Allowed.Unbounded(t) {
			continue
		}
		as := readAs(p, i)
		if !as.IsFloat() {
			continue
		}
		found = true
		counts[i], q.Types[i], q.States[i] = step, as, cx.Pool.X(i, as)
	}
	if !found {
		return nil, nil
	}
	var float func(e ir.Expr, as ir.Type) ir.Expr
	float = func(e ir.Expr, as ir.Type) ir.Expr {
		switch {
		case e.Op() == ir.Var && e.Kind() == ir.State && counts[e.Index()].IsValid():
			return q.States[e.Index()]
		case e.States() != 0 && (e.Op() == ir.Add || e.Op() == ir.Sub || e.Op() == ir.Mul):
			return ir.Make(e.Op(), float(e.Arg(0), as), float(e.Arg(1), as))
		case e.Op() == ir.Const:
			return cx.Pool.Const(as, ir.Apply1(ir.Cast, e.Type(), as, e.Value()))
		}
		return ir.CastTo(as, e)
	}
	for i, v := range p.Values {
		if counts[i].IsValid() {
			q.Values = append(q.Values, ir.AddOf(q.States[i], float(counts[i], q.Types[i])))
			continue
		}
		q.Values = append(q.Values, cx.Pool.Map([]ir.Expr{v}, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Cast && e.Type().IsFloat() && readsCount(e.Arg(0), counts) {
				return float(e.Arg(0), e.Type())
			}
			return ir.Expr{}
		})[0])
	}
	return q, counts
}

// increment returns the term that a step adds to component i; the zero Expr where the step is no such sum.
func increment(p *tuple.Part, i int) ir.Expr {
	v := p.Values[i]
	if !p.Types[i].IsInt() || v.Op() != ir.Add {
		return ir.Expr{}
	}
	for k := range 2 {
		if v.Arg(k) == p.States[i] && v.Arg(1-k).States() == 0 {
			return v.Arg(1 - k)
		}
	}
	return ir.Expr{}
}

// readAs returns the float type as which other components read sums of one and of inputs; ir.Invalid where they read it otherwise.
func readAs(p *tuple.Part, i int) (as ir.Type) {
	ok := true
	var visit func(e ir.Expr, in ir.Type)
	visit = func(e ir.Expr, in ir.Type) {
		switch {
		case e.States()>>i&1 == 0:
		case e == p.States[i]:
			ok = ok && in.IsFloat() && (as == ir.Invalid || as == in)
			as = in
		case e.Op() == ir.Cast && e.Type().IsFloat():
			visit(e.Arg(0), e.Type())
		case in.IsFloat() && (e.Op() != ir.Add && e.Op() != ir.Sub && e.Op() != ir.Mul):
			ok = false
		default:
			if !in.IsFloat() {
				in = ir.Invalid
			}
			for k := range e.NumArgs() {
				visit(e.Arg(k), in)
			}
		}
	}
	for j, v := range p.Values {
		if j != i {
			visit(v, ir.Invalid)
		}
	}
	if !ok {
		return ir.Invalid
	}
	return as
}

// readsCount reports whether a term reads a component that counts.
func readsCount(e ir.Expr, counts []ir.Expr) bool {
	for i, c := range counts {
		if c.IsValid() && e.States()>>i&1 != 0 {
			return true
		}
	}
	return false
}
