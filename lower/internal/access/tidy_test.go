package access

import (
	"testing"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
)

// Operands that change nothing are left out, and nothing else is.
func TestTidy(t *testing.T) {
	p := ir.NewPool()
	for _, typ := range []ir.Type{ir.U8, ir.U64, ir.I16, ir.I64, ir.F32} {
		x, y := p.X(0, typ), p.Y(0, typ)
		for _, op := range []ir.Op{ir.Add, ir.Mul, ir.Min, ir.Max} {
			none := ir.Make(op, x, p.Const(typ, folds.NeutralValue(op, typ)))
			want := x
			if typ.IsFloat() { // −0 + NaN and the like
				want = none
			}
			if got := Tidy([]ir.Expr{ir.Make(op, none, y)})[0]; got != ir.Make(op, want, y) {
				t.Errorf("%s: %s", none, got)
			}
			if other := ir.Make(op, x, p.Const(typ, 7)); Tidy([]ir.Expr{other})[0] != other {
				t.Errorf("%s changes", other)
			}
		}
	}
}
