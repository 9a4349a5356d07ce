package algebra

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// Evaluated returns a condition as a literal where it has no variables.
func Evaluated(c ir.Expr) ir.Expr {
	if c.IsClosed() {
		return c.Pool().Bool(ir.Eval(c, &ir.Env{}) != 0)
	}
	return c
}

// shifting has the functions x >> p of one integer (family shift).
//
//	x0 >> 3   →   p = 3
//	p ∘ q = saturating_add(p, q)
//
// A shift by the width or more gives 0, or the sign, as a shift by any greater count does.
type shifting struct {
	pool *ir.Pool
	n    int
}

// NewShift fits steps that shift a word down, or set it: see shifting.
func NewShift(pool *ir.Pool, n int) Algebra { return resettable{pool, shifting{pool, n}} }

func (s shifting) Leaf(ir.Expr) []ir.Expr { return nil }

func (s shifting) State(_ int, t ir.Type) []ir.Expr {
	if s.n != 1 || !t.IsInt() {
		return nil
	}
	return []ir.Expr{s.pool.Int(t.Unsigned(), 0)}
}

func (s shifting) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr { return Chosen(c, a, b) }

func (s shifting) Op(op ir.Op, args []Term) []ir.Expr {
	if len(args) != 2 || !args[1].Leaf.IsValid() || op != ir.Shr && op != ir.Div {
		return nil
	}
	by := word(args[1].Leaf)
	if op == ir.Div {
		k, ok := exponent(args[1].Leaf)
		if !ok {
			return nil
		}
		by = s.pool.Int(by.Type(), k)
	}
	return s.Compose([][]ir.Expr{args[0].Cells}, []ir.Expr{by})
}

// exponent returns k of a literal 2^k; not ok of other terms, and of 2^k that is negative in its type.
func exponent(l ir.Expr) (k int64, ok bool) {
	t := l.Type()
	if l.Op() != ir.Const || !t.IsInt() || bits.OnesCount64(l.Value()) != 1 {
		return 0, false
	}
	return int64(bits.TrailingZeros64(l.Value())), true
}

func (s shifting) Apply(x, row []ir.Expr) ir.Expr {
	return ir.Make(ir.Shr, x[0], CastTo(x[0].Type(), row[0]))
}

func (s shifting) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	a, b := rows[0][0], row[0]
	switch {
	case fold.IsNumber(a, 0):
		return row
	case fold.IsNumber(b, 0):
		return rows[0]
	}
	return []ir.Expr{ir.Make(ir.SatAdd, a, b)}
}

// dividing has the functions x / d of one unsigned integer (family quotient).
//
//	x0/y0   →   d = y0
//	d ∘ d' = select(d <= tmax/d', d*d', 0)
//
// Where the product is no word it exceeds every state, so that the quotient is 0, as that by 0 is.
type dividing struct {
	pool *ir.Pool
	n    int
}

// NewQuotient fits steps that divide a natural number, or set it: see dividing.
func NewQuotient(pool *ir.Pool, n int) Algebra { return resettable{pool, dividing{pool, n}} }

func (q dividing) Leaf(ir.Expr) []ir.Expr { return nil }

func (q dividing) State(_ int, t ir.Type) []ir.Expr {
	if q.n != 1 || !t.IsUnsigned() || t == ir.Bool {
		return nil
	}
	return []ir.Expr{q.pool.Int(t, 1)}
}

func (q dividing) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr { return Chosen(c, a, b) }

func (q dividing) Op(op ir.Op, args []Term) []ir.Expr {
	if len(args) != 2 || !args[1].Leaf.IsValid() {
		return nil
	}
	by := args[1].Leaf
	switch {
	case op == ir.Div:
	case op == ir.Shr && by.Op() == ir.Const && by.Value() < uint64(by.Type().Bits()):
		by = q.pool.Const(by.Type(), 1<<by.Value())
	default:
		return nil
	}
	return q.Compose([][]ir.Expr{args[0].Cells}, []ir.Expr{by})
}

func (q dividing) Apply(x, row []ir.Expr) ir.Expr { return ir.DivOf(x[0], row[0]) }

func (q dividing) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	a, b := rows[0][0], row[0]
	switch {
	case fold.IsNumber(a, 1):
		return row
	case fold.IsNumber(b, 1):
		return rows[0]
	}
	fits := ir.LeOf(a, ir.DivOf(q.pool.Const(a.Type(), a.Type().Max()), b))
	return []ir.Expr{fold.Select(Evaluated(fits), fold.Mul(a, b), q.pool.Int(a.Type(), 0))}
}

