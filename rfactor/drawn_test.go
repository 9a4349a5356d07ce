package rfactor

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

var drawnTrees = flag.Int("drawn", 4000, "trees that TestDrawnOperators draws")

// paperTree draws an expression of the Halide paper's signature (+ - * min max, select of <
// and ==; leaves x0, y0, k0) with n leaves.
func paperTree(rng *rand.Rand, pool *ir.Pool, n int) ir.Expr {
	draw := func(n int) ir.Expr { return paperTree(rng, pool, n) }
	switch {
	case n == 1:
		return []ir.Expr{pool.X(0, ir.I32), pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(0, ir.I32), pool.K(0, ir.I32)}[rng.IntN(5)]
	case n >= 4 && rng.IntN(3) == 0:
		leaves := [4]int{1, 1, 1, 1}
		for range n - 4 {
			leaves[rng.IntN(4)]++
		}
		compare := []ir.Op{ir.Lt, ir.Lt, ir.Eq}[rng.IntN(3)]
		return ir.SelectOf(ir.Make(compare, draw(leaves[0]), draw(leaves[1])), draw(leaves[2]), draw(leaves[3]))
	}
	left := 1 + rng.IntN(n-1)
	op := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Min, ir.Max, ir.Max}[rng.IntN(7)]
	return ir.Make(op, draw(left), draw(n-left))
}

// hasKind reports whether an expression has a variable of the kind.
func hasKind(e ir.Expr, kind ir.VarKind) bool {
	return slices.ContainsFunc(ir.Vars(e), func(v ir.Expr) bool { return v.Kind() == kind })
}

// TestDrawnOperators draws spellings as the Halide paper enumerates them: up to 8 leaves,
// over unbounded integers. Those that evaluation takes for associative, with an identity,
// are matched as they stand; what comes out is judged by evaluation.
func TestDrawnOperators(t *testing.T) {
	trees := *drawnTrees
	if testing.Short() {
		trees = min(trees, 600)
	}
	rng := rand.New(rand.NewPCG(17, 1))
	points := prove.Points{Rounds: 500}
	prover := prove.NewProver()
	drawn, matched, lifted := 0, 0, 0
	for range trees {
		pool := ir.NewPool()
		e := paperTree(rng, pool, 2+rng.IntN(7))
		op := prove.Operator{Types: []ir.Type{ir.I32}, Exprs: []ir.Expr{e}}
		if !hasKind(e, ir.State) || !hasKind(e, ir.Leaf) || points.Refute(op.Associativity()[0], ir.NSW) != nil {
			continue
		}
		if _, ok := prover.LikelyIdentity(op, ir.NSW); !ok {
			continue
		}
		drawn++
		u := &ir.Update{Pool: pool, Types: op.Types, Values: op.Exprs, Source: &ir.Source{Name: "update"}}
		a, err := Match(context.Background(), u, Options{Allowed: ir.AllAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		switch a.Status {
		case Associative:
			matched++
			judge(t, a)
		case Lifted:
			lifted++
		default:
			if testing.Verbose() {
				t.Logf("missed: %s: %s", e, a.Reason)
			}
		}
	}
	t.Logf("%d drawn: %d matched, %d lifted, %d refused", drawn, matched, lifted, drawn-matched-lifted)
	if drawn < trees/20 || float64(matched) < 0.95*float64(drawn) {
		t.Errorf("of %d operators drawn %d are matched", drawn, matched)
	}
}
