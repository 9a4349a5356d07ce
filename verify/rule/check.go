package rule

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/steps"
)

// Report counts what was checked, theory by theory in the order of ranks.
type Report struct {
	Axioms   int      `json:"axioms"` // rules that are believed
	Theories []Theory `json:"theories"`
}

// Theory counts the proofs that hold of the rules of one file.
type Theory struct {
	Name      string `json:"theory"`
	Rules     int    `json:"rules"` // proven in all instances
	Instances int    `json:"instances"`
	Nodes     int    `json:"nodes"` // of proof trees, one tree for each instance
	Steps     int    `json:"steps"`
}

// Total adds the theories up.
func (r Report) Total() Theory {
	sum := Theory{Name: "total"}
	for _, t := range r.Theories {
		sum.Rules += t.Rules
		sum.Instances += t.Instances
		sum.Nodes += t.Nodes
		sum.Steps += t.Steps
	}
	return sum
}

// Check shows that the certificates prove every rule but the axioms, in all of its
// instances. The error joins one for each rule that is not proven and for each certificate
// that belongs to no rule.
func Check(certs []Certificate) (Report, error) {
	report := Report{Axioms: len(rules.Axioms())}
	byName := map[string]Certificate{}
	var errs []error
	for _, c := range certs {
		rank, ok := rules.Rank(c.Rule)
		_, twice := byName[c.Rule]
		switch {
		case !ok || rank < report.Axioms:
			errs = append(errs, fmt.Errorf("%s: a certificate of no rule that is to be proven", c.Rule))
		case twice:
			errs = append(errs, fmt.Errorf("%s: two certificates", c.Rule))
		}
		byName[c.Rule] = c
	}
	for _, r := range rules.Ranked()[report.Axioms:] {
		if n := len(report.Theories); n == 0 || report.Theories[n-1].Name != r.Theory {
			report.Theories = append(report.Theories, Theory{Name: r.Theory})
		}
		c, ok := byName[r.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: no certificate", r.Name))
			continue
		}
		if err := report.Theories[len(report.Theories)-1].add(r, c); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.Name, err))
		}
	}
	return report, errors.Join(errs...)
}

// add checks the certificate of a rule and counts what it proves.
func (t *Theory) add(r *rules.Rule, c Certificate) error {
	open := Instances(r)
	for _, p := range c.Proofs {
		for _, name := range p.At {
			i := slices.IndexFunc(open, func(in Instance) bool { return in.String() == name })
			if i < 0 {
				return fmt.Errorf("%s is no instance, or is proven twice", name)
			}
			if err := p.check(open[i]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			open = slices.Delete(open, i, i+1)
			t.Instances++
			t.Nodes += p.Tree.Size()
			t.Steps += len(p.Steps)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%s: no proof", open[0])
	}
	t.Rules++
	return nil
}

// check shows that the proof proves the instance.
func (p Proof) check(in Instance) error {
	rank, ok := rules.Rank(in.Rule.Name)
	if !ok {
		return errors.New("a rule without a rank")
	}
	goal := in.Goal()
	problem := goal.Problem()
	chain := make([]steps.Step, len(p.Steps))
	end := problem.Left
	for i, s := range p.Steps {
		var err error
		if chain[i], err = s.at(end.Pool(), goal.Type); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		end = chain[i].To
	}
	if p.Tree == nil {
		end = problem.Right
	}
	if err := steps.Check(problem.Left, end, chain, goal.Assume, rank); err != nil {
		return err
	}
	if p.Tree == nil {
		return nil
	}
	return equation.Check(proof.Problem{Left: end, Right: problem.Right}, goal.Assume, p.Tree)
}
