package forms_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// Forms are tried on the serial kernel of a sum of bytes, and the one that is estimated lowest is taken.
func Example() {
	pool := ir.NewPool()
	in := pool.Call(ir.U8, "in", 0, pool.Var(ir.Param, "r", 0, ir.I32))
	x, y := pool.X(0, ir.U32), pool.Y(0, ir.U32)
	serial := kernel.Build(kernel.Stage{
		State: []ir.Type{ir.U32}, Streams: []ir.Expr{in}, To: []ir.Expr{ir.AddOf(x, ir.CastTo(ir.U32, in))},
		Operator: []ir.Expr{ir.AddOf(x, y)}, Identity: []ir.Expr{pool.Int(ir.U32, 0)}, May: kernel.May{Factored: true, Commute: true, Wrap: true},
	})
	best, _, _ := forms.Cheapest(forms.Choices(serial))
	fmt.Println(best.Form)
	// Output: widening
}
