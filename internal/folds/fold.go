// Package folds recognises what the components of an update do, each on its own: fold the leaves
// with one operation, count those of which a condition holds, or search the least of them and
// carry what belongs to it.
//
//	select(p, x0 + in(r), x0)                          →   x0 + select(p, in(r), 0)
//	{min(x0, in(r)), select(x0 < in(r), x1, r)}        →   a search that carries r
package folds

import "github.com/rfactor-go/rfactor/ir"

// Part is a component whose next value is x Op Leaf: a fold of the leaves.
type Part struct {
	Op   ir.Op   // Const where the component does not change; then Leaf is the zero Expr
	Leaf ir.Expr // free of states
}

// Of returns the fold that v is, the next value of component c; ok is false where v is none, or is not proven to be that
// fold without assumptions. It makes expressions in v's pool.
func Of(v ir.Expr, c int) (p Part, ok bool) {
	if p, ok = Propose(v, c); !ok || p.Op == ir.Const {
		return p, ok
	}
	return p, Holds(0, v, ir.Make(p.Op, v.Pool().X(c, v.Type()), p.Leaf))
}

// All returns what Of does for each component.
func All(values []ir.Expr) (parts []Part, ok []bool) {
	parts, ok = make([]Part, len(values)), make([]bool, len(values))
	for c, v := range values {
		parts[c], ok[c] = Of(v, c)
	}
	return parts, ok
}

// Propose reads a fold off v, the next value of component c, and proves nothing. It makes expressions in v's pool.
func Propose(v ir.Expr, c int) (p Part, ok bool) {
	x := v.Pool().X(c, v.Type())
	if v == x {
		return Part{Op: ir.Const}, true
	}
	if v.NumArgs() < 2 || v.States() != x.States() {
		return Part{}, false
	}
	a, b := v.Arg(0), v.Arg(1)
	switch op := v.Op(); op {
	case ir.Add, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.And, ir.Or:
		if b.States() != 0 {
			a, b = b, a
		}
		if a == x && b.IsLeaf() {
			return Part{op, b}, true
		}
		return nested(op, a, b, c)
	case ir.Sub:
		if a == x && b.IsLeaf() {
			return Part{ir.Add, ir.NegOf(b)}, true
		}
	case ir.Select:
		return conditional(v, x, c)
	}
	return Part{}, false
}

// nested is (x op a) op b, regrouped where that is exact.
func nested(op ir.Op, inner, leaf ir.Expr, c int) (Part, bool) {
	if !leaf.IsLeaf() || inner.Op() != op || leaf.Type().IsFloat() && op != ir.Min && op != ir.Max {
		return Part{}, false
	}
	q, ok := Propose(inner, c)
	if !ok || q.Op != op {
		return Part{}, false
	}
	return Part{op, ir.Make(op, q.Leaf, leaf)}, true
}

// conditional is select(p, x, x op a), or the other way round; and minima and maxima of
// integers in that spelling.
func conditional(v, x ir.Expr, c int) (Part, bool) {
	cond, a, b := v.Arg(0), v.Arg(1), v.Arg(2)
	if !cond.IsLeaf() {
		return extremum(cond, a, b, x)
	}
	q, ok := Propose(a, c)
	r, also := Propose(b, c)
	switch {
	case !ok || !also:
		return Part{}, false
	case q.Op == ir.Const && r.Op != ir.Const:
		return Part{r.Op, ir.SelectOf(cond, Neutral(r.Op, x), r.Leaf)}, true
	case r.Op == ir.Const && q.Op != ir.Const:
		return Part{q.Op, ir.SelectOf(cond, q.Leaf, Neutral(q.Op, x))}, true
	case q.Op == r.Op && q.Op != ir.Const:
		return Part{q.Op, ir.SelectOf(cond, q.Leaf, r.Leaf)}, true
	}
	return Part{}, false
}

