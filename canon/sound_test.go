package canon

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// generator makes random updates of one numeric type from random bytes.
type generator struct {
	rng  *rand.Rand
	pool *ir.Pool
	typ  ir.Type
}

func (g *generator) numeric(depth int) ir.Expr {
	p, t := g.pool, g.typ
	if depth == 0 || g.rng.IntN(8) == 0 {
		switch g.rng.IntN(7) {
		case 0, 1, 2:
			return p.X(0, t)
		case 3, 4:
			return p.Y(g.rng.IntN(2), t)
		case 5:
			return p.K(0, t)
		}
		return p.Int(t, int64(g.rng.IntN(4)-1))
	}
	ops := []ir.Op{ir.Add, ir.Sub, ir.Min, ir.Max, ir.Min, ir.Max, ir.Mul, ir.Neg, ir.Abs, ir.Select, ir.Select, ir.Select}
	if t.IsInt() {
		ops = append(ops, ir.BitAnd, ir.BitOr, ir.BitXor, ir.BitNot)
	}
	if t.IsUnsigned() {
		ops = append(ops, ir.SatAdd, ir.SatSub)
	}
	op := ops[g.rng.IntN(len(ops))]
	switch op.Arity() {
	case 1:
		return ir.Make(op, g.numeric(depth-1))
	case 3:
		return ir.SelectOf(g.boolean(depth-1), g.numeric(depth-1), g.numeric(depth-1))
	}
	return ir.Make(op, g.numeric(depth-1), g.numeric(depth-1))
}

func (g *generator) boolean(depth int) ir.Expr {
	if depth <= 0 || g.rng.IntN(6) == 0 {
		if g.rng.IntN(4) == 0 {
			return g.pool.X(1, ir.Bool)
		}
		return g.pool.Y(5+g.rng.IntN(2), ir.Bool)
	}
	switch g.rng.IntN(8) {
	case 0:
		return ir.NotOf(g.boolean(depth - 1))
	case 1:
		return ir.AndOf(g.boolean(depth-1), g.boolean(depth-1))
	case 2:
		return ir.OrOf(g.boolean(depth-1), g.boolean(depth-1))
	case 3:
		return ir.SelectOf(g.boolean(depth-1), g.boolean(depth-1), g.boolean(depth-1))
	}
	cmp := []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}[g.rng.IntN(6)]
	return ir.Make(cmp, g.numeric(depth-1), g.numeric(depth-1))
}

// point is a random value; small ones cannot overflow where integers are unbounded.
func (g *generator) point(t ir.Type, allowed ir.Assume) uint64 {
	switch {
	case t == ir.Bool:
		return g.rng.Uint64() & 1
	case t.IsFloat():
		fs := []float64{0, math.Copysign(0, -1), 1, -1, 2, -3.5, 1e30, math.NaN(), math.Inf(1), math.Inf(-1), 0.1}
		return ir.FloatBits(t, fs[g.rng.IntN(len(fs))])
	case allowed.Unbounded(t):
		return uint64(int64(g.rng.IntN(11) - 5))
	case g.rng.IntN(3) == 0:
		return []uint64{t.Min(), t.Max(), 0, 1, t.Wrap(math.MaxUint64)}[g.rng.IntN(5)]
	}
	return t.Wrap(g.rng.Uint64())
}

// checkSaturation saturates a random update and compares every node of every class with
// the class' cheapest term, by evaluation.
func checkSaturation(seed uint64, typ ir.Type, allowed ir.Assume, s *Session) error {
	g := &generator{rand.New(rand.NewPCG(seed, 1)), ir.NewPool(), typ}
	e := g.numeric(4)
	if g.rng.IntN(3) == 0 {
		e = g.boolean(4)
	}
	s.Reset(g.pool, allowed, false)
	s.Add(e)
	s.saturate(context.Background(), egraph.Limits{Iterations: 6, Nodes: 500}, func() bool { return false })
	var terms []ir.Expr // pairs: the node's term, the class'
	for _, c := range slices.Collect(s.g.Classes()) {
		cheapest, ok := s.Extract(c, AnyTerm)
		if !ok {
			return fmt.Errorf("%s: a class without a term", e)
		}
		for n := range s.g.Nodes(c) {
			if t := s.termOf(n); t != cheapest {
				terms = append(terms, t, cheapest)
			}
		}
	}
	return g.compare(e, terms, allowed)
}

func (g *generator) compare(e ir.Expr, terms []ir.Expr, allowed ir.Assume) error {
	code := tape.New(append(terms, g.pool.Bool(true))...)
	rows := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for i := range rows {
		rows[i] = new([tape.Lanes]uint64)
	}
	for range 6 {
		for i, v := range code.Inputs {
			for l := range tape.Lanes {
				rows[i][l] = g.point(v.Type(), allowed)
			}
		}
		out := code.Run(rows)
		for i := 0; i < len(terms); i += 2 {
			for l := range tape.Lanes {
				a, b := out[i][l], out[i+1][l]
				if t := terms[i].Type(); a != b && !(t.IsFloat() && ir.Float(t, a) != ir.Float(t, a) && ir.Float(t, b) != ir.Float(t, b)) {
					where := ""
					for j, v := range code.Inputs {
						where += fmt.Sprintf(" %s=%d", v, int64(rows[j][l]))
					}
					return fmt.Errorf("%s under %s: %s is not %s at%s", e, allowed, terms[i], terms[i+1], where)
				}
			}
		}
	}
	return nil
}

var soundnessWorlds = []struct {
	typ     ir.Type
	allowed ir.Assume
}{
	{ir.I8, 0}, {ir.U8, 0}, {ir.I32, 0}, {ir.F32, 0}, {ir.I64, ir.NSW},
}

// TestSaturationIsSound saturates random updates; FuzzSaturation goes on from there.
func TestSaturationIsSound(t *testing.T) {
	s := NewSession()
	n := uint64(300)
	if testing.Short() {
		n = 50
	}
	for _, w := range soundnessWorlds {
		for seed := range n {
			if err := checkSaturation(seed, w.typ, w.allowed, s); err != nil {
				t.Fatalf("seed %d at %s: %v", seed, w.typ, err)
			}
		}
	}
}

func FuzzSaturation(f *testing.F) {
	f.Add(uint64(1), uint8(0))
	f.Add(uint64(2), uint8(4))
	s := NewSession()
	f.Fuzz(func(t *testing.T, seed uint64, world uint8) {
		w := soundnessWorlds[int(world)%len(soundnessWorlds)]
		if err := checkSaturation(seed, w.typ, w.allowed, s); err != nil {
			t.Fatal(err)
		}
	})
}

// A saturation ends with the iteration in which its context does, whatever the limits.
func TestCancel(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(5, 5)), ir.NewPool(), ir.I32}
	e := g.numeric(8)
	s := NewSession()
	s.Reset(g.pool, 0, false)
	s.Add(e)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	iterations := 0
	s.saturate(ctx, egraph.Limits{Iterations: 50, Nodes: 100_000}, func() bool { iterations++; cancel(); return false })
	if iterations > 2 {
		t.Errorf("%d iterations, most of them after the context had ended", iterations)
	}
}
