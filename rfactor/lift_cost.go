package rfactor

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// Cost is what a step of a lifted update costs: a composition with it, simplified.
type Cost verify.Cost

// String is the cost as a phrase: "2 parameters, 1 multiplication a step".
func (c Cost) String() string {
	return fmt.Sprintf("%s, %s a step", counted(c.Parameters, "parameter"), counted(c.Multiplications, "multiplication"))
}

func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// LiftCost returns what a step of a lifted answer costs. It panics for other answers.
func (a *Answer) LiftCost() Cost {
	if a.Lift == nil {
		panic("rfactor: LiftCost of an answer that is no lift")
	}
	_, step := a.stepOf()
	return costOf(step)
}

// costOf is what a step costs that is written so, one expression a parameter.
func costOf(step []ir.Expr) Cost {
	c := Cost{Parameters: len(step)}
	ir.Walk(step, func(e ir.Expr) {
		if e.Op() == ir.Mul {
			c.Multiplications++
		}
	})
	return c
}

// stepOf is the composition of parameters, x_i, with a step, as the operator writes it and
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
