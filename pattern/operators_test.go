package pattern

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// everyType is each tuple of types that a seed is tried at: all of its first letter, a few
// of the others.
func everyType(s *Seed) [][]ir.Type {
	letters := map[string][]ir.Type{}
	var order []string
	for _, c := range s.Components {
		if letters[c.Letter] != nil {
			continue
		}
		var ts []ir.Type
		for _, class := range c.Classes {
			for _, t := range class.Types() {
				if len(order) == 0 || t == ir.Bool || t == ir.I8 || t == ir.U16 || t == ir.F32 {
					ts = append(ts, t)
				}
			}
		}
		letters[c.Letter] = ts
		order = append(order, c.Letter)
	}
	tuples := []map[string]ir.Type{{}}
	for _, l := range order {
		var next []map[string]ir.Type
		for _, t := range letters[l] {
			for _, old := range tuples {
				m := map[string]ir.Type{l: t}
				for k, v := range old {
					m[k] = v
				}
				next = append(next, m)
			}
		}
		tuples = next
	}
	var out [][]ir.Type
	for _, m := range tuples {
		var ts []ir.Type
		for _, c := range s.Components {
			ts = append(ts, m[c.Letter])
		}
		out = append(out, ts)
	}
	return out
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

// equalByEvaluation compares two tuples at extreme and random points under assumptions.
func equalByEvaluation(as, bs []ir.Expr, needs ir.Assume) error {
	tape := ir.NewTape(append(append([]ir.Expr{}, as...), bs...)...)
	rng := rand.New(rand.NewSource(3))
	rows := make([][ir.Lanes]uint64, len(tape.Inputs))
	for range 100 {
		for l := range ir.Lanes {
			small := rng.Intn(2) == 0
			for i, v := range tape.Inputs {
				rows[i][l] = operand(rng, v, needs, small)
			}
		}
		out := tape.Run(rows)
		for i, a := range as {
			for l := range ir.Lanes {
				if !sameUnder(a.Type(), needs, out[i][l], out[len(as)+i][l]) {
					where := ""
					for j, v := range tape.Inputs {
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

// worldsOf are the sets of assumptions under which a seed claims to be an operator.
func worldsOf(s *Seed, types []ir.Type) (worlds []ir.Assume) {
	for _, allowed := range []ir.Assume{ir.Reassoc | ir.NNaN | ir.NSZ, ir.AllAssumptions} {
		if needs, ok := s.Needs(types, allowed); ok {
			worlds = append(worlds, needs)
		}
	}
	return worlds
}

// TestOperatorsAreAssociative checks every seed at every type by evaluation, under exactly
// the assumptions that it claims; package prove proves the table's entries.
func TestOperatorsAreAssociative(t *testing.T) {
	for _, s := range Seeds() {
		for _, types := range everyType(s) {
			for _, needs := range worldsOf(s, types) {
				pool := ir.NewPool()
				exprs, err := s.Instance(pool, types)
				if err != nil {
					t.Fatalf("%s: %v", s.Name, err)
				}
				var x, y, z []ir.Expr
				for i, typ := range types {
					x, y = append(x, pool.X(i, typ)), append(y, pool.Y(i, typ))
					z = append(z, pool.Var(ir.Leaf, "z", i, typ))
				}
				left := apply(pool, exprs, apply(pool, exprs, x, y), z)
				right := apply(pool, exprs, x, apply(pool, exprs, y, z))
				if err := equalByEvaluation(left, right, needs); err != nil {
					t.Errorf("%s at %v under %s: %v", s.Name, types, needs, err)
					break
				}
			}
		}
	}
}

// TestSpellings: every "as" line is the operator with the inject map in place of y.
func TestSpellings(t *testing.T) {
	for _, s := range Seeds() {
		for _, types := range everyType(s) {
			for _, needs := range worldsOf(s, types) {
				for _, sp := range s.Spellings {
					pool := ir.NewPool()
					exprs, _ := s.Instance(pool, types)
					form, err := parseAt(pool, types, sp.Exprs)
					if err != nil {
						t.Fatalf("%s: %v", s.Name, err)
					}
					inject, err := parseAt(pool, types, sp.Inject)
					if err != nil {
						t.Fatalf("%s: %v", s.Name, err)
					}
					var x []ir.Expr
					for i, typ := range types {
						x = append(x, pool.X(i, typ))
					}
					if err := equalByEvaluation(form, apply(pool, exprs, x, inject), needs); err != nil {
						t.Errorf("%s at %v, as %s: %v", s.Name, types, sp.Exprs, err)
					}
				}
			}
		}
	}
}

// TestSeedTypes: what a class says of the types is what the expressions say.
func TestSeedTypes(t *testing.T) {
	for _, s := range Seeds() {
		n := 0
		for _, types := range everyType(s) {
			if _, ok := s.Needs(types, ir.AllAssumptions&^(ir.NSW|ir.NUW)); ok {
				n++
			} else if _, ok := s.Needs(types, ir.AllAssumptions); ok {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: no types", s.Name)
		}
	}
	if _, err := parseSeeds("a (int T) : x0\n  as x0"); err == nil {
		t.Error("a form without inject map passes")
	}
	if _, err := parseSeeds("a (real T) : x0"); err == nil {
		t.Error("an unknown class passes")
	}
	if _, ok := rules.NeedsAt(nil, ir.I32, 0); ok {
		t.Error("no class covers i32")
	}
}
