package lower

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/simd"
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

// folding is a fold of blocks into one element.
type folding struct {
	op    ir.Op
	exact bool // floats are combined in their order
	data  any
	at    *int // the element

	lanes, stride int // as many elements take turns, so far apart; 0 where there is one

	// One of these:
	leaf    any                // the block
	factor  any                // besides leaf: their products are added
	abs     bool               // the magnitudes of leaf
	counted func(n int) uint64 // what a block adds to an integer
	narrow  *vector[float32]   // of float64: these are added
}

func (z typed[T]) fold(f *folding) step {
	to, at := f.data.(*vector[T]), f.at
	if f.lanes > 0 {
		return z.foldLanes(f)
	}
	if f.counted != nil {
		return func(k, n int) { to.v[*at] += T(f.counted(n)) }
	}
	if f.narrow != nil {
		sum := simd.Sum[float64, float32]()
		return func(k, n int) { to.v[*at] += T(sum(f.narrow.v[:n])) }
	}
	leaf := f.leaf.(*vector[T])
	if f.factor != nil {
		y, dot := f.factor.(*vector[T]), z.Reduce.Dot
		return func(k, n int) { to.v[*at] = dot(leaf.v[:n], y.v[:n], to.v[*at]) }
	}
	if f.exact {
		return inOrder(f.op, to, at, leaf)
	}
	reduce := z.reduction(f.op, f.abs)
	return func(k, n int) { to.v[*at] = reduce(leaf.v[:n], to.v[*at]) }
}

// inOrder adds or multiplies one after another.
func inOrder[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](op ir.Op, to *vector[T], at *int, leaf *vector[T]) step {
	return func(k, n int) {
		x := to.v[*at]
		if op == ir.Add {
			for _, v := range leaf.v[:n] {
				x += v
			}
		} else {
			for _, v := range leaf.v[:n] {
				x *= v
			}
		}
		to.v[*at] = x
	}
}

func (z typed[T]) reduction(op ir.Op, abs bool) func(x []T, init T) T {
	r := &z.Reduce
	switch op {
	case ir.Add:
		if abs {
			return r.AddAbs
		}
		return r.Add
	case ir.Mul:
		return r.Mul
	case ir.Min:
		return r.Min
	case ir.Max:
		if abs {
			return r.MaxAbs
		}
		return r.Max
	case ir.BitAnd:
		return r.And
	case ir.BitOr:
		return r.Or
	case ir.BitXor:
		return r.Xor
	}
	panic("lower: internal: fold with " + op.String())
}

func (z typed[T]) count(op ir.Op, x any, mask uint64, than func() uint64) func(n int) uint64 {
	v, c := x.(*vector[T]), &z.Count
	if mask != ^uint64(0) { // then op is Eq or Ne
		return func(n int) uint64 {
			count := uint64(c.MaskedEq(v.v[:n], T(mask), T(than())))
			if op == ir.Ne {
				count = uint64(n) - count
			}
			return count
		}
	}
	f := map[ir.Op]func(x []T, k T) int{ir.Lt: c.Lt, ir.Le: c.Le, ir.Gt: c.Gt, ir.Ge: c.Ge, ir.Eq: c.Eq, ir.Ne: c.Ne}[op]
	return func(n int) uint64 { return uint64(f(v.v[:n], z.uncarry(than()))) }
}

func (z typed[T]) total(x any) func(n int) uint64 {
	v := x.(*vector[T])
	if z.t.IsSigned() {
		f := totalSigned[T]()
		return func(n int) uint64 { return uint64(f(v.v[:n])) }
	}
	f := totalUnsigned[T]()
	return func(n int) uint64 { return f(v.v[:n]) }
}
