package main

import (
	"bytes"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// TestCommitted: the certificates in the tree are what this command prints, byte for byte.
func TestCommitted(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	if out.String() != rules.Certificates {
		t.Error("rules/certificates.jsonl is not what make rules-proofs writes")
	}
}

// TestFalseRules: what is false is not proven.
func TestFalseRules(t *testing.T) {
	for _, line := range []string{
		"f [int] : min(a + b, a + c) => a + min(b, c)",
		"f [int/nowrap] : a*-1 => -a",
		"f [float] : a*0 => 0",
		"f [float/nnan+nsz] : a*0 => 0",
		"f [float/nnan+ninf] : a*0 => 0",
		"f [float] : -(a + b) => -a + -b",
		"f [float/nnan] : min(a + b, a + c) => a + min(b, c)",
	} {
		rs, err := rules.Load("false", line)
		if err != nil {
			continue // ill formed
		}
		if c, err := newProver().certify(rs[0]); err == nil {
			t.Errorf("%s is proven by %s", line, c.How())
		}
	}
}

func TestText(t *testing.T) {
	pool := ir.NewPool()
	for _, c := range []string{"-(1)", "-1", "-0.0", "0", "tmax", "select(p, (a + 0.5), -(b))", "(a < tmin)"} {
		term, err := rules.ParseTerm(c)
		if err != nil {
			t.Fatal(err)
		}
		e := term.Build(pool, ir.F64, func(name string, vt ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, vt) })
		if got := text(e); got != c {
			t.Errorf("%s is written as %s", c, got)
		}
	}
}
