package egraph

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// Load reads the rules and start terms of a workload. Tests of package egraph_test set it, since what reads them imports package egraph.
var Load func(t *testing.T, rules, terms string) (*RuleSet, []*Term)

// runAC saturates the sum of eight variables and returns the graph.
func runAC(t *testing.T, proofs bool) *Graph {
	t.Helper()
	g, _ := runWorkload(t, "ac", "ac8", 0, proofs)
	if g.NodeCount() != 6058 || g.ClassCount() != 255 {
		t.Errorf("%d nodes, %d classes, want 6058, 255", g.NodeCount(), g.ClassCount())
	}
	return g
}

// runWorkload runs rules on terms, and returns the graph and what each iteration did.
func runWorkload(t *testing.T, rules, terms string, iterations int, proofs bool) (g *Graph, did []Iteration) {
	t.Helper()
	rs, list := Load(t, rules, terms)
	g = New(Options{Proofs: proofs})
	for _, term := range list {
		g.AddTerm(term)
	}
	Run(context.Background(), g, rs, Limits{Iterations: iterations}, func(it Iteration) bool {
		did = append(did, it)
		return true
	})
	return g, did
}

// What an iteration makes equal it does not first add under many names.
func TestFewDeadNodes(t *testing.T) {
	for _, proofs := range []bool{false, true} {
		if g := runAC(t, proofs); g.nodes.n > 2*g.live { // four times as many if every match is applied as it is found
			t.Errorf("proofs %v: %d nodes made for %d", proofs, g.nodes.n, g.live)
		}
	}
}

// Matches that cannot all wait are applied during the search.
func TestFewMayWait(t *testing.T) {
	defer func(n int) { maxLater = n }(maxLater)
	for _, maxLater = range []int{0, 1, 1000} {
		runAC(t, false)
		runAC(t, true)
	}
}

// Sizes say from where on a graph is treated as a large one, and how.
type Sizes struct {
	Wide, Table, Chunk, Rows, Workers int
}

// Set sets the sizes, and returns a function that sets them back.
func (s Sizes) Set() (back func()) {
	old := Sizes{wideFrom, touchFrom, chunkNodes, maxRows, maxWorkers}
	wideFrom, touchFrom, chunkNodes, maxRows, maxWorkers = s.Wide, s.Table, s.Chunk, s.Rows, s.Workers
	return func() {
		wideFrom, touchFrom, chunkNodes, maxRows, maxWorkers = old.Wide, old.Table, old.Chunk, old.Rows, old.Workers
	}
}

const never = 1 << 30

// The counts are the same whether matches are asked about by columns, one by one or not at all.
func TestSizes(t *testing.T) {
	for _, sizes := range []Sizes{
		{0, 0, 1, never, 2}, {0, never, 64, never, 1}, {0, never, 64, 100, 2}, {never, 0, 1, 0, 1}, {never, never, 1, 0, 1},
	} {
		back := sizes.Set()
		runAC(t, false)
		runAC(t, true)
		back()
	}
}

// Nodes, their numbers, what is equal and what iterations count do not depend on how many goroutines
// search.
func TestWorkersAgree(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	tests := []struct {
		rules, terms string
		iterations   int
		sizes        Sizes
	}{
		{"ac", "ac8", 0, Sizes{0, 0, 1, never, 1}},
		{"ac", "ac8", 0, Sizes{0, never, 200, never, 1}},
		{"ac", "ac8", 0, Sizes{0, 0, 200, 1000, 1}},
		{"math", "math", 8, Sizes{500, 0, 50, 1 << 16, 1}},
		{"math-intro", "math", 4, Sizes{0, never, 50, 5000, 1}},
		{"upd", "upd", 3, Sizes{0, never, 20, 1 << 16, 1}},
	}
	for _, tt := range tests {
		for _, proofs := range []bool{false, true} {
			back := tt.sizes.Set()
			want, counts := runWorkload(t, tt.rules, tt.terms, tt.iterations, proofs)
			for maxWorkers = 2; maxWorkers <= 4; maxWorkers++ {
				g, did := runWorkload(t, tt.rules, tt.terms, tt.iterations, proofs)
				if err := identical(g, want); err != "" {
					t.Errorf("%+v, proofs %v, %d workers: %s", tt, proofs, maxWorkers, err)
				}
				if !slices.Equal(did, counts) {
					t.Errorf("%+v, proofs %v, %d workers: %v, want %v", tt, proofs, maxWorkers, did, counts)
				}
			}
			back()
		}
	}
}

// identical says how two graphs differ; "" if they do not.
func identical(g, h *Graph) string {
	if g.nodes.n != h.nodes.n {
		return fmt.Sprintf("%d nodes were made, want %d", g.nodes.n, h.nodes.n)
	}
	for n := range uint32(g.nodes.n) {
		if a, b := g.nodes.at(n).record, h.nodes.at(n).record; a != b {
			return fmt.Sprintf("node %d is %v, want %v", n, a, b)
		}
		if a, b := g.find(Class(n)), h.find(Class(n)); a != b {
			return fmt.Sprintf("node %d is of class %d, want %d", n, a, b)
		}
		if g.forest == nil {
			continue
		}
		if a, b := *g.forest.nodes.at(n), *h.forest.nodes.at(n); a != b {
			return fmt.Sprintf("node %d is in the forest %v, want %v", n, a, b)
		}
	}
	return ""
}
