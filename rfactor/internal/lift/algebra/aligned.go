package algebra

import (
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// aligned has the functions (x + a) − (x + a) % k + b of one integer, for one k, and x + a and the
// constants: columns at tab stops, offsets of aligned fields, sizes in whole pages.
//
//	select(y0 == 9, (x0/8 + 1)*8, x0 + 1)   →   on = y0 == 9, a = select(y0 == 9, 0, 1), b = select(y0 == 9, 8, 0)
//	(on, a, b) ∘ (on', a', b') = (on || on', select(on, a, a + a' + b), select(on, f'(b), b')), where f' is the second step
//
// The cells are whether the state counts, whether it is rounded, a and b. Behind a step that rounds,
// the remainder of the state is known, so that the second step moves b alone. Where k is a power of
// two integers may wrap; else the laws need nsw or nuw.
type aligned struct {
	pool *ir.Pool
	n    int
	k    *ir.Expr // of the first remainder that is met
}

// NewAligned fits steps that round up and add: see aligned.
func NewAligned(pool *ir.Pool, n int) Algebra { return aligned{pool, n, new(ir.Expr)} }

func (g aligned) cells(counts, on bool, a, b ir.Expr) []ir.Expr {
	if g.n != 1 || !b.Type().IsInt() {
		return nil
	}
	return []ir.Expr{g.pool.Bool(counts), g.pool.Bool(on), a, b}
}

func (g aligned) Leaf(e ir.Expr) []ir.Expr {
	if !e.Type().IsInt() {
		return nil
	}
	return g.cells(false, false, fold.Number(g.pool, e.Type(), 0), e)
}

func (g aligned) State(_ int, t ir.Type) []ir.Expr {
	if !t.IsInt() {
		return nil
	}
	zero := fold.Number(g.pool, t, 0)
	return g.cells(true, false, zero, zero)
}

func (g aligned) Choose(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

func (g aligned) Op(ir.Op, []Term) []ir.Expr { return nil }

// whole reads a term as a sum of the state, a remainder of a sum with the state, and inputs.
func (g aligned) whole(e ir.Expr, assume ir.Assume) []ir.Expr {
	t := e.Type()
	if !t.IsInt() || g.n != 1 {
		return nil
	}
	zero := fold.Number(g.pool, t, 0)
	less := func(a, b ir.Expr) ir.Expr { return poly.Normal(ir.SubOf(a, b), assume) }
	sum := poly.Normal(g.quotients(e), assume)
	for _, x := range ir.Vars(sum) {
		if x.Kind() != ir.State || x.Type() != t {
			continue
		}
		if a := less(sum, x); a.IsLeaf() {
			return g.cells(true, false, a, zero)
		}
		for q := range Occurring([]ir.Expr{sum}) {
			if q.IsLeaf() || q.Op() != ir.Div || q.Type() != t || !q.Arg(1).IsInvariant() || g.k.IsValid() && *g.k != q.Arg(1) {
				continue
			}
			a, b := less(q.Arg(0), x), less(sum, ir.MulOf(q, q.Arg(1)))
			if a.IsLeaf() && b.IsLeaf() {
				*g.k = q.Arg(1)
				return g.cells(true, true, a, b)
			}
		}
	}
	return nil
}

// quotients writes remainders and bits that are masked as quotients: x % 8, x & 7, x | 7, x & -8, x >> 3.
func (g aligned) quotients(e ir.Expr) ir.Expr {
	if e.IsLeaf() || e.NumArgs() == 0 {
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = g.quotients(e.Arg(i))
	}
	if len(args) != 2 || e.Arg(1).Type() != e.Type() {
		return e
	}
	t, u, by := e.Type(), args[0], args[1]
	if by.IsClosed() {
		by = g.pool.Const(t, ir.Eval(by, &ir.Env{}))
	}
	floor := func(k ir.Expr) ir.Expr { return ir.MulOf(ir.DivOf(u, k), k) }
	literal := func(v uint64) ir.Expr { return g.pool.Const(t, t.Wrap(v)) }
	v := by.Value()
	switch op := e.Op(); {
	case op == ir.Mod:
		return ir.SubOf(u, floor(by))
	case by.Op() != ir.Const:
	case op == ir.BitAnd && isPower(t, v+1):
		return ir.SubOf(u, floor(literal(v+1)))
	case op == ir.BitAnd && isPower(t, -v):
		return floor(literal(-v))
	case op == ir.BitOr && isPower(t, v+1):
		return ir.AddOf(floor(literal(v+1)), by)
	case op == ir.Shr && v < uint64(t.Bits()-1):
		return ir.DivOf(u, literal(1<<v))
	case op == ir.Shl && v < uint64(t.Bits()-1):
		return ir.MulOf(u, literal(1<<v))
	}
	return ir.Rebuild(e, args)
}

// isPower reports whether a word is a power of two that a type has, 1 apart.
func isPower(t ir.Type, v uint64) bool {
	v = t.Wrap(v)
	return v > 1 && v&(v-1) == 0 && v < t.Max()
}

func (g aligned) Apply(x, row []ir.Expr) ir.Expr {
	return fold.Select(row[0], g.moved(x[0], row), row[3])
}

// moved returns the value of a function that the state counts for.
func (g aligned) moved(x ir.Expr, row []ir.Expr) ir.Expr {
	u := fold.Add(x, row[2])
	if row[1].IsConst(0) || !g.k.IsValid() {
		return fold.Add(u, row[3])
	}
	return fold.Add(ir.SubOf(u, fold.Select(row[1], g.mod(u), fold.Number(g.pool, x.Type(), 0))), row[3])
}

// mod returns u % k, of a power of two as its low bits.
func (g aligned) mod(u ir.Expr) ir.Expr {
	if k := *g.k; k.Op() == ir.Const && k.Value()&(k.Value()-1) == 0 {
		return ir.Make(ir.BitAnd, u, g.pool.Const(k.Type(), k.Value()-1))
	}
	return ir.ModOf(u, *g.k)
}

func (g aligned) Compose(rows [][]ir.Expr, row []ir.Expr) []ir.Expr {
	first := rows[0]
	known := fold.Or(fold.Not(first[0]), first[1]) // the remainder after the first step
	through := g.moved(first[3], row)
	a := fold.Add(fold.Add(first[2], first[3]), row[2])
	return []ir.Expr{fold.And(first[0], row[0]), fold.Or(first[1], row[1]), fold.Select(known, first[2], a),
		fold.Select(row[0], fold.Select(known, through, row[3]), row[3])}
}
