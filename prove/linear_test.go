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

// What elimination derives again is dropped: these need many sums that saturate.
func TestSaturatingSums(t *testing.T) {
	for _, test := range []struct{ types, left, right string }{
		{"x0:i8,x1:i8,y0:i8", "select(y0 > 0 && x0 > 127 - y0, 127, select(y0 < 0 && x0 < -128 - y0, -128, x0 + y0))",
			"i8(max(min(i16(x0) + i16(y0), i16(127)), i16(-128)))"},
		{"x0:i32,x1:i32,y0:i32", "select(y0 > 0 && x0 > 2147483647 - y0, 2147483647, select(y0 < 0 && x0 < -2147483648 - y0, -2147483648, x0 + y0))",
			"i32(max(min(i64(x0) + i64(y0), i64(2147483647)), i64(-2147483648)))"},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.left+";"+test.right)
		if err != nil {
			t.Fatal(err)
		}
		p := proof.Problem{Left: u.Values[0], Right: u.Values[1]}
		th := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: 0, Exactly: true})
		if th.Status != prove.Proved {
			t.Errorf("%s: %s", test.left, th.Status)
			continue
		}
		if err := provetest.Check(t, p, 0, th.Proofs[0]); err != nil {
			t.Error(err)
		}
	}
}

// The checker eliminates in another order than the search, and what rounding gives depends on it.
func TestOrdersOfElimination(t *testing.T) {
	u, err := program.ParseUpdate(ir.NewPool(), "x0:i8,y0:i8", "min(y0, min(x0*x0, x0 + x0) - max(x0, x0 - y0))")
	if err != nil {
		t.Fatal(err)
	}
	var w prove.Prover
	o := prove.Options{Effort: prove.CasesOnly}
	o.Allowed = ir.NSW
	p, th := w.Characterise(context.Background(), proof.Operator{Types: u.Types, Exprs: u.Values}, o)
	if p == nil {
		t.Fatalf("%s", th.Status)
	}
	replayAll(t, u.Values[0].String(), p)
}

// Quotients are integers: an order of elimination that rounds shows no contradiction between
// x < y, y - y%8 < z, z <= y, y - y%8 <= x and x - x%8 < z - z%8.
func TestMultiplesByCases(t *testing.T) {
	var w prove.Prover
	o := prove.Options{Effort: prove.CasesOnly}
	for _, test := range []struct {
		types, op string
		want      prove.Status
	}{
		{"x0:u32,y0:u32", "max(x0, y0) & ~7", prove.Proved},
		{"x0:i64,y0:i64", "max(x0, y0) & ~7", prove.Proved},
		{"x0:i32,y0:i32", "min(x0, y0) - min(x0, y0) % 8", prove.Proved},
		{"x0:u16,y0:u16", "max(x0, y0)/10*10", prove.Proved},
		{"x0:u64,y0:u64", "max(x0/10*10, y0)", prove.Proved},
		{"x0:i32,y0:i32", "max(x0, y0) | 7", prove.Proved},
		{"x0:i32,y0:i32", "max(x0, y0)/10*10", prove.Refuted}, // tmin - tmin%10 wraps
		{"x0:u32,y0:u32", "max(x0, y0) & ~5", prove.Refuted},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.op)
		if err != nil {
			t.Fatal(err)
		}
		ps := proof.Operator{Types: u.Types, Exprs: u.Values}.Associativity()
		th := w.Prove(context.Background(), ps, o)
		if th.Status != test.want {
			t.Errorf("%s: associativity is %s", test.op, th.Status)
		} else if th.Status == prove.Proved {
			if err := provetest.Check(t, ps[0], 0, th.Proofs[0]); err != nil {
				t.Errorf("%s: %v", test.op, err)
			}
		}
	}
}

// Of many bounds of one quantity only the closest count: a table of 60 cases is proven as far as it
// is long.
func TestLongChains(t *testing.T) {
	pool := ir.NewPool()
	x, y := pool.X(0, ir.I32), pool.Y(0, ir.I32)
	inside, outside := pool.Int(ir.I32, 0), x
	for i := range int64(60) {
		c, v := ir.EqOf(y, pool.Int(ir.I32, i*7%60)), pool.Int(ir.I32, i*i)
		inside, outside = ir.SelectOf(c, v, inside), ir.SelectOf(c, ir.AddOf(x, v), outside)
	}
	var w prove.Prover
	o := prove.Options{Effort: prove.CasesOnly, Limit: 25_000_000}
	p := proof.Problem{Left: outside, Right: ir.AddOf(x, inside)}
	a := w.Prove(context.Background(), []proof.Problem{p}, o)
	if a.Status != prove.Proved {
		t.Fatal(a.Status)
	}
	if err := provetest.Check(t, p, 0, a.Proof()); err != nil {
		t.Error(err)
	}
}

// TestProductsHaveCertificates tries equations of which the search sees more than the checker does: no
// theorem is without a certificate.
func TestProductsHaveCertificates(t *testing.T) {
	for _, c := range [][3]string{
		{"max((z + 1)*y, (x & y)*(y & x))", "(x & y)*(y & x)", "x > -1; y <= z; y*y <= x; z == 0"},
		{"max(max(x, 0)*max(z, 0)*x, (x & y)*(z + 1)*(x & y))", "(x & y)*(z + 1)*(x & y)", "z == 0; y < -1"},
		{"max(max(x, 0)*max(y, 0)*max(x, 0), (x & y)*(y & x))", "(x & y)*(y & x)", "y*y <= y; y > -1; y > 0; z > x; x < -1"},
		{"max(x*x, 0)", "x*x", ""},
		{"max(x*y, 0)", "x*y", "0 <= x; 0 <= y"},
	} {
		p := provetest.Problem(t, ir.NewPool(), ir.I32, "x:i32, y:i32, z:i32", c[0], c[1], c[2])
		a := prove.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: ir.NSW, Exactly: true})
		switch a.Status {
		case prove.Refuted:
			t.Errorf("%s = %s is refuted", c[0], c[1])
		case prove.Unknown:
			if c[2] == "" || c[2] == "0 <= x; 0 <= y" {
				t.Errorf("%s = %s is not proven", c[0], c[1])
			}
		default:
			if _, err := prove.Certify(p, ir.NSW, a.Proof()); err != nil {
				t.Errorf("%s = %s is proven without a certificate: %v", c[0], c[1], err)
			}
		}
	}
}
