package proof

import "github.com/rfactor-go/rfactor/ir"

// An operator's Given is an invariant of the states that it is used on. Its laws hold where
// the operands have the invariant, and closure says that the operator preserves it.

// givenOf is what is given of operands.
func (o Operator) givenOf(operands ...[]ir.Expr) (out []ir.Expr) {
	for _, tuple := range operands {
		out = append(out, o.GivenAt(tuple)...)
	}
	return out
}

// GivenAt is the invariant of a tuple.
func (o Operator) GivenAt(tuple []ir.Expr) []ir.Expr {
	if len(o.Given) == 0 {
		return nil
	}
	return o.Given[0].Pool().Map(o.Given, func(e ir.Expr) ir.Expr {
		if e.Op() == ir.Var && e.Kind() == ir.State {
			return tuple[e.Index()]
		}
		return ir.Expr{}
	})
}

// Closure states that x ⊕ y has the invariant where x and y do.
func (o Operator) Closure() []Problem {
	x, y, _ := o.Operands()
	return o.Holds(o.Apply(x, y), o.givenOf(x, y))
}

// Holds states that a tuple has the invariant where the given conditions hold. What the
// invariant says of constants alone is granted.
func (o Operator) Holds(tuple, given []ir.Expr) (ps []Problem) {
	given = append([]ir.Expr{}, given...)
	for _, g := range o.Given {
		if g.States() == 0 {
			given = append(given, g)
		}
	}
	for i, g := range o.GivenAt(tuple) {
		if o.Given[i].States() != 0 {
			ps = append(ps, Problem{Given: given, Left: g, Right: g.Pool().Bool(true)})
		}
	}
	return ps
}
