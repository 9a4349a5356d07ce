package tape_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// A tape evaluates an expression at 64 points at once.
func Example() {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I8), pool.Y(0, ir.I8)
	t := tape.New(ir.AddOf(x, y))

	rows := []*[tape.Lanes]uint64{{1, 100}, {2, 100}} // of x0 and of y0, in the order of t.Inputs
	sum := t.Run(rows)[0]
	fmt.Println(t.Inputs, int64(sum[0]), int64(sum[1]))
	fmt.Printf("%b\n", t.Overflowed(ir.NSW)) // the second point left i8
	// Output:
	// [x0 y0] 3 -56
	// 10
}
