package pattern

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// eachEntry calls f with the entries of the tables, those of mixed types now and then.
func eachEntry(t *testing.T, f func(e *Entry)) {
	n := 0
	for i, types := range Signatures() {
		mixed := slices.ContainsFunc(types, func(o ir.Type) bool { return o != types[0] })
		if mixed && (testing.Short() || i%5 > 0) {
			continue
		}
		for _, e := range Entries(types) {
			n++
			f(e)
		}
	}
	if n < 300 {
		t.Errorf("only %d entries", n)
	}
}

// apply is the operator with other operands.
func apply(pool *ir.Pool, exprs, x, y []ir.Expr) []ir.Expr {
	return pool.Map(exprs, func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
			return ir.Expr{}
		case e.Kind() == ir.State:
			return x[e.Index()]
		case e.Name()[0] == 'y':
			return y[e.Index()]
		}
		return ir.Expr{}
	})
}

// equalByEvaluation compares two tuples at extreme and random points under assumptions: where
// no overflow is assumed, at those that do not overflow.
func equalByEvaluation(as, bs []ir.Expr, needs ir.Assume) error {
	code := tape.New(append(append([]ir.Expr{}, as...), bs...)...)
	rng := rand.New(rand.NewSource(3))
	rows := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for i := range rows {
		rows[i] = new([tape.Lanes]uint64)
	}
	compared, rounds := uint64(0), suite.More(16, 100)
	for range rounds {
		for l := range tape.Lanes {
			small := rng.Intn(2) == 0
			for i, v := range code.Inputs {
				rows[i][l] = operand(rng, v, needs, small)
			}
		}
		out := code.Run(rows)
		over := code.Overflowed(needs)
		compared |= ^over
		for i, a := range as {
			for l := range tape.Lanes {
				if over>>l&1 == 0 && !sameUnder(a.Type(), needs, out[i][l], out[len(as)+i][l]) {
					where := ""
					for j, v := range code.Inputs {
						if v.Type().IsFloat() {
							where += fmt.Sprintf(" %s=%v", v, ir.Float(v.Type(), rows[j][l]))
						} else {
							where += fmt.Sprintf(" %s=%d", v, int64(rows[j][l]))
						}
					}
					return fmt.Errorf("component %d:%s: %d and %d", i, where, int64(out[i][l]), int64(out[len(as)+i][l]))
				}
			}
		}
	}
	if compared == 0 {
		return fmt.Errorf("every point overflows")
	}
	return nil
}

func operand(rng *rand.Rand, v ir.Expr, needs ir.Assume, small bool) uint64 {
	t := v.Type()
	switch {
	case t == ir.Bool:
		return uint64(rng.Intn(2))
	case t.IsFloat() && needs.Has(ir.Reassoc):
		return ir.FloatBits(t, float64(rng.Intn(33)-16)/4)
	case t.IsFloat():
		choices := []float64{0, math.Copysign(0, -1), 1, -1, 2.5, math.NaN(), math.Inf(1), math.Inf(-1), 1e30}
		for {
			f := choices[rng.Intn(len(choices))]
			if !(f != f && needs.Has(ir.NNaN) || math.IsInf(f, 0) && needs.Has(ir.NInf)) {
				return ir.FloatBits(t, f)
			}
		}
	case v.Name()[0] == 'n' || small && t.IsUnsigned() || needs.Has(ir.NUW) && t.IsUnsigned():
		return uint64(rng.Intn(7))
	case small || needs.Has(ir.NSW):
		return uint64(int64(rng.Intn(13) - 6))
	case rng.Intn(3) == 0:
		return []uint64{t.Min(), t.Wrap(t.Min() + 1), t.Max(), t.Max() - 1}[rng.Intn(4)]
	}
	return t.Wrap(rng.Uint64())
}

func sameUnder(t ir.Type, needs ir.Assume, a, b uint64) bool {
	if !t.IsFloat() {
		return a == b
	}
	x, y := ir.Float(t, a), ir.Float(t, b)
	switch {
	case needs.Has(ir.Reassoc):
		return sameValue(t, a, b)
	case x != x || y != y:
		return x != x && y != y
	case needs.Has(ir.NSZ):
		return x == y
	}
	return a == b
}

// TestEntriesAreAssociative evaluates every law that a table claims, under exactly the
// assumptions that it names; rfactor tablegen -verify proves them.
func TestEntriesAreAssociative(t *testing.T) {
	eachEntry(t, func(e *Entry) {
		pool := ir.NewPool()
		exprs := pool.Import(e.Exprs...)
		var x, y, z []ir.Expr
		for i, typ := range e.Types {
			x, y = append(x, pool.X(i, typ)), append(y, pool.Y(i, typ))
			z = append(z, pool.Var(ir.Leaf, "z", i, typ))
		}
		law := func(name string, left, right []ir.Expr, under ir.Assume) {
			if err := equalByEvaluation(left, right, under); err != nil {
				t.Errorf("%s at %v under %s is not %s: %v", e.Name, e.Types, e.Assumes, name, err)
			}
		}
		law("associative", apply(pool, exprs, apply(pool, exprs, x, y), z), apply(pool, exprs, x, apply(pool, exprs, y, z)), e.Assumes)
		if e.Commutative {
			law("commutative", apply(pool, exprs, x, y), apply(pool, exprs, y, x), e.Assumes)
		}
		if e.Idempotent {
			law("idempotent", apply(pool, exprs, x, x), x, e.Assumes)
		}
		id := pool.Import(e.Identity...)
		machine := e.Assumes &^ (ir.NSW | ir.NUW) // identities are those of arithmetic that wraps
		switch e.Side {
		case "two":
			law("unchanged by its identity", apply(pool, exprs, x, id), x, machine)
			law("unchanged by its identity", apply(pool, exprs, id, y), y, machine)
		case "left":
			law("unchanged by its left identity", apply(pool, exprs, id, y), y, machine)
		case "right":
			law("unchanged by its right identity", apply(pool, exprs, x, id), x, machine)
		case "middle":
			law("unchanged by its middle identity", apply(pool, exprs, apply(pool, exprs, x, id), y), apply(pool, exprs, x, y), machine)
		}
	})
}

// TestForms: every form is the operator with the inject map in place of y, of numbers with
// one zero: a match proves it under what it may assume.
func TestForms(t *testing.T) {
	eachEntry(t, func(e *Entry) {
		pool := ir.NewPool()
		var x []ir.Expr
		for i, typ := range e.Types {
			x = append(x, pool.X(i, typ))
		}
		for _, f := range e.Forms {
			got, inject := pool.Import(f.Exprs...), pool.Import(f.Inject...)
			if err := equalByEvaluation(got, apply(pool, pool.Import(e.Exprs...), x, inject), e.Assumes|ir.NNaN|ir.NSZ); err != nil {
				t.Errorf("%s at %v, as %s: %v", e.Name, e.Types, ir.Strings(f.Exprs), err)
			}
		}
	})
}
