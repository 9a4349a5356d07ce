package rfactor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// paperTree draws an expression of the Halide paper's signature (+ - * min max, select of <
// and ==; leaves x_i, y_i, k0) with n leaves.
func paperTree(rng *rand.Rand, pool *ir.Pool, components, n int) ir.Expr {
	draw := func(n int) ir.Expr { return paperTree(rng, pool, components, n) }
	switch {
	case n == 1:
		c := rng.IntN(components)
		return []ir.Expr{pool.X(c, ir.I32), pool.X(c, ir.I32), pool.Y(c, ir.I32), pool.Y(c, ir.I32), pool.K(0, ir.I32)}[rng.IntN(5)]
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

// paperTuple draws a tuple with at most 8 leaves in all.
func paperTuple(rng *rand.Rand, pool *ir.Pool, components int) (op proof.Operator) {
	leaves := make([]int, components)
	for i := range leaves {
		leaves[i] = 1
	}
	for range 1 + rng.IntN(8-components) {
		leaves[rng.IntN(components)]++
	}
	for _, n := range leaves {
		op.Types = append(op.Types, ir.I32)
		op.Exprs = append(op.Exprs, paperTree(rng, pool, components, n))
	}
	return op
}

// hasKind reports whether expressions have a variable of the kind.
func hasKind(kind ir.VarKind, es ...ir.Expr) bool {
	return slices.ContainsFunc(ir.Vars(es...), func(v ir.Expr) bool { return v.Kind() == kind })
}

// TestDrawnOperators draws spellings as the Halide paper enumerates them: up to 8 leaves,
// over unbounded integers. Those that evaluation takes for associative, with an identity,
// are matched as they stand; what comes out is judged by evaluation.
func TestDrawnOperators(t *testing.T) {
	t.Parallel()
	for components := 1; components <= 2; components++ {
		t.Run(fmt.Sprint(components), func(t *testing.T) { testDrawn(t, components) })
	}
}

func testDrawn(t *testing.T, components int) {
	trees := suite.Sample(suite.More(250, 1200), 4000)
	if testing.Short() {
		trees = 600
	}
	rng := rand.New(rand.NewPCG(17, uint64(components)))
	points := testpoint.Evaluator{MinRounds: 500}
	drawn, matched, lifted := 0, 0, 0
	for range trees {
		pool := ir.NewPool()
		op := paperTuple(rng, pool, components)
		if !hasKind(ir.State, op.Exprs...) || !hasKind(ir.Leaf, op.Exprs...) ||
			slices.ContainsFunc(op.Associativity(), func(p proof.Problem) bool { return points.Refute(p, ir.NSW) != nil }) {
			continue
		}
		if _, ok := prove.LikelyIdentity(op, ir.NSW, nil); !ok {
			continue
		}
		drawn++
		u := &ir.Update{Pool: pool, Types: op.Types, Values: op.Exprs, Source: &ir.Source{Name: "update"}}
		a, _, err := matchProven(u, Options{Allowed: ir.AllAssumptions})
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
				t.Logf("missed: %s: %s", ir.Strings(op.Exprs), a.Reason)
			}
		}
	}
	t.Logf("%d drawn: %d matched, %d lifted, %d refused", drawn, matched, lifted, drawn-matched-lifted)
	if drawn < trees/100 || float64(matched) < 0.99*float64(drawn) {
		t.Errorf("of %d operators drawn %d are matched", drawn, matched)
	}
}
