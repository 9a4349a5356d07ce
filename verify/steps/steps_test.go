package steps_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
	. "github.com/rfactor-go/rfactor/verify/steps"
)

// term reads a term in the notation of rules, at type t.
func term(tb testing.TB, pool *ir.Pool, t ir.Type, text string) ir.Expr {
	tb.Helper()
	s, err := rules.ParseTerm(text)
	if err != nil {
		tb.Fatal(err)
	}
	return s.Build(pool, t, func(name string, vt ir.Type) ir.Expr { return pool.Var(ir.Leaf, name, 0, vt) })
}

func reader(tb testing.TB, pool *ir.Pool, t ir.Type) func(string) (ir.Expr, error) {
	return func(text string) (ir.Expr, error) { return term(tb, pool, t, text), nil }
}

// oneStep is a chain of one step.
type oneStep struct {
	from, rule, to string
	typ            ir.Type
	assume         ir.Assume
	backward       bool
	path           []int
	rank           int
	wrong          string // part of the error; "" where the step holds
}

func TestStep(t *testing.T) {
	for _, s := range []oneStep{
		// rules
		{from: "select(p, a + b, a)", rule: "select-add-then", to: "a + select(p, b, 0)", typ: ir.I32},
		{from: "a + select(p, b, 0)", rule: "select-add-then", to: "select(p, a + b, a)", typ: ir.I32, backward: true},
		{from: "select(p, b + a, a)", rule: "select-add-then", to: "a + select(p, b, 0)", typ: ir.I32},
		{from: "c*select(p, a + b, a)", rule: "select-add-then", to: "c*(a + select(p, b, 0))", typ: ir.I32, path: []int{1}},
		{from: "select(p, a + b, a)", rule: "select-add-then", to: "a + select(p, 0, b)", typ: ir.I32, wrong: "does not turn"},
		{from: "a + select(p, b, 0)", rule: "select-add-then", to: "select(p, a + b, a)", typ: ir.I32, wrong: "does not turn"},
		{from: "a + b", rule: "no-such-rule", to: "b + a", typ: ir.I32, wrong: `there is no rule "no-such-rule"`},
		// under what they need
		{from: "select(p, a + b, a)", rule: "select-add-then", to: "a + select(p, b, 0)", typ: ir.F64, wrong: "does not hold at f64 under none"},
		{from: "select(p, a + b, a)", rule: "select-add-then", to: "a + select(p, b, 0)", typ: ir.F64, assume: ir.NSZ},
		{from: "min(a + b, a + c)", rule: "min-of-sums", to: "a + min(b, c)", typ: ir.I32, wrong: "does not hold at i32 under none"},
		{from: "min(a + b, a + c)", rule: "min-of-sums", to: "a + min(b, c)", typ: ir.I32, assume: ir.NSW},
		{from: "min(a + b, a + c)", rule: "min-of-sums", to: "a + min(b, c)", typ: ir.U32, assume: ir.NSW, wrong: "does not hold at u32 under nsw"},
		{from: "min(a + b, a + c)", rule: "min-of-sums", to: "a + min(b, c)", typ: ir.F32, assume: ir.NNaN, wrong: "does not hold at f32 under nnan"},
		{from: "a*-1", rule: "mul-minus-one", to: "-a", typ: ir.U32, assume: ir.NUW, wrong: "does not hold at u32 under nuw"},
		// at the path
		{from: "c*(a + b)", rule: "commute-add", to: "c*(b + a)", typ: ir.I32, path: []int{0}, wrong: "beside the path"},
		{from: "c*(a + b)", rule: "commute-add", to: "c*(b + a)", typ: ir.I32, path: []int{2}, wrong: "path does not lead"},
		{from: "c*(a + b)", rule: "commute-add", to: "c*(b + a)", typ: ir.I32, path: []int{-1}, wrong: "path does not lead"},
		{from: "c*(a + b)", rule: "commute-add", to: "c + (b + a)", typ: ir.I32, path: []int{1}, wrong: "beside the path"},
		{from: "c*(a + b)", rule: "commute-add", to: "p", typ: ir.I32, wrong: "i32 changes into bool"},
		// below the rank
		{from: "a + b", rule: "commute-add", to: "b + a", typ: ir.I32, rank: 1, wrong: "which is not below 1"},
		{from: "a/1", rule: "axiom-div-one", to: "a", typ: ir.F32, rank: 10},
		// literals
		{from: "2 + 3", rule: Fold, to: "5", typ: ir.I32},
		{from: "5", rule: Fold, to: "2 + 3", typ: ir.I32, backward: true},
		{from: "2 + 3", rule: Fold, to: "6", typ: ir.I32, wrong: "does not have the value 6"},
		{from: "a*0", rule: Fold, to: "0", typ: ir.I32, wrong: "not folded into a literal"},
		{from: "tmax + 1", rule: Fold, to: "tmin", typ: ir.I32},
		{from: "tmax + 1", rule: Fold, to: "tmin", typ: ir.I32, assume: ir.NSW, wrong: "certificate: "},
		{from: "tmax < tmax + 1", rule: Fold, to: "false", typ: ir.I32},
		{from: "tmax < tmax + 1", rule: Fold, to: "false", typ: ir.I32, assume: ir.NSW, wrong: "certificate: "},
		{from: "0", rule: Fold, to: "0", typ: ir.I32},
		{from: "-(0)", rule: Fold, to: "-0.0", typ: ir.F64},
		{from: "-(0)", rule: Fold, to: "0", typ: ir.F64, wrong: "does not have the value"},
		{from: "-(0)", rule: Fold, to: "0", typ: ir.F64, assume: ir.NSZ},
		{from: "0.1 + 0.2", rule: Fold, to: "0.30000000000000004", typ: ir.F64},
		{from: "0.1 + 0.2", rule: Fold, to: "0.30000000000000004", typ: ir.F64, assume: ir.Reassoc, wrong: "certificate: "},
		{from: "0.5 + 0.25", rule: Fold, to: "0.75", typ: ir.F64, assume: ir.Reassoc},
		{from: "tmin < 0", rule: Fold, to: "true", typ: ir.F32},
	} {
		pool := ir.NewPool()
		from, to := term(t, pool, s.typ, s.from), term(t, pool, s.typ, s.to)
		if s.rank == 0 {
			s.rank = AnyRank
		}
		end, err := Follow(from, []Step{{s.rule, s.backward, s.path, s.to}}, reader(t, pool, s.typ), s.assume, s.rank)
		if err == nil && end != to {
			t.Errorf("the steps lead to %s", end)
		}
		switch {
		case s.wrong == "" && err != nil:
			t.Errorf("%s → %s at %s under %s: %v", s.from, s.to, s.typ, s.assume, err)
		case s.wrong != "" && (err == nil || !strings.Contains(err.Error(), s.wrong)):
			t.Errorf("%s → %s at %s under %s: error %v, want one with %q", s.from, s.to, s.typ, s.assume, err, s.wrong)
		}
	}
}

func TestChain(t *testing.T) {
	pool := ir.NewPool()
	read := reader(t, pool, ir.I32)
	from, to := term(t, pool, ir.I32, "a + select(p, 1, 0)"), term(t, pool, ir.I32, "select(p, 1 + a, a)")
	chain := []Step{
		{Rule: "select-add-then", Backward: true, To: "select(p, a + 1, a)"},
		{Rule: "commute-add", Path: []int{1}, To: "select(p, 1 + a, a)"},
	}
	if end, err := Follow(from, chain, read, 0, AnyRank); err != nil || end != to {
		t.Errorf("the steps lead to %s: %v", end, err)
	}
	if end, err := Follow(from, chain[:1], read, 0, AnyRank); err != nil || end == to {
		t.Errorf("the first step leads to %s: %v", end, err)
	}
	for want, steps := range map[string][]Step{
		"step 1:": chain[1:],
		"step 2:": {chain[0], chain[0]},
	} {
		if _, err := Follow(from, steps, read, 0, AnyRank); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	unread := func(string) (ir.Expr, error) { return ir.Expr{}, errors.New("unread") }
	if _, err := Follow(from, chain, unread, 0, AnyRank); err == nil {
		t.Error("a step is accepted that cannot be read")
	}
}
