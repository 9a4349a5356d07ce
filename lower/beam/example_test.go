package beam_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/beam"
	"github.com/rfactor-go/rfactor/rfactor"
)

// A recurrence becomes a command for Apache Beam. Where there is no operator, there is no command.
func Example() {
	for _, update := range []string{"f()*3 + in(r)", "f()*f() + in(r)"} {
		text := "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = 1; f() = " + update + ";"
		prog, err := program.ParseProgram(ir.NewPool(), "horner", text, ir.Invalid)
		if err != nil {
			fmt.Println(err)
			return
		}
		files, err := beam.Source(context.Background(), prog, rfactor.Options{})
		fmt.Println(slices.Sorted(maps.Keys(files)), errors.Is(err, beam.ErrRefused))
	}
	// Output:
	// [main.go reduction.go reduction_test.go] false
	// [] true
}
