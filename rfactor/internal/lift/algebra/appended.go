package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// appending has the functions (x << p) | b of one integer, or with >> of unsigned ones, or with ^: bytes, digits and flags that are appended
// to a word (families appended and prepended).
//
//	(x0 << 8) | y0   →   p = 8, b = y0
//	(p, b) ∘ (p', b') = (saturating_add(p, p'), (b << p') | b')
//
// A shift by the width is a constant function, so that resets need no cell of their own.
type appending struct {
	pool *ir.Pool
	n    int
	by   ir.Op // Shl or Shr
	join ir.Op // BitOr or BitXor
}

// NewAppended and NewPrepended fit steps that shift a word and put bits where it was: see appending.
func NewAppended(pool *ir.Pool, n int) Algebra  { return appending{pool, n, ir.Shl, ir.BitOr} }
func NewPrepended(pool *ir.Pool, n int) Algebra { return appending{pool, n, ir.Shr, ir.BitOr} }

func (a appending) fits(t ir.Type) bool {
	return a.n == 1 && t.IsInt() && (a.by == ir.Shl || t.IsUnsigned())
}

func (a appending) Leaf(e ir.Expr) []ir.Expr {
	t := e.Type()
	if !a.fits(t) {
		return nil
	}
	return []ir.Expr{a.pool.Int(t.Unsigned(), int64(t.Bits())), e}
}

func (a appending) State(_ int, t ir.Type) []ir.Expr {
	if !a.fits(t) {
		return nil
	}
	return []ir.Expr{a.pool.Int(t.Unsigned(), 0), a.pool.Int(t, 0)}
}

func (a appending) Choose(c ir.Expr, x, y []ir.Expr) []ir.Expr { return Chosen(c, x, y) }

func (a appending) Op(op ir.Op, args []Term) []ir.Expr {
	if len(args) != 2 {
		return nil
	}
	if op == a.join && args[0].Leaf.IsValid() {
		args[0], args[1] = args[1], args[0]
	}
	x, l, t := args[0].Cells, args[1].Leaf, args[0].Whole.Type()
	switch {
	case !l.IsValid() || !a.fits(t):
		return nil
	case op == a.join:
		return []ir.Expr{x[0], a.joined(x[1], l)}
	}
	by, ok := a.count(op, t, l)
	if !ok {
		return nil
	}
	return a.Compose([][]ir.Expr{x}, []ir.Expr{by, a.pool.Int(t, 0)})
}

// count returns the count of a shift by a leaf, or of a product or a quotient that is one.
func (a appending) count(op ir.Op, t ir.Type, l ir.Expr) (by ir.Expr, ok bool) {
	if op == a.by {
		return word(l), true
	}
	k, ok := ShiftOf(op, t, l)
	if !ok || (op == ir.Mul) != (a.by == ir.Shl) {
		return by, false
	}
	return a.pool.Int(t.Unsigned(), int64(k)), true
}

func (a appending) joined(x, y ir.Expr) ir.Expr {
	if a.join == ir.BitXor {
		return fold.BitXor(x, y)
	}
	return fold.BitOr(x, y)
}

func (a appending) shifted(x, by ir.Expr) ir.Expr {
	if fold.IsNumber(x, 0) || fold.IsNumber(by, 0) {
		return x
	}
	return ir.Make(a.by, x, CastTo(x.Type(), by))
}

func (a appending) Apply(x, row []ir.Expr) ir.Expr {
	return a.joined(a.shifted(x[0], row[0]), row[1])
}

func (a appending) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	x := rows[0]
	p := row[0]
	switch {
	case fold.IsNumber(x[0], 0):
	case fold.IsNumber(p, 0):
		p = x[0]
	default:
		p = ir.Make(ir.SatAdd, x[0], p)
	}
	return []ir.Expr{p, a.joined(a.shifted(x[1], row[0]), row[1])}
}
