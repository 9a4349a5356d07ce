package program

import (
	"fmt"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// ParseGiven reads what is promised of an update: texts of conditions joined by &&, such as
// x0 <= x1 && k0 > 0. All of them hold. Each is about the state and constants, or about inputs and constants.
// Beside the variables of the update, x_i are its components. It returns the conditions one by
// one. Mistakes in the text are an [ir.ErrorList]; a condition about the state and an input
// together is an error without a place. A nil u panics.
func ParseGiven(u *ir.Update, texts ...string) ([]ir.Expr, error) {
	if u == nil {
		panic("program: ParseGiven of a nil update")
	}
	var conditions []ir.Expr
	for _, text := range texts {
		es, err := ParseExprs(u.Pool, componentScope(u), "given", []ir.Type{ir.Bool}, text)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, Conjuncts(es[0])...)
	}
	for _, c := range conditions {
		for _, v := range ir.Vars(c) {
			if c.States() != 0 && (v.Kind() == ir.Leaf || v.Kind() == ir.Coord) {
				return nil, fmt.Errorf("given: %s is about the state and an input together: no state has that before the step", c)
			}
		}
	}
	return conditions, nil
}

// componentScope knows the variables of an update and, as x_i, its components.
func componentScope(u *ir.Update) Scope {
	return Scope{Var: func(name string) (ir.Expr, bool) {
		for i, t := range u.Types {
			if name == "x"+strconv.Itoa(i) {
				return u.Pool.X(i, t), true
			}
		}
		for _, v := range u.Vars {
			if v.Name() == name {
				return v, true
			}
		}
		return ir.Expr{}, false
	}}
}

// Conjuncts lists the conditions that e joins by &&, in their order; e alone where there is no &&.
func Conjuncts(e ir.Expr) []ir.Expr {
	if e.Op() == ir.And && e.Type() == ir.Bool {
		return append(Conjuncts(e.Arg(0)), Conjuncts(e.Arg(1))...)
	}
	return []ir.Expr{e}
}
