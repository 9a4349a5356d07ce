package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// MapCells returns f of each cell.
func MapCells(a []ir.Expr, f func(ir.Expr) ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(a))
	for i := range a {
		out[i] = f(a[i])
	}
	return out
}

// ZipCells returns f of the cells of two lists, side by side.
func ZipCells(a, b []ir.Expr, f func(a, b ir.Expr) ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

// Ring has the functions Σ a_j·x_j + b of n numbers over a semiring. The cells are a_0, a_1, …, b;
// rows compose like the rows of matrices. NewRing and NewXorAnd show the two families.
type Ring struct {
	Pool *ir.Pool
	N    int
	*Semiring
}

// Semiring is a pair of operators, add and mul, of which mul distributes over add. The neutral
// element of add is 0.
type Semiring struct {
	Accepts func(t ir.Type) bool
	One     int64 // the neutral element of the product; of flags it is true
	Add     func(a, b ir.Expr) ir.Expr
	Mul     func(a, b ir.Expr) ir.Expr
	read    func(r Ring, op ir.Op, args []Term) []ir.Expr // an operator on rows
}

var (
	PlusTimes = &Semiring{func(t ir.Type) bool { return t != ir.Bool }, 1, fold.Add, fold.Mul, readArithmetic}
	xorAnd    = &Semiring{IsBits, -1, fold.BitXor, fold.BitAnd, readBits}
)

// NewRing fits steps that multiply by inputs and add inputs (family affine).
//
//	x0*k0 + y0   →   a = k0, b = y0: the step is x ↦ a*x + b
//	(a, b) ∘ (c, d) = (a*c, b*c + d)
//
// With n numbers a is an n×n matrix and b a vector. The family holds of integers that wrap, and of
// floats under reassoc.
func NewRing(pool *ir.Pool, n int) Algebra { return Ring{pool, n, PlusTimes} }

// NewXorAnd fits steps that are affine over (^, &) on words, and over (!=, &&) on flags (family
// bitwise).
//
//	(x0 & y0) ^ y1   →   a = y0, b = y1: the step is x ↦ (x & a) ^ b
//	(a, b) ∘ (c, d) = (a & c, (b & c) ^ d)
//
// An | with an input is read, too: x | y is (x & ~y) ^ y. A tuple gives a matrix.
func NewXorAnd(pool *ir.Pool, n int) Algebra { return Ring{pool, n, xorAnd} }

func (r Ring) constant(t ir.Type, j int, e ir.Expr) []ir.Expr {
	if !r.Accepts(t) {
		return nil
	}
	row := make([]ir.Expr, r.N+1)
	for i := range row {
		row[i] = fold.Number(r.Pool, t, 0)
	}
	row[j] = e
	return row
}

func (r Ring) Leaf(e ir.Expr) []ir.Expr { return r.constant(e.Type(), r.N, e) }

func (r Ring) State(j int, t ir.Type) []ir.Expr {
	return r.constant(t, j, fold.Number(r.Pool, t, r.One))
}

func (r Ring) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

func (r Ring) Op(op ir.Op, args []Term) []ir.Expr { return r.read(r, op, args) }

func (r Ring) Apply(x, row []ir.Expr) ir.Expr {
	sum := fold.Number(r.Pool, row[0].Type(), 0)
	for j := range r.N {
		sum = r.Add(sum, r.Mul(x[j], row[j]))
	}
	return r.Add(sum, row[r.N])
}

func (r Ring) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	out := r.Leaf(row[r.N])
	for j := range r.N {
		out = ZipCells(MapCells(rows[j], func(e ir.Expr) ir.Expr { return r.Mul(e, row[j]) }), out, r.Add)
	}
	return out
}

