package rfactor

import "github.com/rfactor-go/rfactor/ir"

// scaled has the functions max(min(a·x + b, c), d) of one number with a >= 0: cells are a, b,
// and pairs for c and d, as those of clamped. What multiplies keeps the order, so bounds of
// the first step are bounds after the second: a₂·c₁ + b₂.
type scaled struct {
	pool *ir.Pool
	n    int
}

func newScaled(pool *ir.Pool, n int) algebra { return scaled{pool, n} }

// inner is the part without the factor.
func (k scaled) inner() clamped { return clamped(k) }

func (k scaled) with(factor int64, cells []ir.Expr) []ir.Expr {
	if cells == nil {
		return nil
	}
	return append([]ir.Expr{number(k.pool, cells[0].Type(), factor)}, cells...)
}

func (k scaled) leaf(e ir.Expr) []ir.Expr         { return k.with(0, k.inner().leaf(e)) }
func (k scaled) state(j int, t ir.Type) []ir.Expr { return k.with(1, k.inner().state(j, t)) }
func (k scaled) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return append([]ir.Expr{choose(c, a[0], b[0])}, k.inner().choose(c, a[1:], b[1:])...)
}

func (k scaled) op(op ir.Op, args []term) []ir.Expr {
	switch {
	case op == ir.Mul && isFactor(args[1].leaf):
		return k.times(args[0].cells, args[1].leaf)
	case op == ir.Mul && isFactor(args[0].leaf):
		return k.times(args[1].cells, args[0].leaf)
	case op == ir.Shl && isFactor(args[1].leaf) && args[1].leaf.Value() < uint64(args[1].leaf.Type().Bits()-1):
		t := args[1].leaf.Type()
		return k.times(args[0].cells, k.pool.Const(t, 1<<args[1].leaf.Value()))
	case op == ir.Add && args[0].whole == args[1].whole:
		return k.times(args[0].cells, number(k.pool, args[0].whole.Type(), 2))
	}
	inner := make([]term, len(args))
	factor := ir.Expr{}
	for i, a := range args {
		inner[i] = term{a.cells[1:], a.leaf, a.whole}
		if !a.leaf.IsValid() {
			factor = a.cells[0]
		}
	}
	cells := k.inner().op(op, inner)
	if cells == nil {
		return nil
	}
	return append([]ir.Expr{factor}, cells...)
}

// isFactor reports whether a leaf is a literal that is not negative.
func isFactor(l ir.Expr) bool {
	if !l.IsValid() || l.Op() != ir.Const {
		return false
	}
	if l.Type().IsFloat() {
		return ir.Float(l.Type(), l.Value()) >= 0
	}
	return l.Type() != ir.Bool && (l.Type().IsUnsigned() || l.Int() >= 0)
}

func (k scaled) times(cells []ir.Expr, by ir.Expr) []ir.Expr {
	out := []ir.Expr{scale(cells[0], by), scale(cells[1], by)}
	for _, o := range unpack(cells[2:]) {
		out = append(out, o.has, scale(o.v, by))
	}
	return out
}

// factor is the multiplier that a cell stands for: parameters of any value must be ones of a step.
func (k scaled) factor(a ir.Expr) ir.Expr {
	if a.Op() == ir.Var && !a.Type().IsUnsigned() {
		return ir.MaxOf(a, number(k.pool, a.Type(), 0))
	}
	return a
}

func (k scaled) apply(x, cells []ir.Expr) ir.Expr {
	return k.inner().apply([]ir.Expr{scale(x[0], k.factor(cells[0]))}, cells[1:])
}

func (k scaled) compose(rows [][]ir.Expr, cells []ir.Expr) []ir.Expr {
	first := append([]ir.Expr{k.factor(rows[0][0])}, rows[0][1:]...)
	moved := k.times(first, k.factor(cells[0]))
	return append(moved[:1:1], k.inner().then(moved[1:], cells[1], unpack(cells[2:]))...)
}
