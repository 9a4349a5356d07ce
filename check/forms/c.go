package forms

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

var cTypes = map[ir.Type]string{ir.Bool: "bool", ir.I8: "int8_t", ir.I16: "int16_t", ir.I32: "int32_t", ir.I64: "int64_t", ir.U8: "uint8_t", ir.U16: "uint16_t",
	ir.U32: "uint32_t", ir.U64: "uint64_t", ir.F32: "float", ir.F64: "double"}

// openmp is C and C++ with a declared reduction.
var openmp = &form{name: "openmp", commutes: true, identity: true, types: cTypes, literal: cLiteral, term: cTerm,
	let: cLet, operand: cOperand, render: renderOpenMP}

// cpp is a functor for std::reduce, std::transform_reduce and std::inclusive_scan.
var cpp = &form{name: "cpp", commutes: true, types: cTypes, literal: cLiteral, term: cTerm, let: cLet, operand: cOperand, render: renderCPP}

func cLet(name, typ, text string) string { return "const " + typ + " " + name + " = " + text + ";" }

func cOperand(side string, i, n int) string {
	if n == 1 {
		return side
	}
	if side == "x" {
		return fmt.Sprintf("x->x%d", i)
	}
	return fmt.Sprintf("y->x%d", i)
}

func cLiteral(t ir.Type, v uint64) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		return cFloat(t, ir.Float(t, v))
	case t == ir.I64 && int64(v) == math.MinInt64:
		return "INT64_MIN"
	case t == ir.I64:
		return fmt.Sprintf("INT64_C(%d)", int64(v))
	case t == ir.U64:
		return fmt.Sprintf("UINT64_C(%d)", v)
	case t == ir.I32 && int64(v) == math.MinInt32:
		return "INT32_MIN"
	case t.IsSigned():
		return strconv.FormatInt(int64(v), 10)
	}
	return fmt.Sprintf("%du", v)
}

func cFloat(t ir.Type, f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "INFINITY"
	case math.IsInf(f, -1):
		return "-INFINITY"
	case math.IsNaN(f):
		return "NAN"
	}
	text := strconv.FormatFloat(f, 'g', -1, t.Bits())
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if t == ir.F32 {
		text += "f"
	}
	return text
}

// cMath are the functions of <math.h>; those of float end in f.
var cMath = map[ir.Op]string{ir.Sqrt: "sqrt", ir.Exp: "exp", ir.Log: "log", ir.Log1p: "log1p", ir.Sin: "sin", ir.Cos: "cos", ir.Tanh: "tanh", ir.Floor: "floor"}

var infix = map[ir.Op]string{ir.Add: "+", ir.Sub: "-", ir.Mul: "*", ir.Div: "/", ir.Mod: "%", ir.BitAnd: "&", ir.BitOr: "|", ir.BitXor: "^", ir.Shl: "<<", ir.Shr: ">>",
	ir.Lt: "<", ir.Le: "<=", ir.Gt: ">", ir.Ge: ">=", ir.Eq: "==", ir.Ne: "!=", ir.And: "&&", ir.Or: "||"}

// cTerm writes arithmetic of signed numbers as that of numbers without sign of 32 or 64 bits, which wraps.
func cTerm(w *writer, e ir.Expr, args []string) string {
	t := e.Type()
	of := e.Arg(0).Type()
	wide := "uint64_t"
	if t.Bits() <= 32 {
		wide = "uint32_t"
	}
	wrap := func(format string, operands ...any) string {
		for i, a := range operands {
			operands[i] = fmt.Sprintf("(%s)%s", wide, a)
		}
		return fmt.Sprintf("(%s)("+format+")", append([]any{cTypes[t]}, operands...)...)
	}
	switch op := e.Op(); op {
	case ir.Add, ir.Sub, ir.Mul, ir.Shl:
		if t.IsFloat() {
			return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
		}
		return wrap("%s "+infix[op]+" %s", args[0], args[1])
	case ir.BitAnd, ir.BitOr, ir.BitXor, ir.Shr, ir.Div, ir.Mod:
		if t.IsFloat() || t == ir.Bool {
			return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
		}
		return fmt.Sprintf("(%s)(%s %s %s)", cTypes[t], args[0], infix[op], args[1])
	case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne, ir.And, ir.Or:
		return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
	case ir.Not:
		return "!" + args[0]
	case ir.BitNot:
		return fmt.Sprintf("(%s)~%s", cTypes[t], args[0])
	case ir.Neg:
		if t.IsFloat() {
			return "(-(" + args[0] + "))"
		}
		return wrap("0u - %s", args[0])
	case ir.Max, ir.Min:
		return fmt.Sprintf("(%s %s %s ? %s : %s)", args[0], map[ir.Op]string{ir.Max: ">", ir.Min: "<"}[op], args[1], args[0], args[1])
	case ir.Abs:
		if t.IsFloat() {
			return cFunction("fabs", t, args[0])
		}
		return fmt.Sprintf("(%s < 0 ? %s : %s)", args[0], wrap("0u - %s", args[0]), args[0])
	case ir.IsNaN:
		return fmt.Sprintf("(%s != %s)", args[0], args[0])
	case ir.Select:
		return fmt.Sprintf("(%s ? %s : %s)", args[0], args[1], args[2])
	case ir.Cast:
		return fmt.Sprintf("(%s)%s", cTypes[t], args[0])
	default:
		if name := cMath[op]; name != "" && of.IsFloat() {
			return cFunction(name, t, args[0])
		}
	}
	return ""
}

