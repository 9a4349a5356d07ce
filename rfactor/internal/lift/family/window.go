package family

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitWindow fits steps that move a number and keep a flag only while the number lies in a window:
// balanced parentheses, a balance that must not be overdrawn.
//
//	x0 + y0; x1 && x0 + y0 >= 0   →   a = y0, low = -y0
//	(a, low) ∘ (a', low') = (a + a', max(low, low' - a))
//
// The cells are a, whether the flag is kept at all, and a pair each for the two ends of the window,
// which may be missing. The ends bound the number before the step, so that those of the second of
// two steps are moved by the first. A flag that is set outside of the window is read as its
// negation. Sums must not wrap: the family takes integers as unbounded.
func fitWindow(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 2 {
		return nil
	}
	num, flag := 0, 1
	if p.Types[0] == ir.Bool {
		num, flag = 1, 0
	}
	t := p.Types[num]
	if p.Types[flag] != ir.Bool || !t.IsSigned() || p.Values[num].States() != 1<<num {
		return nil
	}
	f := algebra.NewFitting(cx, p, []int{num}, algebra.NewRing(cx.Pool, 1))
	move := f.Element(p.Values[num])
	if move == nil || !fold.IsNumber(move[0], 1) {
		return nil
	}
	var w *ends
	negated := false
	switch off, on := with(cx, p.Values[flag], p.States[flag], false), with(cx, p.Values[flag], p.States[flag], true); {
	case off.IsConst(0):
		w = read(f, on, false)
	case on.IsConst(1):
		w, negated = read(f, off, true), true
	}
	if w == nil {
		return nil
	}
	turned := func(e ir.Expr) ir.Expr {
		if negated {
			return fold.Not(e)
		}
		return e
	}
	none := []algebra.Optional{algebra.Missing(cx.Pool, t), algebra.Missing(cx.Pool, t)}
	return &lift.Shape{Name: "window",
		Inject:   append([]ir.Expr{move[1], w.keep}, algebra.Pack([]algebra.Optional{w.low, w.high})...),
		Identity: append([]ir.Expr{fold.Number(cx.Pool, t, 0), cx.Pool.Bool(true)}, algebra.Pack(none)...),
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			end := algebra.Unpack(cells[2:])
			out := make([]ir.Expr, 2)
			out[num] = fold.Add(x[num], cells[0])
			kept := fold.And(turned(x[flag]), cells[1])
			kept = fold.And(kept, inside(end[0], func(e ir.Expr) ir.Expr { return ir.LeOf(e, x[num]) }))
			kept = fold.And(kept, inside(end[1], func(e ir.Expr) ir.Expr { return ir.LeOf(x[num], e) }))
			out[flag] = turned(kept)
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			first, second := algebra.Unpack(a[2:]), algebra.Shift(algebra.Unpack(b[2:]), fold.Neg(a[0]))
			return append([]ir.Expr{fold.Add(a[0], b[0]), fold.And(a[1], b[1])},
				algebra.Pack([]algebra.Optional{algebra.Better(ir.Max, first[0], second[0]), algebra.Better(ir.Min, first[1], second[1])})...)
		}}
}

// with returns a term where a flag has a value.
func with(cx *lift.Context, e, flag ir.Expr, value bool) ir.Expr {
	return canon.Greedy(ir.Subst(e, []ir.Expr{flag}, []ir.Expr{cx.Pool.Bool(value)}), 0)
}

// ends is a condition on a number: a least and a greatest value, either of which may be missing, and
// a condition on inputs.
type ends struct {
	keep      ir.Expr
	low, high algebra.Optional
}

