package main

import (
	"strings"

	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/rule"
)

// rulesReport is what verify -rules -json prints.
type rulesReport struct {
	rule.Report
	Total  rule.Theory `json:"total"`
	Failed []string    `json:"failed"` // a line for each rule that is not proven
}

// verifyRules checks the certificates of the rewrite rules and counts them by theory.
func (c *command) verifyRules(asJSON bool) int {
	certs, err := rule.Read(strings.NewReader(rules.Certificates))
	if err != nil {
		return c.errorf("the certificates of the rules: %v", err)
	}
	report, err := rule.Check(certs)
	failed := []string{}
	if err != nil {
		failed = strings.Split(err.Error(), "\n")
	}
	code := exitMatched
	if len(failed) > 0 {
		code = exitRefused
	}
	if asJSON {
		c.writeRecord(rulesReport{report, report.Total(), failed})
		return code
	}
	c.stdout.printf("%-10s %d believed\n", "axioms", report.Axioms)
	for _, t := range report.Theories {
		c.stdout.printf("%-10s %d rules, %d instances\n", t.Name, t.Rules, t.Instances)
	}
	for _, f := range failed {
		c.stdout.printf("FAILED %s\n", f)
	}
	t := report.Total()
	c.stdout.printf("rules: %d proven, %d failed; %d instances, %d nodes of proof trees, %d rewrite steps\n", t.Rules, len(failed), t.Instances, t.Nodes, t.Steps)
	return code
}
