package main

import (
	"bytes"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/rule"
	"testing"

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
	if out.String() != rules.Certificates() {
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
			t.Errorf("%s is proven by %v", line, c.Proofs)
		}
	}
}

// TestGoal: a proof over signed integers serves unsigned ones only where neither the sign nor
// the width of the type matters.
func TestGoal(t *testing.T) {
	for line, same := range map[string]bool{
		"t [unsigned] : a & a => a":                       true,
		"t [unsigned] : (a & b) << 1 => (b & a) << 1":     true,
		"t [unsigned] : select(p, a, 0) => select(p,a,0)": true,
		"t [unsigned] : a & -1 => a":                      false,
		"t [unsigned] : a*-1 => -a":                       false,
		"t [unsigned] : ~~a => a":                         false,
		"t [unsigned] : min(a, tmax) => a":                false,
		"t [unsigned] : a/b => a/b":                       false,
		"t [unsigned] : a << b => a << b":                 false,
		"t [unsigned] : saturating_add(a, 0) => a":        false,
	} {
		rs, err := rules.Load("test", line)
		if err != nil {
			t.Fatal(err)
		}
		got := goal(rule.Instance{Rule: rs[0], Type: ir.U16, Assume: ir.NUW})
		want := "u16/nuw"
		if same {
			want = "i16/nsw"
		}
		if got.String() != want {
			t.Errorf("%s at u16/nuw is proven as %s, want %s", line, got, want)
		}
		if got := goal(rule.Instance{Rule: rs[0], Type: ir.U16}); got.String() != "u16" {
			t.Errorf("%s at u16 is proven as %s", line, got)
		}
	}
}
