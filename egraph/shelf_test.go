package egraph_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
)

// shape spells the nodes of a graph, class by class, as its index has them.
func shape(g *Graph) string {
	s := ""
	for c, n := range g.All() {
		s += fmt.Sprint(c, ":", g.Op(n), g.Kids(n, nil), " ")
	}
	return s
}

// TestIndexAfterRun looks at graphs after their Runs: what lent them the memory of their indices
// has lent it to others since.
func TestIndexAfterRun(t *testing.T) {
	w := load(t, "upd", "upd")
	limits := Limits{Iterations: 1}
	step := func(g *Graph) { Run(context.Background(), g, w.rules, limits, nil) }
	var graphs []*Graph
	var want []string
	for _, term := range w.terms[:50] {
		g := New(Options{})
		g.AddTerm(term)
		step(g)
		graphs, want = append(graphs, g), append(want, shape(g))
	}
	for i, g := range graphs {
		if have := shape(g); have != want[i] {
			t.Errorf("graph %d is %s after other Runs, was %s", i, have, want[i])
		}
	}
	for i, term := range w.terms[:50] {
		fresh, inLoop, inHook := New(Options{}), New(Options{}), ""
		fresh.AddTerm(term)
		inLoop.AddTerm(term)
		for c := range inLoop.Classes() {
			other := New(Options{})
			other.AddTerm(w.terms[i+50])
			step(other)
			if inLoop.Find(c) != c {
				t.Errorf("graph %d: class %d is not canonical", i, c)
			}
		}
		Run(context.Background(), fresh, w.rules, limits, func(Iteration) bool {
			for range fresh.Classes() {
				other := New(Options{})
				other.AddTerm(w.terms[i+50])
				step(other)
			}
			inHook = shape(fresh)
			return true
		})
		if step(inLoop); inHook != want[i] || shape(inLoop) != want[i] {
			t.Errorf("graph %d is %s in a hook and %s after a loop, want %s", i, inHook, shape(inLoop), want[i])
		}
	}
}

// TestSmallGraphMemory bounds what a graph takes that is made, run and dropped.
func TestSmallGraphMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("pools forget")
	}
	w := load(t, "upd", "upd")
	work := func() {
		g := New(Options{})
		g.AddTerm(w.terms[0])
		Run(context.Background(), g, w.rules, Limits{Iterations: 1}, nil)
	}
	work()
	const n = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		work()
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / n; bytes > 3500 {
		t.Errorf("a small graph takes %d bytes, want 3,500 at most", bytes)
	}
}
