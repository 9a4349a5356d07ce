package find

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// Most injects read every variable once: select(y0 < 0, y1 + k0, 0). There no term equals a literal or a subterm of its own, since it
// depends on inputs that the subterm does not read, and no condition says anything of what it decides about. Simplifying
// finds that out by points; IsPlain says so for what a look at the operations decides.

// spread says which values a term takes when its inputs are any.
type spread uint8

const (
	unclear spread = iota // not known
	varies                // two at least
	full                  // all of its type
)

// IsPlain reports whether a look at a term shows that simplifying leaves it as it is under some conditions.
func IsPlain(e ir.Expr, given []ir.Expr) bool {
	if e.Op() == ir.Const {
		return true
	}
	var read variables
	if spreadOf(e, &read) == unclear {
		return false
	}
	for _, v := range ir.Vars(given...) {
		if slices.Contains(read.all[:read.n], v) {
			return false
		}
	}
	return true
}

// variables are few.
type variables struct {
	all [16]ir.Expr
	n   int
}

// spreadOf returns the spread of a term, and adds the variables that it reads; unclear where one is read twice, or where the
// term may equal a literal or subterm.
func spreadOf(e ir.Expr, read *variables) spread {
	if e.Op() == ir.Var {
		if slices.Contains(read.all[:read.n], e) || read.n == len(read.all) {
			return unclear
		}
		read.all[read.n] = e
		read.n++
		if e.Kind() == ir.Coord { // which may be promised not to be negative
			return varies
		}
		return full
	}
	switch e.NumArgs() {
	case 1:
		return spreadOfOne(e, spreadOf(e.Arg(0), read))
	case 2:
		a, b := e.Arg(0), e.Arg(1)
		switch {
		case b.Op() == ir.Const:
			return spreadBeside(e, a, b, spreadOf(a, read))
		case a.Op() == ir.Const:
			return spreadBeside(e, b, a, spreadOf(b, read))
		}
		return spreadOfTwo(e, spreadOf(a, read), spreadOf(b, read))
	case 3:
		if e.Op() != ir.Select || spreadOf(e.Arg(0), read) == unclear {
			return unclear
		}
		return spreadOfChoice(e, read)
	}
	return unclear
}

// spreadOfOne returns the spread of an operation on one term.
func spreadOfOne(e ir.Expr, arg spread) spread {
	of := e.Arg(0)
	if arg == unclear {
		return unclear
	}
	switch e.Op() {
	case ir.Neg, ir.BitNot:
		if of.Op() == ir.Var {
			return full
		}
	case ir.Not:
		if of.Op() != ir.Not {
			return arg
		}
	case ir.Cast:
		if arg == full && e.Type() != ir.Bool && e.Type() != of.Type() {
			return varies
		}
	case ir.Abs:
		if arg == full && !e.Type().IsUnsigned() { // some are negative
			return varies
		}
	}
	return unclear
}

// spreadOfTwo returns the spread of an operation on two terms that read other variables.
func spreadOfTwo(e ir.Expr, a, b spread) spread {
	if a == unclear || b == unclear {
		return unclear
	}
	switch op := e.Op(); {
	case op == ir.And || op == ir.Or:
		return full
	case op == ir.Add || op == ir.Sub || op == ir.BitXor:
		return max(a, b)
	case a != full || b != full:
		return unclear
	case op == ir.Min || op == ir.Max:
		return full
	case op == ir.Mul:
		return varies
	case op.IsComparison():
		return full
	}
	return unclear
}

// spreadBeside returns the spread of an operation on a variable and a literal, or of one that leaves fewer values of another term.
func spreadBeside(e, v, literal ir.Expr, of spread) spread {
	t := literal.Type()
	if of == unclear || t == ir.Bool {
		return unclear
	}
	if of == full && t.IsInt() && v == e.Arg(0) && leavesFewer(e.Op(), t, literal.Value()) {
		return varies
	}
	if v.Op() != ir.Var {
		return unclear
	}
	n, zero, one := literal.Value(), fold.IsNumber(literal, 0), fold.IsNumber(literal, 1)
	limit := n == t.Min() || n == t.Max()
	if t.IsFloat() {
		f := ir.Float(t, n)
		zero, limit = f == 0, math.IsInf(f, 0) || math.IsNaN(f)
	}
	switch op := e.Op(); {
	case op == ir.Eq || op == ir.Ne:
		if of == full && (t.IsInt() || !limit) {
			return full
		}
	case limit:
		return unclear
	case op.IsComparison():
		if of == full {
			return full
		}
	case op == ir.Min || op == ir.Max:
		if of == full {
			return varies
		}
	case !zero && (op == ir.Add || op == ir.Sub), !zero && !one && op == ir.Mul:
		return varies
	}
	return unclear
}

// leavesFewer reports whether an operation with a literal as its second operand has several results, but not all values of
// an integer type.
func leavesFewer(op ir.Op, t ir.Type, n uint64) bool {
	switch op {
	case ir.BitAnd, ir.BitOr:
		return n != 0 && n != t.Wrap(^uint64(0))
	case ir.Shl, ir.Shr:
		return n > 0 && n < uint64(t.Bits())
	case ir.Mod, ir.Div:
		return int64(n) > 1 && n <= t.Max()
	}
	return false
}

// spreadOfChoice returns the spread of a select with a condition that varies.
func spreadOfChoice(e ir.Expr, read *variables) spread {
	a, b := e.Arg(1), e.Arg(2)
	literals := a.Op() == ir.Const && b.Op() == ir.Const
	if literals && (a == b || e.Type() == ir.Bool) {
		return unclear
	}
	arm := func(e ir.Expr) spread {
		if e.Op() == ir.Const {
			return varies
		}
		return spreadOf(e, read)
	}
	return min(arm(a), arm(b))
}
