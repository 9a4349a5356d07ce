package rfactor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify"
)

// A rule of one's own is proven, applied and named, and the certificate holds without it.
func TestOwnRules(t *testing.T) {
	own, err := ReadRules(context.Background(), "# of lattices\nmax-plus-min [int] : max(a, b) + min(a, b) => a + b\nnot-min [int] : ~min(~a, ~b) => max(a, b)\n", "mine")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Match(t.Context(), parse(t, "x0:i32,y0:i32", "max(x0, y0) + min(x0, y0)"), Options{Rules: own, Matchers: EGraph})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != Associative || !strings.Contains(strings.Join(a.Remarks, "; "), "mine/max-plus-min") {
		t.Errorf("%s: %q", a.Status, a.Remarks)
	}
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Check(line); err != nil {
		t.Error(err)
	}
	b, err := Match(t.Context(), parse(t, "x0:i32,y0:i32", "max(x0, y0) + min(x0, y0)"), Options{Matchers: EGraph})
	if err != nil || len(b.Remarks) > 0 {
		t.Errorf("a match without rules of one's own remarks %q, %v", b.Remarks, err)
	}
}

// wrongRules hold at no instance of their classes, or not at all of them.
var wrongRules = []string{
	"[int] : (a + b)/2 => a/2 + b/2", "[int] : a/2*2 => a", "[signed] : abs(a + b) => abs(a) + abs(b)", "[signed] : abs(a*b) => abs(a)*b",
	"[signed] : abs(-a) => -a", "[int] : min(a, b) => a", "[int] : max(a, b) => b", "[int] : min(a, b) + max(a, b) => a", "[int] : a - b => b - a",
	"[int] : a - (b - c) => a - b - c", "[int] : -(a + b) => b - a", "[int] : a*(b + c) => a*b + c", "[int] : a*a => a", "[int] : a + a => a", "[int] : a + 1 => a",
	"[int] : max(a + b, 0) => max(a, 0) + max(b, 0)", "[int] : max(a, b) + c => max(a + c, b)", "[int] : min(max(a, b), c) => max(min(a, b), c)",
	"[int/wrap] : a & b => a", "[int/wrap] : a | b => a + b", "[int/wrap] : a ^ b => a | b", "[int/wrap] : ~(a & b) => ~a & ~b", "[int/wrap] : ~(a | b) => ~a | ~b",
	"[int/wrap] : a << 1 => a + 2", "[int/wrap] : (a & b) + c => (a + c) & (b + c)", "[int/wrap] : a ^ (b & c) => (a ^ b) & (a ^ c)", "[int/wrap] : ~a => -a",
	"[int] : select(p, a, b) => select(p, b, a)", "[int] : select(p, a, b) => a", "[int] : select(p, a + b, a) => a + b", "[int] : select(p, a + b, a) => a + select(p, 0, b)",
	"[int] : select(p && q, a, b) => select(p, a, b)", "[int] : select(!p, a, b) => select(p, a, b)", "[int] : select(a < b, a, b) => max(a, b)", "[int] : select(a <= b, b, a) => min(a, b)",
	"[bool] : a && b => a || b", "[bool] : !(a && b) => !a && !b", "[bool] : a || b => a", "[bool] : a != b => a || b", "[bool] : a && (b || c) => (a && b) || c", "[bool] : !a => a",
	"[float] : a + b => a", "[float] : a + b - b => a", "[float] : a*0.0 => 0.0", "[float] : min(a, b) => select(a < b, a, b)", "[float] : a - a => 0.0", "[float] : -(a - b) => b - a",
	"[float] : (a + b) + c => a + (b + c)", "[float] : a*(b + c) => a*b + a*c", "[float] : max(a, b) - b => max(a - b, 0.0)", "[float] : a/b*b => a", "[float] : abs(a - b) => a - b",
	"[int] : a < b => b < a", "[int] : a < b => a <= b", "[int] : a == b => a <= b", "[int/wrap] : a < b => a - b < 0", "[num] : min(a, min(b, c)) => min(a, b)",
}

// Each wrong rule is refused when it is read, all but a few with the values that refute it.
func TestOwnRulesWrong(t *testing.T) {
	refuted := 0
	for _, text := range wrongRules {
		_, err := ReadRules(t.Context(), "wrong "+text, "mine")
		var not *NotARule
		if !errors.As(err, &not) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if not.Counter != nil {
			refuted++
		} else {
			t.Log(err)
		}
	}
	if len(wrongRules) < 50 || refuted < 50 {
		t.Errorf("%d of %d rules are refuted by values, want 50", refuted, len(wrongRules))
	}
}

// Even if they were let in, wrong rules give no wrong answer: they propose, and every answer is proven
// without them.
func TestOwnRulesForced(t *testing.T) {
	var text strings.Builder
	for i, r := range wrongRules {
		fmt.Fprintf(&text, "wrong%d %s\n", i, r)
	}
	list, err := rules.Load("wrong", text.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		r.Name = "wrong/" + r.Name
	}
	forced := &Rules{canon.NewOwn(list)}
	checked, applied := 0, 0
	for i, l := range readCorpus(t, "updates.tsv") {
		if i%4 > 0 {
			continue
		}
		a, err := Match(t.Context(), parse(t, l.Types, l.Exprs), Options{Name: l.Name, Allowed: ir.AllAssumptions, Rules: forced})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Remarks) > 0 && strings.Contains(strings.Join(a.Remarks, " "), "wrong/") {
			applied++
		}
		if a.Status == Refused {
			continue
		}
		if l.Class == "not" {
			t.Errorf("%s has no operator, and is %s", l.Name, a.Status)
		}
		line, err := a.JSON(true)
		if err == nil {
			_, err = verify.Check(line)
		}
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
		checked++
	}
	t.Logf("%d answers hold; wrong rules were applied in the search for %d", checked, applied)
	if checked < 30 || applied < 20 {
		t.Errorf("%d answers were checked, and wrong rules applied for %d", checked, applied)
	}
}

func TestOwnRulesErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "there is no rule in it"},
		{"sum [int] x + y", "mine.rules:1: no ' : '"},
		{"a [int] : a + 0 => a\n\na [int] : a - 0 => a", "a is there twice"},
		{"a/b [int] : a + 0 => a", "has a colon or a slash"},
		{"a [int] : a + 0 => b", "occurs on the right only"},
	} {
		if _, err := ReadRules(t.Context(), c.text, "mine"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadRules(ctx, "a [int] : a + 0 => a", "mine"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
