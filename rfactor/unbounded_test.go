package rfactor

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// What is proven of a group is proven where integers wrap, or all of it where they are unbounded, but
// for equations that add nothing that may overflow; and a certificate that mixes them is not accepted.
func TestOneArithmetic(t *testing.T) {
	unbounded := 0
	for _, u := range []struct {
		types, exprs, assume string
		want                 Status
		mixes                bool // an equation where integers wrap will do: ⊕ has no operation that the update has not
	}{
		{"x0:i32,y0:i32,k0:i32", "max(min(k0 - x0, y0), x0)", "nsw", Associative, true},
		{"x0:i32,k0:i32,k1:i32", "saturating_sub(k1*k0, x0)", "nsw", Refused, false}, // ⊕ overflows where this does not
		{"x0:u16,y0:u16", "max((x0 + y0) - 100, u16(-100))", "nuw", Refused, false},  // −100 is 65436, which is not x0 − 100's
		{"x0:u32,k0:u32", "min(x0 << 1, k0)", "nuw", Associative, false},
		{"x0:u32,k0:u32,y0:u32", "min(y0 + x0, k0)", "nuw", Associative, true},
		{"x0:i32,x1:i32,y0:i32", "x0 + y0; max(x1, x0 + y0)", "nsw", Associative, true},
		{"x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; max(x1, x0 + y0); min(x2, x0 + y0)", "nsw", Associative, true},
		{"x0:u32,x1:u32,k0:u32,y0:u32", "min(x0 + y0, k0); x1 + y0", "nuw", Associative, true},
		{"x0:u32,x1:u32,k0:u32,y0:u32", "min(x0 + y0, k0); x1 - 6", "nuw", Staged, false}, // as words x1 + 4294967290, which is no answer beside natural numbers
		{"x0:i32,y0:i32", "select(x0 + 1 > x0, x0 + y0, x0)", "nsw", Associative, false},
		{"x0:i64,y0:i64", "abs(y0 + 3 - 3) + (abs(x0) + 3 - 3)", "nsw", Associative, false}, // the checker does not see which words are added before cases tell their signs
		{"x0:i16,y0:i16", "abs(y0) + 3 - 3 + abs(x0 + 3 - 3)", "nsw", Associative, false},
	} {
		a := match(t, u.types, u.exprs, u.assume, 0)
		if a.Status != u.want {
			t.Errorf("%s under %s: %s, want %s", u.exprs, u.assume, a.Status, u.want)
		}
		if a.Status != Associative {
			continue
		}
		judge(t, a)
		if a.Groups[0].Operator.Assumes&overflow.Flags != 0 {
			unbounded++
		}
		if a.Assumes&overflow.Flags == 0 {
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Fatal(err)
		}
		if ok := verified(withoutOverflow(t, line)) == nil; ok != u.mixes {
			t.Errorf("%s: an equation where integers wrap is accepted beside %v: %v", u.exprs, a.Assumes, ok)
		}
	}
	if unbounded < 4 {
		t.Errorf("%d groups of unbounded integers, want 4", unbounded)
	}
}

