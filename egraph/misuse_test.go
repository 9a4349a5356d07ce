package egraph_test

import (
	"context"
	"io"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

// Misuse panics with a text that begins with the package's name and says what was wrong.
func TestMisuse(t *testing.T) {
	g := New(Options{})
	a := g.Add(1)
	g.Add(2, a)
	var noContext context.Context
	ctx, rs, many := context.Background(), MustCompile(nil), make([]Class, MaxArity+1)
	table, err := CompileTable([][]Pattern{{PVar(0)}})
	if err != nil {
		t.Fatal(err)
	}
	const (
		noClass = "egraph: there is no class 7: the graph has numbers below 2"
		noGraph = "egraph: the graph is nil"
		noNew   = "egraph: make a Graph with New"
		noRun   = "egraph: Run needs a context, a graph and a rule set"
		noMatch = "egraph: Match needs a table, a graph and a Query with Found"
	)
	found := func(int, []Class) bool { return true }
	for _, c := range []struct {
		want string
		do   func()
	}{
		{noNew, func() { (*Graph)(nil).Add(1) }},
		{noNew, func() { new(Graph).Add(1) }},
		{noNew, func() { new(Graph).AddNode(1) }},
		{noNew, func() { new(Graph).AddTerm(&Term{Op: 1}) }},
		{noNew, func() { new(Graph).Lookup(1) }},
		{noGraph, func() { (*Graph)(nil).Find(0) }},
		{noGraph, func() { (*Graph)(nil).Op(0) }},
		{noClass, func() { g.Add(3, 7) }},
		{"egraph: NoClass is no class", func() { g.Add(3, NoClass) }},
		{noClass, func() { g.AddNode(3, 7) }},
		{noClass, func() { g.Lookup(3, 7) }},
		{noClass, func() { g.Find(7) }},
		{noClass, func() { g.ClassOf(7) }},
		{noClass, func() { g.Union(a, 7, 0) }},
		{noClass, func() { g.UnionNodes(7, 0, 0) }},
		{noClass, func() { g.Op(7) }},
		{noClass, func() { g.Kids(7, nil) }},
		{noClass, func() { g.Term(7) }},
		{noClass, func() {
			for range g.Nodes(7) {
			}
		}},
		{noClass, func() { table.Match(g, &Query{Roots: []Class{7}, Found: found}) }},
		{noClass, func() { table.Match(g, &Query{Roots: []Class{a}, Bound: []Class{7}, Found: found}) }},
		{noClass, func() { g.Extract(TermSize).Term(7) }},
		{noClass, func() { g.Extract(TermSize).Cost(7) }},
		{noClass, func() { g.ExtractDAG(func(Op) uint64 { return 1 }).Term(7) }},
		{"egraph: operator 16777216 with 0 children is too large", func() { g.Add(MaxOp + 1) }},
		{"egraph: operator 1 with 255 children is too large", func() { g.Add(1, many...) }},
		{"egraph: operator 16777216 with 0 children is too large", func() { g.Lookup(MaxOp + 1) }},
		{"egraph: AddTerm of a nil term", func() { g.AddTerm(nil) }},
		{"egraph: AddTerm of a nil term", func() { g.AddTerm(&Term{Op: 1, Kids: []*Term{nil}}) }},
		{"egraph: Data needs Options.Analysis", func() { g.Data(a) }},
		{"egraph: Term needs Options.Proofs", func() { g.Term(0) }},
		{"egraph: Extract needs a cost", func() { g.Extract(nil) }},
		{"egraph: ExtractDAG needs a cost", func() { g.ExtractDAG(nil) }},
		{"egraph: no term of class 0 has a cost", func() { g.Extract(func(Op, []uint64) uint64 { return 1<<64 - 1 }).Node(a) }},
		{noRun, func() { Run(noContext, g, rs, Limits{}, nil) }},
		{noRun, func() { Run(ctx, nil, rs, Limits{}, nil) }},
		{noRun, func() { Run(ctx, g, nil, Limits{}, nil) }},
		{noMatch, func() { table.Match(nil, &Query{Found: found}) }},
		{noMatch, func() { table.Match(g, nil) }},
		{noMatch, func() { table.Match(g, &Query{Roots: []Class{a}}) }},
		{noMatch, func() { (*Table)(nil).Match(g, &Query{Found: found}) }},
		{"egraph: a variable with the number -1", func() { PVar(-1) }},
		{"egraph: the Explanation is not one that Explain returned", func() { new(Explanation).Flatten(1) }},
	} {
		if got := panicOf(c.do); got != c.want {
			t.Errorf("panics with %v, want %s", got, c.want)
		}
	}
	if g.NodeCount() != 2 {
		t.Errorf("the graph has %d nodes", g.NodeCount())
	}
}

// panicOf is what f panics with; nil where it does not.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// An argument that a caller leaves out has a default, and a text that cannot be read is an error.
func TestRefused(t *testing.T) {
	term := new(Term)
	rule := Rule{Name: "r", LHS: PNode(0, PVar(0)), RHS: PVar(0)}
	step := Step{Rule: "r", Path: []int{0, 0}, Term: &Term{Kids: []*Term{nil}}}
	graph := New(Options{})
	proofs := New(Options{Proofs: true})
	a, b := proofs.AddNode(1), proofs.AddNode(2)
	for _, c := range []struct {
		want string
		err  func() error
	}{
		{"there is no proof", func() error { return Check(nil, term, term, nil, nil) }},
		{"there is no proof", func() error { return Check(&Proof{}, term, term, nil, nil) }},
		{"the proof starts at another term", func() error { return Check(&Proof{Start: term}, nil, term, nil, nil) }},
		{"the proof ends at another term", func() error { return Check(&Proof{Start: term}, term, nil, nil, nil) }},
		{"step 1: there is no term after it", func() error { return Check(&Proof{Start: term, Steps: []Step{{}}}, term, term, nil, nil) }},
		{"step 1: a term lacks a child", func() error {
			return Check(&Proof{Start: &Term{Kids: []*Term{nil}}, Steps: []Step{step}}, &Term{Kids: []*Term{nil}}, term, []Rule{rule}, nil)
		}},
		{`two rules are named "r"`, func() error { return Check(&Proof{Start: term}, term, term, []Rule{rule, rule}, nil) }},
		{"rule 0 r: variable 1 of the right side does not occur on the left", func() error {
			_, err := Compile([]Rule{{Name: "r", LHS: PNode(0, PVar(0)), RHS: PVar(1)}})
			return err
		}},
		{"entry 0: variable 64: at most 64 variables", func() error { _, err := CompileTable([][]Pattern{{PVar(MaxVars)}}); return err }},
		{"egraph: the graph does not record proofs", func() error { _, err := graph.Explain(0, 0); return err }},
		{"egraph: the nodes are not known to be equal", func() error { _, err := proofs.Explain(a, b); return err }},
	} {
		if err := c.err(); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := graph.WriteDOT(io.Discard, Export{}); err != nil {
		t.Error(err)
	}
	if Stop(99).String() != "Stop(99)" || (*Term)(nil).Equal(term) {
		t.Error(Stop(99))
	}
}
