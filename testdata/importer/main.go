// Importer is a program of another module that uses the library as a compiler would: it
// builds an update with the constructors of package ir and matches it. It is built with
// cgo disabled.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

func main() {
	// The update select(in(r) > k, x + 1, x): how many inputs are above a threshold?
	p := ir.NewPool()
	x := p.X(0, ir.I32)
	in := p.Call(ir.I32, "in", 0, p.R("r", ir.I32))
	k := p.Var(ir.Param, "k", 0, ir.I32)
	count := ir.SelectOf(ir.LtOf(k, in), ir.AddOf(x, p.Int(ir.I32, 1)), x)
	update := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{count}}

	a, err := rfactor.Match(context.Background(), update, rfactor.Options{Allowed: ir.DefaultAssumptions})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(a.Status)
	switch r := a.Result().(type) {
	case *rfactor.ByOperator:
		fmt.Println("x0 ⊕ y0 =", ir.Strings(r.Operator.Exprs))
		fmt.Println("identity", ir.Strings(r.Operator.Identity), "on side", r.Operator.Side)
		fmt.Println("inject  ", ir.Strings(r.Inject))
	case *rfactor.ByLift: // the operator is one on parameters of steps
		fmt.Println("compose ", ir.Strings(r.Operator.Exprs))
		fmt.Println("inject  ", ir.Strings(r.Inject))
		fmt.Println("apply   ", ir.Strings(r.Lift.Apply))
	case *rfactor.ByStages:
		fmt.Println(len(r.Stages), "stages, in", a.Passes(), "passes")
	case *rfactor.Refusal:
		fmt.Println(r.Code, r.Reason)
	}
	for _, l := range a.Leaves {
		fmt.Println("where   ", l.Var, "is", l.Text)
	}
}
