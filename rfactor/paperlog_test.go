package rfactor

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
)

// trees draws expression trees of the Halide paper's signature (+ - * min max, select of <
// and ==; leaves x0, y0, k0) with n leaves.
type trees struct {
	rng  *rand.Rand
	pool *ir.Pool
}

func (g *trees) draw(n int) ir.Expr {
	if n == 1 {
		switch g.rng.IntN(5) {
		case 0, 1:
			return g.pool.X(0, ir.I32)
		case 2, 3:
			return g.pool.Y(0, ir.I32)
		}
		return g.pool.K(0, ir.I32)
	}
	if n >= 4 && g.rng.IntN(3) == 0 {
		cuts := [4]int{1, 1, 1, 1}
		for range n - 4 {
			cuts[g.rng.IntN(4)]++
		}
		a, b := g.draw(cuts[0]), g.draw(cuts[1])
		cond := ir.LtOf(a, b)
		if g.rng.IntN(3) == 0 {
			cond = ir.EqOf(a, b)
		}
		return ir.SelectOf(cond, g.draw(cuts[2]), g.draw(cuts[3]))
	}
	left := 1 + g.rng.IntN(n-1)
	op := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Min, ir.Max, ir.Min, ir.Max}[g.rng.IntN(7)]
	return ir.Make(op, g.draw(left), g.draw(n-left))
}

func TestPaperLog(t *testing.T) {
	total, _ := strconv.Atoi(os.Getenv("TREES"))
	if total == 0 {
		total = 20000
	}
	g := &trees{rng: rand.New(rand.NewPCG(uint64(total), 2))}
	var points prove.Points
	p := prove.NewProver()
	assoc, matched, other := 0, 0, 0
	seen := map[string]bool{}
	for range total {
		g.pool = ir.NewPool()
		e := g.draw(2 + g.rng.IntN(7))
		vars := ir.Vars(e)
		hasX, hasY := false, false
		for _, v := range vars {
			hasX = hasX || v.Kind() == ir.State
			hasY = hasY || v.Kind() == ir.Leaf
		}
		if !hasX || !hasY || seen[e.String()] {
			continue
		}
		seen[e.String()] = true
		op := prove.Operator{Types: []ir.Type{ir.I32}, Exprs: []ir.Expr{e}}
		if points.Refute(op.Associativity()[0], ir.NSW) != nil {
			continue
		}
		id, ok := p.LikelyIdentity(op, ir.NSW)
		if !ok {
			continue
		}
		_ = id
		assoc++
		u := &ir.Update{Pool: g.pool, Types: op.Types, Values: op.Exprs, Source: &ir.Source{Name: "update"}}
		a, err := Match(context.Background(), u, Options{Allowed: ir.AllAssumptions})
		if err != nil {
			t.Fatal(err)
		}
		switch a.Status {
		case Associative:
			matched++
		default:
			other++
			t.Logf("%v: %s   %s", a.Status, e, a.Reason)
		}
	}
	t.Logf("%d associative, %d matched, %d not", assoc, matched, other)
}
