package lower

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Access is a read of an input or of a buffer in a stage, or the element that the stage
// updates.
type Access struct {
	Call      ir.Expr // the read; the zero Expr for the element that is updated
	Array     string
	Component int
	Dims      []Coordinate
}

// Coordinate is one index of an access: Σ Coef[i]·loop i + Rest where Affine, otherwise
// anything.
type Coordinate struct {
	Index  ir.Expr
	Affine bool
	Coef   []ir.Expr // of the stage's loops, outermost first; free of their variables, as Rest is
	Rest   ir.Expr
	scale  ir.Expr // by which Rest is to be multiplied, in 64 bits; invalid for 1
}

// Reads describes the reads of a stage in the order in which its conditions, its index and
// its values mention them. A read inside the index of another comes before it.
func Reads(s *plan.Stage) []Access {
	var out []Access
	vars := loopVars(s)
	ir.Walk(stageExprs(s), func(e ir.Expr) {
		if isRead(e) {
			out = append(out, Access{e, e.Name(), e.Index(), coordinates(operands(e), vars)})
		}
	})
	return out
}

// Affine reports whether all coordinates are.
func (a *Access) Affine() bool {
	for _, c := range a.Dims {
		if !c.Affine {
			return false
		}
	}
	return true
}

// Contiguous is the number of the loop that steps through the array element by element: by
// one in the first dimension, not at all in the others. It is -1 where there is none.
func (a *Access) Contiguous() int {
	if !a.Affine() || len(a.Dims) == 0 {
		return -1
	}
	for l, c := range a.Dims[0].Coef {
		if c.IsConst(1) && !a.movesBeyondFirst(l) {
			return l
		}
	}
	return -1
}

func (a *Access) movesBeyondFirst(loop int) bool {
	for _, d := range a.Dims[1:] {
		if !d.Coef[loop].IsConst(0) {
			return true
		}
	}
	return false
}

// Affine writes an integer expression as Σ coef[i]·vars[i] + rest, where neither coef nor
// rest mentions any of vars. It holds in wrapping arithmetic of e's type.
func Affine(e ir.Expr, vars []ir.Expr) (coef []ir.Expr, rest ir.Expr, ok bool) {
	a := affiner{vars: vars, zero: e.Pool().Int(e.Type(), 0)}
	f, ok := a.form(e)
	return f.coef, f.rest, ok
}

func loopVars(s *plan.Stage) []ir.Expr {
	var vs []ir.Expr
	for _, l := range s.Loops {
		vs = append(vs, l.Var)
	}
	return vs
}

func stageExprs(s *plan.Stage) []ir.Expr {
	var es []ir.Expr
	es = append(es, s.Where...)
	es = append(es, s.Index...)
	return append(es, s.Values...)
}

// isRead tells reads from extents such as in.width().
func isRead(e ir.Expr) bool { return e.Op() == ir.Call && !isExtent(e) }

// anyRead reports whether some expression depends on data.
func anyRead(es ...ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) { found = found || isRead(e) })
	return found
}

func isExtent(e ir.Expr) bool {
	return e.Op() == ir.Call && e.NumArgs() == 0 && strings.Contains(e.Name(), ".")
}

func operands(e ir.Expr) []ir.Expr {
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = e.Arg(i)
	}
	return args
}

func coordinates(index, vars []ir.Expr) []Coordinate {
	var out []Coordinate
	for _, e := range index {
		c := Coordinate{Index: e}
		c.Coef, c.Rest, c.Affine = Affine(e, vars)
		out = append(out, c)
	}
	return out
}

// affiner takes expressions of one type apart.
type affiner struct {
	vars []ir.Expr
	zero ir.Expr
}

// linear is Σ coef[i]·vars[i] + rest.
type linear struct {
	coef []ir.Expr
	rest ir.Expr
}

