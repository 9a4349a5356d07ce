package laws

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// What is spelled out over the integers has the value that the machine computes, and lies between
// its bounds.
func TestSpelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ints := []ir.Type{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64}
	p := ir.NewPool()
	var term func(t ir.Type, depth int) ir.Expr
	term = func(t ir.Type, depth int) ir.Expr {
		if depth == 0 {
			if rng.IntN(4) == 0 {
				return p.Int(t, int64(rng.IntN(300)-20))
			}
			return p.Y(int(t)*2+rng.IntN(2), t)
		}
		ops := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mod, ir.Min, ir.Max, ir.SatAdd, ir.SatSub, ir.BitNot, ir.Neg, ir.Cast, ir.Cast, ir.Select}
		switch op := ops[rng.IntN(len(ops))]; op {
		case ir.Cast:
			return ir.CastTo(t, term(ints[rng.IntN(len(ints))], depth-1))
		case ir.BitNot, ir.Neg:
			return ir.Make(op, term(t, depth-1))
		case ir.Select:
			u := ints[rng.IntN(len(ints))]
			return ir.SelectOf(ir.LtOf(term(u, depth-1), term(u, depth-1)), term(t, depth-1), term(t, depth-1))
		default:
			return ir.Make(op, term(t, depth-1), term(t, depth-1))
		}
	}
	spelled := 0
	for range 20000 {
		e := term(ints[rng.IntN(len(ints))], 1+rng.IntN(4))
		s := &spelling{pool: p, spans: map[ir.Expr]span{}, truths: map[ir.Expr]ir.Expr{}}
		out := s.number(e)
		if out.e.Op() == ir.Var || out.e.Size() > 500 {
			continue
		}
		stands := map[ir.Expr]ir.Expr{}
		for from, to := range s.spans {
			stands[to.e] = from
		}
		for from, to := range s.truths {
			stands[to] = from
		}
		for range 20 {
			values := map[ir.Expr]uint64{}
			machine := &ir.Env{Var: func(v ir.Expr) uint64 {
				if _, ok := values[v]; !ok {
					values[v] = v.Type().Wrap(rng.Uint64() >> rng.IntN(64))
				}
				return values[v]
			}}
			want := ir.Eval(e, machine)
			over := &ir.Env{Var: func(v ir.Expr) uint64 { return ir.Eval(stands[v], machine) }}
			if float64(int64(want)) > 1e18 || e.Type() == ir.U64 && want > 1<<62 {
				continue // evaluation of what is spelled is in 64 bits
			}
			if got := ir.Eval(out.e, over); got != want && small(out.e, stands, over) {
				t.Fatalf("%s is spelled %s: %d, not %d", e, out.e, int64(got), int64(want))
			}
			if v := big.NewInt(int64(want)); v.Cmp(out.lo) < 0 || v.Cmp(out.hi) > 0 {
				t.Fatalf("%s is %d, not between %d and %d", e, v, out.lo, out.hi)
			}
		}
		spelled++
	}
	if spelled < 5000 {
		t.Errorf("only %d terms were spelled out", spelled)
	}
}

// small reports whether no subterm leaves 62 bits, so that 64 bits compute it as integers.
func small(e ir.Expr, stands map[ir.Expr]ir.Expr, env *ir.Env) bool {
	ok := true
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		if e.Op() == ir.Var && e.Type() == ir.I64 && ir.Eval(e, env) > 1<<62 && stands[e].Type() == ir.U64 {
			ok = false
		}
		if e.Type() != ir.I64 || e.NumArgs() == 0 {
			return
		}
		v, bound := int64(ir.Eval(e, env)), float64(0)
		switch a := float64(int64(ir.Eval(e.Arg(0), env))); e.Op() {
		case ir.Mul:
			bound = a * float64(int64(ir.Eval(e.Arg(1), env)))
		case ir.Add, ir.Sub:
			bound = max(a, -a) + max(float64(v), -float64(v))
		}
		ok = ok && bound < 1<<62 && bound > -1<<62 && v < 1<<62 && v > -1<<62
	})
	return ok
}
