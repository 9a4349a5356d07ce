package lower

import (
	"github.com/rfactor-go/rfactor/ir"
)

// part is a component of an update that is x op leaf: a fold of the leaves.
type part struct {
	op   ir.Op   // Const where the component does not change
	leaf ir.Expr // free of states
}

// partOf recognises a fold in the value of component c. It makes expressions, so that it
// is for Compile.
func partOf(v ir.Expr, c int) (part, bool) {
	p := v.Pool()
	x := p.X(c, v.Type())
	if v == x {
		return part{op: ir.Const}, true
	}
	if v.NumArgs() < 2 || v.States() != x.States() {
		return part{}, false
	}
	a, b := v.Arg(0), v.Arg(1)
	switch op := v.Op(); op {
	case ir.Add, ir.Mul, ir.Min, ir.Max, ir.BitAnd, ir.BitOr, ir.BitXor, ir.And, ir.Or:
		if b.States() != 0 {
			a, b = b, a
		}
		if a == x && b.IsLeaf() {
			return part{op, b}, true
		}
		return nested(op, a, b, c)
	case ir.Sub:
		if a == x && b.IsLeaf() {
			return part{ir.Add, ir.NegOf(b)}, true
		}
	case ir.Select:
		return conditional(v, x, c)
	}
	return part{}, false
}

// nested is (x op a) op b, regrouped where that is exact.
func nested(op ir.Op, inner, leaf ir.Expr, c int) (part, bool) {
	if !leaf.IsLeaf() || inner.Op() != op || leaf.Type().IsFloat() && op != ir.Min && op != ir.Max {
		return part{}, false
	}
	q, ok := partOf(inner, c)
	if !ok || q.op != op {
		return part{}, false
	}
	return part{op, ir.Make(op, q.leaf, leaf)}, true
}

// conditional is select(p, x, x op a), or the other way round; and minima and maxima of
// integers in that spelling.
func conditional(v, x ir.Expr, c int) (part, bool) {
	cond, a, b := v.Arg(0), v.Arg(1), v.Arg(2)
	if !cond.IsLeaf() {
		return extremum(cond, a, b, x)
	}
	q, ok := partOf(a, c)
	r, also := partOf(b, c)
	switch {
	case !ok || !also:
		return part{}, false
	case q.op == ir.Const && r.op != ir.Const:
		return part{r.op, ir.SelectOf(cond, neutral(r.op, x), r.leaf)}, true
	case r.op == ir.Const && q.op != ir.Const:
		return part{q.op, ir.SelectOf(cond, q.leaf, neutral(q.op, x))}, true
	case q.op == r.op && q.op != ir.Const:
		return part{q.op, ir.SelectOf(cond, q.leaf, r.leaf)}, true
	}
	return part{}, false
}

// extremum is select(x < y, x, y) and its like.
func extremum(cond, a, b, x ir.Expr) (part, bool) {
	if !x.Type().IsInt() || cond.NumArgs() != 2 || cond.Arg(0).Type() != x.Type() {
		return part{}, false
	}
	l, r := cond.Arg(0), cond.Arg(1)
	var less bool
	switch cond.Op() {
	case ir.Lt, ir.Le:
		less = true
	case ir.Gt, ir.Ge:
	default:
		return part{}, false
	}
	leaf := l
	if l == x {
		leaf = r
	}
	if !leaf.IsLeaf() || l != x && r != x {
		return part{}, false
	}
	switch {
	case a == l && b == r && less, a == r && b == l && !less:
		return part{ir.Min, leaf}, true
	case a == l && b == r, a == r && b == l:
		return part{ir.Max, leaf}, true
	}
	return part{}, false
}

// neutral is the operand that leaves x as it is, bit for bit.
func neutral(op ir.Op, x ir.Expr) ir.Expr {
	return x.Pool().Const(x.Type(), neutralValue(op, x.Type()))
}

func neutralValue(op ir.Op, t ir.Type) uint64 {
	switch op {
	case ir.Add:
		if t.IsFloat() {
			return signBit(t) // −0: +0 would turn −0 into +0
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

func signBit(t ir.Type) uint64 { return 1 << (t.Bits() - 1) }

// counted is c where e is select(c, 1, 0).
func counted(e ir.Expr) (c ir.Expr, ok bool) {
	switch {
	case e.Op() == ir.Select && e.Arg(1).IsConst(1) && e.Arg(2).IsConst(0) && e.Type().IsInt():
		return e.Arg(0), true
	case e.Op() == ir.Cast && e.Arg(0).Type() == ir.Bool:
		return e.Arg(0), true
	}
	return c, false
}
