package rules

import (
	"strings"
	"testing"
)

// TestRules checks every rule by evaluation in every type, domain and assumption it claims.
func TestRules(t *testing.T) {
	for _, r := range Ranked() {
		if err := r.check(); err != nil {
			t.Errorf("%s\n\t%v", r.Text, err)
		}
		if err := evaluate(r); err != nil {
			t.Errorf("%s\n\t%v", r.Text, err)
		}
	}
}

// TestWrongRulesAreCaught: each of these is false in just one of the ways in which rules
// have been wrong in other compilers.
func TestWrongRulesAreCaught(t *testing.T) {
	wrong := []string{
		"plainly [int] : a - b => b - a",
		"wraps [int] : min(a + b, a + c) => a + min(b, c)",
		"tmin-has-no-negative [signed] : -max(-a, -b) => min(a, b)",
		"unsigned-only [int] : a < 0 => false",
		"nan-compares-false [float] : a >= b => !(a < b)",
		"zero-has-a-sign [float] : a + 0 => a",
		"min-propagates-nan [float/nsz] : select(a < b, a, b) => min(a, b)",
		"only-without-infinity [float/nnan+nsz] : select(p, a, 0) => a*select(p, 1, 0)",
		"rounds [float] : (a + b) + c => a + (b + c)",
		"wraps-only [unsigned] : select(a + b < a, tmax, a + b) => saturating_add(a, b)",
		"one-side-is-nan [float/nnan] : min(a + b, a + c) => a + min(b, c)",
		"arms [any] : select(!p, a, b) => select(p, a, b)",
	}
	for _, line := range wrong {
		rs, err := Load("wrong", line)
		if err != nil {
			continue // ill typed: caught at loading
		}
		if err := evaluate(rs[0]); err == nil {
			t.Errorf("not caught: %s", line)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	for line, want := range map[string]string{
		"x : a => b":                      "head",
		"x [int] a => b":                  "' : '",
		"x [int] : a + b => c":            "right only",
		"x [int] : a => a + 0":            "bare variable",
		"x [real] : a + 0 => a":           "unknown class",
		"x [int/fast] : a + 0 => a":       "unknown assumption",
		"x [int] : a + => a":              "expected an operand",
		"x [int] : p && q => a":           "right only",
		"x [any] : a + a => a":            "does not take bool",
		"x [int] : a + b => a if leaf(c)": "does not occur",
		"x [int] : select(a, b, c) => b":  "condition",
		"x [int] : frob(a, b) => b":       "there is no function",
		"x [int] : a + 0 => a if even(a)": "state(v) or leaf(v)",
		"x [int] : a + 0 <=> a":           "bare variable",
		"x [int] : (a + b => a":           "expected ')'",
		"x [int] : min(a) => a":           "expected ','",
	} {
		_, err := Load("t", line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", line, err, want)
		}
	}
}
