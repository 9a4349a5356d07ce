package lift

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// cutting has the functions ((x << p) & m) | b of one integer, or with >> of unsigned ones: bits that are appended to a word, of which a
// mask keeps some (families cut and cut below).
//
//	((x0 << 1) | y0) & k0   →   p = 1, m = k0, b = y0 & k0
//	(p, m, b) ∘ (p', m', b') = (saturating_add(p, p'), (m << p') & m', ((b << p') & m') | b')
//
// Steps without a mask have fewer parameters: see appending.
type cutting struct{ appending }

func newCut(pool *ir.Pool, n int) algebra {
	return cutting{appending{pool, n, ir.Shl, ir.BitOr}}
}

func newCutBelow(pool *ir.Pool, n int) algebra {
	return cutting{appending{pool, n, ir.Shr, ir.BitOr}}
}

// withMask puts a mask between the count and the bits of a function.
func withMask(cells []ir.Expr, mask int64) []ir.Expr {
	if cells == nil {
		return nil
	}
	b := cells[1]
	return []ir.Expr{cells[0], b.Pool().Int(b.Type(), mask), b}
}

func (c cutting) leaf(e ir.Expr) []ir.Expr { return withMask(c.appending.leaf(e), 0) }

func (c cutting) state(j int, t ir.Type) []ir.Expr { return withMask(c.appending.state(j, t), -1) }

func (c cutting) op(op ir.Op, args []term) []ir.Expr {
	if len(args) != 2 {
		return nil
	}
	if args[0].leaf.IsValid() && (op == ir.BitAnd || op == ir.BitOr) {
		args[0], args[1] = args[1], args[0]
	}
	x, l, t := args[0].cells, args[1].leaf, args[0].whole.Type()
	if !l.IsValid() {
		return nil
	}
	switch op {
	case ir.BitAnd:
		return []ir.Expr{x[0], fold.BitAnd(x[1], l), fold.BitAnd(x[2], l)}
	case ir.BitOr:
		return []ir.Expr{x[0], x[1], fold.BitOr(x[2], l)}
	}
	by, ok := c.count(op, t, l)
	if !ok {
		return nil
	}
	return c.compose([][]ir.Expr{x}, []ir.Expr{by, c.pool.Int(t, -1), c.pool.Int(t, 0)})
}

func (c cutting) apply(x, row []ir.Expr) ir.Expr {
	return fold.BitOr(fold.BitAnd(c.shifted(x[0], row[0]), row[1]), row[2])
}

// compose leaves a mask that keeps every bit as it is: what is shifted in is 0 anyway.
func (c cutting) compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	x := rows[0]
	p := c.appending.compose([][]ir.Expr{{x[0], x[2]}}, []ir.Expr{row[0], row[2]})[0]
	mask := x[1]
	if !fold.IsNumber(mask, -1) {
		mask = c.shifted(mask, row[0])
	}
	return []ir.Expr{p, fold.BitAnd(mask, row[1]), fold.BitOr(fold.BitAnd(c.shifted(x[2], row[0]), row[1]), row[2])}
}
