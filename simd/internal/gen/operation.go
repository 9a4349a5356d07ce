package main

import "fmt"

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
	if e.Integer() {
		list = append(list, operation{"And", "and", "and", "And"}, operation{"Or", "or", "or", "Or"}, operation{"Xor", "xor", "xor", "Xor"})
	}
	return list
}

func (e element) Unary() []operation {
	list := []operation{{"Neg", "neg", "neg", "Neg"}}
	switch {
	case e.Float():
		list = append(list, operation{"Abs", "abs", "absFloat", "Abs"})
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
	return []relation{{"Eq", "eq", "Equal"}, {"Lt", "lt", "Less"}}
}
