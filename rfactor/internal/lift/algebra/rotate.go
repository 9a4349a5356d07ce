package algebra

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// rotated has the functions (rotate(x, r) & m) ^ b of the bits of one integer: shift registers,
// rotate-and-xor hashes, bits that are appended.
//
//	((x0 << 5) | (x0 >> 11)) ^ y0   →   r = 5, b = y0, of 16 bits
//	(r, b) ∘ (r', b') = ((r + r') & 15, rotate(b, r') ^ b')
//
// The cells are r, m and b, unsigned; m is left out in the example, because no step masks anything. A
// shift is a rotation and a mask. The amounts of two steps add modulo the width, and the second
// step rotates the mask of the first one, so that the family is closed.
type rotated struct {
	pool *ir.Pool
	n    int
}

// NewRotated fits steps that shift or rotate a word by literals and xor it with inputs: see rotated.
func NewRotated(pool *ir.Pool, n int) Algebra { return rotated{pool, n} }

// word returns the bits of an integer as an unsigned one.
func word(e ir.Expr) ir.Expr {
	if e.Type().IsUnsigned() {
		return e
	}
	if e.Op() == ir.Const {
		return e.Pool().Const(e.Type().Unsigned(), e.Type().Unsigned().Wrap(e.Value()))
	}
	return ir.CastTo(e.Type().Unsigned(), e)
}

func (r rotated) cells(t ir.Type, m, b ir.Expr) []ir.Expr {
	if r.n != 1 || !t.IsInt() {
		return nil
	}
	return []ir.Expr{r.pool.Int(t.Unsigned(), 0), m, b}
}

func (r rotated) Leaf(e ir.Expr) []ir.Expr {
	t := e.Type()
	if !t.IsInt() {
		return nil
	}
	return r.cells(t, r.pool.Int(t.Unsigned(), 0), word(e))
}

func (r rotated) State(_ int, t ir.Type) []ir.Expr {
	if !t.IsInt() {
		return nil
	}
	return r.cells(t, r.all(t.Unsigned()), r.pool.Int(t.Unsigned(), 0))
}

func (r rotated) all(t ir.Type) ir.Expr { return r.pool.Const(t, t.Max()) }

func (r rotated) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

func (r rotated) Op(op ir.Op, args []Term) []ir.Expr {
	a := args[0].Cells
	if len(args) == 1 {
		if op == ir.BitNot {
			return []ir.Expr{a[0], a[1], fold.BitXor(a[2], r.all(a[2].Type()))}
		}
		return nil
	}
	t := args[0].Whole.Type()
	switch by, literal := ShiftOf(op, t, args[1].Leaf); {
	case literal:
		return r.shifted(op, a, by)
	case op == ir.Mod && isPowerOfTwo(t, args[1].Leaf):
		return r.masked(a, r.pool.Const(t, args[1].Leaf.Value()-1))
	case op == ir.Shl || op == ir.Shr || op == ir.Div || op == ir.Mod || op == ir.Mul:
		return nil
	}
	for i := range args {
		l := args[i].Leaf
		if !l.IsValid() || l.Type() != t {
			continue
		}
		l, a := word(l), args[1-i].Cells
		switch op {
		case ir.BitAnd:
			return r.masked(a, l)
		case ir.BitXor, ir.Add: // of bits that are 0
			return []ir.Expr{a[0], a[1], fold.BitXor(a[2], l)}
		case ir.BitOr:
			out := r.masked(a, ir.Make(ir.BitNot, l))
			out[2] = fold.BitXor(out[2], l)
			return out
		}
		return nil
	}
	b := args[1].Cells // of the same rotation, and other bits
	if op != ir.BitOr && op != ir.BitXor && op != ir.Add || a[0] != b[0] || a[1].Op() != ir.Const || b[1].Op() != ir.Const || a[1].Value()&b[1].Value() != 0 {
		return nil
	}
	return []ir.Expr{a[0], r.pool.Const(a[1].Type(), a[1].Value()|b[1].Value()), fold.BitXor(a[2], b[2])}
}

