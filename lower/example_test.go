package lower_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// A program is factored, here with a schedule that is chosen for it, and runs in this process.
func ExampleCompile() {
	ctx := context.Background()
	prog, err := program.ParseProgram(ir.NewPool(), "count", `
		ImageParam in(Int(32), 1);
		RDom r(0, in.width());
		Func f;
		f() = 0;
		f() = select(in(r) > 2, f() + 1, f());`, ir.I32)
	if err != nil {
		fmt.Println(err) // with line, column and a caret
		return
	}
	p, err := plan.Factor(ctx, prog, plan.Options{Auto: true})
	if err != nil {
		fmt.Println(err) // the directive, the variable, and what would make it legal
		return
	}
	program, err := lower.Compile(p, lower.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := &ndarray.Array{Dims: ndarray.Box{{Extent: 5}}, Data: []any{[]int32{1, 2, 3, 4, 5}}}
	out, err := program.Run(ctx, &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": in}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out["f"].Data[0])
	// Output: [3]
}
