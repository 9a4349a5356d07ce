package rfactor

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/prove/testpoint"
)

// TestRefusalsAreTrue evaluates what refusals of the corpus and others say: a nearest
// operator gives what it is said to give, and an invariant that is asked for serves.
func TestRefusalsAreTrue(t *testing.T) {
	type line struct{ types, update string }
	lines := []line{
		{"x0:i32,x1:i32,y0:i32", "select(y0 < x0, y0, x0); select(y0 < x0, x0, min(x1, y0))"},
		{"x0:i16,x1:i16,y0:i16", "select(y0 > x0, y0, x0); select(y0 > x0, x0, max(x1, y0))"},
		{"x0:i32,y0:bool", "select(y0, x0 + 1, 0)"},
		{"x0:i32,y0:i32", "max(abs(x0), y0 & 127)"},
		{"x0:i32,y0:i32", "abs(x0) ^ (y0 & 127)"},
		{"x0:i32,x1:i32,y0:i32", "min(x0, y0); max(x0, x1, y0)"},
		{"x0:i8,y0:i8", "x0 ^ (x0 & y0) ^ max(x0, y0)"},
		{"x0:u32,y0:u32", "(x0 ^ y0)*16777619"},
		{"x0:i32,y0:i32", "select(x0 == 3, y0, max(x0, y0))"},
		{"x0:i8,y0:i8", "(1 | select(y0 <= 15, select(y0 <= -1, x0 >> 7, y0), y0)) ^ y0"},
		{"x0:u16,y0:u16,y1:u16", "select(y1 < 2, 0, ~x0) + y0"},
		{"x0:bool,x1:i16,y0:i16", "true; select(x0, max(-x1, y0), y0)"},
	}
	for _, l := range readCorpus(t, "updates.tsv") {
		if l.Class == "lift" || l.Class == "not" {
			lines = append(lines, line{l.Types, l.Exprs})
		}
	}
	near, while := 0, 0
	for _, l := range lines {
		u, err := program.ParseUpdate(ir.NewPool(), l.types, l.update)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), u, Options{Allowed: ir.AllAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != Refused && a.Status != Staged {
			continue
		}
		if n := a.Nearest; n != nil {
			near++
			checkNearest(t, a, n, ir.AllAssumptions)
		}
		if _, rest, ok := strings.Cut(a.Reason+strings.Join(a.Remarks, "; "), "matches only while "); ok {
			while++
			condition, _, _ := strings.Cut(rest, ",")
			if u.Given, err = program.ParseGiven(u, condition); err != nil {
				t.Fatal(err)
			}
			b, err := Match(context.Background(), u, Options{Allowed: ir.AllAssumptions})
			if err != nil || b.Status != Associative || len(b.Given) == 0 {
				t.Errorf("%s: %s: given that it is refused, %s", l.update, a.Reason, b.Reason)
			}
		}
	}
	if near < 5 || while < 2 {
		t.Errorf("%d refusals name a near operator and %d an invariant: they test little", near, while)
	}
}

func checkNearest(t *testing.T, a *Answer, n *Nearest, allowed ir.Assume) {
	t.Helper()
	pool, c := a.Pool(), n.Counter
	op := pool.Map(n.Exprs, func(e ir.Expr) ir.Expr { // x ⊕ inject
		if e.Op() == ir.Var && e.Kind() == ir.Leaf {
			return n.Inject[slices.Index(n.Components, e.Index())]
		}
		return ir.Expr{}
	})
	env := &ir.Env{Var: func(v ir.Expr) uint64 {
		if i := slices.Index(c.Inputs, v); i >= 0 {
			return c.Values[i]
		}
		return 0
	}}
	want := ir.Eval(a.Update[n.Component], env)
	got := ir.Eval(op[slices.Index(n.Components, n.Component)], env)
	if want != c.Left || got != c.Right || want == got || testpoint.Close(c.Type, allowed, want, got) {
		t.Errorf("%s: near %s: %v and %v, not %v and %v", ir.Strings(a.Update), n.Name, want, got, c.Left, c.Right)
	}
}

