package pattern_test

import (
	"fmt"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
)

// A table is matched against the e-graph of an update. An update that saturation has not rewritten
// is found as it is written.
func Example() {
	pool := ir.NewPool()
	x, y, k := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.K(0, ir.I32)
	table := pattern.Table([]ir.Type{ir.I32}, 0)
	s := canon.NewSession()
	for _, update := range []ir.Expr{
		ir.AddOf(y, ir.MulOf(pool.Int(ir.I32, 3), x)),
		ir.MinOf(ir.SubOf(y, k), x),
	} {
		s.Reset(pool, 0, false)
		hit, ok := table.Match(s, []egraph.Class{s.Add(x)}, []egraph.Class{s.Add(update)})
		if !ok {
			fmt.Println(update, "is none")
			continue
		}
		operator, inject := hit.Expressions(s)
		fmt.Println(update, "is", hit.Entry.Name, operator, "with y0 =", inject)
	}
	// Output:
	// y0 + 3*x0 is none
	// min(y0 - k0, x0) is min [min(x0, y0)] with y0 = [y0 - k0]
}

// An entry says what was proven of its operator.
func ExampleEntries() {
	for _, e := range pattern.Entries([]ir.Type{ir.Bool})[:3] {
		fmt.Println(e.Name, ir.Strings(e.Exprs), "identity", ir.Strings(e.Identity), e.Side)
	}
	// Output:
	// first x0 identity false right
	// last y0 identity false left
	// xor x0 != y0 identity false two
}
