package egraph_test

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"

	"github.com/rfactor-go/rfactor/internal/suite"
)

func start(w *workload, o Options) *Graph {
	g := New(o)
	for _, t := range w.terms {
		g.AddTerm(t)
	}
	return g
}

// congruent checks a stopped graph: rebuilding finds nothing to do, and a copy
// of every node is found in its class.
func congruent(t *testing.T, g *Graph) {
	t.Helper()
	changes, nodes := g.Changes(), 0
	for c := range g.Classes() {
		for n := range g.Nodes(c) {
			nodes++
			if d, ok := g.Lookup(g.Op(n), g.Kids(n, nil)...); !ok || d != c {
				t.Fatalf("node %d of class %d is found in %d, %v", n, c, d, ok)
			}
		}
	}
	if g.Changes() != changes || nodes != g.NodeCount() {
		t.Errorf("graph is not congruent: %d changes, %d nodes of %d", g.Changes()-changes, nodes, g.NodeCount())
	}
}

func TestLimits(t *testing.T) {
	w := load(t, "math", "math")
	tests := []struct {
		limits Limits
		want   Stop
	}{
		{Limits{Iterations: 3}, IterationLimit},
		{Limits{Nodes: 5000}, NodeLimit},
		{Limits{Time: time.Nanosecond}, TimeLimit},
		{Limits{Time: 10 * time.Millisecond}, TimeLimit},
	}
	for _, tt := range tests {
		for _, proofs := range []bool{false, true} {
			g := start(w, Options{Proofs: proofs})
			r := Run(context.Background(), g, w.rules, tt.limits, nil)
			if r.Stop != tt.want {
				t.Errorf("%+v: stop = %v, want %v", tt.limits, r.Stop, tt.want)
			}
			if tt.limits.Nodes > 0 && r.Nodes > tt.limits.Nodes+10 {
				t.Errorf("%d nodes at a limit of %d", r.Nodes, tt.limits.Nodes)
			}
			congruent(t, g)
		}
	}
	g := start(w, Options{})
	r := Run(context.Background(), g, w.rules, Limits{}, func(it Iteration) bool { return it.Number < 4 })
	if r.Stop != Stopped || r.Iterations != 4 {
		t.Errorf("hook: %+v", r)
	}
}

func TestCancel(t *testing.T) {
	w := load(t, "math", "math")
	cancelled := 0
	for ms := 0; ms < 400; ms += suite.More(120, 40) {
		g := start(w, Options{})
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(ms)*time.Millisecond)
		r := Run(ctx, g, w.rules, Limits{Iterations: 12, Nodes: 1_000_000}, nil)
		cancel()
		if r.Stop == Cancelled {
			cancelled++
		}
		congruent(t, g)
	}
	if cancelled == 0 {
		t.Error("no run was cancelled")
	}
}

// A limit on matches does the same work in smaller portions.
func TestMatchLimit(t *testing.T) {
	w := load(t, "ac", "ac6")
	g := start(w, Options{})
	r := Run(context.Background(), g, w.rules, Limits{Matches: 20}, nil)
	if r.Stop != Saturated || r.Nodes != 608 || r.Classes != 63 {
		t.Errorf("%+v, want saturation at 608 nodes, 63 classes", r)
	}
	congruent(t, g)
}

// byTurns returns a schedule that leaves out the one rule and then the other.
func byTurns() func(int, []int, []bool) {
	n := 0
	return func(_ int, _ []int, out []bool) {
		n++
		out[n%2] = true
	}
}

// Rules that take turns reach what all at once do.
func TestSchedule(t *testing.T) {
	w := load(t, "ac", "ac6")
	tests := []struct {
		name     string
		matches  int
		schedule func(iteration int, matches []int, out []bool)
	}{
		{"by turns", 0, func(i int, _ []int, out []bool) { out[i%2] = true }},
		{"by turns in portions", 20, byTurns()},
		{"after many matches a rest", 0, func(_ int, matches []int, out []bool) {
			for i, n := range matches {
				out[i] = n > 30
			}
		}},
		{"late", 0, func(i int, _ []int, out []bool) { out[1] = i < 5 }},
	}
	for _, tt := range tests {
		g := start(w, Options{})
		asked := 0
		r := Run(context.Background(), g, w.rules, Limits{Iterations: 1000, Matches: tt.matches, Schedule: func(i int, matches []int, out []bool) {
			if asked++; i < asked || tt.matches == 0 && i != asked || slices.Contains(out, true) {
				t.Errorf("%s: asked about iteration %d with %v, want %d", tt.name, i, out, asked)
			}
			tt.schedule(i, matches, out)
		}}, nil)
		if r.Stop != Saturated || r.Nodes != 608 || r.Classes != 63 {
			t.Errorf("%s: %+v, want saturation at 608 nodes, 63 classes", tt.name, r)
		}
		congruent(t, g)
	}
	g := start(w, Options{})
	r := Run(context.Background(), g, w.rules, Limits{Iterations: 50, Schedule: func(_ int, _ []int, out []bool) { out[1] = true }}, nil)
	if r.Stop != IterationLimit || r.Nodes != 16 || r.Classes != 11 {
		t.Errorf("without associativity: %+v, want 50 iterations that end at 16 nodes, 11 classes", r)
	}
}

