package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/rules"
)

// TestCommitted: the certificates in the tree are what this command prints, byte for byte; an ordinary test makes one in five of them, and those of rules
// with carries.
func TestCommitted(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	committed := strings.SplitAfter(rules.Certificates(), "\n")
	if len(committed) != len(derived())+1 {
		t.Fatalf("rules/certificates.jsonl has %d lines, of %d rules", len(committed)-1, len(derived()))
	}
	for i := range derived() {
		if i%suite.More(5, 1) != 0 && !strings.Contains(committed[i], `"carry"`) {
			continue
		}
		var out bytes.Buffer
		if err := write(&out, derived()[i:i+1]); err != nil {
			t.Fatal(err)
		}
		if out.String() != committed[i] {
			t.Errorf("rules/certificates.jsonl is not what make rules-proofs writes: %s", derived()[i].Text)
		}
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
