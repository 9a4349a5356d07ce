package lift

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

func mapCells(a []ir.Expr, f func(ir.Expr) ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(a))
	for i := range a {
		out[i] = f(a[i])
	}
	return out
}

func zipCells(a, b []ir.Expr, f func(a, b ir.Expr) ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

// ring has the functions Σ a_j·x_j + b of n numbers over a semiring. The cells are a_0, a_1, …, b;
// rows compose like the rows of matrices. newRing, newXorAnd and newOrAnd show the three families.
type ring struct {
	pool *ir.Pool
	n    int
	*semiring
}

// semiring is a pair of operators, add and mul, of which mul distributes over add. The neutral
// element of add is 0.
type semiring struct {
	accepts func(t ir.Type) bool
	one     int64 // the neutral element of the product; of flags it is true
	flips   bool  // x + 1 is the negation of x
	add     func(a, b ir.Expr) ir.Expr
	mul     func(a, b ir.Expr) ir.Expr
	read    func(r ring, op ir.Op, args []term) []ir.Expr // an operator on rows
}

var (
	plusTimes = &semiring{func(t ir.Type) bool { return t != ir.Bool }, 1, false, fold.Add, fold.Mul, readArithmetic}
	xorAnd    = &semiring{isBits, -1, true, fold.BitXor, fold.BitAnd, readBits}
	orAnd     = &semiring{isBits, -1, false, fold.BitOr, fold.BitAnd, readBits}
)

// newRing fits steps that multiply by inputs and add inputs (family affine).
//
//	x0*k0 + y0   →   a = k0, b = y0: the step is x ↦ a*x + b
//	(a, b) ∘ (c, d) = (a*c, b*c + d)
//
// With n numbers a is an n×n matrix and b a vector. The family holds of integers that wrap, and of
// floats under reassoc.
func newRing(pool *ir.Pool, n int) algebra { return ring{pool, n, plusTimes} }

// newXorAnd fits steps that are affine over (^, &) on words, and over (!=, &&) on flags (family
// bitwise).
//
//	(x0 & y0) ^ y1   →   a = y0, b = y1: the step is x ↦ (x & a) ^ b
//	(a, b) ∘ (c, d) = (a & c, (b & c) ^ d)
//
// An | with an input is read, too: x | y is (x & ~y) ^ y. A tuple gives a matrix.
func newXorAnd(pool *ir.Pool, n int) algebra { return ring{pool, n, xorAnd} }

// newOrAnd fits steps of tuples that are affine over (|, &) on words, and over (||, &&) on flags
// (family bitwise or).
//
//	x0 | y0; x1 | (x0 & y0)   →   p = y0, q = y0, r = 0: the step is x0 | p; (x0 & q) | x1 | r
//	(p, q, r) ∘ (p', q', r') = (p | p', q | q', r | (p & q') | r')
//
// Steps of one word are found by newXorAnd before.
func newOrAnd(pool *ir.Pool, n int) algebra { return ring{pool, n, orAnd} }

func (r ring) constant(t ir.Type, j int, e ir.Expr) []ir.Expr {
	if !r.accepts(t) {
		return nil
	}
	row := make([]ir.Expr, r.n+1)
	for i := range row {
		row[i] = fold.Number(r.pool, t, 0)
	}
	row[j] = e
	return row
}

func (r ring) leaf(e ir.Expr) []ir.Expr { return r.constant(e.Type(), r.n, e) }

func (r ring) state(j int, t ir.Type) []ir.Expr {
	return r.constant(t, j, fold.Number(r.pool, t, r.one))
}

func (r ring) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return zipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

func (r ring) op(op ir.Op, args []term) []ir.Expr { return r.read(r, op, args) }

func (r ring) apply(x, row []ir.Expr) ir.Expr {
	sum := fold.Number(r.pool, row[0].Type(), 0)
	for j := range r.n {
		sum = r.add(sum, r.mul(x[j], row[j]))
	}
	return r.add(sum, row[r.n])
}

func (r ring) compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	out := r.leaf(row[r.n])
	for j := range r.n {
		out = zipCells(mapCells(rows[j], func(e ir.Expr) ir.Expr { return r.mul(e, row[j]) }), out, r.add)
	}
	return out
}

