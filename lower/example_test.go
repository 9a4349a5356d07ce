package lower_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

const counting = `
	ImageParam in(Int(32), 1);
	RDom r(0, in.width());
	Func f;
	f() = 0;
	f() = select(in(r) > 2, f() + 1, f());`

// count factors the program counting with a schedule that is chosen for it.
func count() (*plan.Plan, error) {
	prog, err := program.ParseProgram(ir.NewPool(), "count", counting, ir.I32)
	if err != nil {
		return nil, err // with line, column and a caret
	}
	return plan.Factor(context.Background(), prog, plan.Options{Auto: true})
}

// A plan becomes a Go package: here its files, and the function that users call.
func ExampleSource() {
	p, err := count()
	if err != nil {
		fmt.Println(err) // the directive, the variable, and what would make it legal
		return
	}
	files, err := lower.Source(p, lower.SourceOptions{Package: "count"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Println(name)
	}
	for line := range strings.Lines(string(files["count.go"])) {
		if strings.HasPrefix(line, "func F(") {
			fmt.Print(line)
		}
	}
	// Output:
	// count.go
	// count_test.go
	// kernel.go
	// kernel_plain.go
	// kernel_simd.go
	// kernel_simd_amd64.go
	// kernel_simd_other.go
	// func F(in []int32) (f int32, err error) {
}

// A plan runs in this process, as often as one likes.
func ExampleCompile() {
	p, err := count()
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := lower.Compile(p, lower.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := &ndarray.Array{Dims: ndarray.Box{{Extent: 5}}, Data: []any{[]int32{1, 2, 3, 4, 5}}}
	out, err := program.Run(context.Background(), &plan.Inputs{Arrays: map[string]*ndarray.Array{"in": in}})
	if err != nil {
		fmt.Println(err) // an input that does not fit, or a read outside of an array
		return
	}
	fmt.Println(out["f"].Data[0])
	// Output: [3]
}
