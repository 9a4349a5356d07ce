package egraph_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/egraph"
)

func Example() {
	var syms egraph.Symbols
	rules, _ := syms.ParseRules(`
		commute: (+ ?a ?b) => (+ ?b ?a)
		zero:    (+ ?a 0) => ?a`)
	term, _ := syms.ParseTerm("(f (+ 0 x))")

	g := egraph.New(egraph.Options{Proofs: true})
	root := g.AddTerm(term)
	report := egraph.Run(context.Background(), g, egraph.MustCompile(rules), egraph.Limits{}, nil)
	best := g.Extract(egraph.TermSize).Term(g.ClassOf(root))
	fmt.Println(report.Stop, syms.Format(best))

	why, _ := g.Explain(root, g.AddTerm(best))
	proof, _ := why.Flatten(100)
	for _, step := range proof.Steps {
		fmt.Println(step.Rule, step.Path, syms.Format(step.Term))
	}
	fmt.Println(egraph.Check(proof, term, best, rules, nil))
	// Output:
	// saturated (f x)
	// commute [0] (f (+ x 0))
	// zero [0] (f x)
	// <nil>
}
