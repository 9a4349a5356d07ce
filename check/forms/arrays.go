package forms

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// futhark is for reduce, or reduce_comm where the operator commutes.
var futhark = &form{name: "futhark", identity: true, types: ownTypes, literal: futharkLiteral, term: futharkTerm,
	let: func(name, _, text string) string { return "let " + name + " = " + text }, operand: tupleOperand, render: renderFuthark}

func futharkLiteral(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		switch f := ir.Float(t, v); {
		case math.IsInf(f, 1):
			return t.String() + ".inf"
		case math.IsInf(f, -1):
			return "(-" + t.String() + ".inf)"
		case math.IsNaN(f):
			return t.String() + ".nan"
		default:
			return "(" + decimal(t, f) + t.String() + ")"
		}
	case t == ir.I64 && int64(v) == math.MinInt64:
		return "i64.lowest"
	case t.IsSigned():
		return fmt.Sprintf("(%d%s)", int64(v), t)
	}
	return fmt.Sprintf("%d%s", v, t)
}

func futharkTerm(_ *writer, e ir.Expr, args []string) string {
	t := e.Type()
	of := e.Arg(0).Type()
	switch op := e.Op(); op {
	case ir.Eq, ir.Ne, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shl, ir.Shr, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.And, ir.Or:
		return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
	case ir.Not:
		return "(!" + args[0] + ")"
	case ir.BitNot:
		return "(!" + args[0] + ")"
	case ir.Neg:
		return "(-" + args[0] + ")"
	case ir.Max, ir.Min:
		return fmt.Sprintf("(%s.%s %s %s)", t, op, args[0], args[1])
	case ir.Abs, ir.Sqrt, ir.Exp, ir.Log, ir.Log1p, ir.Sin, ir.Cos, ir.Tanh, ir.Floor:
		return fmt.Sprintf("(%s.%s %s)", t, op, args[0])
	case ir.IsNaN:
		return fmt.Sprintf("(%s.isnan %s)", of, args[0])
	case ir.Select:
		return fmt.Sprintf("(if %s then %s else %s)", args[0], args[1], args[2])
	case ir.Cast:
		return fmt.Sprintf("(%s.%s %s)", t, of, args[0])
	}
	return ""
}

func renderFuthark(o *operator) string {
	reduce := "reduce"
	if o.commutes {
		reduce = "reduce_comm"
	}
	operand := func(side string) string { return fmt.Sprintf("(%s: %s)", side, tupled(o.types)) }
	var b strings.Builder
	fmt.Fprintf(&b, "%sdef %s_combine %s %s: %s =\n", commented("--", o), o.name, operand("x"), operand("y"), tupled(o.types))
	for _, l := range o.lets {
		b.WriteString("  " + l + "\n")
	}
	if len(o.lets) > 0 {
		b.WriteString("  in " + tupled(o.results) + "\n")
	} else {
		b.WriteString("  " + tupled(o.results) + "\n")
	}
	fmt.Fprintf(&b, "\ndef %s [n] (xs: [n]%s): %s = %s %s_combine %s xs\n", o.name, tupled(o.types), tupled(o.types), reduce, o.name, tupled(o.identity))
	return b.String()
}

// jax is for jax.lax.associative_scan, which keeps the order of elements.
var jax = &form{name: "jax", types: jaxTypes, literal: jaxLiteral, term: jaxTerm,
	let: func(name, _, text string) string { return name + " = " + text }, operand: jaxOperand, render: renderJAX}

var jaxTypes = map[ir.Type]string{ir.Bool: "bool_", ir.I8: "int8", ir.I16: "int16", ir.I32: "int32", ir.I64: "int64", ir.U8: "uint8", ir.U16: "uint16",
	ir.U32: "uint32", ir.U64: "uint64", ir.F32: "float32", ir.F64: "float64"}

func jaxOperand(side string, i, n int) string {
	if n == 1 {
		return side
	}
	return fmt.Sprintf("%s%d", side, i)
}

func jaxLiteral(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool && v != 0:
		return "True"
	case t == ir.Bool:
		return "False"
	case t.IsFloat():
		f := ir.Float(t, v)
		text := decimal(t, f)
		if math.IsInf(f, 0) || math.IsNaN(f) {
			text = strings.ToLower(fmt.Sprintf("float(%q)", strconv.FormatFloat(f, 'g', -1, 64)))
		}
		return fmt.Sprintf("jnp.%s(%s)", jaxTypes[t], text)
	case t.IsSigned():
		return fmt.Sprintf("jnp.%s(%d)", jaxTypes[t], int64(v))
	}
	return fmt.Sprintf("jnp.%s(%d)", jaxTypes[t], v)
}

func jaxTerm(_ *writer, e ir.Expr, args []string) string {
	names := map[ir.Op]string{ir.Max: "maximum", ir.Min: "minimum", ir.Abs: "abs", ir.Sqrt: "sqrt", ir.Exp: "exp", ir.Log: "log", ir.Log1p: "log1p", ir.Sin: "sin",
		ir.Cos: "cos", ir.Tanh: "tanh", ir.Floor: "floor", ir.IsNaN: "isnan", ir.Select: "where"}
	switch op := e.Op(); op {
	case ir.Mod, ir.Div:
		if e.Type().IsInt() {
			return fmt.Sprintf("(%s %s %s)", args[0], map[ir.Op]string{ir.Div: "//", ir.Mod: "%"}[op], args[1])
		}
		return fmt.Sprintf("(%s / %s)", args[0], args[1])
	case ir.And, ir.Or:
		return fmt.Sprintf("(%s %s %s)", args[0], infix[op][:1], args[1])
	case ir.Not, ir.BitNot:
		return "(~" + args[0] + ")"
	case ir.Neg:
		return "(-" + args[0] + ")"
	case ir.Cast:
		return fmt.Sprintf("%s.astype(jnp.%s)", args[0], jaxTypes[e.Type()])
	default:
		if mark := infix[op]; mark != "" {
			return fmt.Sprintf("(%s %s %s)", args[0], mark, args[1])
		} else if names[op] != "" {
			return fmt.Sprintf("jnp.%s(%s)", names[op], strings.Join(args, ", "))
		}
	}
	return ""
}

func renderJAX(o *operator) string {
	var b strings.Builder
	operand := func(side string) (names []string) {
		for i := range o.types {
			names = append(names, jaxOperand(side, i, len(o.types)))
		}
		return names
	}
	if strings.Contains(strings.Join(o.types, " "), "64") {
		o.note = append(o.note, `Numbers of 64 bits need jax.config.update("jax_enable_x64", True).`)
	}
	fmt.Fprintf(&b, "%simport jax\nimport jax.numpy as jnp\n\ndef %s_combine(x, y):\n", commented("#", o), o.name)
	if len(o.types) > 1 {
		fmt.Fprintf(&b, "    %s = x\n    %s = y\n", strings.Join(operand("x"), ", "), strings.Join(operand("y"), ", "))
	}
	for _, l := range o.lets {
		b.WriteString("    " + l + "\n")
	}
	fmt.Fprintf(&b, "    return %s\n\ndef %s(xs, axis=0):  # arrays of %s\n    return jax.lax.associative_scan(%s_combine, xs, axis=axis)\n",
		tupled(o.results), o.name, strings.Join(o.types, ", "), o.name)
	return b.String()
}