func cFunction(name string, t ir.Type, arg string) string {
	if t == ir.F32 {
		name += "f"
	}
	return name + "(" + arg + ")"
}

// cBody lists the lines of a function that combines: of a tuple it stores to x.
func cBody(o *operator, indent string) string {
	var b strings.Builder
	for _, l := range o.lets {
		b.WriteString(indent + l + "\n")
	}
	if len(o.types) == 1 {
		return b.String() + indent + "return " + o.results[0] + ";\n"
	}
	for i, text := range o.results {
		fmt.Fprintf(&b, "%sconst %s r%d = %s;\n", indent, o.types[i], i, text)
	}
	for i := range o.results {
		fmt.Fprintf(&b, "%sx->x%d = r%d;\n", indent, i, i)
	}
	return b.String()
}

// cFields declares the components of a tuple.
func cFields(o *operator) string {
	var fields []string
	for i, t := range o.types {
		fields = append(fields, fmt.Sprintf("%s x%d;", t, i))
	}
	return strings.Join(fields, " ")
}

func commented(mark string, o *operator) string {
	return mark + " " + strings.Join(o.note, "\n"+mark+" ") + "\n"
}

func renderOpenMP(o *operator) string {
	head := commented("//", o) + "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n\n"
	if len(o.types) == 1 {
		return head + fmt.Sprintf("static inline %[1]s %[2]s_combine(%[1]s x, %[1]s y) {\n%[3]s}\n#pragma omp declare reduction(%[2]s : %[1]s : omp_out = %[2]s_combine(omp_out, omp_in)) initializer(omp_priv = %[4]s)\n",
			o.types[0], o.name, cBody(o, "  "), o.identity[0])
	}
	var start []string
	for i, e := range o.identity {
		start = append(start, fmt.Sprintf("x->x%d = %s;", i, e))
	}
	return head + fmt.Sprintf("typedef struct { %[3]s } %[1]s_state;\n\nstatic inline void %[1]s_combine(%[1]s_state *x, const %[1]s_state *y) {\n%[2]s}\nstatic inline void %[1]s_start(%[1]s_state *x) { %[4]s }\n"+
		"#pragma omp declare reduction(%[1]s : %[1]s_state : %[1]s_combine(&omp_out, &omp_in)) initializer(%[1]s_start(&omp_priv))\n",
		o.name, cBody(o, "  "), cFields(o), strings.Join(start, " "))
}

func renderCPP(o *operator) string {
	head := commented("//", o) + "#include <cmath>\n#include <cstdint>\n\n"
	if len(o.types) == 1 {
		identity := ""
		if o.identity != nil {
			identity = fmt.Sprintf("  static constexpr %s identity() { return %s; }\n", o.types[0], o.identity[0])
		}
		return head + fmt.Sprintf("struct %[2]s {\n  %[1]s operator()(%[1]s x, %[1]s y) const {\n%[3]s  }\n%[4]s};\n", o.types[0], o.name, cBody(o, "    "), identity)
	}
	identity := ""
	if o.identity != nil {
		identity = fmt.Sprintf("  static constexpr state identity() { return {%s}; }\n", strings.Join(o.identity, ", "))
	}
	return head + fmt.Sprintf("struct %[1]s {\n  struct state { %[2]s };\n  state operator()(state x, const state &y) const {\n    merge(&x, &y);\n    return x;\n  }\n"+
		"  static void merge(state *__restrict x, const state *__restrict y) {\n%[3]s  }\n%[4]s};\n", o.name, cFields(o), cBody(o, "    "), identity)
}
