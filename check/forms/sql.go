package forms

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// sql is an aggregate of PostgreSQL with a function that merges states, which parallel plans call in any order. PostgreSQL has no
// numbers without sign, and its integers fail where they overflow, so that arithmetic of floats and what does not overflow remain.
var sql = &form{name: "sql", commutes: true, identity: true, types: sqlTypes, literal: sqlLiteral, term: sqlTerm,
	operand: func(side string, i, n int) string {
		if n == 1 {
			return side
		}
		return fmt.Sprintf("(%s).x%d", side, i)
	}, render: renderSQL}

var sqlTypes = map[ir.Type]string{ir.Bool: "boolean", ir.I16: "smallint", ir.I32: "integer", ir.I64: "bigint", ir.F32: "real", ir.F64: "double precision"}

func sqlLiteral(t ir.Type, v uint64) string {
	text := strconv.FormatInt(int64(v), 10)
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		f := ir.Float(t, v)
		text = strconv.FormatFloat(f, 'g', -1, t.Bits())
		if math.IsInf(f, 0) {
			text = strings.Replace(strings.TrimPrefix(text, "+"), "Inf", "Infinity", 1)
		}
	}
	return fmt.Sprintf("'%s'::%s", text, sqlTypes[t])
}

func sqlTerm(_ *writer, e ir.Expr, args []string) string {
	t := e.Type()
	of := e.Arg(0).Type()
	names := map[ir.Op]string{ir.Abs: "abs", ir.Sqrt: "sqrt", ir.Exp: "exp", ir.Log: "ln", ir.Sin: "sin", ir.Cos: "cos", ir.Tanh: "tanh", ir.Floor: "floor"}
	switch op := e.Op(); op {
	case ir.Add, ir.Sub, ir.Mul, ir.Div:
		if t.IsFloat() {
			return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
		}
	case ir.BitAnd, ir.BitOr:
		return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
	case ir.BitXor:
		return fmt.Sprintf("(%s # %s)", args[0], args[1])
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		if !of.IsFloat() { // NaN is the greatest number there
			return fmt.Sprintf("(%s %s %s)", args[0], infix[op], args[1])
		}
	case ir.Eq, ir.Ne:
		if !of.IsFloat() {
			return fmt.Sprintf("(%s %s %s)", args[0], map[ir.Op]string{ir.Eq: "=", ir.Ne: "<>"}[op], args[1])
		}
	case ir.And, ir.Or:
		return fmt.Sprintf("(%s %s %s)", args[0], map[ir.Op]string{ir.And: "AND", ir.Or: "OR"}[op], args[1])
	case ir.Not:
		return "(NOT " + args[0] + ")"
	case ir.BitNot:
		return "(~" + args[0] + ")"
	case ir.Neg:
		if t.IsFloat() {
			return "(-" + args[0] + ")"
		}
	case ir.Max, ir.Min:
		return fmt.Sprintf("%s(%s, %s)", map[ir.Op]string{ir.Max: "greatest", ir.Min: "least"}[op], args[0], args[1])
	case ir.Select:
		return fmt.Sprintf("(CASE WHEN %s THEN %s ELSE %s END)", args[0], args[1], args[2])
	default:
		if t.IsFloat() && names[op] != "" {
			return names[op] + "(" + args[0] + ")"
		}
	}
	return ""
}

func renderSQL(o *operator) string {
	head, state := commented("--", o), o.types[0]
	result, initial := o.results[0], strings.Trim(strings.Split(o.identity[0], "::")[0], "'")
	if len(o.types) > 1 {
		var fields, starts []string
		for i, t := range o.types {
			fields = append(fields, fmt.Sprintf("x%d %s", i, t))
			starts = append(starts, strings.Trim(strings.Split(o.identity[i], "::")[0], "'"))
		}
		state = o.name + "_state"
		head += fmt.Sprintf("CREATE TYPE %s AS (%s);\n", state, strings.Join(fields, ", "))
		result, initial = fmt.Sprintf("ROW(%s)::%s", strings.Join(o.results, ", "), state), "("+strings.Join(starts, ",")+")"
	}
	return head + fmt.Sprintf("CREATE FUNCTION %[1]s_merge(x %[2]s, y %[2]s) RETURNS %[2]s\n  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE\n  RETURN %[3]s;\n"+
		"CREATE AGGREGATE %[1]s(%[2]s) (\n  SFUNC = %[1]s_merge, STYPE = %[2]s, COMBINEFUNC = %[1]s_merge, INITCOND = '%[4]s', PARALLEL = SAFE\n);\n", o.name, state, result, initial)
}
