package rfactor

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// Cost counts the parameters of a lifted update, and the multiplications of a composition with one
// step, simplified.
type Cost verify.Cost

// String returns the cost as a phrase: "2 parameters, 1 multiplication a step".
func (c Cost) String() string {
	return fmt.Sprintf("%s, %s a step", counted(c.Parameters, "parameter"), counted(c.Multiplications, "multiplication"))
}

func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// LiftCost returns the cost of a step of a lifted answer. It simplifies the composition on every call,
// and panics where Lift is nil.
func (a *Answer) LiftCost() Cost {
	if a.Lift == nil {
		panic("rfactor: LiftCost of an answer that is no lift")
	}
	_, step := a.claimed().stepOf()
	return costOf(step)
}

// costOf returns the cost of a step, given as one expression for each parameter.
func costOf(step []ir.Expr) Cost {
	c := Cost{Parameters: len(step)}
	ir.Walk(step, func(e ir.Expr) {
		if e.Op() == ir.Mul {
			c.Multiplications++
		}
	})
	return c
}

// stepOf returns the composition of the parameters x_i with one step, as the operator writes it and
// simplified.
func (a *Answer) stepOf() (composed, simpler []ir.Expr) {
	x, _ := a.Operator.Exprs[0].Pool().Operands(a.Operator.Types)
	composed = a.Operator.Apply(x, a.Inject)
	return composed, canon.SimplifyStep(composed)
}

// paramTypes returns the types in which the parameters of a lifted answer are computed. Sums that
// the serial loop never does may overflow, so that under nsw signed parameters have 64 bits.
func (a *Answer) paramTypes() []ir.Type {
	types := slices.Clone(a.Operator.Types)
	for i, t := range types {
		if t.IsSigned() && a.Assumes&(ir.NSW|ir.NUW) != 0 {
			types[i] = ir.I64
		}
	}
	return types
}