// flooring has the functions (x + a)/(d + 1) of one natural number (family floor).
//
//	(x0 >> 1) + y0   →   a = 2*y0, d = 1
//	(a, d) ∘ (a', d') = (a + (d + 1)*a', d*d' + d + d')
//
// The cell d is one less than the divisor, so that no parameter stands for a division by 0. The laws
// are of natural numbers, which sums do not exceed: they need nuw.
type flooring struct {
	pool *ir.Pool
	n    int
}

// NewFloor fits steps that add to a natural number and divide it, or set it: see flooring.
func NewFloor(pool *ir.Pool, n int) Algebra { return resettable{pool, flooring{pool, n}} }

func (f flooring) Leaf(ir.Expr) []ir.Expr { return nil }

func (f flooring) State(_ int, t ir.Type) []ir.Expr {
	if f.n != 1 || !t.IsUnsigned() || t == ir.Bool {
		return nil
	}
	zero := f.pool.Int(t, 0)
	return []ir.Expr{zero, zero}
}

func (f flooring) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr { return Chosen(c, a, b) }

func (f flooring) Op(op ir.Op, args []Term) []ir.Expr {
	if len(args) != 2 {
		return nil
	}
	if op == ir.Add && args[0].Leaf.IsValid() {
		args[0], args[1] = args[1], args[0]
	}
	l, a := args[1].Leaf, args[0].Cells
	if !l.IsValid() {
		return nil
	}
	zero := f.pool.Int(l.Type(), 0)
	switch {
	case op == ir.Add:
		return f.Compose([][]ir.Expr{a}, []ir.Expr{l, zero})
	case l.Op() != ir.Const:
	case op == ir.Div && l.Value() > 0:
		return f.Compose([][]ir.Expr{a}, []ir.Expr{zero, f.pool.Const(l.Type(), l.Value()-1)})
	case op == ir.Shr && l.Value() < uint64(l.Type().Bits()):
		return f.Compose([][]ir.Expr{a}, []ir.Expr{zero, f.pool.Const(l.Type(), 1<<l.Value()-1)})
	}
	return nil
}

func (f flooring) divisor(d ir.Expr) ir.Expr { return fold.Add(d, f.pool.Int(d.Type(), 1)) }

func (f flooring) Apply(x, row []ir.Expr) ir.Expr {
	if fold.IsNumber(row[1], 0) {
		return fold.Add(x[0], row[0])
	}
	return ir.DivOf(fold.Add(x[0], row[0]), f.divisor(row[1]))
}

func (f flooring) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	a, d := rows[0][0], rows[0][1]
	moved := fold.Mul(row[0], f.divisor(d))
	if fold.IsNumber(d, 0) {
		moved = row[0]
	}
	return []ir.Expr{fold.Add(a, moved), fold.Add(fold.Mul(d, row[1]), fold.Add(d, row[1]))}
}

// resettable adds the constant functions to an algebra of one number. The cells are whether the state
// counts, those of the algebra, and the constant elsewhere.
type resettable struct {
	pool *ir.Pool
	Algebra
}

func (r resettable) State(j int, t ir.Type) []ir.Expr {
	cells := r.Algebra.State(j, t)
	if cells == nil {
		return nil
	}
	return slices.Concat([]ir.Expr{r.pool.Bool(true)}, cells, []ir.Expr{fold.Number(r.pool, t, 0)})
}

func (r resettable) Leaf(e ir.Expr) []ir.Expr {
	cells := r.Algebra.State(0, e.Type())
	if cells == nil {
		return nil
	}
	return slices.Concat([]ir.Expr{r.pool.Bool(false)}, cells, []ir.Expr{e})
}

func (r resettable) Op(op ir.Op, args []Term) []ir.Expr {
	inner, values := make([]Term, len(args)), make([]ir.Expr, len(args))
	counts := r.pool.Bool(false)
	for i, a := range args {
		last := len(a.Cells) - 1
		inner[i] = Term{a.Cells[1:last], a.Leaf, a.Whole}
		values[i], counts = a.Cells[last], fold.Or(counts, a.Cells[0])
	}
	cells := r.Algebra.Op(op, inner)
	if cells == nil {
		return nil
	}
	value := values[0]
	if !counts.IsConst(1) {
		value = ir.Make(op, values...)
	}
	return slices.Concat([]ir.Expr{counts}, cells, []ir.Expr{value})
}

func (r resettable) Apply(x, row []ir.Expr) ir.Expr {
	last := len(row) - 1
	return fold.Select(row[0], r.Algebra.Apply(x, row[1:last]), row[last])
}

func (r resettable) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	first, last := rows[0], len(row)-1
	through := first[last]
	if !first[0].IsConst(1) { // else the constant does not matter
		through = r.Algebra.Apply(first[last:], row[1:last])
	}
	return slices.Concat([]ir.Expr{fold.And(first[0], row[0])}, r.Algebra.Compose([][]ir.Expr{first[1:last]}, row[1:last]),
		[]ir.Expr{fold.Select(row[0], through, row[last])})
}
