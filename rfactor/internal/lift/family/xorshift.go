package family

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitXorshift fits steps x ↦ A(x) ^ b, where A(x) is the exclusive or of x and of shifts of x in one
// direction.
//
//	x0 ^ (x0 << 1) ^ y0   →   n = 1, b = y0: the step is x ↦ Aⁿ(x) ^ b
//	(n, b) ∘ (n', b') = ((n + n') & 7, Aⁿ'(b) ^ b'), of 8 bits
//
// The cells are how often A is applied, modulo a power of two, and b. Over the field of two elements
// the square of a sum is the sum of the squares. So A applied 2^j times shifts 2^j times as far, and
// at last out of the word: then it is the identity.
func fitXorshift(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 1 || !p.Types[0].IsUnsigned() {
		return nil
	}
	x, v := p.States[0], p.Values[0]
	often := cx.Pool.Int(ir.U8, 1)
	none := cx.Pool.Int(p.Types[0], 0)
	var doing ir.Expr
	if v.Op() == ir.Select && v.Arg(0).IsLeaf() {
		doing = v.Arg(0)
		switch x {
		case v.Arg(1):
			doing, v = fold.Not(doing), v.Arg(2)
		case v.Arg(2):
			v = v.Arg(1)
		default:
			return nil
		}
	}
	s := &xorshift{t: p.Types[0], b: none}
	if !s.read(v, x) || !s.periodic() {
		return nil
	}
	b := s.b
	if doing.IsValid() {
		often, b = fold.Select(doing, often, cx.Pool.Int(ir.U8, 0)), fold.Select(doing, b, none)
	}
	return &lift.Shape{Name: "xorshift", Inject: []ir.Expr{often, b}, Identity: []ir.Expr{cx.Pool.Int(ir.U8, 0), none},
		Apply: func(x, cells []ir.Expr) []ir.Expr { return []ir.Expr{fold.BitXor(s.power(x[0], cells[0]), cells[1])} },
		Compose: func(a, b []ir.Expr) []ir.Expr {
			return []ir.Expr{algebra.MaskBits(ir.AddOf(a[0], b[0]), cx.Pool.Int(ir.U8, 1<<s.squares-1)), fold.BitXor(s.power(a[1], b[0]), b[1])}
		}}
}

// xorshift is the exclusive or of the state, shifts of the state, and an input.
type xorshift struct {
	t       ir.Type
	b       ir.Expr
	same    bool     // the state itself is a term
	op      ir.Op    // of the shifts, Shl or Shr
	shifts  []uint64 // each once
	squares int      // after so many, A is the identity
}

// read collects the terms of an exclusive or, and reports whether all have the family's form.
func (s *xorshift) read(e, x ir.Expr) bool {
	switch {
	case e.IsLeaf():
		s.b = fold.BitXor(s.b, e)
		return true
	case e == x:
		s.same = !s.same
		return true
	case e.Op() == ir.BitXor:
		return s.read(e.Arg(0), x) && s.read(e.Arg(1), x)
	case e.Op() == ir.BitNot:
		s.b = ir.Make(ir.BitNot, s.b)
		return s.read(e.Arg(0), x)
	case e.NumArgs() != 2 || e.Arg(0) != x:
		return false
	}
	op := ir.Shl
	if e.Op() == ir.Shr || e.Op() == ir.Div {
		op = ir.Shr
	}
	by, ok := algebra.ShiftOf(e.Op(), s.t, e.Arg(1))
	if !ok || s.op != op && len(s.shifts) > 0 {
		return false
	}
	s.op = op
	if i := slices.Index(s.shifts, uint64(by)); i >= 0 { // twice is not at all
		s.shifts = slices.Delete(s.shifts, i, i+1)
	} else {
		s.shifts = append(s.shifts, uint64(by))
	}
	return true
}

// periodic reports whether some power of A is the identity, and notes which.
func (s *xorshift) periodic() bool {
	if len(s.shifts) == 0 || !s.same || slices.Contains(s.shifts, 0) {
		return false
	}
	for slices.Min(s.shifts)<<s.squares < uint64(s.t.Bits()) {
		s.squares++
	}
	return true
}

// power returns A applied n times to x.
func (s *xorshift) power(x, n ir.Expr) ir.Expr {
	p := x.Pool()
	zero := p.Int(s.t, 0)
	for j := range s.squares {
		change := zero
		for _, by := range s.shifts {
			if by <<= j; by < uint64(s.t.Bits()) {
				change = fold.BitXor(change, ir.Make(s.op, x, p.Const(s.t, by)))
			}
		}
		x = fold.BitXor(x, fold.Select(bitOf(n, j), change, zero))
	}
	return x
}

// bitOf returns the condition that bit j of a word is set.
func bitOf(n ir.Expr, j int) ir.Expr {
	p := n.Pool()
	if n.Op() == ir.Const {
		return p.Bool(n.Value()>>j&1 != 0)
	}
	return ir.Make(ir.Ne, ir.Make(ir.BitAnd, n, p.Int(n.Type(), 1<<j)), p.Int(n.Type(), 0))
}