func TestResetIsFresh(t *testing.T) {
	math := load(t, "math", "math")
	fold := math.options(true, true)
	want, _ := counts(start(math, fold), math.rules, Limits{Iterations: 7}, nil)
	g := New(fold)
	g.AddTerm(math.terms[5])
	counts(g, math.rules, Limits{Iterations: 8}, nil)
	for range 3 {
		g.Reset()
		if g.NodeCount() != 0 || g.ClassCount() != 0 {
			t.Fatal("not empty after Reset")
		}
		for _, term := range math.terms {
			g.AddTerm(term)
		}
		if have, _ := counts(g, math.rules, Limits{Iterations: 7}, nil); !reflect.DeepEqual(have, want) {
			t.Errorf("after Reset:\n%v\nwant\n%v", have, want)
		}
	}
}

// Runs that follow each other, and changes by the hook, lose no matches.
func TestRunInPieces(t *testing.T) {
	w := load(t, "ac", "ac7")
	g := start(w, Options{})
	for {
		if r := Run(context.Background(), g, w.rules, Limits{Iterations: 1}, nil); r.Stop == Saturated {
			break
		}
	}
	if g.NodeCount() != 1939 || g.ClassCount() != 127 {
		t.Errorf("%d nodes, %d classes", g.NodeCount(), g.ClassCount())
	}
	g = New(Options{})
	r := Run(context.Background(), g, w.rules, Limits{}, func(it Iteration) bool {
		if it.Number == 2 {
			g.AddTerm(w.terms[0])
			for range g.Classes() { // builds the index behind the run's back
			}
		}
		if it.Number == 1 {
			g.AddTerm(w.terms[0].Kids[1])
		}
		return true
	})
	if r.Stop != Saturated || g.NodeCount() != 1939 {
		t.Errorf("%+v", r)
	}
}

// An iteration on a small term allocates nothing, and neither does Reset.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("pools forget")
	}
	w := load(t, "upd", "upd")
	g := New(Options{})
	ctx := context.Background()
	work := func() {
		g.Reset()
		var add func(t *Term) Class
		add = func(t *Term) Class {
			var kids [4]Class
			for i, k := range t.Kids {
				kids[i] = add(k)
			}
			return g.Add(t.Op, kids[:len(t.Kids)]...)
		}
		add(w.terms[4])
		Run(ctx, g, w.rules, Limits{Iterations: 4}, nil)
	}
	work()
	if n := testing.AllocsPerRun(100, work); n > 0 {
		t.Errorf("%v allocations per run", n)
	}
}

// A rule set may be run by many goroutines at once (see go test -race).
func TestSharedRules(t *testing.T) {
	w := load(t, "ac", "ac6")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			g := start(w, Options{})
			if r := Run(context.Background(), g, w.rules, Limits{}, nil); r.Nodes != 608 {
				t.Errorf("%+v", r)
			}
		})
	}
	wg.Wait()
}

// Conditions may look at nodes: they see the graph as of the iteration's begin.
func TestConditionReadsNodes(t *testing.T) {
	var s Symbols
	vars := map[string]int{}
	lhs, rhs := pattern(t, &s, "(f ?a)", vars), pattern(t, &s, "(g (f (f ?a)))", vars)
	g := New(Options{})
	add(t, &s, g, "(f (f x))")
	seen := 0
	r := Run(context.Background(), g, MustCompile([]Rule{{Name: "grow", LHS: lhs, RHS: rhs,
		Cond: func(g *Graph, subst []Class) bool {
			for n := range g.Nodes(subst[0]) {
				seen += len(s.Name(g.Op(n)))
			}
			return g.NodeCount() < 100
		}}}), Limits{Iterations: 20}, nil)
	if r.Nodes != 44 || seen == 0 {
		t.Errorf("%+v, seen %d", r, seen)
	}
	congruent(t, g)
}