// read reads a condition, or its negation, as a window; nil where it is none.
func read(f *algebra.Fitting, e ir.Expr, negated bool) *ends {
	pool, t := f.Context.Pool, f.Part.Types[f.Numbers[0]]
	w := &ends{pool.Bool(true), algebra.Missing(pool, t), algebra.Missing(pool, t)}
	op := e.Op()
	switch {
	case e.IsLeaf():
		if w.keep = e; negated {
			w.keep = fold.Not(e)
		}
		return w
	case op == ir.Not:
		return read(f, e.Arg(0), !negated)
	case (op == ir.And) != negated && (op == ir.And || op == ir.Or):
		a, b := read(f, e.Arg(0), negated), read(f, e.Arg(1), negated)
		if a == nil || b == nil {
			return nil
		}
		return &ends{fold.And(a.keep, b.keep), algebra.Better(ir.Max, a.low, b.low), algebra.Better(ir.Min, a.high, b.high)}
	case op == ir.And || op == ir.Or: // one of both: an input says which
		c, rest := e.Arg(0), e.Arg(1)
		if !c.IsLeaf() {
			c, rest = rest, c
		}
		if !c.IsLeaf() {
			return nil
		}
		if negated {
			c = fold.Not(c)
		}
		return either(f, c, w, read(f, rest, negated))
	case op == ir.Select && e.Arg(0).IsLeaf():
		return either(f, e.Arg(0), read(f, e.Arg(1), negated), read(f, e.Arg(2), negated))
	}
	b := bound(f, e)
	if negated {
		b = b.opposite()
	}
	switch b = b.closed(); {
	case !b.end.IsValid():
		return nil
	case b.atLeast:
		w.low = algebra.Present(b.end)
	default:
		w.high = algebra.Present(b.end)
	}
	return w
}

// either returns the window a where a condition on inputs holds, and b elsewhere; nil where one of
// these is nil.
func either(f *algebra.Fitting, c ir.Expr, a, b *ends) *ends {
	if a == nil || b == nil {
		return nil
	}
	return &ends{fold.Select(c, a.keep, b.keep), algebra.Either(c, a.low, b.low), algebra.Either(c, a.high, b.high)}
}

// inside returns the condition that an end of a window sets; true where the end is missing.
func inside(end algebra.Optional, cond func(ir.Expr) ir.Expr) ir.Expr {
	if end.Has.IsConst(0) {
		return fold.Not(end.Has)
	}
	return fold.Or(fold.Not(end.Has), cond(end.Value))
}

// conjuncts lists the operands of nested conjunctions.
func conjuncts(e ir.Expr) []ir.Expr {
	if e.Op() == ir.And && !e.IsLeaf() {
		return append(conjuncts(e.Arg(0)), conjuncts(e.Arg(1))...)
	}
	return []ir.Expr{e}
}

// edge says that a number is at least, or at most, an end; with strict, that it is more, or less. The
// zero edge, without an end, says nothing.
type edge struct {
	atLeast, strict bool
	end             ir.Expr
}

// opposite returns the negation.
func (b edge) opposite() edge { return edge{!b.atLeast, !b.strict, b.end} }

// closed returns an edge that says the same and, of integers, is not strict.
func (b edge) closed() edge {
	if !b.strict || !b.end.IsValid() || b.end.Type().IsFloat() {
		return b
	}
	by := int64(-1)
	if b.atLeast {
		by = 1
	}
	return edge{b.atLeast, false, fold.Add(b.end, fold.Number(b.end.Pool(), b.end.Type(), by))}
}

// bound reads a comparison as an edge of the number x; the zero edge where it is none.
func bound(f *algebra.Fitting, c ir.Expr) (none edge) {
	op := c.Op()
	if !op.IsComparison() || op == ir.Eq || op == ir.Ne || c.Arg(0).Type().IsUnsigned() {
		return none
	}
	less, more := c.Arg(0), c.Arg(1) // less <= more, or less < more
	if op == ir.Gt || op == ir.Ge {
		less, more = more, less
	}
	strict := op == ir.Lt || op == ir.Gt
	a, b := f.Element(less), f.Element(more)
	if a == nil || b == nil {
		return none
	}
	slope, rest := fold.Add(b[0], fold.Neg(a[0])), fold.Add(b[1], fold.Neg(a[1])) // 0 <= slope·x + rest
	switch {
	case fold.IsNumber(slope, 1):
		return edge{true, strict, fold.Neg(rest)}
	case fold.IsNumber(slope, -1):
		return edge{false, strict, rest}
	}
	return none
}
