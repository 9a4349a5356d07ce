package rfactor

import "github.com/rfactor-go/rfactor/ir"

// What the algebras build is folded where a constant decides, so that cells which every
// composition keeps are seen to be constant.

func choose(c, a, b ir.Expr) ir.Expr {
	switch {
	case a == b || c.IsConst(1):
		return a
	case c.IsConst(0):
		return b
	case a.Type() == ir.Bool && a.IsConst(1) && b.IsConst(0):
		return c
	case a.Type() == ir.Bool && a.IsConst(0) && b.IsConst(1):
		return not(c)
	case a.Type() == ir.Bool && b.IsConst(0):
		return and(c, a)
	case a.Type() == ir.Bool && a.IsConst(1):
		return or(c, b)
	case b.Op() == ir.Select && b.Arg(0) == not(c): // it is so here
		return choose(c, a, b.Arg(1))
	}
	return ir.SelectOf(c, a, b)
}

func not(a ir.Expr) ir.Expr {
	if a.Op() == ir.Const {
		return a.Pool().Bool(a.IsConst(0))
	}
	if a.Op() == ir.Not {
		return a.Arg(0)
	}
	return ir.NotOf(a)
}

func and(a, b ir.Expr) ir.Expr {
	switch {
	case a.IsConst(0) || b.IsConst(1) || a == b:
		return a
	case b.IsConst(0) || a.IsConst(1):
		return b
	}
	return ir.AndOf(a, b)
}

func or(a, b ir.Expr) ir.Expr {
	switch {
	case a.IsConst(1) || b.IsConst(0) || a == b:
		return a
	case b.IsConst(1) || a.IsConst(0):
		return b
	}
	return ir.OrOf(a, b)
}

func number(p *ir.Pool, t ir.Type, v int64) ir.Expr {
	if t.IsFloat() {
		return p.Float(t, float64(v))
	}
	return p.Int(t, v)
}

func isNumber(e ir.Expr, v int64) bool { return e == number(e.Pool(), e.Type(), v) }

func addTo(a, b ir.Expr) ir.Expr {
	switch {
	case isNumber(a, 0):
		return b
	case isNumber(b, 0):
		return a
	}
	return ir.AddOf(a, b)
}

func negative(a ir.Expr) ir.Expr {
	switch {
	case isNumber(a, 0):
		return a
	case a.Op() == ir.Const && !a.Type().IsFloat():
		return a.Pool().Int(a.Type(), -a.Int())
	case a.Op() == ir.Const:
		return a.Pool().Float(a.Type(), -ir.Float(a.Type(), a.Value()))
	case a.Op() == ir.Neg:
		return a.Arg(0)
	}
	return ir.NegOf(a)
}

func scale(a, b ir.Expr) ir.Expr {
	switch {
	case isNumber(a, 0) || isNumber(b, 1):
		return a
	case isNumber(b, 0) || isNumber(a, 1):
		return b
	}
	return ir.MulOf(a, b)
}

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

// ring has the functions Σ a_j·x_j + b of n numbers: cells are a_0, a_1, …, b. What sum and
// product are, the semiring says.
type ring struct {
	pool *ir.Pool
	n    int
	*semiring
}

// semiring is two operators of which the second distributes over the first. The first has the
// neutral element 0.
type semiring struct {
	accepts func(t ir.Type) bool
	one     int64 // the neutral element of the product; of flags it is true
	flips   bool  // x + 1 is the negation of x
	add     func(a, b ir.Expr) ir.Expr
	mul     func(a, b ir.Expr) ir.Expr
	read    func(r ring, op ir.Op, args []term) []ir.Expr // an operator on rows
}

var (
	plusTimes = &semiring{func(t ir.Type) bool { return t != ir.Bool }, 1, false, addTo, scale, readArithmetic}
	xorAnd    = &semiring{isBits, -1, true, bitXor, bitAnd, readBits}
	orAnd     = &semiring{isBits, -1, false, bitOr, bitAnd, readBits}
)

func newRing(pool *ir.Pool, n int) algebra   { return ring{pool, n, plusTimes} }
func newXorAnd(pool *ir.Pool, n int) algebra { return ring{pool, n, xorAnd} }
func newOrAnd(pool *ir.Pool, n int) algebra  { return ring{pool, n, orAnd} }

func (r ring) constant(t ir.Type, j int, e ir.Expr) []ir.Expr {
	if !r.accepts(t) {
		return nil
	}
	row := make([]ir.Expr, r.n+1)
	for i := range row {
		row[i] = number(r.pool, t, 0)
	}
	row[j] = e
	return row
}

func (r ring) leaf(e ir.Expr) []ir.Expr { return r.constant(e.Type(), r.n, e) }

func (r ring) state(j int, t ir.Type) []ir.Expr {
	return r.constant(t, j, number(r.pool, t, r.one))
}

