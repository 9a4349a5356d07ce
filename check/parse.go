package check

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Texts are what is asked of an operator, in the notation. Empty texts ask nothing.
type Texts struct {
	Identity string   // a value for each component, over constants
	Is       string   // the operator that is meant
	Given    []string // conditions on x and constants
}

// Parse reads an operator as program.ParseOperator does, with what is asked of it. Mistakes in a text are an
// ir.ErrorList.
func Parse(types, text string, ask Texts) (op proof.Operator, o Options, err error) {
	u, err := program.ParseOperator(ir.NewPool(), types, text)
	if err != nil {
		return op, o, err
	}
	op = proof.Operator{Types: u.Types, Exprs: u.Values}
	if ask.Identity != "" {
		constants := func(v ir.Expr) bool { return v.Kind() == ir.Param }
		if o.Identity, err = program.ParseExprs(u.Pool, scope(u, constants), "identity", u.Types, ask.Identity); err != nil {
			return op, o, err
		}
	}
	if ask.Is != "" {
		all := func(ir.Expr) bool { return true }
		if o.Is, err = program.ParseExprs(u.Pool, scope(u, all), "is", u.Types, ask.Is); err != nil {
			return op, o, err
		}
	}
	operands := func(v ir.Expr) bool { return v.Kind() == ir.Param || v.Kind() == ir.State }
	for _, text := range ask.Given {
		es, err := program.ParseExprs(u.Pool, scope(u, operands), "given", []ir.Type{ir.Bool}, text)
		if err != nil {
			return op, o, fmt.Errorf("%w\nWhat is given of x holds of every operand", err)
		}
		op.Given = append(op.Given, program.Conjuncts(es[0])...)
	}
	return op, o, nil
}

// scope has the variables of an operator that are wanted, by the names that its types give them.
func scope(u *ir.Update, wanted func(ir.Expr) bool) program.Scope {
	return program.Scope{Var: func(name string) (ir.Expr, bool) {
		for _, v := range u.Vars {
			if v.Name() == name && wanted(v) {
				return v, true
			}
		}
		switch {
		case len(u.Types) == 1 && name == "x" && wanted(u.Pool.X(0, u.Types[0])):
			return u.Pool.X(0, u.Types[0]), true
		case len(u.Types) == 1 && name == "y" && wanted(u.Pool.Y(0, u.Types[0])):
			return u.Pool.Y(0, u.Types[0]), true
		}
		return ir.Expr{}, false
	}}
}
