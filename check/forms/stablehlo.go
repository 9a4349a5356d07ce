package forms

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// stablehlo is the region of stablehlo.reduce, whose runtimes reorder.
var stablehlo = &form{name: "stablehlo", commutes: true, identity: true, lines: true, extrema: true, types: hloTypes, literal: hloLiteral, term: hloTerm,
	let:     func(name, _, text string) string { return name + " = " + text },
	operand: func(side string, i, _ int) string { return fmt.Sprintf("%%%s%d", side, i) }, render: renderStableHLO}

var hloTypes = map[ir.Type]string{ir.Bool: "i1", ir.I8: "i8", ir.I16: "i16", ir.I32: "i32", ir.I64: "i64", ir.U8: "ui8", ir.U16: "ui16", ir.U32: "ui32", ir.U64: "ui64",
	ir.F32: "f32", ir.F64: "f64"}

func tensor(t ir.Type) string { return "tensor<" + hloTypes[t] + ">" }

func hloLiteral(t ir.Type, v uint64) string {
	text := strconv.FormatUint(v, 10)
	switch {
	case t == ir.Bool:
		text = strconv.FormatBool(v != 0)
	case t.IsFloat():
		if f := ir.Float(t, v); math.IsInf(f, 0) || math.IsNaN(f) {
			text = fmt.Sprintf("0x%0*X", t.Bits()/4, v)
		} else {
			text = strconv.FormatFloat(f, 'e', -1, t.Bits())
			if !strings.Contains(text, ".") {
				text = strings.Replace(text, "e", ".0e", 1)
			}
		}
	case t.IsSigned():
		text = strconv.FormatInt(int64(v), 10)
	}
	return fmt.Sprintf("stablehlo.constant dense<%s> : %s", text, tensor(t))
}

var hloNames = map[ir.Op]string{ir.Add: "add", ir.Sub: "subtract", ir.Mul: "multiply", ir.Div: "divide", ir.Mod: "remainder", ir.Max: "maximum", ir.Min: "minimum",
	ir.And: "and", ir.Or: "or", ir.Not: "not", ir.BitAnd: "and", ir.BitOr: "or", ir.BitXor: "xor", ir.BitNot: "not", ir.Shl: "shift_left", ir.Neg: "negate", ir.Abs: "abs",
	ir.Sqrt: "sqrt", ir.Exp: "exponential", ir.Log: "log", ir.Log1p: "log_plus_one", ir.Sin: "sine", ir.Cos: "cosine", ir.Tanh: "tanh", ir.Floor: "floor",
	ir.PopCount: "popcnt", ir.Clz: "count_leading_zeros"}

// hloTerm writes an operation, of which each is a line.
func hloTerm(_ *writer, e ir.Expr, args []string) string {
	t := e.Type()
	of := e.Arg(0).Type()
	operands := strings.Join(args, ", ")
	compare := map[ir.Op]string{ir.Lt: "LT", ir.Le: "LE", ir.Gt: "GT", ir.Ge: "GE", ir.Eq: "EQ", ir.Ne: "NE"}
	switch op := e.Op(); {
	case compare[op] != "":
		kind := "FLOAT"
		if of.IsSigned() {
			kind = "SIGNED"
		} else if !of.IsFloat() {
			kind = "UNSIGNED"
		}
		return fmt.Sprintf("stablehlo.compare %s, %s, %s : (%s, %s) -> tensor<i1>", compare[op], operands, kind, tensor(of), tensor(of))
	case op == ir.IsNaN:
		return fmt.Sprintf("stablehlo.compare NE, %s, %s, FLOAT : (%s, %s) -> tensor<i1>", args[0], args[0], tensor(of), tensor(of))
	case op == ir.Select:
		return fmt.Sprintf("stablehlo.select %s : tensor<i1>, %s", operands, tensor(t))
	case op == ir.Cast && of.IsInt() && t.IsInt() && (t.Bits() <= of.Bits() || of.IsSigned() && t.IsUnsigned()), op == ir.Abs && t.IsUnsigned():
		return "" // a conversion that does not keep the number is not defined
	case op == ir.Cast:
		return fmt.Sprintf("stablehlo.convert %s : (%s) -> %s", operands, tensor(of), tensor(t))
	case op == ir.Shr && t.IsSigned():
		return fmt.Sprintf("stablehlo.shift_right_arithmetic %s : %s", operands, tensor(t))
	case op == ir.Shr:
		return fmt.Sprintf("stablehlo.shift_right_logical %s : %s", operands, tensor(t))
	case hloNames[op] != "":
		return fmt.Sprintf("stablehlo.%s %s : %s", hloNames[op], operands, tensor(t))
	}
	return ""
}

func renderStableHLO(o *operator) string {
	var inputs, inits, pairs, arguments, results []string
	var b strings.Builder
	b.WriteString(commented("//", o))
	n := len(o.types)
	for i, t := range o.types {
		scalar := "tensor<" + t + ">"
		inputs = append(inputs, fmt.Sprintf("%%in%d: tensor<?x%s>", i, t))
		inits = append(inits, fmt.Sprintf("    %%e%d = %s", i, o.identity[i]))
		pairs = append(pairs, fmt.Sprintf("(%%in%d init: %%e%d)", i, i))
		arguments = append(arguments, fmt.Sprintf("(%%x%d: %s, %%y%d: %s)", i, scalar, i, scalar))
		results = append(results, scalar)
	}
	list := strings.Join(results, ", ")
	returns, whole := list, "%r"
	var parts []string
	for i := range o.types {
		parts = append(parts, fmt.Sprintf("%%r#%d", i))
	}
	used := strings.Join(parts, ", ")
	if n > 1 {
		returns, whole = "("+list+")", fmt.Sprintf("%%r:%d", n)
	} else {
		used = "%r"
	}
	var vectors []string
	for _, t := range o.types {
		vectors = append(vectors, "tensor<?x"+t+">")
	}
	fmt.Fprintf(&b, "func.func @%s(%s) -> %s {\n%s\n    %s = stablehlo.reduce%s across dimensions = [0] : (%s, %s) -> %s\n     reducer%s {\n",
		o.name, strings.Join(inputs, ", "), returns, strings.Join(inits, "\n"), whole, strings.Join(pairs, ", "), strings.Join(vectors, ", "), list, returns, strings.Join(arguments, " "))
	for _, l := range o.lets {
		b.WriteString("      " + l + "\n")
	}
	fmt.Fprintf(&b, "      stablehlo.return %s : %s\n    }\n    return %s : %s\n}\n", strings.Join(o.results, ", "), list, used, list)
	return b.String()
}
