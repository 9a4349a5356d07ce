package prove_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/internal/provetest"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// tricks are equations of words that are true in every width, in which W stands for the
// width less one; S is a signed type, U the unsigned one of that width.
var tricks = []struct{ typ, left, right string }{
	{"S", "(x & y) + (x | y)", "x + y"},
	{"U", "(x & y) + (x | y)", "x + y"},
	{"S", "x + y - 2*(x & y)", "x ^ y"},
	{"S", "(x | y) - (x ^ y)", "x & y"},
	{"S", "(x & y) + ((x ^ y) >> 1)", "(x | y) - (x ^ y) + ((x ^ y) >> 1)"},
	{"S", "(x & y) + ((x ^ y) >> 1)", "(x >> 1) + (y >> 1) + (x & y & 1)"},
	{"U", "(x & y) + ((x ^ y) >> 1)", "(x | y) - ((x ^ y) >> 1) - ((x ^ y) & 1)"},
	{"S", "(x ^ (x >> W)) - (x >> W)", "abs(x)"},
	{"S", "(x + (x >> W)) ^ (x >> W)", "abs(x)"},
	{"S", "y ^ ((x ^ y) & -S(x < y))", "min(x, y)"},
	{"S", "x ^ ((x ^ y) & -S(x < y))", "max(x, y)"},
	{"U", "y ^ ((x ^ y) & -U(x < y))", "min(x, y)"},
	{"S", "(x >> W) | S(U(-x) >> W)", "select(x < 0, -1, select(x > 0, 1, 0))"},
	{"S", "x - (x >> 3)*8", "x & 7"},
	{"S", "x - (x & 7)", "(x >> 3) << 3"},
	{"S", "x - x % 8", "x & -8"},
	{"S", "x / 8 * 8 + (x & 7)", "x"},
	{"U", "(x >> 3) + ((x & 7) >> 3)", "x / 8"},
	{"S", "x & -x", "x & (~x + 1)"},
	{"S", "x & (x - 1)", "x - (x & -x)"},
	{"S", "x ^ (x & -x)", "x & (x - 1)"},
	{"S", "(x | (x - 1)) + 1", "(x & (x - 1)) + 2*(x & -x)"},
	{"S", "x | (x + 1)", "x + (~x & (x + 1))"},
	{"S", "~x & (x + 1)", "~(x | (-2 - x))"},
	{"bool", "S(U(x) ^ (U(1) << W)) < S(U(y) ^ (U(1) << W))", "U(x) < U(y)"},
	{"bool", "(U(x) ^ (U(1) << W)) < (U(y) ^ (U(1) << W))", "x < y"},
	{"bool", "U(x) + U(y) < U(x)", "~U(x) < U(y)"},
	{"bool", "U(x) + U(y) < U(y)", "U(x) + U(y) < U(x)"},
	{"bool", "((x ^ (x + y)) & (y ^ (x + y))) < 0", "x + y != saturating_add(x, y)"},
	{"bool", "(x ^ y) < 0", "(x < 0) != (y < 0)"},
	{"bool", "x - y < 0", "(x < y) != (((x ^ y) & (x ^ (x - y))) < 0)"},
	{"U", "(x + y) | -U(x + y < x)", "saturating_add(x, y)"},
	{"U", "select(x > ~y, ~U(0), x + y)", "saturating_add(x, y)"},
	{"U", "x + min(y, ~x)", "saturating_add(x, y)"},
	{"U", "(x - y) & -U(x - y <= x)", "saturating_sub(x, y)"},
	{"U", "max(x, y) - y", "saturating_sub(x, y)"},
	{"U", "x - min(x, y)", "saturating_sub(x, y)"},
	{"S", "saturating_sub(x, y)", "~saturating_add(~x, y)"},
	{"U", "~saturating_add(~x, y)", "saturating_sub(x, y)"},
	{"S", "select(((x ^ (x+y)) & (y ^ (x+y))) < 0, (x >> W) ^ S(U(~U(0)) >> 1), x + y)", "saturating_add(x, y)"},
	{"U", "(x << 3) | (x >> (W - 2))", "(x << 3) ^ (x >> (W - 2))"},
	{"U", "(x << 3) + (x >> (W - 2))", "(x << 3) | (x >> (W - 2))"},
	{"U", "(x >> 1) ^ x ^ ((x ^ (x >> 1)) >> 2)", "x ^ (x >> 1) ^ (x >> 2) ^ (x >> 3)"},
	{"U", "(x & 85) + ((x >> 1) & 85)", "(x & 255) - ((x >> 1) & 85)"},
	{"bool", "((U(1) << U(x & 7)) & ((U(1) << U(x & 7)) - 1)) == 0", "true"},
	{"bool", "U(x & (x - 1)) == 0 && x != 0", "U(x ^ (x - 1)) > U(x - 1) && x != 0"},
	{"S", "max(x, y)", "x - ((x - y) & ((x - y) >> W)) + S(0)*x + select((x < y) != (x - y < 0), max(x,y) - x + ((x - y) & ((x - y) >> W)), 0)"},
	{"S", "-(x & y)", "~((x & y) - 1)"},
	{"S", "~(x - 1)", "-x"},
	{"S", "(x & z) | (y & ~z)", "((x ^ y) & z) ^ y"},
	{"S", "(x & y) | (y & z) | (x & z)", "(x & y) | ((x | y) & z)"},
	{"S", "(x ^ y) ^ ((x & y) << 1) ^ ((x + y) - (x ^ y))", "(x ^ y)"},
	{"bool", "(x | y) == 0", "x == 0 && y == 0"},
	{"bool", "(x & y) == -1", "x == -1 && y == -1"},
	{"bool", "(x ^ y) == 0", "x == y"},
	{"S", "S(x != 0)", "S(U(x | -x) >> W)"},
	{"S", "S(x == 0)", "S(U(~(x | -x)) >> W)"},
	{"S", "S(U(x) >> W)", "S(x < 0)"},
	{"S", "max(x, 0)", "x & ~(x >> W)"},
	{"S", "min(x, 0)", "x & (x >> W)"},
	{"S", "(x + y) + z + (x & y)", "x + (z + y) + (y & x)"},
	{"S", "select((x & 1) == 0, x, x - 1)", "x & -2"},
	{"U", "(x & ~y) | (~x & y)", "x ^ y"},
	{"U", "x * 5 & 3", "x & 3"},
	{"U", "(x * 3) ^ (x << 1)", "(x + (x << 1)) ^ (x + x)"},
	{"S", "S(x * y & 1)", "(x & 1) * (y & 1)"},
}

