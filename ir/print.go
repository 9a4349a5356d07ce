package ir

import (
	"strconv"
	"strings"
)

// PrintLimit is the number of bytes of an expression that are printed; "…" stands for the rest.
// An expression that shares subterms can be exponentially longer than its pool.
const PrintLimit = 64 << 10

// String prints e in the canonical notation. Read reads the text back as e, when e's type is
// wanted and e has no opaque calls. C and Go read the same tree in it.
//
// The zero Expr prints as "<no expression>". Literals take their type from the context where it gives the right one, and are written
// under a cast, u8(3), where not. The limits of the wide integer types print as tmin and
// tmax, those of the narrow ones as numbers. Floats print in the fewest digits that read
// back exactly, always with a point or an exponent, or as inf, -inf or nan. A negative
// literal is -5; -(5) is the negation of a literal.
func (e Expr) String() string {
	if !e.IsValid() {
		return "<no expression>"
	}
	if e.Op() == Var {
		return e.Name()
	}
	p := printer{}
	p.expr(e, e.Type())
	return p.b.String()
}

// Strings prints several expressions, separated by "; ".
func Strings(es []Expr) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, "; ")
}

type printer struct {
	b       strings.Builder
	full    bool
	untyped map[uint32]bool
}

func (p *printer) put(s string) {
	if p.full {
		return
	}
	if p.b.Len()+len(s) > PrintLimit {
		s, p.full = "…", true
	}
	p.b.WriteString(s)
}

// isUntyped reports whether e prints as literals and operators alone (up to the conditions
// of selects), so that its type comes from the context.
func (p *printer) isUntyped(e Expr) bool {
	switch op := e.Op(); {
	case e.Type() == Bool || op == Var || op == Call || op == Cast:
		return false
	case op == Const:
		return true
	}
	if u, ok := p.untyped[e.id]; ok {
		return u
	}
	u := true
	for i := range e.NumArgs() {
		if !(e.Op() == Select && i == 0) {
			u = u && p.isUntyped(e.Arg(i))
		}
	}
	if p.untyped == nil {
		p.untyped = map[uint32]bool{}
	}
	p.untyped[e.id] = u
	return u
}

// expr prints e where literals are taken to have type context.
func (p *printer) expr(e Expr, context Type) {
	if p.full {
		return
	}
	if e.Type() != context && p.isUntyped(e) {
		p.put(e.Type().String() + "(")
		p.bare(e)
		p.put(")")
		return
	}
	p.bare(e)
}

// bare prints e where literals have e's type, or are beside an operand that has it.
func (p *printer) bare(e Expr) {
	op, t := e.Op(), e.Type()
	switch {
	case op == Const:
		p.put(literal(t, e.Value()))
	case op == Var:
		p.put(e.Name())
	case op == Call:
		p.call(e)
	case op == Cast:
		p.function(t.String(), e, t)
	case op == Neg || op == Not || op == BitNot:
		p.put(op.String())
		p.operand(op, false, e.Arg(0), t)
	case op.Prec() > 0:
		p.infix(e)
	case op == IsNaN:
		p.function(op.String(), e, Invalid)
	default:
		p.function(op.String(), e, t)
	}
}

func (p *printer) call(e Expr) {
	p.function(e.Name(), e, I32)
	if i := e.Index(); i > 0 || e.pool.isTuple(e) {
		p.put("[" + strconv.Itoa(i) + "]")
	}
}

// function prints name(operands).
func (p *printer) function(name string, e Expr, context Type) {
	p.put(name + "(")
	for i := range e.NumArgs() {
		if i > 0 {
			p.put(", ")
		}
		p.expr(e.Arg(i), context)
		if p.full {
			return
		}
	}
	p.put(")")
}

func (p *printer) infix(e Expr) {
	op, a, b := e.Op(), e.Arg(0), e.Arg(1)
	context := a.Type()
	if op.IsComparison() && p.isUntyped(a) && p.isUntyped(b) {
		context = I32 // what Read takes two literals for
	}
	p.operand(op, false, a, context)
	if op == Mul || op == Div {
		p.put(op.String())
	} else {
		p.put(" " + op.String() + " ")
	}
	p.operand(op, true, b, context)
}

// operand prints an operand of an infix or prefix operator.
func (p *printer) operand(parent Op, right bool, e Expr, context Type) {
	cast := e.Type() != context && p.isUntyped(e)
	if cast || !needsParens(parent, right, e) {
		p.expr(e, context)
		return
	}
	p.put("(")
	p.expr(e, context)
	p.put(")")
}

// needsParens reports whether e as an operand of parent must stand in parentheses, so that
// both C and Go read it as that operand. It must where the two disagree (& | ^ << >> beside
// other operators), and && beside || for the reader's sake.
func needsParens(parent Op, right bool, e Expr) bool {
	op := e.Op()
	switch {
	case parent == Neg && op == Const:
		return true // -5 is a literal
	case op == Neg || op == Const && isNegative(e):
		return right || parent == Neg || parent.Prec() == Mul.Prec()
	case op.Prec() == 0:
		return false
	case parent.Prec() == 0:
		return true // a prefix operator
	case isArith(op) && isArith(parent):
		return op.Prec() < parent.Prec() || op.Prec() == parent.Prec() && right
	case isArith(op) && parent.IsComparison():
		return false
	case op.IsComparison() && (parent == And || parent == Or):
		return false
	}
	return op != parent || right || op.IsComparison()
}

func isArith(op Op) bool { return op >= Add && op <= Mod }

// isNegative reports whether a literal prints with a minus sign.
func isNegative(e Expr) bool { return strings.HasPrefix(literal(e.Type(), e.Value()), "-") }

// literal is the text of a value of type t.
func literal(t Type, v uint64) string {
	switch {
	case t == Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		return floatLiteral(t, Float(t, v))
	case t.Bits() >= 32 && v == t.Max():
		return "tmax"
	case t.IsUnsigned():
		return strconv.FormatUint(v, 10)
	case t.Bits() >= 32 && v == t.Min():
		return "tmin"
	}
	return strconv.FormatInt(int64(v), 10)
}

func floatLiteral(t Type, f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, t.Bits())
	switch s {
	case "NaN":
		return "nan"
	case "+Inf":
		return "inf"
	case "-Inf":
		return "-inf"
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
