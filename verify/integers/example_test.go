package integers_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/integers"
)

// A saturating sum of bytes is a clamped sum of integers, each of which is in the range of a byte.
func ExampleRestate() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I8), p.Y(0, ir.I8)
	given, left, right, err := integers.Restate(nil, ir.Make(ir.SatAdd, x, y), ir.Make(ir.SatAdd, y, x))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(left, "=", right)
	fmt.Println(ir.Strings(given))
	// Output:
	// max(min(n0 + n1, 127), -128) = max(min(n1 + n0, 127), -128)
	// -128 <= n0; n0 <= 127; -128 <= n1; n1 <= 127
}
