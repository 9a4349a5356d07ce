package egraph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

func pattern(t *testing.T, s *Symbols, text string, vars map[string]int) Pattern {
	t.Helper()
	p, err := s.ParsePattern(text, vars)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func add(t *testing.T, s *Symbols, g *Graph, text string) Class {
	t.Helper()
	term, err := s.ParseTerm(text)
	if err != nil {
		t.Fatal(err)
	}
	return g.ClassOf(g.AddTerm(term))
}

func TestMatch(t *testing.T) {
	var s Symbols
	g := New(Options{})
	sum, prod := add(t, &s, g, "(+ x (* y z))"), add(t, &s, g, "(* y x)")
	x, y, z := add(t, &s, g, "x"), add(t, &s, g, "y"), add(t, &s, g, "z")
	g.Union(prod, add(t, &s, g, "(neg z)"), 0)

	vars := map[string]int{"?x": 0, "?y": 1, "?k": 2}
	var entries [][]Pattern
	for _, texts := range [][]string{
		{"(+ ?x (* ?y ?k))", "(* ?y ?x)"}, // 0: shares y between the roots
		{"(+ ?x (* ?y ?k))", "(* ?k ?x)"}, // 1: k is not y
		{"(+ ?x (* ?y z))", "(neg ?k)"},   // 2: a constant, another node of the class
		{"(+ ?x (* ?y q))", "(neg ?k)"},   // 3: a constant that does not exist
		{"(+ ?x ?y)"},                     // 4: another number of roots
		{"(+ ?y (* ?k ?x))", "?y"},        // 5: a bare variable
	} {
		var ps []Pattern
		for _, text := range texts {
			ps = append(ps, pattern(t, &s, text, vars))
		}
		entries = append(entries, ps)
	}
	table, err := CompileTable(entries)
	if err != nil {
		t.Fatal(err)
	}
	type match struct {
		entry int
		subst []Class
	}
	tests := []struct {
		name  string
		query Query
		want  []match
	}{
		{"free", Query{Roots: []Class{sum, prod}}, []match{{0, []Class{x, y, z}}, {2, []Class{x, y, z}}}},
		{"bound", Query{Roots: []Class{sum, prod}, Bound: []Class{y}}, nil},
		{"bound too", Query{Roots: []Class{sum, prod}, Bound: []Class{NoClass, y, z}}, []match{{0, []Class{x, y, z}}, {2, []Class{x, y, z}}}},
		{"one root", Query{Roots: []Class{sum}}, []match{{4, []Class{x, g.Find(add(t, &s, g, "(* y z)")), NoClass}}}},
		{"accept", Query{Roots: []Class{sum, prod}, Accept: func(_ *Graph, v int, c Class) bool { return v != 2 || c != z }}, nil},
		{"roots", Query{Roots: []Class{sum, x}}, []match{{5, nil}}},
	}
	tests[5].want[0].subst = []Class{z, x, y}
	for _, tt := range tests {
		var have []match
		tt.query.Found = func(entry int, subst []Class) bool {
			have = append(have, match{entry, slices.Clone(subst)})
			return true
		}
		table.Match(g, &tt.query)
		slices.SortFunc(have, func(a, b match) int { return a.entry - b.entry })
		if !reflect.DeepEqual(have, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, have, tt.want)
		}
	}
}