func readArithmetic(r ring, op ir.Op, args []term) []ir.Expr {
	a := args[0].cells
	switch op {
	case ir.Neg:
		return mapCells(a, fold.Neg)
	case ir.BitNot: // −x − 1
		out := mapCells(a, fold.Neg)
		out[r.n] = fold.Add(out[r.n], fold.Number(r.pool, a[0].Type(), -1))
		return out
	case ir.Add:
		return zipCells(a, args[1].cells, fold.Add)
	case ir.Sub:
		return zipCells(a, mapCells(args[1].cells, fold.Neg), fold.Add)
	case ir.Mul:
		for i := range args {
			if l := args[1-i].leaf; l.IsValid() {
				return mapCells(args[i].cells, func(e ir.Expr) ir.Expr { return fold.Mul(e, l) })
			}
		}
	case ir.BitOr, ir.BitXor: // of bits that are 0
		if l := args[1].leaf; l.IsValid() && even(a[:r.n]) {
			return zipCells(a, args[1].cells, fold.Add)
		}
		if l := args[0].leaf; l.IsValid() && even(args[1].cells[:r.n]) {
			return zipCells(a, args[1].cells, fold.Add)
		}
	case ir.Shl:
		if l := args[1].leaf; l.IsValid() {
			by := ir.Make(ir.Shl, fold.Number(r.pool, l.Type(), 1), l)
			return mapCells(a, func(e ir.Expr) ir.Expr { return fold.Mul(e, by) })
		}
	case ir.Div:
		if l := args[1].leaf; l.IsValid() && l.Type().IsFloat() {
			return mapCells(a, func(e ir.Expr) ir.Expr {
				if fold.IsNumber(e, 0) {
					return e
				}
				return ir.DivOf(e, l)
			})
		}
	}
	return nil
}

// even reports whether factors are literals that leave the lowest bit of a product 0.
func even(factors []ir.Expr) bool {
	for _, f := range factors {
		if !f.IsClosed() || ir.Eval(f, &ir.Env{})&1 != 0 {
			return false
		}
	}
	return true
}

// The sums and products of bits. A flag is one bit.

func isBits(t ir.Type) bool { return t == ir.Bool || t.IsInt() }

// readBits reads operators on words, and the operators on flags that do the same on one bit.
func readBits(r ring, op ir.Op, args []term) []ir.Expr {
	t, xor := args[0].whole.Type(), r.flips
	flipped := func(row []ir.Expr) []ir.Expr {
		row = append([]ir.Expr{}, row...)
		row[r.n] = fold.BitNot(row[r.n])
		return row
	}
	if op == ir.BitNot || op == ir.Not {
		if !xor {
			return nil
		}
		return flipped(args[0].cells)
	}
	if len(args) != 2 || args[1].whole.Type() != t {
		return nil
	}
	a, b := args[0].cells, args[1].cells
	if args[0].leaf.IsValid() {
		args[0], args[1] = args[1], args[0]
	}
	l := args[1].leaf
	times := func(by ir.Expr) []ir.Expr {
		return mapCells(args[0].cells, func(e ir.Expr) ir.Expr { return fold.BitAnd(e, by) })
	}
	flag := t == ir.Bool
	switch {
	case (op == ir.BitAnd || op == ir.And) && l.IsValid():
		return times(l)
	case op == ir.BitXor && xor, op == ir.Ne && xor && flag:
		return zipCells(a, b, r.add)
	case op == ir.Eq && xor && flag:
		return flipped(zipCells(a, b, r.add))
	case (op == ir.BitOr || op == ir.Or) && !xor:
		return zipCells(a, b, r.add)
	case (op == ir.BitOr || op == ir.Or) && l.IsValid():
		out := times(fold.BitNot(l))
		out[r.n] = fold.BitXor(out[r.n], l)
		return out
	}
	return nil
}

// keeping has the functions that keep one number or set it (family keep). The cells are whether the
// number is kept, and what it is set to otherwise.
//
//	select(x1, y0, x0); y1   →   where x1 is false (true, 0), where it is true (false, y0)
//	(k, v) ∘ (l, w) = (k && l, select(l, v, w))
//
// The example has one pair of cells for each value of the flag x1: see table. Nothing is computed,
// so that the family is exact on floats.
type keeping struct {
	pool *ir.Pool
	n    int
}

func newKeeping(pool *ir.Pool, n int) algebra { return keeping{pool, n} }

func (k keeping) cells(kept bool, e ir.Expr) []ir.Expr {
	if k.n != 1 {
		return nil
	}
	return []ir.Expr{k.pool.Bool(kept), e}
}

func (k keeping) leaf(e ir.Expr) []ir.Expr { return k.cells(false, e) }

func (k keeping) state(_ int, t ir.Type) []ir.Expr { return k.cells(true, fold.Number(k.pool, t, 0)) }

func (k keeping) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return zipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

func (k keeping) op(ir.Op, []term) []ir.Expr { return nil }

func (k keeping) apply(x, row []ir.Expr) ir.Expr { return fold.Select(row[0], x[0], row[1]) }

func (k keeping) compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	return []ir.Expr{fold.And(rows[0][0], row[0]), fold.Select(row[0], rows[0][1], row[1])}
}
