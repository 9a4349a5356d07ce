package egraph

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	workloads "github.com/rfactor-go/rfactor/testdata/egraph-workloads"
)

// runAC saturates the sum of eight variables and returns the graph.
func runAC(t *testing.T, proofs bool) *Graph {
	t.Helper()
	var syms Symbols
	text, err := workloads.Text("ac.rules")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := syms.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := workloads.Lines("ac8.terms")
	if err != nil {
		t.Fatal(err)
	}
	term, err := syms.ParseTerm(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	g := New(Options{Proofs: proofs})
	g.AddTerm(term)
	if r := Run(context.Background(), g, MustCompile(rules), Limits{}, nil); r.Stop != Saturated || r.Nodes != 6058 || r.Classes != 255 {
		t.Errorf("%+v, want saturation at 6058 nodes, 255 classes", r)
	}
	return g
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

// Nodes, their numbers and what is equal do not depend on how many goroutines search.
func TestWorkersAgree(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, proofs := range []bool{false, true} {
		for _, sizes := range []Sizes{{0, 0, 1, never, 1}, {0, never, 200, never, 1}, {0, 0, 200, 1000, 1}} {
			back := sizes.Set()
			want := runAC(t, proofs)
			for maxWorkers = 2; maxWorkers <= 4; maxWorkers++ {
				if err := identical(runAC(t, proofs), want); err != "" {
					t.Errorf("proofs %v, %+v, %d workers: %s", proofs, sizes, maxWorkers, err)
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
