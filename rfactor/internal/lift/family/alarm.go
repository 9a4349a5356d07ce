package family

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitAlarm fits steps that move numbers, and raise flags when numbers pass thresholds: a balance that must
// not be overdrawn, a trailing stop, a score that falls too far below its maximum.
//
//	max(x0, y0 - k0); x1 || y0 < x0   →   max-plus in x0 and v: b = y0 - k0, t = -y0
//	x0 ↦ max(x0, b), v ↦ max(v, x0 + t);  x1 becomes x1 || v > 0, where v is 0 before
//
// A flag is a number v that is never lowered, compared with 0: a comparison of numbers is the sign of
// a difference, and one of two comparisons holds if the greater difference is positive. The numbers
// and all such v together are lifted as extrema of sums.
func fitAlarm(cx *lift.Context, p *tuple.Part) *lift.Shape {
	t := ir.Invalid
	for _, u := range p.Types {
		switch {
		case u == ir.Bool:
		case t == ir.Invalid && (u.IsSigned() || u.IsFloat()):
			t = u
		case t != u:
			return nil
		}
	}
	if t == ir.Invalid {
		return nil
	}
	a := &alarms{cx: cx, t: t, flags: make([]*alarmed, len(p.Types))}
	q := &tuple.Part{Set: p.Set, Types: make([]ir.Type, len(p.Types)), States: make([]ir.Expr, len(p.Types)), Values: make([]ir.Expr, len(p.Types))}
	found := false
	for i, v := range p.Values {
		q.Types[i], q.States[i], q.Values[i] = t, cx.Pool.X(i, t), v
		if p.Types[i] != ir.Bool {
			continue
		}
		f := a.read(v, p.States[i])
		if f == nil {
			return nil
		}
		a.flags[i], q.Values[i], found = f, ir.MaxOf(q.States[i], f.over), true
	}
	if !found || contains(q.Values, func(e ir.Expr) bool { return e.Type() == ir.Bool && e.Op() == ir.Var && !e.IsLeaf() }) {
		return nil // a number reads a flag
	}
	s := algebra.Fit(cx, q, "max-plus", algebra.NewMaxPlus, 0)
	if s == nil {
		s = fitCoordinates(cx, q)
	}
	if s == nil {
		return nil
	}
	return a.shape(s)
}

// alarms are the flags of a part whose numbers have type t.
type alarms struct {
	cx    *lift.Context
	t     ir.Type
	flags []*alarmed // nil for numbers
}

// alarmed is a flag that is raised, or lowered, for good.
type alarmed struct {
	over    ir.Expr // it is raised where this is positive
	loose   bool    // where it is 0, too
	lowered bool
}

// read reads the value v of the flag x; nil where that is not raised or lowered for good.
func (a *alarms) read(v, x ir.Expr) *alarmed {
	f := &alarmed{}
	off, on := with(a.cx, v, x, false), with(a.cx, v, x, true)
	cond := off
	switch {
	case on.IsConst(1):
	case off.IsConst(0):
		cond, f.lowered = on, true
	default:
		return nil
	}
	f.loose = a.t.IsFloat() && contains([]ir.Expr{cond}, func(e ir.Expr) bool {
		strict := e.Op() == ir.Lt || e.Op() == ir.Gt
		return !e.IsLeaf() && e.Op().IsComparison() && strict == f.lowered
	})
	f.over = a.difference(cond, f.lowered, f.loose)
	if !f.over.IsValid() || f.over.IsLeaf() {
		return nil
	}
	return f
}

