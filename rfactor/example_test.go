package rfactor_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// A compiler builds the update with the constructors of package ir. This is also the
// program in testdata/importer, a module of its own.
func Example() {
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
	fmt.Println("x0 ⊕ y0 =", ir.Strings(a.Operator.Exprs))
	fmt.Println("identity", ir.Strings(a.Operator.Identity), "on side", a.Operator.Side)
	fmt.Println("inject  ", ir.Strings(a.Inject))
	for _, l := range a.Leaves {
		fmt.Println("where   ", l.Var, "is", l.Text)
	}
	// Output:
	// associative
	// x0 ⊕ y0 = x0 + y0
	// identity 0 on side two
	// inject   select(k0 < y0, 1, 0)
	// where    k0 is k
	// where    y0 is in(r)
}
