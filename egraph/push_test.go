package egraph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
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

// cutShort stops an iteration in its middle, goes on, and comes back. What was equal before is equal
// then, what is equal then is so after the whole iteration, and going on makes that up.
func (p *pair) cutShort(b *bytesOf, rs *RuleSet) error {
	after := naive{slices.Clone(p.v.nodes), slices.Clone(p.v.parent)}
	after.iterate(p.rules)
	limits := Limits{Iterations: 1, Matches: 1 + b.below(4)}
	if b.below(2) == 0 {
		limits = Limits{Iterations: 1, Nodes: p.g.NodeCount() + b.below(6)}
	}
	p.g.Push()
	Run(context.Background(), p.g, rs, limits, nil)
	err := p.between(&p.v, &after)
	Run(context.Background(), p.g, rs, Limits{Iterations: 1}, nil)
	if err == nil {
		err = p.between(&after, nil)
	}
	p.g.Pop()
	if err == nil {
		err = p.compare()
	}
	if err != nil {
		return fmt.Errorf("cut short by %+v: %w", limits, err)
	}
	return nil
}

// between checks that what is equal by the first definition is equal in the graph, and what is equal
// there by the second, if any.
func (p *pair) between(least, most *naive) error {
	for i := range p.nodes {
		for j := range i {
			have := p.g.ClassOf(p.nodes[i]) == p.g.ClassOf(p.nodes[j])
			if !have && least.find(i) == least.find(j) {
				return fmt.Errorf("nodes %d %d are not equal", i, j)
			}
			if most != nil && have && most.find(i) != most.find(j) {
				return fmt.Errorf("nodes %d %d are equal", i, j)
			}
		}
	}
	return nil
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
