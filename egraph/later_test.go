package egraph

import (
	"context"
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

// SetSizes sets the length of a run that is asked about by columns and the size of a table that no
// cache holds, and returns a function that sets them back.
func SetSizes(run, table int) (back func()) {
	oldRun, oldTable := batchFrom, touchFrom
	batchFrom, touchFrom = run, table
	return func() { batchFrom, touchFrom = oldRun, oldTable }
}

// The counts are the same whether matches are asked about by columns, one by one or not at all.
func TestSizes(t *testing.T) {
	for _, sizes := range [][2]int{{1, 0}, {1, 1 << 15}, {1 << 30, 0}, {1 << 30, 1 << 30}} {
		back := SetSizes(sizes[0], sizes[1])
		runAC(t, false)
		runAC(t, true)
		back()
	}
}
