package main

import (
	"bytes"
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
