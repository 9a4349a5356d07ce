package main

import (
	"fmt"
	"strings"
)

// operation is a kernel: its field in the table, its function less the type, the
// twin that does the tail, and the vector operation.
type operation struct {
	Field, Func, Twin, Op string
}

func (e element) Binary() []operation {
	list := []operation{
		{"Add", "add", "add", "Add"},
		{"Sub", "sub", "sub", "Sub"},
		{"Min", "min", "minimum", "Min"},
		{"Max", "max", "maximum", "Max"},
	}
	if e.Mul() {
		list = append(list, operation{"Mul", "mul", "mul", "Mul"})
	}
	if e.Float() {
		list = append(list, operation{"Div", "div", "div", "Div"})
	} else {
		list = append(list, operation{"And", "and", "and", "And"}, operation{"Or", "or", "or", "Or"}, operation{"Xor", "xor", "xor", "Xor"})
	}
	if e.Integer() && e.Small() {
		list = append(list, operation{"AddSat", "addSat", "addSat", "AddSaturated"}, operation{"SubSat", "subSat", "subSat", "SubSaturated"})
	}
	return list
}

// fused is a kernel that multiplies and adds in one pass: its field and function, what it
// takes, and what it does to vectors, given how an operand is loaded.
type fused struct {
	Field, Func string
	Operands    []string
	form        string
}

func (e element) Fused() []fused {
	return []fused{
		{"MulAdd", "mulAdd", []string{"a", "b", "c"}, "%[1]s.Mul(%[2]s).Add(%[3]s)"},
		{"MulAddMul", "mulAddMul", []string{"a", "b", "c", "d"}, "%[1]s.Mul(%[2]s).Add(%[3]s.Mul(%[4]s))"},
		{"MulSubMul", "mulSubMul", []string{"a", "b", "c", "d"}, "%[1]s.Mul(%[2]s).Sub(%[3]s.Mul(%[4]s))"},
	}
}

// Vector is the result at a place of the operands.
func (f fused) Vector(load, at string) string {
	var loads []any
	for _, o := range f.Operands {
		loads = append(loads, fmt.Sprintf("%s(%s%s)", load, o, at))
	}
	return fmt.Sprintf(f.form, loads...)
}

// Names are the operands, with something behind each.
func (f fused) Names(behind string) string {
	return strings.Join(f.Operands, behind+", ") + behind
}

// Long reports that all of dst and the operands have so many elements left.
func (f fused) Long(n string) string {
	text := "len(dst) >= " + n
	for _, o := range f.Operands {
		text += fmt.Sprintf(" && len(%s) >= %s", o, n)
	}
	return text
}

func (e element) Unary() []operation {
	list := []operation{{"Neg", "neg", "neg", "Neg"}}
	switch {
	case e.Float():
		list = append(list, operation{"Abs", "abs", "absFloat", "Abs"}, operation{"Sqrt", "sqrt", "sqrt", "Sqrt"})
	case e.Signed():
		list = append(list, operation{"Abs", "abs", "abs", "Abs"}, operation{"Not", "not", "not", "Not"})
	default:
		list = append(list, operation{"Not", "not", "not", "Not"})
	}
	return list
}

// Apply is an operation on vectors; where the portable package lacks it, it is
// composed, in place or by a function.
func (e element) Apply(op, x, y string) string {
	n := e.Name()
	switch {
	case op == "Min" && (e.Float() || e.Long()):
		return fmt.Sprintf("lesser%ss(%s, %s)", n, x, y)
	case op == "Max" && (e.Float() || e.Long()):
		return fmt.Sprintf("greater%ss(%s, %s)", n, x, y)
	case op == "Abs" && e.Long():
		return fmt.Sprintf("absInt64s(%s)", x)
	case op == "Neg" && e.Unsigned():
		return fmt.Sprintf("%s{}.Sub(%s)", e.Vec(), x)
	case y == "":
		return fmt.Sprintf("%s.%s()", x, op)
	}
	return fmt.Sprintf("%s.%s(%s)", x, op, y)
}

// relation is a comparison: its field, its twin, and the method on vectors.
type relation struct{ Field, Func, Method string }

func (e element) Relations() []relation {
	return []relation{{"Eq", "eq", "Equal"}, {"Ne", "ne", "NotEqual"}, {"Lt", "lt", "Less"}, {"Le", "le", "LessEqual"}, {"Gt", "gt", "Greater"}, {"Ge", "ge", "GreaterEqual"}}
}
