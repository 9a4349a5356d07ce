package prove_test

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// TestMasks: sums under a mask 2^n − 1 are sums modulo 2^n.
func TestMasks(t *testing.T) {
	for _, c := range []struct{ types, a, b string }{
		{"x0:i32,y0:i32,y1:i32", "(((x0 + y0) & 15) + y1) & 15", "(x0 + ((y0 + y1) & 15)) & 15"},
		{"x0:u8,y0:u8,y1:u8", "(((x0 + y0) % 8) + y1) % 8", "(x0 + ((y0 + y1) % 8)) % 8"},
		{"x0:i32,y0:i32", "(x0 + 17*y0) & 15", "(x0 + y0) & 15"},
		{"x0:i32,y0:i32", "(x0 - y0) & 1", "(x0 + y0) & 1"},
		{"x0:i32,y0:i32", "(~x0 + ((y0 & 31) ^ 0)) & 7", "(y0 - x0 - 1) & 7"},
	} {
		p := ir.NewPool()
		u, err := program.ParseUpdate(p, c.types, c.a)
		if err != nil {
			t.Fatal(err)
		}
		v, err := program.ParseUpdate(p, c.types, c.b)
		if err != nil {
			t.Fatal(err)
		}
		problem := proof.Problem{Left: u.Values[0], Right: v.Values[0]}
		a := prove.Prove(context.Background(), []proof.Problem{problem}, prove.Options{Allowed: 0})
		if a.Status != prove.Proved {
			t.Errorf("%s = %s: %v", c.a, c.b, a.Status)
			continue
		}
		if err := provetest.Check(t, problem, 0, a.Proof()); err != nil {
			t.Errorf("%s = %s: %v", c.a, c.b, err)
		}
	}
}

// Conjunctions of natural numbers are opaque to the search, and so to the checker: what the
// search replaces by an equation has to be one quantity there too.
func TestMasksOfNaturals(t *testing.T) {
	for _, c := range []struct{ left, right, given string }{
		{"f(x & z)", "f(y)", "(x & z) <= y; y <= (x & z)"},
		{"x*(x | z)", "x*y", "(x | z) <= y; y <= (x | z)"},
		{"max(x*(x & z), 3)", "max(x*y*y, 3)", "(x & z) <= y*y; y*y <= (x & z)"},
	} {
		p := provetest.Problem(t, ir.NewPool(), ir.U16, "x:u16, y:u16, z:u16", c.left, c.right, c.given)
		a := under(p, ir.NUW)
		if a.Status != prove.Proved {
			t.Errorf("%s = %s is %s", c.left, c.right, a.Status)
			continue
		}
		if err := provetest.Check(t, p, ir.NUW, a.Proof()); err != nil {
			t.Errorf("%s = %s: %v", c.left, c.right, err)
		}
	}
}
