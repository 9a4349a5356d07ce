package canon_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
)

// Two terms that saturation finds equal are in one class of the e-graph.
func ExampleSession_Saturate() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	least := ir.SelectOf(ir.LtOf(x, y), x, y)
	s := canon.NewSession()
	s.Reset(p, 0, false)
	a, b := s.Add(least), s.Add(ir.MinOf(x, y))
	fmt.Println(s.Saturate(context.Background(), func() bool { return s.Same(a, b) }))
	// Output: true
}

// A derivation is a chain of steps that Check replays without an e-graph.
func ExampleSession_Derive() {
	p := ir.NewPool()
	x, y, b := p.X(0, ir.I32), p.Y(0, ir.I32), p.Y(1, ir.Bool)
	from := ir.SelectOf(b, ir.AddOf(x, y), x)
	to := ir.AddOf(x, ir.SelectOf(b, y, p.Int(ir.I32, 0)))
	steps, err := canon.NewSession().Derive(context.Background(), from, to, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range steps {
		fmt.Println(step.Rule)
	}
	fmt.Println("checked:", canon.Check(steps, from, to, 0) == nil)
	// Output:
	// select-add-then
	// checked: true
}

// Canonical chooses one spelling, Greedy simplifies without an e-graph.
func ExampleCanonical() {
	p := ir.NewPool()
	x, y := p.X(0, ir.I32), p.Y(0, ir.I32)
	e := ir.Make(ir.BitNot, ir.SubOf(ir.Make(ir.BitNot, x), y))
	fmt.Println(canon.Canonical(e, 0))
	fmt.Println(canon.Greedy(ir.MaxOf(x, ir.MaxOf(x, y)), 0))
	// Output:
	// x0 + y0
	// max(x0, y0)
}