func (a *affiner) form(e ir.Expr) (linear, bool) {
	if !e.Type().IsInt() {
		return linear{}, false
	}
	if !a.varies(e) {
		return a.invariant(e), true
	}
	switch e.Op() {
	case ir.Var:
		return a.variable(e), true
	case ir.Cast:
		// A sum may have wrapped before it was widened; a variable alone did not.
		v := e.Arg(0)
		if v.Op() == ir.Var && v.Type().IsInt() && v.Type().Bits() <= e.Type().Bits() && (v.Type().IsUnsigned() || e.Type().IsSigned()) {
			return a.variable(v), true
		}
	case ir.Neg:
		f, ok := a.form(e.Arg(0))
		return a.scale(f, minusOne(a.zero)), ok
	case ir.Add, ir.Sub, ir.Mul:
		return a.binary(e)
	}
	return linear{}, false
}

func (a *affiner) binary(e ir.Expr) (linear, bool) {
	x, ok := a.form(e.Arg(0))
	y, also := a.form(e.Arg(1))
	if !ok || !also {
		return linear{}, false
	}
	switch {
	case e.Op() == ir.Add:
		return a.add(x, y), true
	case e.Op() == ir.Sub:
		return a.add(x, a.scale(y, minusOne(a.zero))), true
	case !a.varies(e.Arg(1)):
		return a.scale(x, e.Arg(1)), true
	case !a.varies(e.Arg(0)):
		return a.scale(y, e.Arg(0)), true
	}
	return linear{}, false
}

// varies reports whether e mentions one of the variables, or what may change with them: a
// state, or another read than of an extent.
func (a *affiner) varies(e ir.Expr) bool {
	found := e.States() != 0
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) {
		found = found || isRead(s)
		for _, v := range a.vars {
			found = found || s == v
		}
	})
	return found
}

func (a *affiner) invariant(e ir.Expr) linear {
	f := linear{make([]ir.Expr, len(a.vars)), e}
	for i := range f.coef {
		f.coef[i] = a.zero
	}
	return f
}

func (a *affiner) variable(v ir.Expr) linear {
	f := a.invariant(a.zero)
	for i, w := range a.vars {
		if w == v {
			f.coef[i] = a.zero.Pool().Int(a.zero.Type(), 1)
		}
	}
	return f
}

func (a *affiner) add(x, y linear) linear {
	f := linear{make([]ir.Expr, len(x.coef)), addExprs(x.rest, y.rest)}
	for i := range f.coef {
		f.coef[i] = addExprs(x.coef[i], y.coef[i])
	}
	return f
}

func (a *affiner) scale(x linear, by ir.Expr) linear {
	if x.coef == nil {
		return x
	}
	f := linear{make([]ir.Expr, len(x.coef)), mulExprs(x.rest, by)}
	for i := range f.coef {
		f.coef[i] = mulExprs(x.coef[i], by)
	}
	return f
}

func minusOne(like ir.Expr) ir.Expr { return like.Pool().Int(like.Type(), -1) }

func addExprs(x, y ir.Expr) ir.Expr {
	switch {
	case x.IsConst(0):
		return y
	case y.IsConst(0):
		return x
	case x.Op() == ir.Const && y.Op() == ir.Const:
		return foldExprs(ir.Add, x, y)
	case y.Op() == ir.Neg:
		return ir.SubOf(x, y.Arg(0))
	}
	return ir.AddOf(x, y)
}

func mulExprs(x, y ir.Expr) ir.Expr {
	switch {
	case x.IsConst(0) || y.IsConst(1):
		return x
	case y.IsConst(0) || x.IsConst(1):
		return y
	case x.Op() == ir.Const && y.Op() == ir.Const:
		return foldExprs(ir.Mul, x, y)
	case y == minusOne(y):
		return ir.NegOf(x)
	case x == minusOne(x):
		return ir.NegOf(y)
	}
	return ir.MulOf(x, y)
}

func foldExprs(op ir.Op, x, y ir.Expr) ir.Expr {
	return x.Pool().Const(x.Type(), ir.Apply2(op, x.Type(), x.Value(), y.Value()))
}

// mentions reports whether one of vars occurs in e.
func mentions(e ir.Expr, vars ...ir.Expr) bool {
	found := false
	ir.Walk([]ir.Expr{e}, func(n ir.Expr) { found = found || slices.Contains(vars, n) })
	return found
}
