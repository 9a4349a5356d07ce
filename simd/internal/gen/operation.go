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

// fold is a reduction by one operation. Start is what its accumulators hold at
// first, Before is done to each element, Merge folds the lanes.
type fold struct {
	operation
	Start, Before, Merge string
}

func (e element) Folds() []fold {
	zero, addAbs, maxAbs := "0", "addAbs", "maxAbs"
	if e.Float() {
		zero, addAbs = "-zero"+e.Name(), "addAbsFloat" // −0 is the identity
	}
	list := []fold{{operation{"Add", "reduceAdd", "reduceAdd", "Add"}, zero, "", "reduceAdd"}}
	if e.Mul() {
		list = append(list, fold{operation{"Mul", "reduceMul", "reduceMul", "Mul"}, "1", "", "reduceMul"})
	}
	if !e.Unsigned() {
		list = append(list, fold{operation{"AddAbs", "addAbs", addAbs, "Add"}, zero, "Abs", "reduceAdd"})
	}
	if e.Float() {
		return list
	}
	list = append(list,
		fold{operation{"Min", "reduceMin", "reduceMin", "Min"}, "init", "", "reduceMin"},
		fold{operation{"Max", "reduceMax", "reduceMax", "Max"}, "init", "", "reduceMax"},
		fold{operation{"And", "reduceAnd", "reduceAnd", "And"}, "init", "", "reduceAnd"},
		fold{operation{"Or", "reduceOr", "reduceOr", "Or"}, "init", "", "reduceOr"},
		fold{operation{"Xor", "reduceXor", "reduceXor", "Xor"}, "0", "", "reduceXor"},
	)
	if e.Signed() {
		list = append(list, fold{operation{"MaxAbs", "maxAbs", maxAbs, "Max"}, "init", "Abs", "reduceMax"})
	}
	return list
}

// Beside are the folds that Several does. Bitwise ones are left out: the compiler of Go 1.27
// makes one instruction of two that meet, which its assembler does not know.
func (e element) Beside() (list []fold) {
	for _, f := range e.Folds() {
		if f.Op != "And" && f.Op != "Or" && f.Op != "Xor" {
			list = append(list, f)
		}
	}
	if e.Mul() {
		zero := list[0].Start // of Add
		list = append(list, fold{operation{Field: "Squares", Func: "squares", Op: "Add"}, zero, "Square", "reduceAdd"})
	}
	return list
}

// pass is a loop over a part of what Several is given: folds that are often wanted together
// share one, so that elements are loaded once.
type pass struct {
	Folds  []fold
	Wanted string // the condition
}

func (e element) Passes() (list []pass) {
	partner := map[string]string{"Add": "Squares", "Min": "Max", "AddAbs": "MaxAbs"}
	byName, second := map[string]fold{}, map[string]string{}
	for _, f := range e.Beside() {
		byName[f.Field] = f
	}
	for first, other := range partner {
		second[other] = first
	}
	want := func(name string) string { return fmt.Sprintf("f.Want[Fold%s]", name) }
	for _, f := range e.Beside() {
		name := f.Field
		other, both := byName[partner[name]]
		if both {
			list = append(list, pass{[]fold{f, other}, want(name) + " && " + want(other.Field)})
		} else {
			other, both = byName[second[name]]
		}
		wanted := want(name)
		if both {
			wanted += " && !" + want(other.Field)
		}
		list = append(list, pass{[]fold{f}, wanted})
	}
	return list
}

// Several tells whether lanes are wide enough to count in.
func (e element) Several() bool { return !e.Small() }

// SeveralSteps are the vectors of a turn with the accumulators that take them.
func (e element) SeveralSteps() []struct{ Sum, At string } {
	var out []struct{ Sum, At string }
	for i, at := range e.Steps() {
		out = append(out, struct{ Sum, At string }{fmt.Sprint(i % 2), at})
	}
	return out
}

// Step is one turn of a fold.
func (e element) Step(f fold, sum, load string) string {
	if f.Before != "" {
		load = e.Apply(f.Before, load, "")
	}
	return e.Apply(f.Op, sum, load)
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
	case op == "Square":
		return fmt.Sprintf("%s.Mul(%s)", x, x)
	case op == "Neg" && e.Unsigned():
		return fmt.Sprintf("%s{}.Sub(%s)", e.Vec(), x)
	case y == "":
		return fmt.Sprintf("%s.%s()", x, op)
	}
	return fmt.Sprintf("%s.%s(%s)", x, op, y)
}

// MaxBits is the maximum of two vectors of signed integers of the float's width.
func (e element) MaxBits(x, y string) string {
	return element{fmt.Sprint("int", e.Bits), e.Bits}.Apply("Max", x, y)
}

// relation is a comparison: its field, its twin, and the method on vectors.
type relation struct{ Field, Func, Method string }