// TestOnlyUnder: an update that is said to need an assumption is answered under it, and
// not under fewer.
func TestOnlyUnder(t *testing.T) {
	kinds := map[string]Status{"matches only under nsw (-assume +nsw)": Associative, "has a lift under nsw (-assume +nsw)": Lifted}
	seen := map[Status]int{}
	run := matchCorpus(t, "updates.tsv", ir.DefaultAssumptions, 0)
	for i, l := range run.lines {
		if l.Class != "lift" && l.Class != "assoc" {
			continue
		}
		a := run.answers[i]
		for text, status := range kinds {
			if said := a.Reason + strings.Join(a.Remarks, "; "); (a.Status == Refused || a.Status == Staged) && strings.Contains(said, text+":") {
				seen[status]++
				b, err := Match(context.Background(), parse(t, l.Types, l.Exprs), Options{Allowed: ir.DefaultAssumptions | ir.NSW})
				if err != nil {
					t.Fatal(err)
				}
				if b.Status != status || !b.Assumes.Has(ir.NSW) {
					t.Errorf("%s: %s: %s, %s", l.Name, a.Reason, b.Status, b.Assumes)
				}
			}
		}
	}
	if seen[Associative] < 3 || seen[Lifted] < 3 {
		t.Errorf("%v refusals name nsw: they test little", seen)
	}
}

// A refusal names the lift that comes nearest, and values at which it fails.
func TestNearestLift(t *testing.T) {
	for _, test := range []struct{ types, exprs, assume, want string }{
		{"x0:i32,y0:i32", "(x0 + 1) | y0", "all", "; the nearest lift is rotated, but the update gives 2 where that gives 0: x0 = 1, y0 = 0"},
		{"x0:i32,y0:i32", "x0*x0 + y0", "all", "; the nearest lift family is affine, which has no form for x0*x0"},
	} {
		a := match(t, test.types, test.exprs, test.assume, 0)
		if a.Status != Refused || !strings.HasSuffix(a.Reason, test.want) {
			t.Errorf("%s: %s %s", test.exprs, a.Status, a.Reason)
		}
	}
}

// Where no steps are found, a refusal says which family comes nearest, and what it cannot read.
func TestRefusalNamesFamily(t *testing.T) {
	for _, test := range []struct{ types, exprs, want string }{
		{"x0:u32,y0:u32", "(x0*33) ^ y0", "the nearest lift family is affine, which has no form for (x0*33) ^ in.y0"},
		{"x0:f32,y0:f32,k0:f32", "max(x0*x0*k0, y0)", "the nearest lift family is affine, which has no form for x0*x0"},
	} {
		if a := match(t, test.types, test.exprs, "all", 0); a.Status != Refused || !strings.Contains(a.Reason, test.want) {
			t.Errorf("%s: %s %q", test.exprs, a.Status, a.Reason)
		}
	}
}

