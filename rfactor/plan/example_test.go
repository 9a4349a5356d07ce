package plan_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// A schedule is applied: slices of 64 elements are counted apart, and merged. The interpreter runs
// the plan.
func ExampleFactor() {
	prog, err := program.ParseProgram(ir.NewPool(), "count", `
		ImageParam in(Int(32), 1);
		RDom r(0, in.width());
		Func f;
		f() = 0;
		f() = select(in(r) > 2, f() + 1, f());
		RVar ro, ri; Var u;
		Func intm = f.update(0).split(r, ro, ri, 64).rfactor(ro, u);`, ir.I32)
	if err != nil {
		fmt.Println(err) // with line, column and a caret
		return
	}
	p, err := plan.Factor(context.Background(), prog, plan.Options{})
	if err != nil {
		fmt.Println(err) // the directive, the variable, and what would make it legal
		return
	}
	fmt.Println(p)
	in := &ndarray.Array{Dims: ndarray.Box{{Extent: 5}}, Data: []any{[]int32{1, 2, 3, 4, 5}}}
	out, err := p.Run(&plan.Inputs{Arrays: map[string]*ndarray.Array{"in": in}}, 1)
	if err != nil {
		fmt.Println(err) // an input that does not fit, or a read outside of an array
		return
	}
	fmt.Println(out["f"].Data[0])
	// Output:
	// output f() [i32]
	// intermediate intm(0..(in.width() - 1)/64 + 1) [i32]
	//
	// // first of f
	// f() = 0
	//
	// // first of intm
	// for u in 0..(in.width() - 1)/64 + 1:
	//   intm(u) = 0
	//
	// // intermediate of intm, from f.update(0)
	// for u in 0..(in.width() - 1)/64 + 1:
	//   for ri in 0..min(64, in.width() - u*64) in order:
	//     intm(u) = x0 + select(in(u*64 + ri) > 2, 1, 0)
	//
	// // merge of f, from f.update(0)
	// for ro in 0..(in.width() - 1)/64 + 1 in order:
	//   f() = x0 + intm(ro)
	//
	// [3]
}
