package access

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// affine writes an integer expression as Σ coef[i]·vars[i] + rest, where neither coef nor
// rest mentions any of vars. It holds in wrapping arithmetic of e's type.
func affine(e ir.Expr, vars []ir.Expr) (coef []ir.Expr, rest ir.Expr, ok bool) {
	a := affiner{vars: vars, zero: e.Pool().Int(e.Type(), 0)}
	f, ok := a.form(e)
	return f.coef, f.rest, ok
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
		return a.variable(e)
	case ir.Cast:
		// A sum may have wrapped before it was widened; a variable alone did not.
		v := e.Arg(0)
		if v.Op() == ir.Var && v.Type().IsInt() && v.Type().Bits() <= e.Type().Bits() && (v.Type().IsUnsigned() || e.Type().IsSigned()) {
			return a.variable(v)
		}
	case ir.Neg:
		f, ok := a.form(e.Arg(0))
		return a.scale(f, MinusOne(a.zero)), ok
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
		return a.add(x, a.scale(y, MinusOne(a.zero))), true
	case !a.varies(e.Arg(1)):
		return a.scale(x, e.Arg(1)), true
	case !a.varies(e.Arg(0)):
		return a.scale(y, e.Arg(0)), true
	}
	return linear{}, false
}

// varies reports whether e mentions one of the variables, or what may change with them: a
// state, a leaf, or another read than of an extent.
func (a *affiner) varies(e ir.Expr) bool {
	found := e.States() != 0
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) {
		found = found || IsRead(s) || s.Op() == ir.Var && s.Kind() == ir.Leaf || slices.Contains(a.vars, s)
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

// variable returns the form of a variable that varies; it has one only if it is one of vars. A state has none.
func (a *affiner) variable(v ir.Expr) (linear, bool) {
	i := slices.Index(a.vars, v)
	if i < 0 {
		return linear{}, false
	}
	f := a.invariant(a.zero)
	f.coef[i] = a.zero.Pool().Int(a.zero.Type(), 1)
	return f, true
}

func (a *affiner) add(x, y linear) linear {
	f := linear{make([]ir.Expr, len(x.coef)), Add(x.rest, y.rest)}
	for i := range f.coef {
		f.coef[i] = Add(x.coef[i], y.coef[i])
	}
	return f
}

func (a *affiner) scale(x linear, by ir.Expr) linear {
	if x.coef == nil {
		return x
	}
	f := linear{make([]ir.Expr, len(x.coef)), Mul(x.rest, by)}
	for i := range f.coef {
		f.coef[i] = Mul(x.coef[i], by)
	}
	return f
}

// MinusOne is the literal -1 of the type of like.
func MinusOne(like ir.Expr) ir.Expr { return like.Pool().Int(like.Type(), -1) }

// Add is x + y, folded where both are literals or one is 0.
func Add(x, y ir.Expr) ir.Expr {
	switch {
	case x.IsConst(0):
		return y
	case y.IsConst(0):
		return x
	case x.Op() == ir.Const && y.Op() == ir.Const:
		return Fold(ir.Add, x, y)
	case y.Op() == ir.Neg:
		return ir.SubOf(x, y.Arg(0))
	}
	return ir.AddOf(x, y)
}

// Mul is x·y, folded where both are literals or one is 0, 1 or -1.
func Mul(x, y ir.Expr) ir.Expr {
	switch {
	case x.IsConst(0) || y.IsConst(1):
		return x
	case y.IsConst(0) || x.IsConst(1):
		return y
	case x.Op() == ir.Const && y.Op() == ir.Const:
		return Fold(ir.Mul, x, y)
	case y == MinusOne(y):
		return ir.NegOf(x)
	case x == MinusOne(x):
		return ir.NegOf(y)
	}
	return ir.MulOf(x, y)
}

// Fold is the literal that op gives of the literals x and y.
func Fold(op ir.Op, x, y ir.Expr) ir.Expr {
	return x.Pool().Const(x.Type(), ir.Apply2(op, x.Type(), x.Value(), y.Value()))
}
