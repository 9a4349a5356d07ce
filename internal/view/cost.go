package view

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Cost is what an answer costs, in operations: a subterm that is used twice is computed once.
type Cost struct {
	Serial int `json:"serial"` // of a step of the loop as it is written
	Inject int `json:"inject"` // of what a step gives to its slice
	Merge  int `json:"merge"`  // of an application of the operator
	Values int `json:"values"` // that a slice carries
}

// costOf returns nil for an answer without an operator.
func costOf(a *rfactor.Answer) *Cost {
	if a.Operator == nil {
		return nil
	}
	return &Cost{operations(a.Update), operations(a.Inject), operations(a.Operator.Exprs), len(a.Operator.Types)}
}

func operations(es []ir.Expr) (n int) {
	ir.Walk(es, func(e ir.Expr) {
		if e.NumArgs() > 0 && e.Op() != ir.Call {
			n++
		}
	})
	return n
}
