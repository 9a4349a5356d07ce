package rules_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// A rule holds at some types, under some assumptions.
func ExampleByName() {
	r, ok := rules.ByName("select-add-then")
	if !ok {
		fmt.Println("no such rule")
		return
	}
	fmt.Println(r.Text)
	fmt.Println(r.Allowed(ir.I32, 0), r.Allowed(ir.F32, 0), r.Allowed(ir.F32, ir.NSZ|ir.Reassoc))
	// Output:
	// select-add-then [int float/nsz] : select(p, a + b, a) => a + select(p, b, 0)
	// true false true
}

func ExampleRule_Applies() {
	r, ok := rules.ByName("select-add-then")
	if !ok {
		fmt.Println("no such rule")
		return
	}
	p := ir.NewPool()
	x, y, b := p.X(0, ir.I32), p.Y(0, ir.I32), p.Y(1, ir.Bool)
	left := ir.SelectOf(b, ir.AddOf(x, y), x)
	fmt.Println(r.Applies(left, ir.AddOf(x, ir.SelectOf(b, y, p.Int(ir.I32, 0)))))
	// Output: i32 true
}
