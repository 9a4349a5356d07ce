package program

import "github.com/rfactor-go/rfactor/ir"

// guess is what is known of the type of a syntax node before its context is: a Type, or
// the kind of literals that it is made of.
type guess uint8

const (
	unknown        guess = 0         // reported already, or nothing known
	intLiteral     guess = 64 + iota // 1, 1 + 2: an int of C++
	intExpr                          // select(c, 1, 0): an i32 of Halide, but see joinLiteral
	floatLiteral32                   // 1.5f
	floatLiteral64                   // 1.5
	pending                          // not asked for yet
)

func (g guess) isType() bool { return g != unknown && g < intLiteral }

// orDefault is the type that a literal takes where nothing else gives it one.
func (g guess) orDefault(want ir.Type) ir.Type {
	switch {
	case g.isType():
		return ir.Type(g)
	case want != ir.Invalid:
		return want
	case g == floatLiteral32:
		return ir.F32
	case g == floatLiteral64:
		return ir.F64
	}
	return ir.I32
}

// join is the type in which operands of types a and b meet. In a program mixed types
// promote as in Halide; in an abstract update the first one counts, and the other is an
// error that is found later.
func join(a, b guess, mixed bool) guess {
	switch {
	case a == unknown:
		return b
	case b == unknown || a == b:
		return a
	case !a.isType() && !b.isType():
		return max(a, b)
	case !a.isType():
		return joinLiteral(ir.Type(b), a, mixed)
	case !b.isType():
		return joinLiteral(ir.Type(a), b, mixed)
	case mixed:
		return guess(Promote(ir.Type(a), ir.Type(b)))
	}
	return a
}

// joinLiteral: a literal takes the other operand's type, except that a float beats an
// integer. An intExpr promotes as an i32; where that gives the other operand's type, its
// literals may as well have it from the start.
func joinLiteral(t ir.Type, lit guess, mixed bool) guess {
	switch {
	case !mixed:
	case lit == intExpr:
		return guess(Promote(t, ir.I32))
	case lit != intLiteral && !t.IsFloat():
		return guess(lit.orDefault(ir.Invalid))
	}
	return guess(t)
}

// Promote returns the type in which operands of types a and b meet in a program. The rule is
// Halide's: float beats integer, wider beats narrower, signed beats unsigned of the same width,
// and anything beats bool.
func Promote(a, b ir.Type) ir.Type {
	if a.IsFloat() != b.IsFloat() {
		if a.IsFloat() {
			return a
		}
		return b
	}
	switch {
	case a.Bits() != b.Bits():
		if a.Bits() > b.Bits() {
			return a
		}
		return b
	case a.IsSigned():
		return a
	}
	return b
}

// settle guesses the types of the given nodes and of what is below them, once: the names
// in them must have been declared by then.
func (l *elaborator) settle(roots ...int32) {
	for len(l.guesses) < len(l.nodes) {
		l.guesses = append(l.guesses, pending)
	}
	for _, n := range roots {
		if l.guesses[n] == pending {
			l.settle(l.kids(n)...)
			l.guesses[n] = l.guessNode(n)
		}
	}
}

func (l *elaborator) guessNode(n int32) guess {
	s := &l.nodes[n]
	switch s.kind {
	case synNum:
		num, _ := readNumber(l.src.Text[s.a:s.b], s.neg)
		switch {
		case num.single:
			return floatLiteral32
		case num.float:
			return floatLiteral64
		}
		return intLiteral
	case synLimit:
		switch {
		case s.typ != ir.Invalid:
			return guess(s.typ)
		case s.a >= limitInf:
			return floatLiteral64
		}
		return intLiteral
	case synBool:
		return guess(ir.Bool)
	case synName, synCall, synIndex:
		return guess(l.typeOfName(n))
	case synLocal:
		return l.guesses[s.a]
	case synCast:
		return guess(s.typ)
	case synWiden:
		return guess(widened(s.op, l.joinOf(s.a, s.b).orDefault(ir.Invalid)))
	case synPow:
		return l.guessPow(s)
	case synOp:
		return l.guessOp(s)
	case synDerived:
		return l.guessDerived(n)
	case synTable:
		return l.guessTable(n)
	}
	return unknown
}

func (l *elaborator) joinOf(a, b int32) guess { return join(l.guesses[a], l.guesses[b], l.mixed) }

func (l *elaborator) guessOp(s *syn) guess {
	switch {
	case s.op.IsComparison() || isLogical(s.op):
		return guess(ir.Bool)
	case s.op.FloatsOnly():
		return l.floating(l.guesses[s.a])
	}
	switch s.op {
	case ir.IsNaN:
		return guess(ir.Bool)
	case ir.Select:
		return l.function(l.joinOf(s.b, s.c))
	case ir.Shl, ir.Shr:
		return l.guessShift(s)
	case ir.Neg, ir.BitNot:
		return l.guesses[s.a]
	case ir.Abs, ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse:
		return l.function(l.guesses[s.a])
	case ir.Min, ir.Max, ir.SatAdd, ir.SatSub, ir.Gcd:
		return l.function(l.joinOf(s.a, s.b))
	}
	return l.joinOf(s.a, s.b)
}

// function is the guess of a function of operands that meet in g: in a program it is an
// expression of Halide, no literal of C++, even where its operands are literals.
func (l *elaborator) function(g guess) guess {
	if l.mixed && g == intLiteral {
		return intExpr
	}
	return g
}

// guessShift: in a program the wider operand gives the width, the left one the sign.
func (l *elaborator) guessShift(s *syn) guess {
	a, b := l.guesses[s.a], l.guesses[s.b]
	t := join(a, b, l.mixed)
	if l.mixed && a.isType() && b.isType() && ir.Type(a).IsInt() && ir.Type(b).IsInt() && ir.Type(t).IsSigned() != ir.Type(a).IsSigned() {
		if ir.Type(a).IsSigned() {
			return t - guess(ir.U8-ir.I8)
		}
		return guess(ir.Type(t).Unsigned())
	}
	return t
}

// floating is the type of sqrt(a): in a program integers are converted to f32.
func (l *elaborator) floating(a guess) guess {
	if l.mixed && (a.isType() && !ir.Type(a).IsFloat() || a == intLiteral || a == intExpr) {
		return guess(ir.F32)
	}
	return a
}

// guessPow: an integer to the power of a literal is a product in its own type.
func (l *elaborator) guessPow(s *syn) guess {
	base := l.guesses[s.a]
	if _, ok := l.literalExponent(s); ok && !(base.isType() && ir.Type(base).IsFloat()) {
		return base
	}
	return l.floating(l.joinOf(s.a, s.b))
}

// widened is the result of widening_add and its like on operands of type t.
func widened(op ir.Op, t ir.Type) ir.Type {
	w := t.Wider()
	if op == ir.Sub && w.IsUnsigned() {
		return w - (ir.U8 - ir.I8) // the difference of two unsigned numbers is signed
	}
	return w
}
