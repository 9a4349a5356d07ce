package family

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/algebra"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// fitSentinel fits steps that keep the least or the greatest input so far in an integer, of which one value stands for none yet.
//
//	select(x0 == 0 || y0 < x0, y0, x0)   →   (a, v, c, n) = (y0, y0, false, y0)
//	x ↦ a where x == 0, else min(x, n) where x < 0, else v where c, else min(x, v)
//
// A step may give the sentinel itself, so that a later step begins anew: above it, a slice is either min(x, v), where v is above it as well, or
// a constant. Below it, a slice is always min(x, n). There is no n where no number is below the sentinel.
func fitSentinel(cx *lift.Context, p *tuple.Part) *lift.Shape {
	if len(p.Types) != 1 || !p.Types[0].IsInt() {
		return nil
	}
	s := &sentinel{pool: cx.Pool, t: p.Types[0], x: p.States[0]}
	if !s.find(p.Values[0]) {
		return nil
	}
	inject := s.read(p.Values[0])
	if inject == nil {
		return nil
	}
	return &lift.Shape{Name: "sentinel", Inject: inject, Identity: s.nothing(),
		Apply:   func(x, cells []ir.Expr) []ir.Expr { return []ir.Expr{s.apply(x[0], cells)} },
		Compose: s.compose}
}

type sentinel struct {
	pool *ir.Pool
	t    ir.Type
	x    ir.Expr
	none ir.Expr // the value that stands for none yet
	best ir.Op   // Min or Max
}

// find looks for the sentinel and the extremum. It reports false where either is missing, or where there are several.
func (s *sentinel) find(e ir.Expr) (ok bool) {
	ok = true
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		switch e.Op() {
		case ir.Eq, ir.Ne:
			if none := s.comparedWith(e); none.IsValid() && none.IsInvariant() {
				ok = ok && (!s.none.IsValid() || s.none == none)
				s.none = none
			}
		case ir.Select, ir.Min, ir.Max:
			f, is := folds.Propose(e, s.x.Index())
			if e.Op() == ir.Select && e.Arg(0).Op() == ir.Or {
				f, is = s.chosen(e)
			}
			if is && (f.Op == ir.Min || f.Op == ir.Max) {
				ok = ok && (s.best == 0 || s.best == f.Op)
				s.best = f.Op
			}
		}
	})
	return ok && s.none.IsValid() && s.best != 0
}

// comparedWith returns the leaf with which a comparison compares the state; the zero Expr for other comparisons.
func (s *sentinel) comparedWith(c ir.Expr) (none ir.Expr) {
	for i := range 2 {
		if c.Arg(i) == s.x && c.Arg(1-i).IsLeaf() {
			return c.Arg(1 - i)
		}
	}
	return none
}

// chosen takes select(x == none || y < x, y, x) for the extremum of x and y.
func (s *sentinel) chosen(e ir.Expr) (f folds.Part, ok bool) {
	c := e.Arg(0)
	for i := range 2 {
		if is := c.Arg(i); is.Op() == ir.Eq && s.comparedWith(is) == s.none {
			return folds.Propose(ir.SelectOf(c.Arg(1-i), e.Arg(1), e.Arg(2)), s.x.Index())
		}
	}
	return f, false
}

func (s *sentinel) cells(a, v ir.Expr) []ir.Expr {
	return s.withBeyond([]ir.Expr{a, v, s.pool.Bool(false)}, v)
}

// withBeyond appends the cell for states that are better than the sentinel, where there are such.
func (s *sentinel) withBeyond(cells []ir.Expr, n ir.Expr) []ir.Expr {
	if s.isLast() {
		return cells
	}
	return append(cells, n)
}

// isLast reports whether no number is better than the sentinel.
func (s *sentinel) isLast() bool {
	return s.best == ir.Min && s.none.IsConst(s.t.Min()) || s.best == ir.Max && s.none.IsConst(s.t.Max())
}

func (s *sentinel) nothing() []ir.Expr {
	worst := s.pool.Const(s.t, folds.NeutralValue(s.best, s.t))
	return s.cells(s.none, worst)
}

func (s *sentinel) read(e ir.Expr) []ir.Expr {
	if e == s.x {
		return s.nothing()
	}
	if e.Op() != ir.Select {
		return nil
	}
	c, first, other := e.Arg(0), e.Arg(1), e.Arg(2)
	switch {
	case c.IsLeaf():
		a, b := s.read(first), s.read(other)
		if a == nil || b == nil {
			return nil
		}
		return algebra.ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
	case c.Op() == ir.Or:
		if f, ok := s.chosen(e); ok && f.Op == s.best {
			return s.cells(first, f.Leaf)
		}
		return nil
	case c.Op() == ir.Ne:
		first, other = other, first
	case c.Op() != ir.Eq:
		return nil
	}
	if s.comparedWith(c) != s.none || !first.IsLeaf() {
		return nil
	}
	if f, ok := folds.Propose(other, s.x.Index()); ok && f.Op == s.best {
		return s.cells(first, f.Leaf)
	}
	return nil
}

// isWorse returns the condition that x is on the other side of the sentinel than the extremum goes.
func (s *sentinel) isWorse(x ir.Expr) ir.Expr {
	if s.best == ir.Min {
		return ir.LtOf(s.none, x)
	}
	return ir.LtOf(x, s.none)
}

func (s *sentinel) apply(x ir.Expr, cells []ir.Expr) ir.Expr {
	a, v, c := cells[0], cells[1], cells[2]
	set := fold.Select(c, v, ir.Make(s.best, x, v))
	if !s.isLast() {
		set = ir.SelectOf(s.isWorse(x), set, ir.Make(s.best, x, cells[3]))
	}
	return ir.SelectOf(ir.EqOf(x, s.none), a, set)
}

func (s *sentinel) compose(f, g []ir.Expr) []ir.Expr {
	v, constant := f[1], fold.Or(f[2], fold.Not(s.isWorse(f[1])))
	out := []ir.Expr{
		s.apply(f[0], g),
		fold.Select(constant, s.apply(v, g), fold.Select(g[2], g[1], ir.Make(s.best, v, g[1]))),
		fold.Or(constant, g[2]),
	}
	if s.isLast() {
		return out
	}
	return append(out, ir.Make(s.best, f[3], g[3]))
}
