package interval_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/interval"
)

// The lowest four bits of a number and one more are between 1 and 16. Where r is known to be small, so is r + 1;
// of any r it may wrap.
func ExampleOf() {
	p := ir.NewPool()
	r, one := p.R("r", ir.I32), p.Int(ir.I32, 1)
	fmt.Println(interval.Of(ir.AddOf(ir.Make(ir.BitAnd, r, p.Int(ir.I32, 15)), one), nil))

	known := func(e ir.Expr) (interval.Interval, bool) { return interval.Interval{Lo: 0, Hi: 9}, e == r }
	fmt.Println(interval.Of(ir.AddOf(r, one), known))
	fmt.Println(interval.Of(ir.AddOf(r, one), nil) == interval.Whole(ir.I32))
	// Output:
	// {1 16}
	// {1 10}
	// true
}
