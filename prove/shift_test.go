package prove_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Shifts by counts that are no literals distribute over bitwise functions that are 0 of 0, and counts of repeated shifts add up as far as
// the greatest number. What looks like it is refuted.
func TestShiftsOfWords(t *testing.T) {
	for _, c := range []struct {
		types, left, right string
		want               prove.Status
	}{
		{"x:T, p:U, q:U", "(x << C(p)) << C(q)", "x << C(saturating_add(p, q))", prove.Proved},
		{"x:T, y:T, q:U", "(x | y) << C(q)", "(x << C(q)) | (y << C(q))", prove.Proved},
		{"x:T, y:T, q:U", "(x & ~y) << C(q)", "(x << C(q)) & ~(y << C(q))", prove.Proved},
		{"x:T, y:T, q:U", "((x ^ y) & 12) << C(q)", "(x << C(q)) & (12 << C(q)) ^ ((y & 12) << C(q))", prove.Proved},
		{"x:T, y:T, p:U, q:U, z:T", "(((x << C(p)) | y) << C(q)) | z", "(x << C(saturating_add(p, q))) | ((y << C(q)) | z)", prove.Proved},
		{"x:T, y:T, p:U, q:U, z:T", "(((x << C(p)) ^ y) << C(q)) ^ z", "(x << C(saturating_add(p, q))) ^ ((y << C(q)) ^ z)", prove.Proved},
		{"x:T, y:T, p:U, q:U, z:T", "(((x >> C(p)) | y) >> C(q)) | z", "(x >> C(saturating_add(p, q))) | ((y >> C(q)) | z)", prove.Proved},

		{"x:T, p:U, q:U", "(x << C(p)) << C(q)", "x << C(p + q)", prove.Refuted},
		{"x:T, y:T, q:U", "~(x | y) << C(q)", "~(x << C(q)) & ~(y << C(q))", prove.Refuted},
		{"x:T, y:T, q:U", "(x | 1) << C(q)", "(x << C(q)) | 1", prove.Refuted},
		{"x:T, p:U, q:U", "(x << C(p)) >> C(q)", "x << C(saturating_sub(p, q))", prove.Refuted},
	} {
		for _, typ := range []string{"u8", "i16", "u32", "u64", "i64"} {
			cast := "(" // counts are unsigned, and of the type of what is shifted
			if typ[0] == 'i' {
				cast = typ + "("
			}
			named := strings.NewReplacer("T", typ, "U", "u"+typ[1:], "C(", cast)
			left, right := named.Replace(c.left), named.Replace(c.right)
			p := provetest.Problem(t, ir.NewPool(), program.ParseType(typ), named.Replace(c.types), left, right, "")
			th := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{})
			if th.Status != c.want {
				t.Errorf("%s: %s = %s is %s, want %s", typ, left, right, th.Status, c.want)
			}
			switch th.Status {
			case prove.Proved:
				if err := provetest.Check(t, p, 0, th.Proof()); err != nil {
					t.Errorf("%s: %s = %s: %v", typ, left, right, err)
				}
			case prove.Refuted:
				provetest.Confirm(t, p, th.Counter)
			}
		}
	}
}

// Divisors of unsigned words multiply as far as products are words; beyond that nothing is left to divide. Remainders of sums of remainders
// add up as far as these do not wrap.
func TestQuotientsOfWords(t *testing.T) {
	for _, c := range []struct {
		left, right string
		want        prove.Status
	}{
		{"x/p/q", "x/select(p <= tmax/q, p*q, 0)", prove.Proved},
		{"x/p/q/z", "x/select(p <= tmax/q, p*q, 0)/z", prove.Proved},
		{"x/3/5", "x/15", prove.Proved},
		{"x/p/3", "x/select(p <= tmax/3, p*3, 0)", prove.Proved},

		{"((x % 61 + p % 61) % 61 + q % 61) % 61", "(x % 61 + (p % 61 + q % 61) % 61) % 61", prove.Proved},
		{"((x % 11 + p % 11) % 11 * (q % 11) + z % 11) % 11", "((x % 11) * (q % 11) + ((p % 11) * (q % 11) + z % 11) % 11) % 11", prove.Proved},
		{"select(((x % 11) * (p % 11) + z) % 11 < 11, x, z)", "x", prove.Proved},
		{"select(((x % 11) * (p % 11) + z % 11) % 11 <= 10, x, z)", "x", prove.Proved},

		{"select(((x % 11) * (p % 11) + z % 11) % 11 < 10, x, z)", "x", prove.Refuted},
		{"((x + p) % 97 + q % 97) % 97", "(x % 97 + (p % 97 + q % 97) % 97) % 97", prove.Refuted},
		{"x/p/q", "x/(p*q)", prove.Refuted},
		{"x/p/q", "x/select(p <= tmax/q, p*q, tmax)", prove.Refuted},
	} {
		for _, typ := range []string{"u8", "u16", "u32", "u64"} {
			p := provetest.Problem(t, ir.NewPool(), program.ParseType(typ), strings.ReplaceAll("x:T, p:T, q:T, z:T", "T", typ), c.left, c.right, "")
			th := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{})
			if th.Status != c.want {
				t.Errorf("%s: %s = %s is %s, want %s", typ, c.left, c.right, th.Status, c.want)
			}
			switch th.Status {
			case prove.Proved:
				if err := provetest.Check(t, p, 0, th.Proof()); err != nil {
					t.Errorf("%s: %s = %s: %v", typ, c.left, c.right, err)
				}
			case prove.Refuted:
				provetest.Confirm(t, p, th.Counter)
			}
		}
	}
}
