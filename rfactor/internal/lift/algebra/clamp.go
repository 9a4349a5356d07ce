package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// clamped has the functions max(min(±k·x + a, c), b) of one number, with k >= 0 (family clamp).
//
//	max(x0 + y0, 0)   →   a = y0, b = 0: the step is x ↦ max(x + a, b)
//	(a, b) ∘ (a', b') = (a + a', max(b + a', b'))
//
// The cells are whether the sign is −, then k, a, and a pair each for c and b, which may be missing.
// A function whose bounds are equal is constant. Multiplication by k keeps the order and the sign
// reverses it, so that a bound of the first step, moved by the second one, is a bound after both.
// Where k is an input, its sign decides which bound is the upper one. Sums must not wrap: the
// family takes integers as unbounded.
type clamped struct {
	pool *ir.Pool
	n    int
}

// NewClamp fits steps that add inputs and bound the sum on both sides: see clamped.
func NewClamp(pool *ir.Pool, n int) Algebra { return clamped{pool, n} }

func (k clamped) with(t ir.Type, bounds ...Optional) []ir.Expr {
	if k.n != 1 || t == ir.Bool {
		return nil
	}
	return append([]ir.Expr{k.pool.Bool(false), fold.Number(k.pool, t, 1), fold.Number(k.pool, t, 0)}, Pack(bounds)...)
}

func (k clamped) Leaf(e ir.Expr) []ir.Expr {
	return k.with(e.Type(), Present(e), Present(e))
}

func (k clamped) State(_ int, t ir.Type) []ir.Expr {
	if t == ir.Bool {
		return nil
	}
	return k.with(t, Missing(k.pool, t), Missing(k.pool, t))
}

func (k clamped) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	out := ZipCells(a[:3], b[:3], func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
	return append(out, Pack(zip(Unpack(a[3:]), Unpack(b[3:]), func(a, b Optional) Optional { return Either(c, a, b) }))...)
}

func (k clamped) Op(op ir.Op, args []Term) []ir.Expr {
	t := args[0].Whole.Type()
	if cells, by := shifted(op, args); cells != nil {
		return k.then(cells, by, []Optional{Missing(k.pool, t), Missing(k.pool, t)})
	}
	if len(args) == 1 {
		if op != ir.Neg {
			return nil
		}
		return k.negated(args[0].Cells)
	}
	cells, l := args[0].Cells, args[1].Leaf
	if !l.IsValid() {
		cells, l = args[1].Cells, args[0].Leaf
	}
	switch {
	case op == ir.Add && args[0].Whole == args[1].Whole:
		return k.times(cells, fold.Number(k.pool, t, 2))
	case !l.IsValid():
	case op == ir.Sub: // from the leaf
		if cells = k.negated(cells); cells != nil {
			return k.then(cells, l, []Optional{Missing(k.pool, t), Missing(k.pool, t)})
		}
	case op == ir.Min:
		return k.then(cells, fold.Number(k.pool, t, 0), []Optional{Present(l), Missing(k.pool, t)})
	case op == ir.Max:
		return k.then(cells, fold.Number(k.pool, t, 0), []Optional{Missing(k.pool, t), Present(l)})
	case op == ir.Mul && isFactor(l):
		return k.times(cells, l)
	case op == ir.Mul && l.Op() == ir.Const && isFactor(fold.Neg(l)):
		return k.negated(k.times(cells, fold.Neg(l)))
	case op == ir.Div && args[1].Leaf == l && l.Type().IsFloat() && isFactor(l):
		return k.times(cells, ir.DivOf(fold.Number(k.pool, t, 1), l))
	case op == ir.Mul && l.Type().IsUnsigned():
		return k.times(cells, l)
	case op == ir.Mul: // its sign decides
		cells = k.times(cells, ir.Make(ir.Abs, l))
		return k.Choose(ir.LtOf(l, fold.Number(k.pool, t, 0)), k.negated(cells), cells)
	case op == ir.Shl && isFactor(args[1].Leaf) && l.Value() < uint64(t.Bits()-1):
		return k.times(cells, k.pool.Const(t, 1<<l.Value()))
	}
	return nil
}

