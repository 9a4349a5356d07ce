package rfactor

import (
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
)

// plainTerm draws a term that reads each variable once, mostly. Literals are small, or limits.
func plainTerm(rng *rand.Rand, p *ir.Pool, t ir.Type, depth int, next *int) ir.Expr {
	if depth == 0 || rng.IntN(4) == 0 {
		if rng.IntN(3) == 0 && t != ir.Bool {
			if rng.IntN(4) == 0 {
				return p.Const(t, []uint64{t.Min(), t.Max()}[rng.IntN(2)])
			}
			if t.IsFloat() {
				return p.Float(t, float64(rng.IntN(4)-1))
			}
			return p.Int(t, int64(rng.IntN(4))-1)
		}
		if *next == 0 || rng.IntN(8) > 0 {
			*next++
		}
		return p.Y(*next-1+100*int(t), t)
	}
	sub := func(t ir.Type) ir.Expr { return plainTerm(rng, p, t, depth-1, next) }
	if t == ir.Bool {
		of := []ir.Type{ir.I8, ir.U8, ir.F32}[rng.IntN(3)]
		switch rng.IntN(5) {
		case 0:
			return ir.NotOf(sub(ir.Bool))
		case 1:
			return ir.Make([]ir.Op{ir.And, ir.Or}[rng.IntN(2)], sub(ir.Bool), sub(ir.Bool))
		}
		return ir.Make([]ir.Op{ir.Lt, ir.Le, ir.Eq, ir.Ne}[rng.IntN(4)], sub(of), sub(of))
	}
	switch rng.IntN(8) {
	case 0:
		return ir.SelectOf(sub(ir.Bool), sub(t), sub(t))
	case 1:
		return ir.NegOf(sub(t))
	case 2:
		return ir.Make(ir.Abs, sub(t))
	case 3:
		return ir.CastTo(t, sub([]ir.Type{ir.I8, ir.U8, ir.F32}[rng.IntN(3)]))
	case 4:
		if t.IsInt() {
			return ir.Make([]ir.Op{ir.BitAnd, ir.BitOr, ir.Shl, ir.Shr, ir.Mod, ir.Div}[rng.IntN(6)], sub(t), sub(t))
		}
	}
	return ir.Make([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max}[rng.IntN(5)], sub(t), sub(t))
}

// Of a term that a look at its operations calls plain, the prover finds nothing that is smaller.
func TestPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	n := 1500
	if testing.Short() {
		n = 300
	}
	plain, left := 0, 0
	var prover prove.Prover
	for range n {
		next := 0
		e := plainTerm(rng, ir.NewPool(), []ir.Type{ir.Bool, ir.I8, ir.U8, ir.F32}[rng.IntN(4)], 3, &next)
		found := reductions(&prover, e, nil, ir.AllAssumptions)
		if !find.IsPlain(e, nil) {
			left += len(found)
			continue
		}
		plain++
		if len(found) > 0 {
			t.Errorf("%s is called plain, but %s", e, found[0])
		}
	}
	if plain < n/8 || left == 0 {
		t.Errorf("of %d terms %d are plain, and of the others %d have a smaller one: the draws are of no use", n, plain, left)
	}
	t.Logf("%d of %d terms are plain; %d of the others have a smaller one", plain, n, left)
}
