package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Facts that stay stated from call to call are stated as they would be anew.
func TestFactsStayStated(t *testing.T) {
	pool := ir.NewPool()
	x, y, z, k := pool.X(0, ir.I32), pool.Y(0, ir.I32), pool.Y(1, ir.U32), pool.K(0, ir.I32)
	terms := []ir.Expr{x, y, k, ir.AddOf(x, y), ir.MulOf(x, k), ir.MulOf(x, ir.MulOf(y, k)), pool.Int(ir.I32, 3), ir.Make(ir.Mod, x, pool.Int(ir.I32, 5))}
	wide := []ir.Expr{z, ir.MulOf(z, z), pool.Int(ir.U32, 7)}
	for _, assume := range []ir.Assume{0, ir.NSW | ir.NUW} {
		s := New()
		s.Prove(context.Background(), proof.Problem{Left: x, Right: y}, assume, Options{Limit: 1_000_000})
		rng := rand.New(rand.NewPCG(1, uint64(assume)))
		draw := func() fact {
			es, typ := terms, ir.I32
			if rng.IntN(4) == 0 {
				es, typ = wide, ir.U32
			}
			p, _ := s.number(es[rng.IntN(len(es))])
			q, _ := s.number(es[rng.IntN(len(es))])
			return fact{condition{condLess, typ, p, q}, rng.IntN(2) == 0}
		}
		s.facts, s.carries = nil, nil
		s.constrain.restart()
		for range 300 {
			switch keep := rng.IntN(len(s.facts) + 1); {
			case rng.IntN(10) == 0:
				s.carries = []carried{{ir.I32, poly.Poly(rng.IntN(5)), 1}}
			case rng.IntN(3) == 0:
				s.facts = s.facts[:keep]
			case len(s.facts) < 8:
				s.facts = append(s.facts, draw())
			}
			extra := draw()
			state := func() (all []constraint, vars []quantity, factors []nonNegative, bounds bool, limited int) {
				b := &s.constrain
				b.start(s)
				b.fact(extra)
				b.relate()
				for _, c := range s.refuter.all {
					c.terms = slices.Clone(c.terms)
					all = append(all, c)
				}
				return all, slices.Clone(b.vars), slices.Clone(b.factors), b.bounds, b.limited
			}
			all, vars, factors, bounds, limited := state()
			s.contradictory(allFacts, extra)
			s.constrain.restart()
			all2, vars2, factors2, bounds2, limited2 := state()
			same := slices.EqualFunc(all, all2, func(a, b constraint) bool {
				return a.k == b.k && a.strict == b.strict && a.exact == b.exact && slices.Equal(a.terms, b.terms)
			})
			if !same || !slices.Equal(vars, vars2) || !slices.Equal(factors, factors2) || bounds != bounds2 || limited != limited2 {
				t.Fatalf("under %s with %d facts: %v, anew %v", assume, len(s.facts), all, all2)
			}
		}
	}
}
