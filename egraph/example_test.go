package egraph_test

import (
	"context"
	"fmt"

	"github.com/rfactor-go/rfactor/egraph"
)

func Example() {
	const plus, f, zero, x = 0, 1, 2, 3 // operators
	a, b := egraph.PVar(0), egraph.PVar(1)
	rules := []egraph.Rule{
		{Name: "commute", LHS: egraph.PNode(plus, a, b), RHS: egraph.PNode(plus, b, a)},
		{Name: "zero", LHS: egraph.PNode(plus, a, egraph.PNode(zero)), RHS: a},
	}
	set, _ := egraph.Compile(rules)
	term := &egraph.Term{Op: f, Kids: []*egraph.Term{{Op: plus, Kids: []*egraph.Term{{Op: zero}, {Op: x}}}}}

	g := egraph.New(egraph.Options{Proofs: true})
	root := g.AddTerm(term)
	report := egraph.Run(context.Background(), g, set, egraph.Limits{}, nil)
	best := g.Extract(egraph.TermSize).Term(g.ClassOf(root))
	fmt.Println(report.Stop, best.Size())

	why, _ := g.Explain(root, g.AddTerm(best))
	proof, _ := why.Flatten(100)
	for _, step := range proof.Steps {
		fmt.Println(step.Rule, step.Path, step.Term.Size())
	}
	fmt.Println(egraph.Check(proof, term, best, rules, nil))
	// Output:
	// saturated 2
	// commute [0] 4
	// zero [0] 2
	// <nil>
}
