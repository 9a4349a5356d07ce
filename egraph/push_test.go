package egraph_test

import (
	"context"
	"slices"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
)

// detour grows and saturates the graph behind a Push, and comes back.
func (p *pair) detour(b *bytesOf, rs *RuleSet) {
	nodes, joins := len(p.nodes), len(p.joins)
	v := naive{slices.Clone(p.v.nodes), slices.Clone(p.v.parent)}
	p.g.Push()
	p.grow(b, 10)
	Run(context.Background(), p.g, rs, Limits{Iterations: 2, Nodes: 200}, nil)
	p.g.Pop()
	p.v, p.nodes, p.joins = v, p.nodes[:nodes], p.joins[:joins]
}

// Coming back in the middle of a run, the run ends where it would have anyhow.
func TestPopInRun(t *testing.T) {
	for _, proofs := range []bool{false, true} {
		w := load(t, "ac", "ac6")
		g := start(w, Options{Proofs: proofs})
		rows, _ := counts(g, w.rules, Limits{}, nil)
		h := start(w, Options{Proofs: proofs})
		h.Push()
		var again []string
		back := false
		r := Run(context.Background(), h, w.rules, Limits{}, func(it Iteration) bool {
			if !back && it.Number == 4 {
				back = h.Pop()
				return true
			}
			if back {
				again = append(again, "")
			}
			return true
		})
		if r.Stop != Saturated || r.Nodes != g.NodeCount() || r.Classes != g.ClassCount() || len(again) != len(rows) {
			t.Errorf("proofs %v: %+v after %d iterations, want %d nodes %d classes after %d", proofs, r, len(again), g.NodeCount(), g.ClassCount(), len(rows))
		}
		congruent(t, h)
		if h.Pop() {
			t.Error("there is nothing to come back to")
		}
	}
}

func TestPushNests(t *testing.T) {
	var s Symbols
	g := New(Options{Proofs: true})
	a, b, c := add(t, &s, g, "(f a)"), add(t, &s, g, "(f b)"), add(t, &s, g, "(f c)")
	g.Push()
	g.Union(a, b, 1)
	g.Push()
	g.Union(b, c, 2)
	g.Rebuild()
	if g.ClassCount() != 4 {
		t.Errorf("%d classes, want 4", g.ClassCount())
	}
	for _, want := range []int{5, 6} {
		if !g.Pop() || g.ClassCount() != want {
			t.Errorf("%d classes, want %d", g.ClassCount(), want)
		}
	}
	if _, err := g.Explain(Node(a), Node(b)); err != ErrNotEqual {
		t.Error("what was undone is explained", err)
	}
	g.Push()
	g.Reset()
	if g.Pop() {
		t.Error("Reset kept a Push")
	}
}
