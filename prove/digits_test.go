package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestDigits has sums of digits in their ranges. A range that is one too large refutes most of them.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		types, left, right, given string
		want                      prove.Status
	}{
		// A checksum of 16 bits, with the carry folded back.
		{"x:u32,y:u32,z:u32", "((((x + y) & 65535) + ((x + y) >> 16) + z) & 65535) + ((((x + y) & 65535) + ((x + y) >> 16) + z) >> 16)",
			"((x + ((y + z) & 65535) + ((y + z) >> 16)) & 65535) + ((x + ((y + z) & 65535) + ((y + z) >> 16)) >> 16)",
			"x <= 65535; y <= 65535; z <= 65535", prove.Proved},
		{"x:u32,y:u32,z:u32", "((((x + y) & 65535) + ((x + y) >> 16) + z) & 65535) + ((((x + y) & 65535) + ((x + y) >> 16) + z) >> 16)",
			"((x + ((y + z) & 65535) + ((y + z) >> 16)) & 65535) + ((x + ((y + z) & 65535) + ((y + z) >> 16)) >> 16)",
			"x <= 65536; y <= 65536; z <= 65536", prove.Refuted},
		{"x:u8,y:u8,z:u8", "((x + y) % 100 + z) % 100", "(x + (y + z) % 100) % 100", "x < 100; y < 100; z < 100", prove.Proved},
		{"x:u8,y:u8,z:u8", "((x + y) % 200 + z) % 200", "(x + (y + z) % 200) % 200", "x < 200; y < 200; z < 200", prove.Refuted}, // sums wrap
		// The minutes of seconds that are added in either order.
		{"x:i32,y:i32,z:i32", "(x + y)/60 + ((x + y) % 60 + z)/60", "(y + z)/60 + (x + (y + z) % 60)/60",
			"0 <= x; x < 60; 0 <= y; y < 60; 0 <= z; z < 60", prove.Proved},
		{"x:i64,y:i64", "(x + y) % 1000 + (x + y)/1000*1000", "x + y", "x >= -5; x < 1000; 0 <= y; 999 >= y", prove.Proved},
		{"x:u64,y:u64", "(x + y)/1000", "u64(x + y >= 1000)", "x < 1000; y < 1001", prove.Proved},
		{"x:u64,y:u64", "(x + y)/1000", "u64(x + y >= 1000)", "x < 1000; y <= 1001", prove.Unknown},
	} {
		p := provetest.Problem(t, ir.NewPool(), 0, c.types, c.left, c.right, c.given)
		a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{})
		if a.Status != c.want {
			t.Errorf("%s = %s given %s is %s", c.left, c.right, c.given, a.Status)
		}
		if a.Status != prove.Proved {
			continue
		}
		full, err := prove.Certify(p, 0, a.Proof())
		if err == nil {
			err = verify.Equation(p, 0, full)
		}
		if err != nil || full.Kind != proof.Integers {
			t.Errorf("%s = %s by %s: %v", c.left, c.right, full.Kind, err)
		}
	}
}