// A table of random entries finds what the definition says, entry by entry.
func TestMatchAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found := 0
	for round := range 400 {
		data := make([]byte, 600)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		b := &bytesOf{data}
		p := newPair(false)
		p.grow(b, 40)
		var entries [][]Pattern
		for range 30 {
			entries = append(entries, []Pattern{b.pattern(2, 3), b.pattern(2, 3)})
		}
		table, err := CompileTable(entries)
		if err != nil {
			t.Fatal(err)
		}
		r0, r1 := b.below(len(p.nodes)), b.below(len(p.nodes))
		have := make([]int, len(entries))
		q := Query{Roots: []Class{p.g.ClassOf(p.nodes[r0]), p.g.ClassOf(p.nodes[r1])}}
		q.Found = func(entry int, _ []Class) bool { have[entry]++; found++; return true }
		table.Match(p.g, &q)
		for i, e := range entries {
			want := 0
			for _, s := range p.v.match(e[0], p.v.find(r0), map[int]int{}) {
				want += len(p.v.match(e[1], p.v.find(r1), s))
			}
			if have[i] != want {
				t.Fatalf("round %d entry %d %v: %d matches, want %d", round, i, e, have[i], want)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d matches in all: the test says little", found)
	}
}

func TestConditions(t *testing.T) {
	var s Symbols
	vars := map[string]int{}
	lhs := pattern(t, &s, "(f ?a ?b)", vars)
	a := pattern(t, &s, "?a", vars)
	g := New(Options{Proofs: true})
	one, two := add(t, &s, g, "(f p q)"), add(t, &s, g, "(f q p)")
	p, q := add(t, &s, g, "p"), add(t, &s, g, "q")
	rules := []Rule{
		{Name: "only-p", LHS: lhs, RHS: a, Cond: func(g *Graph, subst []Class) bool { return g.Find(subst[0]) == g.Find(p) }},
		{Name: "computed", LHS: lhs, Apply: func(g *Graph, root Class, subst []Class) (Class, bool) {
			return g.Add(s.Op("g"), subst[1]), g.Find(subst[0]) == g.Find(q)
		}},
	}
	Run(context.Background(), g, MustCompile(rules), Limits{}, nil)
	if g.Find(one) != g.Find(p) {
		t.Error("the condition held and the rule was not applied")
	}
	if g.Find(two) == g.Find(q) {
		t.Error("the condition did not hold and the rule was applied")
	}
	if c, ok := g.Lookup(s.Op("g"), p); !ok || c != g.Find(two) {
		t.Error("the computed right side is missing")
	}
	asked := 0
	trust := func(st Step, left, right *Term) error {
		asked++
		if text := st.Rule + s.Format(left) + s.Format(right); text != "only-p(f p q)p" && text != "computed(f q p)(g p)" {
			return fmt.Errorf("asked about %s", text)
		}
		return nil
	}
	for _, equal := range [][2]string{{"(f p q)", "p"}, {"(g p)", "(f q p)"}} {
		from, _ := s.ParseTerm(equal[0])
		to, _ := s.ParseTerm(equal[1])
		e, err := g.Explain(g.AddTerm(from), g.AddTerm(to))
		if err != nil {
			t.Fatal(err)
		}
		proof, err := e.Flatten(10)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(proof, from, to, rules, trust); err != nil {
			t.Error(err)
		}
		if Check(proof, from, to, rules, nil) == nil {
			t.Error("a conditional step was believed without asking")
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func TestCompileErrors(t *testing.T) {
	v := PVar(0)
	same := Rule{Name: "same", LHS: v, RHS: v}
	for _, c := range []struct {
		want  string
		rules []Rule
	}{
		{"rule 0 unbound: variable 1 of the right side does not occur on the left", []Rule{{Name: "unbound", LHS: PNode(1, v), RHS: PVar(1)}}},
		{`rule 0 needs a name of its own, not ""`, []Rule{{LHS: v, RHS: v}}},
		{"rule 0 vars: variable 64: at most 64 variables", []Rule{{Name: "vars", LHS: PVar(MaxVars), RHS: v}}},
		{"rule 0 op: operator 16777216 with 1 children is too large", []Rule{{Name: "op", LHS: PNode(MaxOp+1, v), RHS: v}}},
		{"rule 0 also: a further pattern must not be a bare variable", []Rule{{Name: "also", LHS: PNode(1, v), Also: []Pattern{PVar(1)}, RHS: v}}},
		{`rule 1 needs a name of its own, not "same"`, []Rule{same, same}},
	} {
		if _, err := Compile(c.rules); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
