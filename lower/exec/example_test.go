package exec_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/exec"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// A plan is compiled once and may run many times. An input that is missing is an error of the run.
func ExampleProgram_Run() {
	ctx := context.Background()
	prog, err := program.ParseProgram(ir.NewPool(), "sum", `
		ImageParam in(Int(32), 1);
		RDom r(0, in.width());
		Func sum;
		sum() = 0;
		sum() += in(r);`, ir.Invalid)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := plan.Factor(ctx, prog, plan.Options{Auto: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	compiled, err := exec.Compile(p, exec.Options{Goroutines: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := &ndarray.Array{Dims: ndarray.Box{{Extent: 4}}, Data: []any{[]int32{1, 2, 3, 4}}}
	out, err := compiled.Run(ctx, &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": in}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out["sum"].Data[0])

	_, err = compiled.Run(ctx, &plan.Inputs{})
	fmt.Println(err)
	// Output:
	// [10]
	// the input in is missing
}
