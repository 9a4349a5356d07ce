package proof

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Operator is (x, y) ↦ x ⊕ y on tuples: one expression per component over the variables
// x_i (State), y_i (Leaf) of the component types, and invariants.
type Operator struct {
	Types []ir.Type
	Exprs []ir.Expr
	Given []ir.Expr // what every operand satisfies, over x_i and invariants; see Closure
}

// Apply is a ⊕ b.
func (o Operator) Apply(a, b []ir.Expr) []ir.Expr {
	return o.Exprs[0].Pool().Map(o.Exprs, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var || e.Index() >= len(o.Types):
		case e.Kind() == ir.State:
			return a[e.Index()]
		case e.Kind() == ir.Leaf:
			return b[e.Index()]
		}
		return ir.Expr{}
	})
}

// Operands are fresh tuples x, y and z of the operator's component types.
func (o Operator) Operands() (x, y, z []ir.Expr) {
	p := o.Exprs[0].Pool()
	for i, t := range o.Types {
		x = append(x, p.X(i, t))
		y = append(y, p.Y(i, t))
		z = append(z, p.Var(ir.Leaf, fmt.Sprintf("z%d", i), len(o.Types)+i, t))
	}
	return x, y, z
}

// Side says on which side an identity e is one.
type Side uint8

// The sides. Middle means x ⊕ e ⊕ y = x ⊕ y, which each of the others implies. A tuple of identities on sides a and b is one on a & b.
const (
	NoSide Side = 0
	Middle Side = 1
	Left   Side = 1 | 2 // e ⊕ y = y
	Right  Side = 1 | 4 // x ⊕ e = x
	Two    Side = Left | Right
)

var sideNames = [...]string{NoSide: "none", Middle: "middle", Left: "left", Right: "right", Two: "two"}

// String is the side's name in the JSON contract.
func (s Side) String() string { return sideNames[s] }

// ParseSide returns the side of a name, and an error where there is none.
func ParseSide(name string) (Side, error) {
	i := slices.Index(sideNames[:], name)
	if i < 0 || name == "" {
		return NoSide, fmt.Errorf("there is no side %q", name)
	}
	return Side(i), nil
}

// Associativity states (x ⊕ y) ⊕ z = x ⊕ (y ⊕ z), an equation for each component.
func (o Operator) Associativity() []Problem {
	x, y, z := o.Operands()
	return Equations(o.given(x, y, z), o.Apply(o.Apply(x, y), z), o.Apply(x, o.Apply(y, z)))
}

// Commutativity states x ⊕ y = y ⊕ x.
func (o Operator) Commutativity() []Problem {
	x, y, _ := o.Operands()
	return Equations(o.given(x, y), o.Apply(x, y), o.Apply(y, x))
}

// Idempotence states x ⊕ x = x.
func (o Operator) Idempotence() []Problem {
	x, _, _ := o.Operands()
	return Equations(o.given(x), o.Apply(x, x), x)
}

// IdentityOn states that e is an identity on the side: Left, Right or Middle.
func (o Operator) IdentityOn(side Side, e []ir.Expr) []Problem {
	x, y, _ := o.Operands()
	switch side {
	case Left:
		return Equations(o.given(y), o.Apply(e, y), y)
	case Right:
		return Equations(o.given(x), o.Apply(x, e), x)
	}
	return Equations(o.given(x, y), o.Apply(o.Apply(x, e), y), o.Apply(x, y))
}

// An operator's Given is an invariant of the states that it is used on. Its laws hold where
// the operands have the invariant, and closure says that the operator preserves it.

// given is the invariant of operands.
func (o Operator) given(operands ...[]ir.Expr) (out []ir.Expr) {
	for _, tuple := range operands {
		out = append(out, o.Exprs[0].Pool().Map(o.Given, func(e ir.Expr) ir.Expr {
			if e.Op() == ir.Var && e.Kind() == ir.State {
				return tuple[e.Index()]
			}
			return ir.Expr{}
		})...)
	}
	return out
}

// Closure states that x ⊕ y has the invariant where x and y do.
func (o Operator) Closure() []Problem {
	x, y, _ := o.Operands()
	return o.Holds(o.Apply(x, y), o.given(x, y))
}

// Holds states that a tuple has the invariant where the given conditions hold. What the invariant says of constants alone is granted.
func (o Operator) Holds(tuple, given []ir.Expr) (ps []Problem) {
	given = append([]ir.Expr{}, given...)
	for _, g := range o.Given {
		if g.States() == 0 {
			given = append(given, g)
		}
	}
	for i, g := range o.given(tuple) {
		if o.Given[i].States() != 0 {
			ps = append(ps, Problem{Given: given, Left: g, Right: g.Pool().Bool(true)})
		}
	}
	return ps
}
