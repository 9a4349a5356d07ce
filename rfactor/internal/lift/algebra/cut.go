package algebra

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

// NewCut fits steps that shift a word up and mask it: see cutting.
func NewCut(pool *ir.Pool, n int) Algebra {
	return cutting{appending{pool, n, ir.Shl, ir.BitOr}}
}

// NewCutBelow fits steps that shift a word down and mask it: see cutting.
func NewCutBelow(pool *ir.Pool, n int) Algebra {
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

func (c cutting) Leaf(e ir.Expr) []ir.Expr { return withMask(c.appending.Leaf(e), 0) }

func (c cutting) State(j int, t ir.Type) []ir.Expr { return withMask(c.appending.State(j, t), -1) }

func (c cutting) Op(op ir.Op, args []Term) []ir.Expr {
	if len(args) != 2 {
		return nil
	}
	if args[0].Leaf.IsValid() && (op == ir.BitAnd || op == ir.BitOr) {
		args[0], args[1] = args[1], args[0]
	}
	x, l, t := args[0].Cells, args[1].Leaf, args[0].Whole.Type()
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
	return c.Compose([][]ir.Expr{x}, []ir.Expr{by, c.pool.Int(t, -1), c.pool.Int(t, 0)})
}

func (c cutting) Apply(x, row []ir.Expr) ir.Expr {
	return fold.BitOr(fold.BitAnd(c.shifted(x[0], row[0]), row[1]), row[2])
}

// Compose leaves a mask that keeps every bit as it is: what is shifted in is 0 anyway.
func (c cutting) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	x := rows[0]
	p := c.appending.Compose([][]ir.Expr{{x[0], x[2]}}, []ir.Expr{row[0], row[2]})[0]
	mask := x[1]
	if !fold.IsNumber(mask, -1) {
		mask = c.shifted(mask, row[0])
	}
	return []ir.Expr{p, fold.BitAnd(mask, row[1]), fold.BitOr(fold.BitAnd(c.shifted(x[2], row[0]), row[1]), row[2])}
}
