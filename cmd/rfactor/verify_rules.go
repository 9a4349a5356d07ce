package main

import (
	"strings"

	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/rule"
)

// rulesReport is what verify -rules -json prints.
type rulesReport struct {
	Axioms   int      `json:"axioms"`   // rules that are believed
	Theories []theory `json:"theories"` // in the order of ranks
	Total    theory   `json:"total"`
	Failed   []string `json:"failed"` // an error for each rule that is not proven
}

// theory counts the proofs that hold of the rules of one file.
type theory struct {
	Name      string `json:"theory"`
	Rules     int    `json:"rules"` // proven in all instances
	Instances int    `json:"instances"`
	Nodes     int    `json:"nodes"` // of proof trees, one tree for each instance
	Steps     int    `json:"steps"`
}

func (t *theory) add(c rule.Certificate) {
	t.Rules++
	for _, p := range c.Proofs {
		t.Instances += len(p.At)
		t.Nodes += len(p.At) * p.Tree.Size()
		t.Steps += len(p.At) * len(p.Steps)
	}
}

// newRulesReport counts what certificates prove.
func newRulesReport(proven []rule.Certificate) rulesReport {
	r := rulesReport{Axioms: len(rules.Axioms()), Total: theory{Name: "total"}, Failed: []string{}}
	for _, c := range proven {
		proved, _ := rules.ByName(c.Rule)
		name := proved.Theory
		if n := len(r.Theories); n == 0 || r.Theories[n-1].Name != name {
			r.Theories = append(r.Theories, theory{Name: name})
		}
		r.Theories[len(r.Theories)-1].add(c)
		r.Total.add(c)
	}
	return r
}

// verifyRules checks the certificates of the rewrite rules and counts them by theory.
func (c *command) verifyRules(asJSON bool) int {
	certs, err := rule.Read(strings.NewReader(rules.Certificates()))
	if err != nil {
		return c.Errorf("the certificates of the rules: %v", err)
	}
	proven, failed := rule.Check(certs)
	report, code := newRulesReport(proven), verbs.Matched
	for _, err := range failed {
		report.Failed, code = append(report.Failed, err.Error()), verbs.Refused
	}
	if asJSON {
		c.WriteRecord(report)
		return code
	}
	c.Stdout.Printf("%-10s %d believed\n", "axioms", report.Axioms)
	for _, t := range report.Theories {
		c.Stdout.Printf("%-10s %d rules, %d instances\n", t.Name, t.Rules, t.Instances)
	}
	for _, f := range report.Failed {
		c.Stdout.Printf("FAILED %s\n", f)
	}
	t := report.Total
	c.Stdout.Printf("rules: %d proven, %d failed; %d instances, %d nodes of proof trees, %d rewrite steps\n", t.Rules, len(report.Failed), t.Instances, t.Nodes, t.Steps)
	return code
}
