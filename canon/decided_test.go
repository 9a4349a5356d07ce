package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Decided takes the branches that literals decide, and leaves other operands as they are.
func TestDecided(t *testing.T) {
	p := ir.NewPool()
	x, y, c := p.X(0, ir.I32), p.Y(0, ir.I32), p.Y(1, ir.Bool)
	yes, no := p.Bool(true), p.Bool(false)
	for _, row := range []struct{ e, want ir.Expr }{
		{ir.SelectOf(ir.AndOf(yes, ir.OrOf(no, yes)), ir.AddOf(x, y), y), ir.AddOf(x, y)},
		{ir.SelectOf(ir.NotOf(yes), x, y), y},
		{ir.SelectOf(ir.AndOf(c, yes), x, y), ir.SelectOf(c, x, y)},
		{ir.MaxOf(x, ir.SelectOf(ir.OrOf(c, no), y, x)), ir.MaxOf(x, ir.SelectOf(c, y, x))},
		{ir.SelectOf(ir.AndOf(c, no), x, p.Int(ir.I32, 3)), p.Int(ir.I32, 3)},
	} {
		if got := Decided(row.e); got != row.want {
			t.Errorf("%s becomes %s, want %s", row.e, got, row.want)
		}
	}
}