// ShiftOf returns the literal by which an operator shifts to the left or to the right; not ok where
// the operator does neither.
func ShiftOf(op ir.Op, t ir.Type, l ir.Expr) (by int, ok bool) {
	if !l.IsValid() || l.Op() != ir.Const {
		return 0, false
	}
	switch {
	case op == ir.Shl, op == ir.Shr && t.IsUnsigned():
		return int(l.Value()), l.Value() < uint64(t.Bits())
	case (op == ir.Mul || op == ir.Div && t.IsUnsigned()) && isPowerOfTwo(t, l):
		return bits.TrailingZeros64(l.Value()), true
	}
	return 0, false
}

func isPowerOfTwo(t ir.Type, l ir.Expr) bool {
	return t.IsUnsigned() && l.IsValid() && l.Op() == ir.Const && bits.OnesCount64(l.Value()) == 1
}

func (r rotated) shifted(op ir.Op, a []ir.Expr, by int) []ir.Expr {
	t := a[1].Type()
	all := r.all(t).Value()
	left, mask := by, t.Wrap(all<<by)
	if op == ir.Shr || op == ir.Div {
		left, mask = (t.Bits()-by)%t.Bits(), all>>by
	}
	n := r.pool.Int(t, int64(left))
	return r.masked([]ir.Expr{r.plus(a[0], n), rotate(a[1], n), rotate(a[2], n)}, r.pool.Const(t, mask))
}

func (r rotated) masked(a []ir.Expr, by ir.Expr) []ir.Expr {
	return []ir.Expr{a[0], MaskBits(a[1], by), MaskBits(a[2], by)}
}

// plus adds amounts of rotations modulo the width.
func (r rotated) plus(a, b ir.Expr) ir.Expr {
	top := r.pool.Int(a.Type(), int64(a.Type().Bits()-1))
	if a.Op() == ir.Const && b.Op() == ir.Const {
		return r.pool.Const(a.Type(), (a.Value()+b.Value())&top.Value())
	}
	return ir.Make(ir.BitAnd, ir.AddOf(a, b), top)
}

// MaskBits returns a & b.
func MaskBits(a, b ir.Expr) ir.Expr {
	if a.Op() == ir.Const && b.Op() == ir.Const {
		return a.Pool().Const(a.Type(), a.Value()&b.Value())
	}
	if t := a.Type(); a.IsConst(t.Max()) || b.IsConst(0) {
		return b
	} else if b.IsConst(t.Max()) || a.IsConst(0) {
		return a
	}
	return ir.Make(ir.BitAnd, a, b)
}

// rotate moves the bits of a up by n; those that leave at the top come in below.
func rotate(a, n ir.Expr) ir.Expr {
	p, t := a.Pool(), a.Type()
	w := t.Bits()
	switch {
	case n.IsConst(0) || a.IsConst(0) || a.IsConst(t.Max()):
		return a
	case n.Op() == ir.Const && a.Op() == ir.Const:
		return p.Const(t, t.Wrap(a.Value()<<n.Value()|a.Value()>>(uint64(w)-n.Value())))
	case n.Op() == ir.Const:
		return ir.Make(ir.BitOr, ir.Make(ir.Shl, a, n), ir.Make(ir.Shr, a, p.Int(t, int64(w)-int64(n.Value()))))
	}
	top := p.Int(t, int64(w-1))
	up, down := ir.Make(ir.BitAnd, n, top), ir.Make(ir.BitAnd, ir.SubOf(p.Int(t, 0), n), top)
	return ir.Make(ir.BitOr, ir.Make(ir.Shl, a, up), ir.Make(ir.Shr, a, down))
}

func (r rotated) Apply(x, row []ir.Expr) ir.Expr {
	t := x[0].Type()
	y := fold.BitXor(MaskBits(rotate(word(x[0]), row[0]), row[1]), row[2])
	if t.IsUnsigned() {
		return y
	}
	return ir.CastTo(t, y)
}

func (r rotated) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	a := rows[0]
	out := r.masked([]ir.Expr{r.plus(a[0], row[0]), rotate(a[1], row[0]), rotate(a[2], row[0])}, row[1])
	out[2] = fold.BitXor(out[2], row[2])
	return out
}
