package lower

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Every value of an expression lies in its range.
func TestValueRange(t *testing.T) {
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
		switch rng.IntN(10) {
		case 0:
			return small
		case 1, 2:
			return ir.CastTo(t, draw(p, types[rng.IntN(len(types))], depth-1))
		case 3:
			return ir.AddOf(sub(), sub())
		case 4:
			return ir.SubOf(sub(), sub())
		case 5:
			return ir.MinOf(sub(), sub())
		case 6:
			return ir.MaxOf(sub(), sub())
		case 7:
			return ir.Make(ir.BitAnd, sub(), small)
		case 8:
			return ir.Make(ir.Shr, sub(), small)
		}
		return ir.SelectOf(ir.LtOf(sub(), sub()), sub(), ir.ModOf(sub(), small))
	}
	for range 3000 {
		typ := types[rng.IntN(len(types))]
		e := draw(ir.NewPool(), typ, 1+rng.IntN(4))
		lo, hi := valueRange(e)
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
