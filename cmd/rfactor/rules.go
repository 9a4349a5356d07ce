package main

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/rule"
)

var rulesVerb = verbs.Verb{
	Name:  "rules",
	About: "lists the rewrite rules with what they need and how they were proven",
	Run:   with(runRules),
	Usage: `[-json]

Examples:
  rfactor rules
  rfactor rules -json

Needs are given for each class of types: int holds wherever integers are, int/nowrap only
without overflow (nsw, nuw), float/nnan only without NaN. A proof is by equal polynomials,
by cases, by bits, or by rewrite steps with other rules, which are named. An axiom is
believed. "rfactor verify -rules" checks the proofs.`,
}

// ruleRecord is one line of rules -json.
type ruleRecord struct {
	Name   string   `json:"name"`
	Theory string   `json:"theory"`
	Rule   string   `json:"rule"`
	Needs  []string `json:"needs"`
	Proof  string   `json:"proof"`
}

func runRules(c *command, args []string) int {
	fs := cli.NewFlags()
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	if _, code, ok := c.Parse(fs, args, 0); !ok {
		return code
	}
	certs, err := rule.Read(strings.NewReader(rules.Certificates()))
	if err != nil {
		return c.Errorf("the certificates of the rules: %v", err)
	}
	how := map[string]string{}
	for _, cert := range certs {
		how[cert.Rule] = howProven(cert)
	}
	for _, axiom := range rules.Axioms() {
		how[axiom.Name] = "believed"
	}
	theory := ""
	for _, r := range slices.Concat(rules.Axioms(), rules.All()) {
		var needs []string
		for _, class := range r.Classes {
			needs = append(needs, class.String())
		}
		if *asJSON {
			c.WriteRecord(ruleRecord{r.Name, r.Theory, ruleText(r.Text), needs, how[r.Name]})
			continue
		}
		if r.Theory != theory {
			if theory != "" {
				c.Stdout.Printf("\n")
			}
			theory = r.Theory
			c.Stdout.Printf("%s\n", theory)
		}
		c.Stdout.Printf("  %-20s %-60s [%s]\n  %-20s proof: %s\n", r.Name, ruleText(r.Text), strings.Join(needs, " "), "", how[r.Name])
	}
	return 0
}

// ruleText is the equation of a rule's line, without the name and classes in front.
func ruleText(line string) string {
	_, text, found := strings.Cut(line, ":")
	if !found {
		return line
	}
	return strings.TrimSpace(text)
}

// howProven lists the ways in which a rule is proven: equal polynomials, cases, bits, and the
// names of the rules in its steps.
func howProven(c rule.Certificate) string {
	var ways []string
	add := func(way string) {
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	for _, p := range c.Proofs {
		for _, s := range p.Steps {
			add(s.Rule)
		}
		switch {
		case p.Tree == nil:
		case p.Tree.Kind == proof.Bits:
			add("bits")
		case p.Tree.Kind == proof.Equal:
			add("equal")
		default:
			add("cases")
		}
	}
	return strings.Join(ways, ", ")
}