// difference returns a number that is positive where a condition holds, or its negation, and negative
// elsewhere; with loose, not negative where it holds. It returns the zero Expr where there is none.
func (a *alarms) difference(e ir.Expr, negated, loose bool) (none ir.Expr) {
	number := func(v int64) ir.Expr { return fold.Number(a.cx.Pool, a.t, v) }
	op := e.Op()
	switch {
	case e.IsLeaf():
		if negated {
			e = fold.Not(e)
		}
		return fold.Select(e, number(1), number(-1))
	case op == ir.Not:
		return a.difference(e.Arg(0), !negated, loose)
	case op == ir.And || op == ir.Or:
		l, r := a.difference(e.Arg(0), negated, loose), a.difference(e.Arg(1), negated, loose)
		if !l.IsValid() || !r.IsValid() {
			return none
		}
		if (op == ir.Or) != negated {
			return ir.MaxOf(l, r)
		}
		for range 2 { // a condition on inputs does not make it a minimum
			if c := e.Arg(0); c.IsLeaf() {
				if negated {
					c = fold.Not(c)
				}
				return fold.Select(c, r, number(-1))
			}
			l, r, e = r, l, ir.Make(op, e.Arg(1), e.Arg(0))
		}
		return ir.MinOf(l, r)
	case op == ir.Select && e.Arg(0).IsLeaf():
		l, r := a.difference(e.Arg(1), negated, loose), a.difference(e.Arg(2), negated, loose)
		if !l.IsValid() || !r.IsValid() {
			return none
		}
		return fold.Select(e.Arg(0), l, r)
	case !op.IsComparison() || op == ir.Eq || op == ir.Ne || e.Arg(0).Type() != a.t:
		return none
	}
	less, more := e.Arg(0), e.Arg(1) // less < more, or less <= more
	if (op == ir.Gt || op == ir.Ge) != negated {
		less, more = more, less
	}
	strict := (op == ir.Lt || op == ir.Gt) != negated
	d := ir.SubOf(more, less)
	switch {
	case a.t.IsFloat() && strict == loose:
		return none
	case !a.t.IsFloat() && !strict:
		return ir.AddOf(d, number(1))
	}
	return d
}

// contains reports whether a condition holds of a subterm of some expressions.
func contains(es []ir.Expr, holds func(ir.Expr) bool) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || holds(e) })
	return found
}

// shape returns the shape of the part for that of the numbers.
func (a *alarms) shape(inner *lift.Shape) *lift.Shape {
	s := *inner
	s.Name = "alarm on " + inner.Name
	s.Apply = func(x, cells []ir.Expr) []ir.Expr {
		before := make([]ir.Expr, len(x))
		for i, f := range a.flags {
			switch {
			case f == nil:
				before[i] = x[i]
			case f.loose:
				before[i] = fold.Number(a.cx.Pool, a.t, -1)
			default:
				before[i] = fold.Number(a.cx.Pool, a.t, 0)
			}
		}
		out := inner.Apply(before, cells)
		for i, f := range a.flags {
			switch {
			case f == nil:
			case f.lowered:
				out[i] = fold.And(x[i], fold.Not(a.positive(out[i], f.loose)))
			default:
				out[i] = fold.Or(x[i], a.positive(out[i], f.loose))
			}
		}
		return out
	}
	return &s
}

// positive returns the condition that e is positive, or with loose not negative, as conditions on its
// alternatives.
func (a *alarms) positive(e ir.Expr, loose bool) ir.Expr {
	switch op := e.Op(); {
	case op == ir.Max:
		return fold.Or(a.positive(e.Arg(0), loose), a.positive(e.Arg(1), loose))
	case op == ir.Select:
		return fold.Select(e.Arg(0), a.positive(e.Arg(1), loose), a.positive(e.Arg(2), loose))
	case op == ir.Const:
		positive := ir.LtOf(fold.Number(a.cx.Pool, a.t, 0), e)
		if loose {
			positive = ir.LeOf(fold.Number(a.cx.Pool, a.t, 0), e)
		}
		return a.cx.Pool.Bool(ir.Eval(positive, &ir.Env{}) != 0)
	case loose:
		return ir.LeOf(fold.Number(a.cx.Pool, a.t, 0), e)
	}
	return ir.LtOf(fold.Number(a.cx.Pool, a.t, 0), e)
}