// isFactor reports whether l is a literal that is at least 0.
func isFactor(l ir.Expr) bool {
	if !l.IsValid() || l.Op() != ir.Const {
		return false
	}
	if l.Type().IsFloat() {
		return ir.Float(l.Type(), l.Value()) >= 0
	}
	return l.Type() != ir.Bool && (l.Type().IsUnsigned() || l.Int() >= 0)
}

func (k clamped) times(cells []ir.Expr, by ir.Expr) []ir.Expr {
	out := []ir.Expr{cells[0], fold.Mul(cells[1], by), fold.Mul(cells[2], by)}
	for _, o := range Unpack(cells[3:]) {
		out = append(out, o.Has, fold.Mul(o.Value, by))
	}
	return out
}

// negated returns the cells of −f for the function f of some cells; nil of unsigned numbers.
func (k clamped) negated(cells []ir.Expr) []ir.Expr {
	if cells[2].Type().IsUnsigned() {
		return nil
	}
	c, b := Unpack(cells[3:])[0], Unpack(cells[3:])[1]
	upper, lower := Maybe(b.Has, fold.Neg(b.Value)), Maybe(c.Has, fold.Neg(c.Value))
	return append([]ir.Expr{fold.Not(cells[0]), cells[1], fold.Neg(cells[2])}, Pack([]Optional{upper, below(lower, upper)})...)
}

// below returns a lower bound that is at most the upper one. Where the two cross, f is the lower
// bound.
func below(lower, upper Optional) Optional {
	if upper.Has.IsConst(0) || lower.Has.IsConst(0) {
		return lower
	}
	low := upper.Value
	if lower.Value != upper.Value {
		low = ir.MinOf(lower.Value, upper.Value)
	}
	return Maybe(lower.Has, fold.Select(upper.Has, low, lower.Value))
}

// then returns the cells of max(min(f(x) + a, c), b) for the function f of some cells; bounds are c
// and b.
func (k clamped) then(cells []ir.Expr, a ir.Expr, bounds []Optional) []ir.Expr {
	f := Shift(Unpack(cells[3:]), a)
	upper := Better(ir.Min, f[0], bounds[0])
	lower := Better(ir.Max, below(f[1], bounds[0]), bounds[1])
	return append([]ir.Expr{cells[0], cells[1], fold.Add(cells[2], a)}, Pack([]Optional{upper, lower})...)
}

// factor returns the multiplier k that a cell stands for. A parameter may have any value; one below
// 0, which no step has, counts as 0.
func (k clamped) factor(a ir.Expr) ir.Expr {
	if a.Op() == ir.Var && !a.Type().IsUnsigned() {
		return ir.MaxOf(a, fold.Number(k.pool, a.Type(), 0))
	}
	return a
}

func (k clamped) Apply(x, cells []ir.Expr) ir.Expr {
	v := fold.Mul(x[0], k.factor(cells[1]))
	v = fold.Add(fold.Select(cells[0], fold.Neg(v), v), cells[2])
	bounds := Unpack(cells[3:])
	return Better(ir.Max, Better(ir.Min, Present(v), bounds[0]), bounds[1]).Value
}

func (k clamped) Compose(rows [][]ir.Expr, cells []ir.Expr) []ir.Expr {
	first := append([]ir.Expr{}, rows[0]...)
	first[1] = k.factor(first[1])
	moved := k.times(first, k.factor(cells[1]))
	switch minus := cells[0]; {
	case minus.IsConst(1):
		moved = k.negated(moved)
	case !minus.IsConst(0):
		moved = k.Choose(minus, k.negated(moved), moved)
	}
	return k.then(moved, cells[2], Unpack(cells[3:]))
}