func (e element) Relations() []relation {
	return []relation{{"Eq", "eq", "Equal"}, {"Ne", "ne", "NotEqual"}, {"Lt", "lt", "Less"}, {"Le", "le", "LessEqual"}, {"Gt", "gt", "Greater"}, {"Ge", "ge", "GreaterEqual"}}
}

// Counts returns the relations for which kernels count elements: those of Relations and, of integers, whether x & mask equals a
// value.
func (e element) Counts() []relation {
	if e.Float() {
		return e.Relations()
	}
	return append(e.Relations(), relation{"MaskedEq", "maskedEq", "Equal"})
}

func (r relation) Masked() bool { return r.Field == "MaskedEq" }

// Mask is what comes behind the load of an element.
func (r relation) Mask() string {
	if r.Masked() {
		return ".And(bits)"
	}
	return ""
}

// Relate is the mask of a comparison. Unsigned 8-bit lanes have no order, but they
// have a minimum and a maximum.
func (e element) Relate(r relation, x, y string) string {
	if e.Elem == "uint8" {
		switch r.Field {
		case "Lt":
			return fmt.Sprintf("%s.Min(%s).NotEqual(%s)", x, y, y)
		case "Le":
			return fmt.Sprintf("%s.Max(%s).Equal(%s)", x, y, y)
		case "Gt":
			return fmt.Sprintf("%s.Max(%s).NotEqual(%s)", x, y, y)
		case "Ge":
			return fmt.Sprintf("%s.Min(%s).Equal(%s)", x, y, y)
		}
	}
	return fmt.Sprintf("%s.%s(%s)", x, r.Method, y)
}

// extreme is a reduction of floats to their minimum or maximum.
type extreme struct{ Go, Word, Helper string }

func (e element) Extremes() []extreme {
	return []extreme{{"Min", "minimum", "lesser"}, {"Max", "maximum", "greater"}}
}

// find is a pair of index-carrying reductions, with the first and the last of ties.
type find struct{ Go, First, Last, Func, Word, Rel, Fold string }

func (e element) Finds() []find {
	return []find{
		{"Min", "minFirst", "minLast", "lowest", "least", "<", "least"},
		{"Max", "maxFirst", "maxLast", "highest", "greatest", ">", "greatest"},
	}
}

// scan finds the block of one of them; Pick tells which of equal lanes' blocks.
type scan struct {
	Name, Word string
	Relation   relation
	Pick       string
}

func (f find) Scans() []scan {
	strict, loose := relation{"Lt", "lt", "Less"}, relation{"Le", "le", "LessEqual"}
	if f.Go == "Max" {
		strict, loose = relation{"Gt", "gt", "Greater"}, relation{"Ge", "ge", "GreaterEqual"}
	}
	return []scan{{"First", "first", strict, "Min"}, {"Last", "last", loose, "Max"}}
}

// Other is the block number that Pick never takes.
func (s scan) Other(bits int) string {
	if s.Pick == "Min" {
		return fmt.Sprint("math.MaxInt", bits)
	}
	return "-1"
}

// Plain is the minimum or maximum that skips NaN in x.
func (e element) Plain(f find, x, y string) string {
	if e.Float() {
		method := "Less"
		if f.Go == "Max" {
			method = "Greater"
		}
		return fmt.Sprintf("%s.IfElse(%s.%s(%s), %s)", x, x, method, y, y)
	}
	return e.Apply(f.Go, x, y)
}

// Identity is the other end of the type.
func (e element) Identity(f find) string {
	switch {
	case e.Float() && f.Go == "Min":
		return e.Elem + "(math.Inf(1))"
	case e.Float():
		return e.Elem + "(math.Inf(-1))"
	case f.Go == "Min":
		return "math.Max" + e.Name()
	case e.Unsigned():
		return "0"
	}
	return "math.Min" + e.Name()
}

// EqualFour is the mask of four vectors in which k occurs.
func (e element) EqualFour(x string) string {
	text := ""
	for i, at := range e.Steps() {
		eq := fmt.Sprintf("simd.Load%ss(%s%s).Equal(k)", e.Name(), x, at)
		if i > 0 {
			eq = fmt.Sprintf(".Or(%s)", eq)
		}
		text += eq
	}
	return text
}

// WideFolds are the reductions of 64-bit integers that AVX-512 has an operation for.
func (e element) WideFolds() []fold {
	return []fold{
		{operation{"Mul", "reduceMul", "reduceMul", "Mul"}, "1", "", "reduceMul"},
		{operation{"Min", "reduceMin", "reduceMin", "Min"}, "init", "", "reduceMin"},
		{operation{"Max", "reduceMax", "reduceMax", "Max"}, "init", "", "reduceMax"},
	}
}