// A refusal claims no more than is known: what neither values nor a proof decide is said to be
// open, and values that refute an update have what is given of it.
func TestRefusalsClaimWhatIsKnown(t *testing.T) {
	for _, test := range []struct{ types, given, exprs, want string }{
		{"x0:u8,y0:u8", "true", "255 - (255 - x0)*(255 - y0)/255", "is neither proven nor refuted"},
		{"x0:u32,y0:u32,k0:u32", "x0 < k0 && y0 < k0 && k0 < 1000", "(x0 + y0) % k0", "matches under nuw (-assume +nuw): (x0 + y0) % k0; without that it is neither proven nor refuted"},
		{"x0:u32,y0:u32", "true", "(x0 + y0) % 1000", "matches only under nuw (-assume +nuw): "},
		{"x0:i32,y0:i32", "true", "select(x0 < y0, x0, y0 + 1)", "which has no form for select(x0 < in.y0, x0, in.y0 + 1)"},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.exprs)
		if err == nil {
			u.Given, err = program.ParseGiven(u, test.given)
		}
		if err != nil {
			t.Fatal(err)
		}
		a, err := Match(context.Background(), u, Options{Allowed: ir.DefaultAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != Refused || !strings.Contains(a.Reason, test.want) {
			t.Errorf("%s: %s %q", test.exprs, a.Status, a.Reason)
		}
	}
}

// Operands of an operator satisfy what is given, each by itself: k0 is the same for all of them.
func TestGivenOfConstants(t *testing.T) {
	u, err := program.ParseUpdate(ir.NewPool(), "x0:u32,y0:u32,k0:u32", "x0 + y0 - (k0 & -u32(x0 + y0 >= k0))")
	if err == nil {
		u.Given, err = program.ParseGiven(u, "x0 < k0 && y0 < k0 && k0 < 1000")
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := Match(context.Background(), u, Options{Allowed: ir.DefaultAssumptions})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != Associative || a.Assumes != 0 {
		t.Fatalf("%s %s %s", a.Status, a.Assumes, a.Reason)
	}
	line, err := a.JSON(true)
	if err == nil {
		err = verified(line)
	}
	if err != nil {
		t.Error(err)
	}
}

// Every code stands for a kind of refusal, and an update that a hint speaks of has an answer when the
// hint is followed.
func TestCodes(t *testing.T) {
	seen := map[Code]bool{}
	for _, c := range []struct {
		types, update string
		assume        ir.Assume
		matchers      Matchers
		code          Code
	}{
		{"x0:i32,y0:i32,k0:i32", "(x0 + y0) % k0", ir.DefaultAssumptions, 0, NeedsAssumption},
		{"x0:i32,y0:i32", "min(x0, y0) + 1", ir.DefaultAssumptions, 0, LiftNeedsAssumption},
		{"x0:i32,y0:i32", "max(abs(x0), y0 & 127)", ir.DefaultAssumptions, 0, NeedsGiven},
		{"x0:i32,y0:i32", "x0*x0 + y0", ir.DefaultAssumptions, 0, NotAssociative},
		{"x0:i64,y0:i64,y1:i64", "select(y0 >= x0, y1, x0)", ir.DefaultAssumptions, 0, NotItsOperator},
		{"x0:u32,y0:u32,k0:u32", "u32(min(u64(x0)*u64(y0), u64(k0)))", ir.DefaultAssumptions, 0, Unproven},
		{"x0:i32,y0:i32", "x0*x0 + y0", ir.DefaultAssumptions, EGraph, NoOperator},
	} {
		u := parse(t, c.types, c.update)
		a, err := Match(context.Background(), u, Options{Allowed: c.assume, Matchers: c.matchers})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != Refused || a.Code != c.code || a.Reason == "" {
			t.Errorf("%s: %s, %q: %s; want %q", c.update, a.Status, a.Code, a.Reason, c.code)
			continue
		}
		seen[a.Code] = true
		hinted := c.code == NeedsAssumption || c.code == LiftNeedsAssumption || c.code == NeedsGiven
		if hinted != (a.Hint.Assume != 0) || (c.code == NeedsGiven) != (len(a.Hint.Given) > 0) {
			t.Errorf("%s: the hint of %q is %v given %s", c.update, a.Code, a.Hint.Assume, ir.Strings(a.Hint.Given))
		}
		if !hinted {
			continue
		}
		u.Given = u.Pool.Import(a.Hint.Given...)
		if b, err := Match(context.Background(), u, Options{Allowed: a.Hint.Assume}); err != nil || b.Operator == nil {
			t.Errorf("%s: by its hint %v it has no answer: %v", c.update, a.Hint.Assume, err)
		}
	}
	if len(seen) != 7 {
		t.Errorf("codes met: %v", seen)
	}
}

// TestNearestAsGiven reads where a near operator differs: the given conditions hold there.
func TestNearestAsGiven(t *testing.T) {
	u := parse(t, "x0:i32,y0:i32", "select(x0 > 2, max(x0, y0), y0 - x0)")
	var err error
	if u.Given, err = program.ParseGiven(u, "3 < x0"); err != nil {
		t.Fatal(err)
	}
	a, err := Match(context.Background(), u, Options{})
	if err != nil || a.Status != Refused {
		t.Fatal(a, err)
	}
	if a.Nearest == nil {
		return
	}
	for i, v := range a.Nearest.Counter.Inputs {
		if v.Kind() == ir.State && int32(a.Nearest.Counter.Values[i]) <= 3 {
			t.Errorf("%s differs at %s = %d, where 3 < x0 is given", a.Nearest.Name, v, int32(a.Nearest.Counter.Values[i]))
		}
	}
}
