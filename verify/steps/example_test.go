package steps_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// A step applies a rule at a subterm, and says what comes out. Another result than the rule's is an error.
func ExampleFollow() {
	p := ir.NewPool()
	x, c := p.X(0, ir.I32), p.Y(0, ir.Bool)
	count := ir.SelectOf(c, ir.AddOf(x, p.Int(ir.I32, 1)), x)
	read := func(text string) (ir.Expr, error) {
		return ir.Read(p, func(name string) (ir.Expr, bool) {
			e, ok := map[string]ir.Expr{"x0": x, "y0": c}[name]
			return e, ok
		}, ir.I32, text)
	}

	out, err := steps.Follow(count, []steps.Step{{Rule: "select-add-then", To: "x0 + select(y0, 1, 0)"}}, read, 0, steps.AnyRank)
	fmt.Println(out, err)
	_, err = steps.Follow(count, []steps.Step{{Rule: "select-add-then", To: "x0 + select(y0, 0, 1)"}}, read, 0, steps.AnyRank)
	fmt.Println(err != nil)
	// Output:
	// x0 + select(y0, 1, 0) <nil>
	// true
}
