// Package fold makes expressions that are folded where a literal among their operands decides, so
// that what is the same in every step is seen to be constant.
//
//	fold.Select(true, a, b) = a,   fold.Add(x, 0) = x
package fold

import "github.com/rfactor-go/rfactor/ir"

// Select returns select(c, a, b), folded. Where a and b are bools and one of them is a literal, it returns a connective: c && a for
// select(c, a, false).
func Select(c, a, b ir.Expr) ir.Expr {
	switch {
	case a == b || c.IsConst(1):
		return a
	case c.IsConst(0):
		return b
	case a.Type() == ir.Bool && a.IsConst(1) && b.IsConst(0):
		return c
	case a.Type() == ir.Bool && a.IsConst(0) && b.IsConst(1):
		return Not(c)
	case a.Type() == ir.Bool && b.IsConst(0):
		return And(c, a)
	case a.Type() == ir.Bool && a.IsConst(1):
		return Or(c, b)
	case b.Op() == ir.Select && b.Arg(0) == Not(c): // it is so here
		return Select(c, a, b.Arg(1))
	}
	return ir.SelectOf(c, a, b)
}

// Equal returns x == v for a literal v, as a literal where x is one, too.
func Equal(x, v ir.Expr) ir.Expr {
	if x.Op() == ir.Const {
		return x.Pool().Bool(x == v)
	}
	return ir.EqOf(x, v)
}

// Not returns !a, folded.
func Not(a ir.Expr) ir.Expr {
	if a.Op() == ir.Const {
		return a.Pool().Bool(a.IsConst(0))
	}
	if a.Op() == ir.Not {
		return a.Arg(0)
	}
	return ir.NotOf(a)
}

// And returns a && b, folded.
func And(a, b ir.Expr) ir.Expr {
	switch {
	case a.IsConst(0) || b.IsConst(1) || a == b:
		return a
	case b.IsConst(0) || a.IsConst(1):
		return b
	}
	return ir.AndOf(a, b)
}

// Or returns a || b, folded.
func Or(a, b ir.Expr) ir.Expr {
	switch {
	case a.IsConst(1) || b.IsConst(0) || a == b:
		return a
	case b.IsConst(1) || a.IsConst(0):
		return b
	}
	return ir.OrOf(a, b)
}

// Number returns the literal v of an integer or float type.
func Number(p *ir.Pool, t ir.Type, v int64) ir.Expr {
	if t.IsFloat() {
		return p.Float(t, float64(v))
	}
	return p.Int(t, v)
}

// IsNumber reports whether e is the literal v of its type.
func IsNumber(e ir.Expr, v int64) bool { return e == Number(e.Pool(), e.Type(), v) }

// Add returns a + b, folded where one of them is 0.
func Add(a, b ir.Expr) ir.Expr {
	switch {
	case IsNumber(a, 0):
		return b
	case IsNumber(b, 0):
		return a
	}
	return ir.AddOf(a, b)
}

// Neg returns −a, folded.
func Neg(a ir.Expr) ir.Expr {
	switch {
	case IsNumber(a, 0):
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

// Mul returns a·b, folded where one of them is 0 or 1.
func Mul(a, b ir.Expr) ir.Expr {
	switch {
	case IsNumber(a, 0) || IsNumber(b, 1):
		return a
	case IsNumber(b, 0) || IsNumber(a, 1):
		return b
	}
	return ir.MulOf(a, b)
}

// BitNot returns the complement of a word or a flag, folded.
func BitNot(a ir.Expr) ir.Expr {
	switch {
	case a.Type() == ir.Bool:
		return Not(a)
	case a.Op() == ir.Const:
		return a.Pool().Const(a.Type(), ^a.Value())
	case a.Op() == ir.BitNot:
		return a.Arg(0)
	}
	return ir.Make(ir.BitNot, a)
}

// BitAnd returns the conjunction of words or flags, folded.
func BitAnd(a, b ir.Expr) ir.Expr {
	if a.Type() == ir.Bool {
		return And(a, b)
	}
	switch full := ones(a.Pool(), a.Type()); {
	case a == full || IsNumber(b, 0):
		return b
	case b == full || IsNumber(a, 0):
		return a
	}
	return ir.Make(ir.BitAnd, a, b)
}

// BitXor returns the exclusive or of words or flags, folded.
func BitXor(a, b ir.Expr) ir.Expr {
	switch {
	case IsNumber(a, 0):
		return b
	case IsNumber(b, 0):
		return a
	case a.Type() == ir.Bool && a.IsConst(1):
		return Not(b)
	case a.Type() == ir.Bool && b.IsConst(1):
		return Not(a)
	case a.Type() == ir.Bool:
		return ir.Make(ir.Ne, a, b)
	}
	return ir.Make(ir.BitXor, a, b)
}

// BitOr returns the disjunction of words or flags, folded.
func BitOr(a, b ir.Expr) ir.Expr {
	switch {
	case a.Type() == ir.Bool:
		return Or(a, b)
	case IsNumber(a, 0) || a == b:
		return b
	case IsNumber(b, 0):
		return a
	}
	return ir.Make(ir.BitOr, a, b)
}

func ones(p *ir.Pool, t ir.Type) ir.Expr { return p.Int(t, -1) }

// HasLimit reports whether the least or the greatest number of an integer type occurs as a literal:
// such literals stand for −∞ and ∞, to which nothing can be added.
func HasLimit(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		t := e.Type()
		found = found || e.Op() == ir.Const && t != ir.Bool && !t.IsFloat() && (e.Value() == t.Max() || e.Value() == t.Min())
	})
	return found
}
