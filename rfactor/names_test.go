package rfactor

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Leaves may have any names: those that certificates keep for parameters and third operands, and
// those of other leaves.
func TestLeavesOfTakenNames(t *testing.T) {
	for _, c := range [][3]string{
		{"x0:i32, p0:i32", "x0 + p0", "none"},
		{"x0:i32, q0:i32, y0:i32", "max(x0, q0*y0)", "none"},
		{"x0:i32, x1:i32, z0:i32, z1:i32", "max(x0, z0); select(x0 < z0, z1, x1)", "none"},
		{"x0:i32, p0:i32, q0:i32", "max(x0 + p0, q0)", "nsw"}, // a lift
	} {
		a := match(t, c[0], c[1], c[2], AllMatchers)
		judge(t, a)
		if a.Status == Refused {
			t.Errorf("%s is refused: %s", c[1], a.Reason)
		}
		for _, l := range a.Leaves {
			if !strings.Contains(c[0], l.Text+":") {
				t.Errorf("%s has a leaf %q, which it does not declare", c[1], l.Text)
			}
		}
	}
	p := ir.NewPool()
	narrow, wide := p.Y(0, ir.I8), p.Y(0, ir.I32)
	u := &ir.Update{Pool: p, Types: []ir.Type{ir.I32}, Values: []ir.Expr{ir.AddOf(p.X(0, ir.I32), ir.MulOf(wide, ir.CastTo(ir.I32, narrow)))}}
	a, err := Match(context.Background(), u, Options{Name: "f"})
	if err != nil {
		t.Fatal(err)
	}
	judge(t, a)
	if len(a.Leaves) != 2 || a.Leaves[0].Var.Name() == a.Leaves[1].Var.Name() {
		t.Errorf("two leaves of one name become %v", a.Leaves)
	}
}