func (r ring) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return zipCells(a, b, func(a, b ir.Expr) ir.Expr { return choose(c, a, b) })
}

func (r ring) op(op ir.Op, args []term) []ir.Expr { return r.read(r, op, args) }

func (r ring) apply(x, row []ir.Expr) ir.Expr {
	sum := number(r.pool, row[0].Type(), 0)
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
		return mapCells(a, negative)
	case ir.BitNot: // −x − 1
		out := mapCells(a, negative)
		out[r.n] = addTo(out[r.n], number(r.pool, a[0].Type(), -1))
		return out
	case ir.Add:
		return zipCells(a, args[1].cells, addTo)
	case ir.Sub:
		return zipCells(a, mapCells(args[1].cells, negative), addTo)
	case ir.Mul:
		for i := range args {
			if l := args[1-i].leaf; l.IsValid() {
				return mapCells(args[i].cells, func(e ir.Expr) ir.Expr { return scale(e, l) })
			}
		}
	case ir.BitOr, ir.BitXor: // of bits that are 0
		if l := args[1].leaf; l.IsValid() && even(a[:r.n]) {
			return zipCells(a, args[1].cells, addTo)
		}
		if l := args[0].leaf; l.IsValid() && even(args[1].cells[:r.n]) {
			return zipCells(a, args[1].cells, addTo)
		}
	case ir.Shl:
		if l := args[1].leaf; l.IsValid() {
			by := ir.Make(ir.Shl, number(r.pool, l.Type(), 1), l)
			return mapCells(a, func(e ir.Expr) ir.Expr { return scale(e, by) })
		}
	case ir.Div:
		if l := args[1].leaf; l.IsValid() && l.Type().IsFloat() {
			return mapCells(a, func(e ir.Expr) ir.Expr {
				if isNumber(e, 0) {
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

func ones(p *ir.Pool, t ir.Type) ir.Expr { return p.Int(t, -1) }

func bitNot(a ir.Expr) ir.Expr {
	switch {
	case a.Type() == ir.Bool:
		return not(a)
	case a.Op() == ir.Const:
		return a.Pool().Const(a.Type(), ^a.Value())
	case a.Op() == ir.BitNot:
		return a.Arg(0)
	}
	return ir.Make(ir.BitNot, a)
}

func bitAnd(a, b ir.Expr) ir.Expr {
	if a.Type() == ir.Bool {
		return and(a, b)
	}
	switch full := ones(a.Pool(), a.Type()); {
	case a == full || isNumber(b, 0):
		return b
	case b == full || isNumber(a, 0):
		return a
	}
	return ir.Make(ir.BitAnd, a, b)
}

func bitXor(a, b ir.Expr) ir.Expr {
	switch {
	case isNumber(a, 0):
		return b
	case isNumber(b, 0):
		return a
	case a.Type() == ir.Bool && a.IsConst(1):
		return not(b)
	case a.Type() == ir.Bool && b.IsConst(1):
		return not(a)
	case a.Type() == ir.Bool:
		return ir.Make(ir.Ne, a, b)
	}
	return ir.Make(ir.BitXor, a, b)
}

func bitOr(a, b ir.Expr) ir.Expr {
	switch {
	case a.Type() == ir.Bool:
		return or(a, b)
	case isNumber(a, 0) || a == b:
		return b
	case isNumber(b, 0):
		return a
	}
	return ir.Make(ir.BitOr, a, b)
}

// readBits reads operators on words, and those on flags that are the same of one bit.
func readBits(r ring, op ir.Op, args []term) []ir.Expr {
	t, xor := args[0].whole.Type(), r.flips
	flipped := func(row []ir.Expr) []ir.Expr {
		row = append([]ir.Expr{}, row...)
		row[r.n] = bitNot(row[r.n])
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
		return mapCells(args[0].cells, func(e ir.Expr) ir.Expr { return bitAnd(e, by) })
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
		out := times(bitNot(l))
		out[r.n] = bitXor(out[r.n], l)
		return out
	}
	return nil
}

// keeping has the functions that keep a number or set it, exact on floats too: cells are
// whether it is kept, and what it is set to.
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

func (k keeping) state(_ int, t ir.Type) []ir.Expr { return k.cells(true, number(k.pool, t, 0)) }

func (k keeping) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return zipCells(a, b, func(a, b ir.Expr) ir.Expr { return choose(c, a, b) })
}

func (k keeping) op(ir.Op, []term) []ir.Expr { return nil }

func (k keeping) apply(x, row []ir.Expr) ir.Expr { return choose(row[0], x[0], row[1]) }

func (k keeping) compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	return []ir.Expr{and(rows[0][0], row[0]), choose(row[0], rows[0][1], row[1])}
}
