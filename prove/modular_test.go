package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Sums and products that were widened do not wrap, and leave remainders as over ℤ; those that
// may wrap do not.
func TestWidenedRemainders(t *testing.T) {
	var w prove.Prover
	o := prove.Options{Effort: prove.CasesOnly}
	for _, test := range []struct {
		types, left, right string
		want               prove.Status
	}{
		{"y0:u32,y1:u32,y2:u32,k0:u32", "u32((u64(u32((u64(y0) + u64(y1)) % u64(k0))) + u64(y2)) % u64(k0))",
			"u32((u64(y0) + u64(u32((u64(y1) + u64(y2)) % u64(k0)))) % u64(k0))", prove.Proved},
		{"y0:u32,y1:u32,y2:u32,k0:u32", "u32((u64(u32((u64(y0) * u64(y1)) % u64(k0))) * u64(y2)) % u64(k0))",
			"u32((u64(y0) * u64(u32((u64(y1) * u64(y2)) % u64(k0)))) % u64(k0))", prove.Proved},
		{"y0:i32,y1:i32,y2:i32", "i32((i64(i32((i64(y0) * i64(y1)) % 1000000007)) * i64(y2)) % 1000000007)",
			"i32((i64(y0) * i64(i32((i64(y1) * i64(y2)) % 1000000007))) % 1000000007)", prove.Proved},
		{"y0:i8,y1:i8,y2:i8", "i8((i16(y0) + i16(y1)) % 100 + i16(y2))", "i8(i16(y0) + (i16(y1) + i16(y2)) % 100)", prove.Refuted},
		{"y0:i32,y1:i32", "i64(i32((i64(y0) + i64(y1)) % 1000))", "(i64(y0) + i64(y1)) % 1000", prove.Proved},
		{"y0:i64,y1:i64", "i64(i32((y0 + y1) % 1000))", "(y0 + y1) % 1000", prove.Proved},
		{"y0:u8,y1:u8", "u16(u8((u16(y0)*u16(y1)) % 300))", "(u16(y0)*u16(y1)) % 300", prove.Refuted},
		// A sum that wraps has another remainder, even where a wider sum in which it stands does not.
		{"y0:i64,y1:i32", "((y0 + i64(y1)) % 1000 - i64(y1)) % 1000", "y0 % 1000", prove.Refuted},
		{"y0:u8,y1:u8,y2:u8", "((y0 + y1) % 10 + y2) % 10", "(y0 + (y1 + y2) % 10) % 10", prove.Refuted},
		{"y0:u16,y1:u16,y2:u16", "u16((u32((u32(y0)*u32(y1)*u32(y2)) % 65521)*u32(y2)) % 65521)",
			"u16((u32(y0)*u32(y1)*u32(y2)*u32(y2)) % 65521)", prove.Refuted},
	} {
		p := provetest.Problem(t, ir.NewPool(), 0, test.types, test.left, test.right, "")
		a := w.Prove(context.Background(), []proof.Problem{p}, o)
		if a.Status != test.want {
			t.Errorf("%s = %s: %s", test.left, test.right, a.Status)
		} else if a.Status == prove.Proved {
			if err := provetest.Check(t, p, a.Assumes, a.Proof()); err != nil {
				t.Errorf("%s: %v", test.left, err)
			}
		}
	}
}
