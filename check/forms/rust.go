package forms

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// ownTypes are the types of languages that call them as package ir does.
var ownTypes = func() map[ir.Type]string {
	types := map[ir.Type]string{}
	for t := ir.Bool; t <= ir.F64; t++ {
		types[t] = t.String()
	}
	return types
}()

// rayon is Rust, for reduce of a parallel iterator, which keeps the order of elements.
var rayon = &form{name: "rayon", identity: true, types: ownTypes, literal: rustLiteral, term: rustTerm,
	let: func(name, _, text string) string { return "let " + name + " = " + text + ";" }, operand: tupleOperand, render: renderRayon}

// tupleOperand is a component of a tuple x.0.
func tupleOperand(side string, i, n int) string {
	if n == 1 {
		return side
	}
	return fmt.Sprintf("%s.%d", side, i)
}

func rustLiteral(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		switch f := ir.Float(t, v); {
		case math.IsInf(f, 1):
			return t.String() + "::INFINITY"
		case math.IsInf(f, -1):
			return t.String() + "::NEG_INFINITY"
		case math.IsNaN(f):
			return t.String() + "::NAN"
		default:
			return "(" + decimal(t, f) + "_" + t.String() + ")"
		}
	case t.IsSigned() && int64(v) < 0:
		return fmt.Sprintf("(%d_%s)", int64(v), t)
	}
	return fmt.Sprintf("%d_%s", v, t)
}

// decimal is a finite float with a point or an exponent.
func decimal(t ir.Type, f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, t.Bits())
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func rustTerm(_ *writer, e ir.Expr, args []string) string {
	t := e.Type()
	wrapping := map[ir.Op]string{ir.Add: "wrapping_add", ir.Sub: "wrapping_sub", ir.Mul: "wrapping_mul", ir.SatAdd: "saturating_add", ir.SatSub: "saturating_sub"}
	switch op := e.Op(); op {
	case ir.Add, ir.Sub, ir.Mul, ir.SatAdd, ir.SatSub:
		if t.IsFloat() {
			return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
		}
		return fmt.Sprintf("%s.%s(%s)", args[0], wrapping[op], args[1])
	case ir.Div, ir.Mod, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shl, ir.Shr, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne, ir.And, ir.Or:
		return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
	case ir.Not, ir.BitNot:
		return "(!" + args[0] + ")"
	case ir.Neg:
		if t.IsFloat() {
			return "(-" + args[0] + ")"
		}
		return args[0] + ".wrapping_neg()"
	case ir.Abs:
		if t.IsFloat() {
			return args[0] + ".abs()"
		} else if t.IsSigned() {
			return args[0] + ".wrapping_abs()"
		}
		return args[0]
	case ir.Max, ir.Min:
		return fmt.Sprintf("%s.%s(%s)", args[0], op, args[1])
	case ir.IsNaN:
		return args[0] + ".is_nan()"
	case ir.Sqrt, ir.Exp, ir.Sin, ir.Cos, ir.Tanh, ir.Floor:
		return fmt.Sprintf("%s.%s()", args[0], op)
	case ir.Log:
		return args[0] + ".ln()"
	case ir.Log1p:
		return args[0] + ".ln_1p()"
	case ir.Select:
		return fmt.Sprintf("(if %s { %s } else { %s })", args[0], args[1], args[2])
	case ir.Cast:
		if e.Arg(0).Type() == ir.Bool && t.IsFloat() {
			return fmt.Sprintf("((%s as u8) as %s)", args[0], t)
		}
		return fmt.Sprintf("(%s as %s)", args[0], t)
	}
	return ""
}

// tupled is one text as it is, and several in parentheses.
func tupled(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func renderRayon(o *operator) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%suse rayon::prelude::*;\n\nfn %s_combine(x: %s, y: %s) -> %s {\n", commented("//", o), o.name, tupled(o.types), tupled(o.types), tupled(o.types))
	for _, l := range o.lets {
		b.WriteString("    " + l + "\n")
	}
	fmt.Fprintf(&b, "    %s\n}\n\nfn %s(items: impl ParallelIterator<Item = %s>) -> %s {\n    items.reduce(|| %s, %s_combine)\n}\n",
		tupled(o.results), o.name, tupled(o.types), tupled(o.types), tupled(o.identity), o.name)
	return b.String()
}
