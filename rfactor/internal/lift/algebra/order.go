package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// Optional is a quantity that may be missing: the cells are whether it is there, and its value. A
// missing bound is not stored as −∞, the least number of its type, because something is added to it.
type Optional struct{ Has, Value ir.Expr }

// Missing returns a quantity that is not there.
func Missing(p *ir.Pool, t ir.Type) Optional { return Optional{p.Bool(false), fold.Number(p, t, 0)} }

// Maybe returns a quantity that is there where a condition holds.
func Maybe(has, v ir.Expr) Optional { return Optional{has, v} }

// Present returns a quantity that is there.
func Present(v ir.Expr) Optional { return Optional{v.Pool().Bool(true), v} }

// Better returns the extremum of two quantities; of one that is missing and another, the other.
func Better(op ir.Op, a, b Optional) Optional {
	switch {
	case a.Has.IsConst(0):
		return b
	case b.Has.IsConst(0):
		return a
	}
	both := b.Value
	if a.Value != b.Value {
		both = ir.Make(op, a.Value, b.Value)
	}
	return Optional{fold.Or(a.Has, b.Has), fold.Select(a.Has, fold.Select(b.Has, both, a.Value), b.Value)}
}

// Sum adds two quantities. It is missing where one of them is.
func Sum(a, b Optional) Optional {
	if a.Has.IsConst(0) || b.Has.IsConst(0) {
		return Missing(a.Value.Pool(), a.Value.Type())
	}
	return Optional{fold.And(a.Has, b.Has), fold.Add(a.Value, b.Value)}
}

// Either returns one of two quantities, by a condition.
func Either(c ir.Expr, a, b Optional) Optional {
	switch { // the value of what is missing does not matter
	case a.Has.IsConst(0):
		a.Value = b.Value
	case b.Has.IsConst(0):
		b.Value = a.Value
	}
	return Optional{fold.Select(c, a.Has, b.Has), fold.Select(c, a.Value, b.Value)}
}

// Tropical has the functions max(x_0 + a_0, x_1 + a_1, …, b) of n numbers, or min (families max-plus
// and min-plus).
//
//	max(x0 + y0, x1); max(x0, x1 + y0)   →   the matrix (y0 0; 0 y0), and no constants
//	(a b; c d) ∘ (a' b'; c' d') = the product of the second matrix and the first, with max for + and + for *
//
// The cells are pairs for a_0, a_1, …, b, each of which may be missing. The value of a function
// without any term is that of b, because parameters may have any value. Sums must not wrap: the
// families take integers as unbounded.
type Tropical struct {
	Pool *ir.Pool
	N    int
	Best ir.Op
}

// NewMaxPlus and NewMinPlus fit steps that are extrema of sums: see Tropical.
func NewMaxPlus(pool *ir.Pool, n int) Algebra { return Tropical{pool, n, ir.Max} }
func NewMinPlus(pool *ir.Pool, n int) Algebra { return Tropical{pool, n, ir.Min} }

// Pack returns the cells of a row of quantities.
func Pack(row []Optional) (out []ir.Expr) {
	for _, o := range row {
		out = append(out, o.Has, o.Value)
	}
	return out
}

// Unpack returns the quantities that Pack made cells of.
func Unpack(cells []ir.Expr) (out []Optional) {
	for i := 0; i < len(cells); i += 2 {
		out = append(out, Optional{cells[i], cells[i+1]})
	}
	return out
}

// Row reads cells as a function; where all terms are missing, b is there.
func (t Tropical) Row(cells []ir.Expr) []Optional {
	row := Unpack(cells)
	some := t.Pool.Bool(false)
	for _, o := range row[:t.N] {
		some = fold.Or(some, o.Has)
	}
	row[t.N].Has = fold.Or(row[t.N].Has, fold.Not(some))
	return row
}

func (t Tropical) only(j int, typ ir.Type, o Optional) []ir.Expr {
	row := make([]Optional, t.N+1)
	for i := range row {
		row[i] = Missing(t.Pool, typ)
	}
	row[j] = o
	return Pack(row)
}

func (t Tropical) Leaf(e ir.Expr) []ir.Expr {
	if e.Type() == ir.Bool {
		return nil
	}
	return t.only(t.N, e.Type(), Present(e))
}

func (t Tropical) State(j int, typ ir.Type) []ir.Expr {
	if typ == ir.Bool {
		return nil
	}
	return t.only(j, typ, Present(fold.Number(t.Pool, typ, 0)))
}

func zip(a, b []Optional, f func(a, b Optional) Optional) []Optional {
	out := make([]Optional, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func (t Tropical) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return Pack(zip(Unpack(a), Unpack(b), func(a, b Optional) Optional { return Either(c, a, b) }))
}

// Shift adds a number to every quantity of a row.
func Shift(row []Optional, by ir.Expr) []Optional {
	out := make([]Optional, len(row))
	for i, o := range row {
		out[i] = Sum(o, Present(by))
	}
	return out
}

// shifted reads an operator as the sum of an element and a leaf, or as their difference. It returns
// nil cells where the operator is neither.
func shifted(op ir.Op, args []Term) (cells []ir.Expr, by ir.Expr) {
	switch {
	case op == ir.Add && args[1].Leaf.IsValid():
		return args[0].Cells, args[1].Leaf
	case op == ir.Add && args[0].Leaf.IsValid():
		return args[1].Cells, args[0].Leaf
	case op == ir.Sub && args[1].Leaf.IsValid():
		return args[0].Cells, fold.Neg(args[1].Leaf)
	}
	return nil, ir.Expr{}
}

func (t Tropical) Op(op ir.Op, args []Term) []ir.Expr {
	if op == t.Best {
		return Pack(zip(Unpack(args[0].Cells), Unpack(args[1].Cells), func(a, b Optional) Optional { return Better(op, a, b) }))
	}
	if cells, by := shifted(op, args); cells != nil {
		return Pack(Shift(Unpack(cells), by))
	}
	return nil
}

func (t Tropical) Apply(x, cells []ir.Expr) ir.Expr {
	row := t.Row(cells)
	out := row[t.N]
	for j := t.N - 1; j >= 0; j-- {
		out = Better(t.Best, Sum(Present(x[j]), row[j]), out)
	}
	return out.Value
}

func (t Tropical) Compose(rows [][]ir.Expr, cells []ir.Expr) []ir.Expr {
	row := t.Row(cells)
	typ := cells[1].Type()
	out := Unpack(t.only(t.N, typ, row[t.N]))
	for j := t.N - 1; j >= 0; j-- {
		first := t.Row(rows[j])
		out = zip(first, out, func(a, b Optional) Optional { return Better(t.Best, Sum(a, row[j]), b) })
	}
	return Pack(out)
}
