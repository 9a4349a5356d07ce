package prove

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// What elimination derives again is dropped: these need many sums that saturate.
func TestSaturatingSums(t *testing.T) {
	for _, test := range []struct{ types, left, right string }{
		{"x0:i8,x1:i8,y0:i8", "select(y0 > 0 && x0 > 127 - y0, 127, select(y0 < 0 && x0 < -128 - y0, -128, x0 + y0))",
			"i8(max(min(i16(x0) + i16(y0), i16(127)), i16(-128)))"},
		{"x0:i32,x1:i32,y0:i32", "select(y0 > 0 && x0 > 2147483647 - y0, 2147483647, select(y0 < 0 && x0 < -2147483648 - y0, -2147483648, x0 + y0))",
			"i32(max(min(i64(x0) + i64(y0), i64(2147483647)), i64(-2147483648)))"},
	} {
		u, err := ir.ParseUpdate(ir.NewPool(), test.types, test.left+";"+test.right)
		if err != nil {
			t.Fatal(err)
		}
		p := Problem{Left: u.Values[0], Right: u.Values[1]}
		th := NewProver().AllUnder(context.Background(), []Problem{p}, 0)
		if th.Status != Proved {
			t.Errorf("%s: %s", test.left, th.Status)
			continue
		}
		if err := Check(p, 0, th.Proofs[0]); err != nil {
			t.Error(err)
		}
	}
}

// The checker eliminates in another order than the search, and what rounding gives depends on it.
func TestOrdersOfElimination(t *testing.T) {
	u, err := ir.ParseUpdate(ir.NewPool(), "x0:i8,y0:i8", "min(y0, min(x0*x0, x0 + x0) - max(x0, x0 - y0))")
	if err != nil {
		t.Fatal(err)
	}
	w := NewProver()
	w.CasesOnly = true
	p, th := w.Characterise(context.Background(), Operator{Types: u.Types, Exprs: u.Values}, ir.NSW)
	if p == nil {
		t.Fatalf("%s", th.Status)
	}
	replayAll(t, u.Values[0].String(), p)
}
