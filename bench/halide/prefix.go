package halide

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// words are the names that the driver has for operators. It reads no others.
var words = map[ir.Op]string{
	ir.Neg: "neg", ir.Not: "not", ir.BitNot: "bitnot", ir.Abs: "abs", ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul",
	ir.Min: "min", ir.Max: "max", ir.And: "and", ir.Or: "or", ir.BitAnd: "bitand", ir.BitOr: "bitor", ir.BitXor: "bitxor",
	ir.Lt: "lt", ir.Le: "le", ir.Gt: "gt", ir.Ge: "ge", ir.Eq: "eq", ir.Ne: "ne", ir.Select: "select",
}

// prefix writes the components of an update in the prefix notation of the driver, separated by semicolons.
// It reports whether the driver reads all operators and types of the update: those are bool, i32 and f32.
func prefix(values []ir.Expr) (text string, ok bool) {
	components := make([]string, len(values))
	for i, v := range values {
		var b strings.Builder
		if !writePrefix(&b, v) {
			return "", false
		}
		components[i] = strings.TrimPrefix(b.String(), " ")
	}
	return strings.Join(components, ";"), true
}

func writePrefix(b *strings.Builder, e ir.Expr) bool {
	if t := e.Type(); t != ir.I32 && t != ir.F32 && t != ir.Bool {
		return false
	}
	switch e.Op() {
	case ir.Const:
		fmt.Fprintf(b, " c:%s:%d", e.Type(), e.Value())
		return true
	case ir.Var:
		kind, known := map[ir.VarKind]string{ir.State: "x", ir.Leaf: "y", ir.Param: "k", ir.Coord: "r"}[e.Kind()]
		fmt.Fprintf(b, " %s:%s:%d", kind, e.Type(), e.Index())
		return known
	}
	word, known := words[e.Op()]
	if !known {
		return false
	}
	b.WriteString(" " + word)
	for i := range e.NumArgs() {
		if !writePrefix(b, e.Arg(i)) {
			return false
		}
	}
	return true
}
