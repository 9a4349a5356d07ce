package interval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	. "github.com/rfactor-go/rfactor/ir/interval"
)

// Every value of an expression lies in its interval.
func TestOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	types := []ir.Type{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64}
	var draw func(p *ir.Pool, t ir.Type, depth int) ir.Expr
	draw = func(p *ir.Pool, t ir.Type, depth int) ir.Expr {
		sub := func() ir.Expr { return draw(p, t, depth-1) }
		small := p.Const(t, uint64(rng.IntN(60)))
		if depth == 0 {
			if t == ir.I32 && rng.IntN(2) == 0 {
				return p.Call(t, "in.width", 0)
			}
			return p.Y(rng.IntN(3), t)
		}
		switch rng.IntN(14) {
		case 0:
			return small
		case 1, 2:
			return ir.CastTo(t, draw(p, types[rng.IntN(len(types))], depth-1))
		case 3:
			return ir.AddOf(sub(), sub())
		case 4:
			if rng.IntN(2) == 0 {
				return ir.NegOf(sub())
			}
			return ir.SubOf(sub(), sub())
		case 5:
			return ir.MinOf(sub(), sub())
		case 6:
			return ir.MaxOf(sub(), sub())
		case 7:
			return ir.Make(ir.BitAnd, sub(), small)
		case 8:
			return ir.Make(ir.Shr, sub(), small)
		case 9:
			return ir.MulOf(sub(), sub())
		case 10:
			return ir.DivOf(sub(), small)
		case 11:
			return ir.ModOf(sub(), sub())
		case 12:
			return ir.Make(ir.Abs, sub())
		}
		compare := []func(a, b ir.Expr) ir.Expr{ir.LtOf, ir.LeOf, ir.EqOf, func(a, b ir.Expr) ir.Expr { return ir.Make(ir.Ne, a, b) },
			func(a, b ir.Expr) ir.Expr { return ir.Make(ir.Gt, a, b) }, func(a, b ir.Expr) ir.Expr { return ir.Make(ir.Ge, a, b) }}[rng.IntN(6)]
		holds := compare(sub(), sub())
		switch rng.IntN(4) {
		case 0:
			holds = ir.AndOf(holds, compare(sub(), small))
		case 1:
			holds = ir.Make(ir.Or, holds, ir.Make(ir.Not, compare(small, sub())))
		}
		return ir.SelectOf(holds, sub(), ir.ModOf(sub(), small))
	}
	for range 20000 {
		typ := types[rng.IntN(len(types))]
		e := draw(ir.NewPool(), typ, 1+rng.IntN(4))
		r := Of(e, func(e ir.Expr) (Interval, bool) { return Interval{0, math.MaxInt32}, e.Op() == ir.Call })
		lo, hi := r.Lo, r.Hi
		for range 20 {
			env := &ir.Env{
				Var: func(v ir.Expr) uint64 {
					t := v.Type()
					return []uint64{t.Wrap(rng.Uint64()), t.Min(), t.Max(), t.Wrap(uint64(rng.IntN(5)))}[rng.IntN(4)]
				},
				Call: func(ir.Expr, []uint64) uint64 { return []uint64{0, 1, math.MaxInt32}[rng.IntN(3)] },
			}
			v := ir.Eval(e, env)
			if typ == ir.U64 && v > math.MaxInt64 {
				if hi != math.MaxInt64 {
					t.Fatalf("%s is %d, beyond %d..%d", e, v, lo, hi)
				}
				continue
			}
			if int64(v) < lo || int64(v) > hi {
				t.Fatalf("%s is %d, outside of %d..%d", e, int64(v), lo, hi)
			}
		}
	}
}

// Intervals are as tight as their comments say, and literals are exact.
func TestTight(t *testing.T) {
	p := ir.NewPool()
	r, a, w := p.R("r", ir.I32), p.Y(0, ir.U8), p.Y(1, ir.U64)
	k := func(t ir.Type, v int64) ir.Expr { return p.Int(t, v) }
	known := func(e ir.Expr) (Interval, bool) { return Interval{0, 99}, e == r }
	for _, c := range []struct {
		e    ir.Expr
		want Interval
	}{
		{r, Interval{0, 99}},
		{ir.AddOf(ir.Make(ir.BitAnd, r, k(ir.I32, 15)), k(ir.I32, 1)), Interval{1, 16}},
		{ir.SubOf(k(ir.I32, 7), r), Interval{-92, 7}},
		{ir.MulOf(r, k(ir.I32, -3)), Interval{-297, 0}},
		{ir.MulOf(r, k(ir.I32, 1<<25)), Whole(ir.I32)}, // may wrap
		{ir.DivOf(ir.SubOf(r, k(ir.I32, 50)), k(ir.I32, 8)), Interval{-7, 6}},
		{ir.ModOf(r, k(ir.I32, -8)), Interval{0, 7}},
		{ir.Make(ir.Abs, ir.SubOf(r, k(ir.I32, 50))), Interval{0, 50}},
		{ir.MinOf(r, k(ir.I32, 10)), Interval{0, 10}},
		{ir.SelectOf(p.Var(ir.Leaf, "p", 0, ir.Bool), r, k(ir.I32, -1)), Interval{-1, 99}},
		{ir.AddOf(a, a), Interval{0, 255}},
		{ir.AddOf(ir.CastTo(ir.I32, a), r), Interval{0, 354}},
		{ir.CastTo(ir.U8, r), Interval{0, 99}},
		{ir.CastTo(ir.I8, a), Interval{-128, 127}},
		{ir.Make(ir.Shr, w, k(ir.U64, 60)), Interval{0, 15}},
		{ir.CastTo(ir.I64, w), Whole(ir.I64)},
		{k(ir.U64, -1), Interval{math.MaxInt64, math.MaxInt64}},
		{p.Float(ir.F32, 1), Interval{math.MinInt64, math.MaxInt64}},
		{p.Bool(true), Interval{1, 1}},
		{p.Var(ir.Leaf, "p", 0, ir.Bool), Interval{0, 1}},
	} {
		if got := Of(c.e, known); got != c.want {
			t.Errorf("%s is in %v, want %v", c.e, got, c.want)
		}
	}
}

// An expression that is exponentially longer than its pool takes linear time.
func TestShared(t *testing.T) {
	e := ir.NewPool().Y(0, ir.I32)
	for range 1000 {
		e = ir.MinOf(ir.MaxOf(e, ir.NegOf(e)), ir.AddOf(e, e))
	}
	if got := Of(e, nil); got != Whole(ir.I32) {
		t.Error(got)
	}
}
