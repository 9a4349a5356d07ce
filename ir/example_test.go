package ir_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
)

// An expression is read in the canonical notation, printed and evaluated.
func Example() {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I32), pool.Y(0, ir.I32)
	vars := func(name string) (ir.Expr, bool) {
		e, ok := map[string]ir.Expr{"x0": x, "y0": y}[name]
		return e, ok
	}
	e, err := ir.Read(pool, vars, ir.I32, "max(x0, y0) + 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e, e == ir.AddOf(ir.MaxOf(x, y), pool.Int(ir.I32, 1)))

	values := map[ir.Expr]uint64{x: 5, y: ir.I32.Wrap(1<<32 - 7)} // the second is -7
	env := &ir.Env{Var: func(v ir.Expr) uint64 { return values[v] }}
	fmt.Println(int64(ir.Eval(e, env)))
	// Output:
	// max(x0, y0) + 1 true
	// 6
}

// A mistake in a text is an Error with its place.
func ExampleRead() {
	pool := ir.NewPool()
	vars := func(name string) (ir.Expr, bool) { return pool.X(0, ir.I32), name == "x0" }
	_, err := ir.Read(pool, vars, ir.I32, "x0 + y0")
	fmt.Println(err)
	// Output:
	// expression:1:6: "y0" is not declared
	//     x0 + y0
	//          ^
}
