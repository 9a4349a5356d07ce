package emit_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// A plan becomes the files of a package. A name that no package can have is an error.
func ExampleSource() {
	prog, err := program.ParseProgram(ir.NewPool(), "largest", `
		ImageParam in(Int(32), 1);
		RDom r(0, in.width());
		Func largest;
		largest() = Int(32).min();
		largest() = max(largest(), in(r));`, ir.Invalid)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := plan.Factor(context.Background(), prog, plan.Options{Auto: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	files, err := emit.Source(p, "largest")
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(files["largest.go"])) {
		if strings.HasPrefix(line, "func Largest(") {
			fmt.Print(line)
		}
	}
	_, err = emit.Source(p, "func")
	fmt.Println(err != nil)
	// Output:
	// func Largest(in []int32) (largest int32, err error) {
	// true
}
