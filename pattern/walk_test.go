package pattern

import (
	"math/rand"
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// walker rewrites updates at random by the exact rules, mostly from right to left: it
// spells an operator as nobody would.
type walker struct {
	rng    *rand.Rand
	pool   *ir.Pool
	leaves map[ir.Type][]ir.Expr // what variables that a rewriting makes up stand for
}

func (w *walker) step(e ir.Expr) ir.Expr {
	var subs []ir.Expr
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) { subs = append(subs, s) })
	all := rules.All()
	for range 400 {
		r, s := all[w.rng.Intn(len(all))], subs[w.rng.Intn(len(subs))]
		from, to := r.RHS, r.LHS
		if w.rng.Intn(3) == 0 {
			from, to = to, from
		}
		if n := w.rewrite(r, s, from, to); n != s {
			return ir.Subst(e, []ir.Expr{s}, []ir.Expr{n})
		}
	}
	return e
}

// rewrite is s rewritten, or s itself.
func (w *walker) rewrite(r *rules.Rule, s ir.Expr, from, to *rules.Term) ir.Expr {
	var b rules.Binding
	if !from.Match(s, &b) {
		return s
	}
	if b.Type == ir.Invalid {
		b.Type = ir.Bool
	}
	if t, err := to.Type(b.Type); err != nil || t != s.Type() || !r.Allowed(b.Type, 0) {
		return s
	}
	return to.Build(w.pool, b.Type, func(name string, t ir.Type) ir.Expr {
		if !b.Of(name).IsValid() {
			b.Bind(name, w.leaves[t][w.rng.Intn(len(w.leaves[t]))])
		}
		return b.Of(name)
	})
}

// TestRandomSpellings matches operators that the rules have rewritten a few times.
func TestRandomSpellings(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	s := canon.NewSession()
	for steps, want := range []float64{1, 0.96, 0.94, 0.92} {
		total, matched := 0, 0
		for _, typ := range []ir.Type{ir.I32, ir.U8, ir.Bool} {
			types := []ir.Type{typ}
			for _, entry := range Entries(types) {
				if entry.Assumes != 0 || entry.Source != "listed" {
					continue
				}
				for range 12 {
					pool := ir.NewPool()
					exprs := pool.Import(entry.Exprs...)
					w := walker{rng, pool, map[ir.Type][]ir.Expr{typ: {pool.X(0, typ), pool.Y(0, typ), pool.Y(1, typ)}}}
					w.leaves[ir.Bool] = append(w.leaves[ir.Bool], pool.Y(2, ir.Bool))
					e := exprs[0]
					for range steps {
						e = w.step(e)
					}
					if e.Size() > 40 {
						continue
					}
					u := &ir.Update{Pool: pool, Types: types, Values: tidyLeaves(e)}
					total++
					a, ok := matchPart(s, u, types, u.Values, []ir.Assume{0})
					if !ok {
						if testing.Verbose() {
							t.Logf("%d steps, missed: %s %s", steps, entry.Name, u.Values[0])
						}
						continue
					}
					matched++
					if err := checkAnswer(u, a, false); err != nil {
						t.Error(err)
					}
				}
			}
		}
		t.Logf("%d steps: %d of %d matched", steps, matched, total)
		if float64(matched) < want*float64(total) {
			t.Errorf("%d steps: %d of %d matched, want %.0f %%", steps, matched, total, 100*want)
		}
	}
}

// tidyLeaves simplifies the largest subterms that do not mention the state, which saturation
// leaves as they are.
func tidyLeaves(e ir.Expr) []ir.Expr {
	return e.Pool().Map([]ir.Expr{e}, func(e ir.Expr) ir.Expr {
		if e.IsLeaf() {
			return canon.Greedy(e, 0)
		}
		return ir.Expr{}
	})
}