// Every trick is proven, in every width, and the certificate is accepted.
func TestTricks(t *testing.T) {
	widths := []string{"8", "16", "32", "64"}[:suite.Sample(3, 4)]
	var w prove.Prover
	byBits := 0
	for _, bits := range widths {
		for _, k := range tricks {
			p := trick(t, ir.NewPool(), bits, k.typ, k.left, k.right)
			a := w.Prove(context.Background(), []proof.Problem{p}, prove.Options{})
			if a.Status != prove.Proved {
				t.Errorf("%s = %s in %s bits: %s %v", k.left, k.right, bits, a.Status, a.Counter)
				continue
			}
			if err := provetest.Check(t, p, 0, a.Proof()); err != nil {
				t.Errorf("%s = %s in %s bits: %v", k.left, k.right, bits, err)
			}
			if prove.MethodOf(a.Proof()) == prove.Bits {
				byBits++
				t.Logf("%s = %s in %s bits, first %v", k.left, k.right, bits, a.Proof().First)
			}
		}
	}
	if byBits < len(tricks)/3*len(widths) {
		t.Errorf("only %d of them need their bits", byBits)
	}
}

func trick(t *testing.T, pool *ir.Pool, bits, typ, left, right string) proof.Problem {
	t.Helper()
	width, _ := strconv.Atoi(bits)
	r := strings.NewReplacer("S(", "i"+bits+"(", "U(", "u"+bits+"(", "W", strconv.Itoa(width-1))
	of := program.ParseType(map[string]string{"S": "i", "U": "u", "bool": "i"}[typ] + bits)
	vars := "x:" + of.String() + ", y:" + of.String() + ", z:" + of.String()
	result := of
	if typ == "bool" {
		result = ir.Bool
	}
	return provetest.Problem(t, pool, result, vars, r.Replace(left), r.Replace(right), "")
}

