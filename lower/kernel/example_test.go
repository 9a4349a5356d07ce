package kernel_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// An expression becomes a value, and that the operations that each target has for it.
func Example() {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I64), pool.Y(0, ir.I64)
	b := &kernel.Builder{Bits: 64, Leaf: func(e ir.Expr) *kernel.Value {
		switch e {
		case x:
			return kernel.Leaf(kernel.State, 0, ir.I64)
		case y:
			return kernel.Leaf(kernel.Load, 0, ir.I64)
		}
		return nil
	}}
	v := b.Value(ir.Make(ir.Min, x, ir.AddOf(y, pool.Int(ir.I64, 5))))
	fmt.Println(v)
	for _, t := range []*kernel.Target{kernel.Simd, kernel.Archsimd} {
		legal, _ := t.Legalize([]*kernel.Value{v})
		p := &kernel.Printer{Target: t, Leaf: func(v *kernel.Value) string {
			return map[kernel.Op]string{kernel.State: "least", kernel.Load: "in"}[v.Op]
		}}
		text := p.Text(legal[0])
		fmt.Println(p.Hoisted[0])
		fmt.Println(text)
	}
	// Output:
	// min:i64(state0:i64, +:i64(load0:i64, broadcast:i64(literal5:i64)))
	// all0 := simd.BroadcastInt64s(5)
	// least.IfElse(least.Less(in.Add(all0)), in.Add(all0))
	// all0 := archsimd.BroadcastInt64x4(5)
	// least.IfElse(least.Less(in.Add(all0)), in.Add(all0))
}
