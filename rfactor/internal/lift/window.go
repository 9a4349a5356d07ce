package lift

import (
	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// window fits steps that move a number and keep a flag only while the number lies in a window:
// balanced parentheses, a balance that must not be overdrawn.
//
//	x0 + y0; x1 && x0 + y0 >= 0   →   a = y0, low = -y0
//	(a, low) ∘ (a', low') = (a + a', max(low, low' - a))
//
// The cells are a, whether the flag is kept at all, and a pair each for the two ends of the window,
// which may be missing. The ends bound the number before the step, so that those of the second of
// two steps are moved by the first. A flag that is set outside of the window is read as its
// negation. Sums must not wrap: the family takes integers as unbounded.
func (cx *Context) window(p *tuple.Part) *Shape {
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
	f := &fitting{cx: cx, p: p, roles: roles{numbers: []int{num}}, algebra: newRing(cx.Pool, 1)}
	move := f.element(p.Values[num])
	if move == nil || !fold.IsNumber(move[0], 1) {
		return nil
	}
	var w *ends
	negated := false
	switch off, on := cx.with(p.Values[flag], p.States[flag], false), cx.with(p.Values[flag], p.States[flag], true); {
	case off.IsConst(0):
		w = f.read(on, false)
	case on.IsConst(1):
		w, negated = f.read(off, true), true
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
	none := []optional{missing(cx.Pool, t), missing(cx.Pool, t)}
	return &Shape{Name: "window",
		Inject:   append([]ir.Expr{move[1], w.keep}, pack([]optional{w.low, w.high})...),
		Identity: append([]ir.Expr{fold.Number(cx.Pool, t, 0), cx.Pool.Bool(true)}, pack(none)...),
		Apply: func(x, cells []ir.Expr) []ir.Expr {
			end := unpack(cells[2:])
			out := make([]ir.Expr, 2)
			out[num] = fold.Add(x[num], cells[0])
			kept := fold.And(turned(x[flag]), cells[1])
			kept = fold.And(kept, inside(end[0], func(e ir.Expr) ir.Expr { return ir.LeOf(e, x[num]) }))
			kept = fold.And(kept, inside(end[1], func(e ir.Expr) ir.Expr { return ir.LeOf(x[num], e) }))
			out[flag] = turned(kept)
			return out
		},
		Compose: func(a, b []ir.Expr) []ir.Expr {
			first, second := unpack(a[2:]), shift(unpack(b[2:]), fold.Neg(a[0]))
			return append([]ir.Expr{fold.Add(a[0], b[0]), fold.And(a[1], b[1])},
				pack([]optional{better(ir.Max, first[0], second[0]), better(ir.Min, first[1], second[1])})...)
		}}
}

// with returns a term where a flag has a value.
func (cx *Context) with(e, flag ir.Expr, value bool) ir.Expr {
	return canon.Greedy(ir.Subst(e, []ir.Expr{flag}, []ir.Expr{cx.Pool.Bool(value)}), 0)
}

// ends is a condition on a number: a least and a greatest value, either of which may be missing, and
// a condition on inputs.
type ends struct {
	keep      ir.Expr
	low, high optional
}

// read reads a condition, or its negation, as a window; nil where it is none.
func (f *fitting) read(e ir.Expr, negated bool) *ends {
	pool, t := f.cx.Pool, f.p.Types[f.numbers[0]]
	w := &ends{pool.Bool(true), missing(pool, t), missing(pool, t)}
	op := e.Op()
	switch {
	case e.IsLeaf():
		if w.keep = e; negated {
			w.keep = fold.Not(e)
		}
		return w
	case op == ir.Not:
		return f.read(e.Arg(0), !negated)
	case (op == ir.And) != negated && (op == ir.And || op == ir.Or):
		a, b := f.read(e.Arg(0), negated), f.read(e.Arg(1), negated)
		if a == nil || b == nil {
			return nil
		}
		return &ends{fold.And(a.keep, b.keep), better(ir.Max, a.low, b.low), better(ir.Min, a.high, b.high)}
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
		return f.either(c, w, f.read(rest, negated))
	case op == ir.Select && e.Arg(0).IsLeaf():
		return f.either(e.Arg(0), f.read(e.Arg(1), negated), f.read(e.Arg(2), negated))
	}
	b := f.bound(e)
	if negated {
		b = b.opposite()
	}
	switch b = b.closed(); {
	case !b.end.IsValid():
		return nil
	case b.atLeast:
		w.low = present(b.end)
	default:
		w.high = present(b.end)
	}
	return w
}

// either returns the window a where a condition on inputs holds, and b elsewhere; nil where one of
// these is nil.
func (f *fitting) either(c ir.Expr, a, b *ends) *ends {
	if a == nil || b == nil {
		return nil
	}
	return &ends{fold.Select(c, a.keep, b.keep), either(c, a.low, b.low), either(c, a.high, b.high)}
}

// inside returns the condition that an end of a window sets; true where the end is missing.
func inside(end optional, cond func(ir.Expr) ir.Expr) ir.Expr {
	if end.has.IsConst(0) {
		return fold.Not(end.has)
	}
	return fold.Or(fold.Not(end.has), cond(end.v))
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
func (f *fitting) bound(c ir.Expr) (none edge) {
	op := c.Op()
	if !op.IsComparison() || op == ir.Eq || op == ir.Ne || c.Arg(0).Type().IsUnsigned() {
		return none
	}
	less, more := c.Arg(0), c.Arg(1) // less <= more, or less < more
	if op == ir.Gt || op == ir.Ge {
		less, more = more, less
	}
	strict := op == ir.Lt || op == ir.Gt
	a, b := f.element(less), f.element(more)
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
