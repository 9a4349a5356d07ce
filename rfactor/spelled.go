package rfactor

import "github.com/rfactor-go/rfactor/ir"

// This file decides how the variables of an answer are called in texts for people. There x0, y0 and z0 are operands of
// ⊕ and p0 a parameter of a step, and nothing else is: an input that its update calls y0 is printed as in.y0. JSON has the
// names of the variables.

// Spelling returns how texts for people call the leaf: as the source does, or with "in." before a name that
// operands and parameters of steps have.
func (l Leaf) Spelling() string {
	if isOperandName(l.Text) {
		return "in." + l.Text
	}
	return l.Text
}

// isOperandName reports whether text is a name of an operand or of its component, or of a parameter: x, y0, p1. (Package regexp would be a
// twenty-fifth of the playground.)
func isOperandName(text string) bool {
	if text == "" {
		return false
	}
	digits := text[1:]
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return false
		}
	}
	switch text[0] {
	case 'x', 'y', 'z':
		return true
	case 'p', 'q':
		return digits != ""
	}
	return false
}

// Spelled returns texts of expressions over the state and the inputs of the update: of the update itself, inject,
// apply. Leaves print as Leaf.Spelling returns them.
func (a *Answer) Spelled(es ...ir.Expr) []string {
	return a.spelled(es, func(Leaf) bool { return true })
}

// SpelledOperator returns texts of expressions over the operands of ⊕, whose variables y_i are no leaves: of the
// operator itself and of its identity.
func (a *Answer) SpelledOperator(es ...ir.Expr) []string {
	return a.spelled(es, func(l Leaf) bool { return l.Var.Kind() == ir.Param })
}

// firstSpelled numbers variables that stand for text; no other leaf has such numbers.
const firstSpelled = 1 << 23

func (a *Answer) spelled(es []ir.Expr, which func(Leaf) bool) []string {
	texts := make([]string, len(es))
	if len(es) == 0 {
		return texts
	}
	names := map[ir.Expr]ir.Expr{}
	for i, l := range a.Leaves {
		if which(l) { // a variable prints as its name, and names are atoms to the printer, as calls are
			names[l.Var] = a.Pool().Placeholder(ir.Leaf, l.Spelling(), firstSpelled+i, l.Var.Type())
		}
	}
	for _, t := range a.terms {
		if which(Leaf{Var: t.v}) {
			names[t.v] = a.Pool().Map([]ir.Expr{t.e}, func(e ir.Expr) ir.Expr { return names[e] })[0]
		}
	}
	for i, e := range a.Pool().Map(es, func(e ir.Expr) ir.Expr { return names[e] }) {
		texts[i] = e.String()
	}
	return texts
}
