package ir

import (
	"fmt"
	"strconv"
)

// ParseGiven reads what is promised of an update: conditions joined by &&, such as
// x0 <= x1 && k0 > 0. Each is about the state and constants, or about inputs and constants.
// Beside the variables of the update, x_i are its components.
func ParseGiven(u *Update, text string) ([]Expr, error) {
	scope := Scope{Var: func(name string) (Expr, bool) {
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
		return Expr{}, false
	}}
	es, err := ParseExprs(u.Pool, scope, "given", []Type{Bool}, text)
	if err != nil {
		return nil, err
	}
	conditions := conjuncts(es[0], nil)
	for _, c := range conditions {
		for _, v := range Vars(c) {
			if c.States() != 0 && (v.Kind() == Leaf || v.Kind() == Coord) {
				return nil, fmt.Errorf("given: %s is about the state and an input together: no state has that before the step", c)
			}
		}
	}
	return conditions, nil
}

func conjuncts(e Expr, list []Expr) []Expr {
	if e.Op() == And && e.Type() == Bool {
		return conjuncts(e.Arg(1), conjuncts(e.Arg(0), list))
	}
	return append(list, e)
}
