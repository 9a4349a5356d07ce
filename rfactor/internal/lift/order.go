package lift

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// optional is a quantity that may be missing: the cells are whether it is there, and its value. A
// missing bound is not stored as −∞, the least number of its type, because something is added to it.
type optional struct{ has, v ir.Expr }

func missing(p *ir.Pool, t ir.Type) optional { return optional{p.Bool(false), fold.Number(p, t, 0)} }

func present(v ir.Expr) optional { return optional{v.Pool().Bool(true), v} }

// better returns the extremum of two quantities; of one that is missing and another, the other.
func better(op ir.Op, a, b optional) optional {
	switch {
	case a.has.IsConst(0):
		return b
	case b.has.IsConst(0):
		return a
	}
	both := b.v
	if a.v != b.v {
		both = ir.Make(op, a.v, b.v)
	}
	return optional{fold.Or(a.has, b.has), fold.Select(a.has, fold.Select(b.has, both, a.v), b.v)}
}

// sum adds two quantities. It is missing where one of them is.
func sum(a, b optional) optional {
	if a.has.IsConst(0) || b.has.IsConst(0) {
		return missing(a.v.Pool(), a.v.Type())
	}
	return optional{fold.And(a.has, b.has), fold.Add(a.v, b.v)}
}

func either(c ir.Expr, a, b optional) optional {
	switch { // the value of what is missing does not matter
	case a.has.IsConst(0):
		a.v = b.v
	case b.has.IsConst(0):
		b.v = a.v
	}
	return optional{fold.Select(c, a.has, b.has), fold.Select(c, a.v, b.v)}
}

// tropical has the functions max(x_0 + a_0, x_1 + a_1, …, b) of n numbers, or min (families max-plus
// and min-plus).
//
//	max(x0 + y0, x1); max(x0, x1 + y0)   →   the matrix (y0 0; 0 y0), and no constants
//	(a b; c d) ∘ (a' b'; c' d') = the product of the second matrix and the first, with max for + and + for *
//
// The cells are pairs for a_0, a_1, …, b, each of which may be missing. The value of a function
// without any term is that of b, because parameters may have any value. Sums must not wrap: the
// families take integers as unbounded.
type tropical struct {
	pool *ir.Pool
	n    int
	best ir.Op
}

func newMaxPlus(pool *ir.Pool, n int) algebra { return tropical{pool, n, ir.Max} }
func newMinPlus(pool *ir.Pool, n int) algebra { return tropical{pool, n, ir.Min} }

func pack(row []optional) (out []ir.Expr) {
	for _, o := range row {
		out = append(out, o.has, o.v)
	}
	return out
}

func unpack(cells []ir.Expr) (out []optional) {
	for i := 0; i < len(cells); i += 2 {
		out = append(out, optional{cells[i], cells[i+1]})
	}
	return out
}

// row reads cells as a function; where all terms are missing, b is there.
func (t tropical) row(cells []ir.Expr) []optional {
	row := unpack(cells)
	some := t.pool.Bool(false)
	for _, o := range row[:t.n] {
		some = fold.Or(some, o.has)
	}
	row[t.n].has = fold.Or(row[t.n].has, fold.Not(some))
	return row
}

func (t tropical) only(j int, typ ir.Type, o optional) []ir.Expr {
	row := make([]optional, t.n+1)
	for i := range row {
		row[i] = missing(t.pool, typ)
	}
	row[j] = o
	return pack(row)
}

func (t tropical) leaf(e ir.Expr) []ir.Expr {
	if e.Type() == ir.Bool {
		return nil
	}
	return t.only(t.n, e.Type(), present(e))
}

func (t tropical) state(j int, typ ir.Type) []ir.Expr {
	if typ == ir.Bool {
		return nil
	}
	return t.only(j, typ, present(fold.Number(t.pool, typ, 0)))
}

func zip(a, b []optional, f func(a, b optional) optional) []optional {
	out := make([]optional, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func (t tropical) choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return pack(zip(unpack(a), unpack(b), func(a, b optional) optional { return either(c, a, b) }))
}

// shift adds a number to every quantity of a row.
func shift(row []optional, by ir.Expr) []optional {
	out := make([]optional, len(row))
	for i, o := range row {
		out[i] = sum(o, present(by))
	}
	return out
}

// shifted reads an operator as the sum of an element and a leaf, or as their difference. It returns
// nil cells where the operator is neither.
func shifted(op ir.Op, args []term) (cells []ir.Expr, by ir.Expr) {
	switch {
	case op == ir.Add && args[1].leaf.IsValid():
		return args[0].cells, args[1].leaf
	case op == ir.Add && args[0].leaf.IsValid():
		return args[1].cells, args[0].leaf
	case op == ir.Sub && args[1].leaf.IsValid():
		return args[0].cells, fold.Neg(args[1].leaf)
	}
	return nil, ir.Expr{}
}

func (t tropical) op(op ir.Op, args []term) []ir.Expr {
	if op == t.best {
		return pack(zip(unpack(args[0].cells), unpack(args[1].cells), func(a, b optional) optional { return better(op, a, b) }))
	}
	if cells, by := shifted(op, args); cells != nil {
		return pack(shift(unpack(cells), by))
	}
	return nil
}

func (t tropical) apply(x, cells []ir.Expr) ir.Expr {
	row := t.row(cells)
	out := row[t.n]
	for j := t.n - 1; j >= 0; j-- {
		out = better(t.best, sum(present(x[j]), row[j]), out)
	}
	return out.v
}

func (t tropical) compose(rows [][]ir.Expr, cells []ir.Expr) []ir.Expr {
	row := t.row(cells)
	typ := cells[1].Type()
	out := unpack(t.only(t.n, typ, row[t.n]))
	for j := t.n - 1; j >= 0; j-- {
		first := t.row(rows[j])
		out = zip(first, out, func(a, b optional) optional { return better(t.best, sum(a, row[j]), b) })
	}
	return pack(out)
}