// withoutOverflow edits a record: its equations assume nothing of what overflows.
func withoutOverflow(t *testing.T, line []byte) []byte {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	proof := r["proof"].(map[string]any)["certificate"].(map[string]any)
	for _, g := range proof["groups"].([]any) {
		for _, u := range g.(map[string]any)["update"].([]any) {
			u.(map[string]any)["assumes"] = []string{}
		}
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A lemma of words does beside unbounded integers where it adds no operation that may overflow: max(a + b,
// a + c) is a + max(b, c) over the integers, but a + c may wrap where that does not. What a select may
// leave out is not promised, even where it is computed under the same choices.
func TestLemmaAddsNoOverflow(t *testing.T) {
	p := ir.NewPool()
	x, y, k := p.X(0, ir.I32), p.Y(0, ir.I32), p.K(0, ir.I32)
	b, c := p.Y(1, ir.Bool), p.Y(2, ir.Bool)
	zero, sum := p.Int(ir.I32, 0), ir.AddOf(x, y)
	shift := ir.Make(ir.Shr, ir.SubOf(x, y), p.Int(ir.I32, 31))
	xor := func(a, b ir.Expr) ir.Expr { return ir.Make(ir.BitXor, a, b) }
	for _, test := range []struct {
		from, to ir.Expr
		update   ir.Expr // beside it
		want     bool
	}{
		{from: xor(xor(x, k), k), to: x, want: true},
		{from: ir.SubOf(x, x), to: zero, want: true},
		{from: shift, to: ir.SelectOf(ir.LtOf(ir.SubOf(x, y), zero), p.Int(ir.I32, -1), zero), want: true},
		{from: shift, to: ir.SelectOf(ir.LtOf(x, y), p.Int(ir.I32, -1), zero), want: true},
		{from: ir.Make(ir.BitNot, xor(x, y)), to: xor(ir.Make(ir.BitNot, x), y), want: true},
		{from: ir.AddOf(x, ir.MaxOf(y, k)), to: ir.MaxOf(sum, ir.AddOf(x, k))},
		{from: sum, to: ir.SubOf(x, ir.NegOf(y))},
		{from: xor(xor(k, sum), sum), to: ir.SubOf(ir.AddOf(k, sum), sum)},
		{from: ir.AddOf(y, ir.MaxOf(k, x)), to: ir.AddOf(ir.MaxOf(x, k), y), want: true},
		{from: ir.SelectOf(b, sum, k), to: ir.SubOf(sum, ir.SelectOf(b, zero, ir.SubOf(sum, k)))},
		{from: ir.SelectOf(b, sum, k), to: ir.MinOf(sum, k)},
		{from: ir.SelectOf(b, sum, k), to: ir.MinOf(sum, k), update: ir.SelectOf(c, sum, x)},
		{from: ir.SelectOf(b, sum, k), to: ir.MinOf(sum, k), update: ir.SelectOf(c, sum, ir.SelectOf(b, zero, sum))},
		{from: ir.SelectOf(b, sum, k), to: ir.MinOf(sum, k), update: sum, want: true},
		{from: ir.SelectOf(b, sum, k), to: ir.SelectOf(ir.NotOf(b), k, sum)},
		{from: ir.SelectOf(b, sum, k), to: ir.SelectOf(ir.NotOf(b), sum, k)},
		{from: ir.SelectOf(b, sum, ir.SelectOf(c, sum, ir.AddOf(y, x))), to: sum},
		{from: ir.SelectOf(b, sum, ir.SelectOf(c, sum, y)), to: sum},
		{from: ir.SelectOf(ir.AndOf(b, ir.LtOf(sum, k)), x, y), to: ir.SelectOf(ir.LtOf(sum, k), ir.SelectOf(b, x, y), y)},
		{from: ir.SelectOf(ir.OrOf(ir.LtOf(sum, k), b), x, y), to: ir.SelectOf(b, x, ir.SelectOf(ir.LtOf(sum, k), x, y)), want: true},
	} {
		update := []ir.Expr{x}
		if test.update.IsValid() {
			update = append(update, test.update)
		}
		if l := (find.Rewriting{From: test.from, To: test.to}); l.AddsNoOverflow(update, ir.NSW) != test.want {
			t.Errorf("%s = %s beside %s adds nothing that may overflow: %v", l.From, l.To, ir.Strings(update), !test.want)
		}
	}
}

// Lemmas each of which holds, of integers that wrap or do not, prove together that min(x0, 27) is x0: what
// is simplified over unbounded integers overflows on the way, and words say nothing of it any more.
func TestLemmasInOrder(t *testing.T) {
	a := match(t, "x0:i8,y0:i8,k0:i8", "max(min(k0 - x0, y0), x0)", "nsw", 0)
	if a.Status != Associative || a.Groups[0].Operator.Assumes != ir.NSW || !ir.NSW.Has(a.Assumes) {
		t.Fatal("this is no operator of unbounded integers alone")
	}
	pool := a.Pool()
	num := func(n int64) ir.Expr { return pool.Int(ir.I8, n) }
	x := pool.X(0, ir.I8)
	start := ir.MinOf(x, num(27))
	moved := ir.MinOf(ir.AddOf(x, num(100)), num(127))
	g := &a.Groups[0]
	for _, l := range []Lemma{
		{start, ir.SubOf(moved, num(100)), Equality{Assumes: ir.NSW}},
		{moved, ir.AddOf(x, num(100)), Equality{}},
		{ir.SubOf(ir.AddOf(x, num(100)), num(100)), x, Equality{Assumes: ir.NSW}},
	} {
		proof := prove.Prove(context.Background(), []proof.Problem{{Left: l.From, Right: l.To}}, prove.Options{Allowed: l.Assumes, Exactly: true})
		if proof.Status != prove.Proved {
			t.Fatalf("%s = %s under %s is not proven", l.From, l.To, l.Assumes)
		}
		l.Cases = proof.Proof()
		g.Lemmas = append(g.Lemmas, l)
	}
	wrong := pool.Map(a.Update, func(e ir.Expr) ir.Expr {
		if e == x {
			return start
		}
		return ir.Expr{}
	})
	a.Update, g.Update = wrong, wrong
	g.Equal = []Equality{{Assumes: ir.NSW, Cases: &proof.Tree{Kind: proof.Equal}}}
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	rejected(t, ir.Strings(wrong)+" as x0 ⊕ y0 with max(min(k0 - x0, y0), x0)", line, "lemma 1: under [] it differs from the operator in what overflows")
}
