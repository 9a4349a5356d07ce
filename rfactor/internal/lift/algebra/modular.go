package algebra

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// modular has the functions (Σ a_j·x_j + b) % k of n numbers, for one k, and those that keep a number:
// polynomial hashes, counters that wrap.
//
//	(x0*31 + y0) % 1000000007   →   a = 31, b = y0: the step is x ↦ (x*a + b) % k
//	(a, b) ∘ (a', b') = (a*a' % k, (b*a' + b') % k)
//
// The cells are whether the result is reduced modulo k, and those of ring. Compositions are reduced,
// too, so that factors stay small. Sums and products must not wrap before they are reduced: the
// laws need nsw or nuw, or a step that computes in a type twice as wide, whose remainders fit the
// type of the state.
type modular struct {
	Ring
	k    *ir.Expr // of the first remainder that is met
	wide *ir.Type // in which is computed, where that is another
}

// NewModular fits linear steps that are taken modulo one number: see modular.
func NewModular(pool *ir.Pool, n int) Algebra {
	return modular{Ring{pool, n, PlusTimes}, new(ir.Expr), new(ir.Type)}
}

func (m modular) row(reduced bool, cells []ir.Expr) []ir.Expr {
	if cells == nil || !cells[0].Type().IsInt() {
		return nil
	}
	return append([]ir.Expr{m.Pool.Bool(reduced)}, cells...)
}

func (m modular) Leaf(e ir.Expr) []ir.Expr {
	if !e.Type().IsInt() {
		return nil
	}
	return m.row(false, m.Ring.Leaf(e))
}

func (m modular) State(j int, t ir.Type) []ir.Expr {
	if !t.IsInt() {
		return nil
	}
	return m.row(false, m.Ring.State(j, t))
}

func (m modular) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	if m.N > 1 && a[0] != b[0] {
		return nil
	}
	return append([]ir.Expr{fold.Select(c, a[0], b[0])}, m.Ring.Choose(c, a[1:], b[1:])...)
}

func (m modular) Op(op ir.Op, args []Term) []ir.Expr {
	if op != ir.Mod {
		inner := make([]Term, len(args))
		for i, a := range args {
			inner[i] = Term{a.Cells[1:], a.Leaf, a.Whole}
		}
		return m.row(false, m.Ring.Op(op, inner))
	}
	k := args[1].Leaf
	if !k.IsValid() || !k.IsInvariant() || m.k.IsValid() && *m.k != k {
		return nil
	}
	*m.k = k
	return m.row(true, args[0].Cells[1:])
}

// cast reads the conversion of the state to a wider type, or of a remainder to the state's type.
func (m modular) cast(t ir.Type, a Term) []ir.Expr {
	from := a.Whole.Type()
	to := func(e ir.Expr) ir.Expr { return CastTo(t, e) }
	switch k := *m.k; {
	case m.N > 1 || !t.IsInt() || !from.IsInt():
		return nil
	case !a.Cells[0].IsConst(1): // before the remainder
		if from.IsSigned() != t.IsSigned() || t.Bits() < 2*from.Bits() {
			return nil
		}
		return m.row(false, MapCells(a.Cells[1:], to))
	case from.IsSigned() != t.IsSigned() || from.Bits() < 2*t.Bits() || !remaindersFit(k, t):
		return nil
	}
	*m.wide = from
	return m.row(true, MapCells(a.Cells[1:], func(e ir.Expr) ir.Expr { return to(m.reduced(e)) }))
}

// remaindersFit reports whether all remainders by k are values of t.
func remaindersFit(k ir.Expr, t ir.Type) bool {
	if k.Op() == ir.Cast {
		return k.Arg(0).Type().IsSigned() == t.IsSigned() && k.Arg(0).Type().Bits() <= t.Bits()
	}
	return k.Op() == ir.Const && k.Value()-1 <= t.Max()
}

// CastTo returns a term in a type.
func CastTo(t ir.Type, e ir.Expr) ir.Expr {
	switch {
	case e.Type() == t:
		return e
	case e.Op() == ir.Const:
		return e.Pool().Const(t, t.Wrap(e.Value()))
	}
	return ir.CastTo(t, e)
}

// computed converts cells to the type in which the step computes.
func (m modular) computed(cells []ir.Expr) []ir.Expr {
	if *m.wide == ir.Invalid {
		return cells
	}
	return MapCells(cells, func(e ir.Expr) ir.Expr { return CastTo(*m.wide, e) })
}

// mod returns e % k.
func (m modular) mod(e ir.Expr) ir.Expr {
	k := *m.k
	switch {
	case !k.IsValid() || fold.IsNumber(e, 0):
		return e
	case e.Op() == ir.Const && k.Op() == ir.Const:
		return m.Pool.Const(e.Type(), ir.Eval(ir.Make(ir.Mod, e, k), &ir.Env{}))
	}
	return ir.Make(ir.Mod, e, k)
}

// reduced returns a factor of a sum that is reduced modulo k later: e % k, and 1 as it is.
func (m modular) reduced(e ir.Expr) ir.Expr {
	if fold.IsNumber(e, 1) {
		return e
	}
	return m.mod(e)
}

func (m modular) Apply(x, row []ir.Expr) ir.Expr {
	v := m.Ring.Apply(m.computed(x), m.computed(row[1:]))
	if m.N == 1 {
		return fold.Select(row[0], CastTo(x[0].Type(), m.mod(v)), x[0])
	}
	return fold.Select(row[0], m.mod(v), v)
}

// Compose reduces the result where the second step does. A second step that keeps the number leaves
// the first one as it is.
func (m modular) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	first := make([][]ir.Expr, len(rows))
	for j, r := range rows {
		if first[j] = r[1:]; m.N == 1 {
			first[j] = m.Ring.Choose(r[0], r[1:], m.Ring.State(0, r[1].Type()))
		}
	}
	for j := range first {
		first[j] = m.computed(first[j])
	}
	out := m.Ring.Compose(first, m.computed(row[1:]))
	if m.N > 1 {
		return append([]ir.Expr{row[0]}, MapCells(out, func(e ir.Expr) ir.Expr { return fold.Select(row[0], m.mod(e), e) })...)
	}
	out = MapCells(out, func(e ir.Expr) ir.Expr { return CastTo(row[1].Type(), m.reduced(e)) })
	return append([]ir.Expr{fold.Or(rows[0][0], row[0])}, m.Ring.Choose(row[0], out, rows[0][1:])...)
}