func readArithmetic(r Ring, op ir.Op, args []Term) []ir.Expr {
	a := args[0].Cells
	switch op {
	case ir.Neg:
		return MapCells(a, fold.Neg)
	case ir.BitNot: // −x − 1
		out := MapCells(a, fold.Neg)
		out[r.N] = fold.Add(out[r.N], fold.Number(r.Pool, a[0].Type(), -1))
		return out
	case ir.Add:
		return ZipCells(a, args[1].Cells, fold.Add)
	case ir.Sub:
		return ZipCells(a, MapCells(args[1].Cells, fold.Neg), fold.Add)
	case ir.Mul:
		for i := range args {
			if l := args[1-i].Leaf; l.IsValid() {
				return MapCells(args[i].Cells, func(e ir.Expr) ir.Expr { return fold.Mul(e, l) })
			}
		}
	case ir.BitOr, ir.BitXor: // of bits that are 0
		if l := args[1].Leaf; l.IsValid() && even(a[:r.N]) {
			return ZipCells(a, args[1].Cells, fold.Add)
		}
		if l := args[0].Leaf; l.IsValid() && even(args[1].Cells[:r.N]) {
			return ZipCells(a, args[1].Cells, fold.Add)
		}
	case ir.Shl:
		if l := args[1].Leaf; l.IsValid() {
			by := ir.Make(ir.Shl, fold.Number(r.Pool, l.Type(), 1), l)
			return MapCells(a, func(e ir.Expr) ir.Expr { return fold.Mul(e, by) })
		}
	case ir.Div:
		if l := args[1].Leaf; l.IsValid() && l.Type().IsFloat() {
			return MapCells(a, func(e ir.Expr) ir.Expr {
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

// IsBits reports whether a type is a word or a flag.
func IsBits(t ir.Type) bool { return t == ir.Bool || t.IsInt() }

// readBits reads operators on words, and the operators on flags that do the same on one bit.
func readBits(r Ring, op ir.Op, args []Term) []ir.Expr {
	t := args[0].Whole.Type()
	flipped := func(row []ir.Expr) []ir.Expr {
		row = append([]ir.Expr{}, row...)
		row[r.N] = fold.BitNot(row[r.N])
		return row
	}
	if op == ir.BitNot || op == ir.Not {
		return flipped(args[0].Cells)
	}
	if len(args) != 2 || args[1].Whole.Type() != t {
		return nil
	}
	a, b := args[0].Cells, args[1].Cells
	if args[0].Leaf.IsValid() {
		args[0], args[1] = args[1], args[0]
	}
	l := args[1].Leaf
	times := func(by ir.Expr) []ir.Expr {
		return MapCells(args[0].Cells, func(e ir.Expr) ir.Expr { return fold.BitAnd(e, by) })
	}
	flag := t == ir.Bool
	switch {
	case (op == ir.BitAnd || op == ir.And) && l.IsValid():
		return times(l)
	case op == ir.BitXor, op == ir.Ne && flag:
		return ZipCells(a, b, r.Add)
	case op == ir.Eq && flag:
		return flipped(ZipCells(a, b, r.Add))
	case (op == ir.BitOr || op == ir.Or) && l.IsValid():
		out := times(fold.BitNot(l))
		out[r.N] = fold.BitXor(out[r.N], l)
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

// NewKeeping fits steps that keep a number or set it: see keeping.
func NewKeeping(pool *ir.Pool, n int) Algebra { return keeping{pool, n} }

func (k keeping) cells(kept bool, e ir.Expr) []ir.Expr {
	if k.n != 1 {
		return nil
	}
	return []ir.Expr{k.pool.Bool(kept), e}
}

func (k keeping) Leaf(e ir.Expr) []ir.Expr { return k.cells(false, e) }

func (k keeping) State(_ int, t ir.Type) []ir.Expr { return k.cells(true, fold.Number(k.pool, t, 0)) }

func (k keeping) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

func (k keeping) Op(ir.Op, []Term) []ir.Expr { return nil }

func (k keeping) Apply(x, row []ir.Expr) ir.Expr { return fold.Select(row[0], x[0], row[1]) }

func (k keeping) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	return []ir.Expr{fold.And(rows[0][0], row[0]), fold.Select(row[0], rows[0][1], row[1])}
}

// Occurring yields the distinct subterms of expressions.
func Occurring(es []ir.Expr) func(yield func(ir.Expr) bool) {
	return func(yield func(ir.Expr) bool) {
		more := true
		ir.Walk(es, func(e ir.Expr) { more = more && yield(e) })
	}
}
