package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// fraction has the functions (a·x + b)/(c·x + d) of one real number.
//
//	y0 + 1/x0   →   a = y0, b = 1, c = 1, d = 0
//	(a, b, c, d) ∘ (a', b', c', d') = the product of the matrices (a' b'; c' d') and (a b; c d)
//
// The family computes with floats as with real numbers, and divides: its laws need reassoc, and
// nnan and ninf, because a step at a pole gives ±∞ or NaN.
type fraction struct {
	pool *ir.Pool
	n    int
}

// NewFraction fits steps that are quotients of linear functions of one number: see fraction.
func NewFraction(pool *ir.Pool, n int) Algebra { return fraction{pool, n} }

func (f fraction) of(t ir.Type, cells ...ir.Expr) []ir.Expr {
	if f.n != 1 || !t.IsFloat() {
		return nil
	}
	return cells
}

func (f fraction) Leaf(e ir.Expr) []ir.Expr {
	t := e.Type()
	if !t.IsFloat() {
		return nil
	}
	return f.of(t, fold.Number(f.pool, t, 0), e, fold.Number(f.pool, t, 0), fold.Number(f.pool, t, 1))
}

func (f fraction) State(_ int, t ir.Type) []ir.Expr {
	if !t.IsFloat() {
		return nil
	}
	return f.of(t, fold.Number(f.pool, t, 1), fold.Number(f.pool, t, 0), fold.Number(f.pool, t, 0), fold.Number(f.pool, t, 1))
}

func (f fraction) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

// over reports whether two functions have the same denominator, so that numerators can be added.
func over(a, b []ir.Expr) bool { return a[2] == b[2] && a[3] == b[3] }

func (f fraction) Op(op ir.Op, args []Term) []ir.Expr {
	a := args[0].Cells
	switch op {
	case ir.Neg:
		return []ir.Expr{fold.Neg(a[0]), fold.Neg(a[1]), a[2], a[3]}
	case ir.Sub:
		b := args[1].Cells
		minus := Term{Cells: []ir.Expr{fold.Neg(b[0]), fold.Neg(b[1]), b[2], b[3]}}
		if l := args[1].Leaf; l.IsValid() {
			minus.Leaf = fold.Neg(l)
		}
		return f.Op(ir.Add, []Term{args[0], minus})
	case ir.Add:
		b := args[1].Cells
		if over(a, b) {
			return []ir.Expr{fold.Add(a[0], b[0]), fold.Add(a[1], b[1]), a[2], a[3]}
		}
		for i := range args { // a leaf, brought over the other's denominator
			if l, g := args[i].Leaf, args[1-i].Cells; l.IsValid() {
				return []ir.Expr{fold.Add(g[0], fold.Mul(l, g[2])), fold.Add(g[1], fold.Mul(l, g[3])), g[2], g[3]}
			}
		}
	case ir.Mul:
		for i := range args {
			if l, g := args[i].Leaf, args[1-i].Cells; l.IsValid() {
				return []ir.Expr{fold.Mul(g[0], l), fold.Mul(g[1], l), g[2], g[3]}
			}
		}
	case ir.Div:
		b := args[1].Cells
		switch {
		case over(a, b): // of numerators
			return []ir.Expr{a[0], a[1], b[0], b[1]}
		case args[0].Leaf.IsValid():
			l := args[0].Leaf
			return []ir.Expr{fold.Mul(l, b[2]), fold.Mul(l, b[3]), b[0], b[1]}
		case args[1].Leaf.IsValid():
			l := args[1].Leaf
			return []ir.Expr{a[0], a[1], fold.Mul(a[2], l), fold.Mul(a[3], l)}
		}
	}
	return nil
}

func (f fraction) Apply(x, m []ir.Expr) ir.Expr {
	return ir.DivOf(fold.Add(fold.Mul(x[0], m[0]), m[1]), fold.Add(fold.Mul(x[0], m[2]), m[3]))
}

func (f fraction) Compose(rows [][]ir.Expr, m []ir.Expr) []ir.Expr {
	a := rows[0]
	sum := func(i, j int) ir.Expr { return fold.Add(fold.Mul(m[i], a[j]), fold.Mul(m[i+1], a[j+2])) }
	return []ir.Expr{sum(0, 0), sum(0, 1), sum(2, 0), sum(2, 1)}
}
