package program_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// One line is a program; what it reads is inferred.
func ExampleParseProgram() {
	program, err := program.ParseProgram(ir.NewPool(), "line", "f() = select(P(r), f() + 1, f())", ir.I32)
	if err != nil {
		fmt.Println(err)
		return
	}
	update := program.Funcs[0].Updates[0].Update()
	fmt.Println(update.Types, ir.Strings(update.Values))
	fmt.Println(program.Inputs[0].Name, program.Inputs[0].Types)
	// Output:
	// [i32] select(P(r), x0 + 1, x0)
	// P [bool]
}

func ExampleParseUpdate() {
	pool := ir.NewPool()
	update, err := program.ParseUpdate(pool, "x0:i32, x1:i32, y0:i32, r:u31", "max(x0, y0); select(x0 < y0, r, x1)")
	if err != nil {
		fmt.Println(err)
		return
	}
	values := map[string]uint64{"x0": 5, "x1": 2, "y0": 8, "r": 9}
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[v.Name()] }}
	fmt.Println(ir.EvalAll(update.Values, env))
	// Output: [8 9]
}

func ExampleError() {
	_, err := program.ParseUpdate(ir.NewPool(), "x0:i32,y0:f32", "x0 + y0")
	fmt.Println(err)
	// Output:
	// update:1:4: + of i32 and f32: cast one of them, as in i32(y0)
	//     x0 + y0
	//        ^
}
