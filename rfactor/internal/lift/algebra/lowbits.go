package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	ranges "github.com/rfactor-go/rfactor/ir/interval"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// lowBits has the functions (Σ a_j·x_j + b) & m of n numbers, for one literal m = 2^k − 1, and those that keep a number: hashes and
// generators whose state is masked at each step.
//
//	(x0*31 + y0) & 1023   →   a = 31, b = y0: the step is x ↦ (x*a + b) & 1023
//	(a, b) ∘ (a', b') = (a*a', b*a' + b')
//
// The cells are whether the result is masked, and those of ring. The low bits of sums and products are those of the low bits, so that
// nothing is masked in compositions, and nothing is assumed of words that wrap.
type lowBits struct {
	Ring
	mask *ir.Expr // the least that is met
}

// NewLowBits fits linear steps of which a mask keeps the low bits: see lowBits.
func NewLowBits(pool *ir.Pool, n int) Algebra {
	return lowBits{Ring{pool, n, PlusTimes}, new(ir.Expr)}
}

func (l lowBits) row(masked bool, cells []ir.Expr) []ir.Expr {
	if cells == nil || !cells[0].Type().IsInt() {
		return nil
	}
	return append([]ir.Expr{l.Pool.Bool(masked)}, cells...)
}

func (l lowBits) Leaf(e ir.Expr) []ir.Expr { return l.row(false, l.Ring.Leaf(e)) }

func (l lowBits) State(j int, t ir.Type) []ir.Expr { return l.row(false, l.Ring.State(j, t)) }

func (l lowBits) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	if l.N > 1 && l.masked(a) != l.masked(b) {
		return nil
	}
	masked := fold.Select(c, l.masked(a), l.masked(b))
	return append([]ir.Expr{masked}, l.Ring.Choose(c, a[1:], b[1:])...)
}

func (l lowBits) Op(op ir.Op, args []Term) []ir.Expr {
	if op == ir.BitAnd {
		for i := range args {
			if l.masks(args[1-i].Leaf) {
				return l.row(true, args[i].Cells[1:])
			}
		}
		return nil
	}
	inner := make([]Term, len(args))
	for i, a := range args {
		inner[i] = Term{a.Cells[1:], a.Leaf, a.Whole}
	}
	return l.row(false, l.Ring.Op(op, inner))
}

// masks reports whether e has the form 2^k − 1. The mask of the family is the least of those: within one mask a wider one has no effect.
func (l lowBits) masks(e ir.Expr) bool {
	if !e.IsValid() || e.Op() != ir.Const || e.Int() <= 0 || e.Value()&(e.Value()+1) != 0 {
		return false
	}
	if !l.mask.IsValid() || e.Int() < l.mask.Int() {
		*l.mask = e
	}
	return true
}

// masked returns the first cell of an element. Numbers that a mask leaves as they are count as masked.
func (l lowBits) masked(row []ir.Expr) ir.Expr {
	for _, factor := range row[1 : l.N+1] {
		if !fold.IsNumber(factor, 0) {
			return row[0]
		}
	}
	if in := ranges.Of(row[l.N+1], nil); l.mask.IsValid() && in.Lo >= 0 && in.Hi <= l.mask.Int() {
		return l.Pool.Bool(true)
	}
	return row[0]
}

func (l lowBits) low(e ir.Expr) ir.Expr {
	if !l.mask.IsValid() {
		return e
	}
	return fold.BitAnd(e, *l.mask)
}

func (l lowBits) Apply(x, row []ir.Expr) ir.Expr {
	v := l.Ring.Apply(x, row[1:])
	if l.N == 1 {
		return fold.Select(row[0], l.low(v), x[0])
	}
	return fold.Select(row[0], l.low(v), v)
}

// Compose leaves the first step as it is where the second one keeps the number.
func (l lowBits) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	first := make([][]ir.Expr, len(rows))
	for j, r := range rows {
		if first[j] = r[1:]; l.N == 1 {
			first[j] = l.Ring.Choose(r[0], r[1:], l.Ring.State(0, r[1].Type()))
		}
	}
	out := l.Ring.Compose(first, row[1:])
	if l.N > 1 {
		return append([]ir.Expr{row[0]}, out...)
	}
	return append([]ir.Expr{fold.Or(rows[0][0], row[0])}, l.Ring.Choose(row[0], out, rows[0][1:])...)
}
