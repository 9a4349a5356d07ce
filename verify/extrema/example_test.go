package extrema_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/extrema"
)

// A common term can be drawn out of the greatest of two sums where no sum overflows. Where sums wrap it cannot.
func ExampleEqual() {
	p := ir.NewPool()
	x, y0, y1 := p.X(0, ir.I32), p.Y(0, ir.I32), p.Y(1, ir.I32)
	left := ir.MaxOf(ir.AddOf(x, y0), ir.AddOf(x, y1))
	right := ir.AddOf(x, ir.MaxOf(y0, y1))

	fuel := 1000
	fmt.Println(extrema.Equal(left, right, ir.NSW, &fuel))
	fmt.Println(extrema.Equal(left, right, 0, &fuel) != nil)
	// Output:
	// <nil>
	// true
}
