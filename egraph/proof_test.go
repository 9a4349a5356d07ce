package egraph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
	. "github.com/rfactor-go/rfactor/internal/sexpr"
)

// replay explains why two nodes are equal and has every form of the proof
// checked; it returns the number of steps.
func replay(w *workload, g *Graph, a, b Node, trust Trust) (int, error) {
	e, err := g.Explain(a, b)
	if err != nil {
		return 0, err
	}
	proof, err := e.Flatten(20_000)
	if err != nil {
		return 0, err
	}
	return len(proof.Steps), Check(proof, g.Term(a), g.Term(b), rulesOf(w.rules), trust)
}

func rulesOf(rs *RuleSet) (rules []Rule) {
	for _, r := range rs.Rules() {
		rules = append(rules, r.Rule)
	}
	return rules
}

// In saturated and growing workloads, all nodes of a class are proven equal to
// its first one, as written in the proofs of their neighbours.
func TestWorkloadProofs(t *testing.T) {
	tests := []struct {
		rules, terms string
		iterations   int
		fold         bool
	}{
		{"ac", "ac6", 0, false},
		{"math", "math", 7, false},
		{"math", "math", 7, true},
		{"math-intro", "math", 3, false},
		{"upd", "upd", 2, true},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s/fold=%v", tt.rules, tt.fold), func(t *testing.T) {
			w := load(t, tt.rules, tt.terms)
			g := start(w, w.options(true, tt.fold))
			Run(context.Background(), g, w.rules, Limits{Iterations: tt.iterations}, nil)
			f := &folder{syms: &w.syms}
			steps, proofs, tooLong := 0, 0, 0
			for c := range g.Classes() {
				for n := range g.Nodes(c) {
					k, err := replay(w, g, Node(c), n, f.trust)
					if errors.Is(err, ErrTooLong) {
						tooLong++
						continue
					}
					if err != nil {
						t.Fatalf("class %d node %d: %v", c, n, err)
					}
					steps += k
					proofs++
				}
			}
			t.Logf("%d proofs, %d steps, %d too long", proofs, steps, tooLong)
			if tooLong > proofs/100 {
				t.Errorf("%d proofs of %d are too long", tooLong, proofs)
			}
		})
	}
}

// trust evaluates a folding step anew, on the terms.
func (f *folder) trust(s Step, left, right *Term) error {
	a, okA := f.value(left)
	b, okB := f.value(right)
	if s.Rule != "" || s.Reason != foldReason || !okA || !okB || a != b {
		return fmt.Errorf("%s = %s is no folding", f.syms.Format(left), f.syms.Format(right))
	}
	return nil
}

func (f *folder) value(t *Term) (int64, bool) {
	g := New(Options{Analysis: &Analysis{Make: f.make, Join: func(a, b uint64) uint64 { return max(a, b) }}})
	return f.constant(g, g.ClassOf(g.AddTerm(t)))
}

// The checker refuses proofs that were tampered with.
func TestCheckRefuses(t *testing.T) {
	var s Symbols
	rules, err := s.ParseRules("comm: (+ ?a ?b) => (+ ?b ?a)\nzero: (+ ?a 0) => ?a")
	if err != nil {
		t.Fatal(err)
	}
	term := func(text string) *Term {
		x, err := s.ParseTerm(text)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	good := func() *Proof {
		return &Proof{Start: term("(f (+ 0 x) y)"), Steps: []Step{
			{Rule: "comm", Path: []int{0}, Term: term("(f (+ x 0) y)")},
			{Rule: "zero", Path: []int{0}, Term: term("(f x y)")},
			{Rule: "zero", Path: []int{1}, Term: term("(f x (+ y 0))"), Backward: true},
		}}
	}
	from, to := term("(f (+ 0 x) y)"), term("(f x (+ y 0))")
	if err := Check(good(), from, to, rules, nil); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p *Proof){
		"start":      func(p *Proof) { p.Start = term("(f (+ 1 x) y)") },
		"end":        func(p *Proof) { p.Steps = p.Steps[:2] },
		"rule":       func(p *Proof) { p.Steps[0].Rule = "zero" },
		"no rule":    func(p *Proof) { p.Steps[0].Rule = "magic" },
		"external":   func(p *Proof) { p.Steps[0].Rule = "" },
		"path":       func(p *Proof) { p.Steps[1].Path = []int{1} },
		"long path":  func(p *Proof) { p.Steps[1].Path = []int{0, 0, 0} },
		"wild path":  func(p *Proof) { p.Steps[1].Path = []int{-1} },
		"direction":  func(p *Proof) { p.Steps[2].Backward = false },
		"beside":     func(p *Proof) { p.Steps[1].Term = term("(f x z)") },
		"above":      func(p *Proof) { p.Steps[1].Term = term("(g x y)") },
		"other term": func(p *Proof) { p.Steps[1].Term = term("(f y y)") },
	} {
		p := good()
		spoil(p)
		if Check(p, from, to, rules, nil) == nil {
			t.Errorf("%s: believed", name)
		}
	}
}

func TestExplainErrors(t *testing.T) {
	g := New(Options{Proofs: true})
	a, b := g.AddNode(1), g.AddNode(2)
	if _, err := g.Explain(a, b); err != ErrNotEqual {
		t.Errorf("err = %v", err)
	}
	g.UnionNodes(a, b, 5)
	e, err := g.Explain(b, a)
	if err != nil {
		t.Fatal(err)
	}
	if l := e.Lemmas[0]; len(l.Links) != 1 || l.Links[0].Kind != External || l.Links[0].Reason != 5 || !l.Links[0].Backward {
		t.Errorf("%+v", l)
	}
	if _, err := e.Flatten(0); err != ErrTooLong {
		t.Errorf("err = %v", err)
	}
	if _, err := New(Options{}).Explain(0, 0); err != ErrNoProofs {
		t.Errorf("err = %v", err)
	}
}