// extremum is select(x < y, x, y) and its like.
func extremum(cond, a, b, x ir.Expr) (Part, bool) {
	if !x.Type().IsInt() || cond.NumArgs() != 2 || cond.Arg(0).Type() != x.Type() {
		return Part{}, false
	}
	l, r := cond.Arg(0), cond.Arg(1)
	var less bool
	switch cond.Op() {
	case ir.Lt, ir.Le:
		less = true
	case ir.Gt, ir.Ge:
	default:
		return Part{}, false
	}
	leaf := l
	if l == x {
		leaf = r
	}
	if !leaf.IsLeaf() || l != x && r != x {
		return Part{}, false
	}
	switch {
	case a == l && b == r && less, a == r && b == l && !less:
		return Part{ir.Min, leaf}, true
	case a == l && b == r, a == r && b == l:
		return Part{ir.Max, leaf}, true
	}
	return Part{}, false
}

// Neutral is the literal operand of op that leaves x as it is, bit for bit.
func Neutral(op ir.Op, x ir.Expr) ir.Expr {
	return x.Pool().Const(x.Type(), NeutralValue(op, x.Type()))
}

// NeutralValue is the carried value of that literal: −0 of float addition, since +0 would turn
// −0 into +0.
func NeutralValue(op ir.Op, t ir.Type) uint64 {
	switch op {
	case ir.Add:
		if t.IsFloat() {
			return 1 << (t.Bits() - 1)
		}
	case ir.Mul:
		if t.IsFloat() {
			return ir.FloatBits(t, 1)
		}
		return 1
	case ir.Min:
		return t.Max()
	case ir.Max:
		return t.Min()
	case ir.BitAnd:
		return t.Wrap(^uint64(0))
	case ir.And:
		return 1
	}
	return 0
}

// Counted takes the condition c from an integer e that is 1 where c holds and else 0, in whatever order of selects. It is false where e is none.
//
//	select(p, 0, select(q, 1, 0))   →   !p && q
func Counted(e ir.Expr) (c ir.Expr, ok bool) {
	if !e.Type().IsInt() {
		return c, false
	}
	c, ok = counted(e)
	return c, ok && Holds(0, e, ir.SelectOf(c, e.Pool().Int(e.Type(), 1), e.Pool().Int(e.Type(), 0)))
}

// counted reads the condition off e.
func counted(e ir.Expr) (c ir.Expr, ok bool) {
	switch {
	case e.Op() == ir.Cast && e.Arg(0).Type() == ir.Bool:
		return e.Arg(0), true
	case e.Op() != ir.Select:
		return c, false
	}
	c, yes, no := e.Arg(0), e.Arg(1), e.Arg(2)
	p, isTrue := counted(yes)
	q, isFalse := counted(no)
	switch {
	case yes.IsConst(1) && no.IsConst(0):
		return c, true
	case yes.IsConst(0) && no.IsConst(1):
		return ir.NotOf(c), true
	case yes.IsConst(0) && isFalse:
		return ir.AndOf(ir.NotOf(c), q), true
	case yes.IsConst(1) && isFalse:
		return ir.OrOf(c, q), true
	case no.IsConst(0) && isTrue:
		return ir.AndOf(c, p), true
	case no.IsConst(1) && isTrue:
		return ir.OrOf(ir.NotOf(c), p), true
	}
	return c, false
}

// Conjunction is the condition that holds where all of some hold; there is one at least.
func Conjunction(conds []ir.Expr) ir.Expr {
	all := conds[0]
	for _, c := range conds[1:] {
		all = ir.AndOf(all, c)
	}
	return all
}

// Guarded returns the fold that p is where a condition holds, and that leaves the state as it is elsewhere, bit for bit.
//
//	x + h under c   →   x + select(c, h, 0)
func (p Part) Guarded(cond, x ir.Expr) (guarded ir.Expr, ok bool) {
	guarded = ir.Make(p.Op, x, ir.SelectOf(cond, p.Leaf, Neutral(p.Op, x)))
	return guarded, Holds(0, ir.SelectOf(cond, ir.Make(p.Op, x, p.Leaf), x), guarded)
}