// prove.Bits prove nothing of integers that do not wrap, and nothing is proven by bits where a prover
// may use cases only.
func TestBitsOfWrapping(t *testing.T) {
	p := trick(t, ir.NewPool(), "8", "S", "(x + (x >> W)) ^ (x >> W)", "abs(x)")
	var w prove.Prover
	a := w.Prove(context.Background(), []proof.Problem{p}, prove.Options{})
	if a.Status != prove.Proved || prove.MethodOf(a.Proof()) != prove.Bits || provetest.Check(t, p, 0, a.Proof()) != nil {
		t.Fatalf("%s", a.Status)
	}
	if err := provetest.Check(t, p, ir.NSW, a.Proof()); err == nil || !strings.Contains(err.Error(), "bits of integers that do not wrap") {
		t.Errorf("under nsw: %v", err)
	}
	var used effort.Meter // whose zero value is used up
	if _, err := prove.CertifyWithin(p, 0, a.Proof(), &used); err == nil || !strings.Contains(err.Error(), "no small diagrams") {
		t.Errorf("bits are compared though nothing pays for them: %v", err)
	}
	if _, err := prove.CertifyWithin(p, 0, a.Proof(), nil); err != nil {
		t.Error(err)
	}
	if b := w.Prove(context.Background(), []proof.Problem{p}, prove.Options{Allowed: ir.NSW, Exactly: true}); b.Status == prove.Proved {
		t.Error("it is proven under nsw")
	}
	o := prove.Options{Effort: prove.CasesOnly}
	if b := w.Prove(context.Background(), []proof.Problem{p}, o); b.Status == prove.Proved {
		t.Error("it is proven by cases")
	}
}

// Where the bits say that the sides differ, there is a counterexample if evaluation confirms it;
// what bits do not show, such as floats and calls, may be the reason that they seem to.
func TestBitsRefute(t *testing.T) {
	for _, c := range []struct {
		types, left, right string
		want               prove.Status
	}{
		{"x:u32, y:u32", "select((x ^ y) == 123456789, x, y)", "y", prove.Refuted},
		{"x:u32, y:u32, z:f32", "select((x ^ y) == 123456789 && z == z, x, y)", "y", prove.Refuted},
		{"x:u32, y:u32, z:f32", "select((x ^ y) == 123456789 && z*z < 0.0, x, y)", "y", prove.Unknown},
		{"x:u32, y:u32, z:u32", "select((x ^ y) == 123456789 && P(z), x, y)", "y", prove.Unknown},
		{"x:u32, y:u32, z:f32", "select((x ^ y) == 123456789 && z < f32(u32(P(x))), x, y)", "y", prove.Unknown},
	} {
		typ := program.ParseType(c.types[2:strings.Index(c.types, ",")])
		p := provetest.Problem(t, ir.NewPool(), typ, c.types, c.left, c.right, "")
		th := prove.Prove(context.Background(), []proof.Problem{{Left: p.Left, Right: p.Left}, p}, prove.Options{Allowed: 0, Exactly: true})
		if th.Status != c.want || th.Status == prove.Refuted && th.Failed != 1 {
			t.Errorf("%s = %s: %s", c.left, c.right, th.Status)
		}
		if th.Status == prove.Refuted {
			provetest.Confirm(t, p, th.Counter)
		}
	}
}
