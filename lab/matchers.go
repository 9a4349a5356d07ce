package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
)

// matcher is a way to match that experiments name.
type matcher struct {
	name    string
	ways    rfactor.Matchers
	without []string // stages
	about   string
}

// matchers lists them from cheap to complete: the baselines, then each stage with those before it.
var matchers = []matcher{
	{"exact", rfactor.Exact, nil, "the table against the update as it stands"},
	{"commuted", rfactor.Commuted, nil, "the same up to the order of operands"},
	{"greedy", rfactor.Greedy, nil, "the table against what a greedy simplifier leaves"},
	{"egraph", rfactor.EGraph, nil, "the table against a saturated e-graph"},
	{"probe", rfactor.EGraph | rfactor.Probe, nil, "and probing"},
	{"direct", rfactor.EGraph | rfactor.Probe | rfactor.Direct, rfactor.Constructions(), "and updates as their own operators"},
	{"constructions", rfactor.EGraph | rfactor.Probe | rfactor.Direct, nil, "and operators that are built"},
	{"lift", rfactor.AllMatchers, []string{"stages"}, "and operators on parameters of steps"},
	{"staged", rfactor.AllMatchers, nil, "and answers in several passes: all of Match"},
}

func matcherNamed(name string) (matcher, bool) {
	for _, m := range matchers {
		if m.name == name {
			return m, true
		}
	}
	return matcher{}, false
}

// MatcherNames lists the matchers that an experiment may name.
func MatcherNames() (names []string) {
	for _, m := range matchers {
		names = append(names, m.name)
	}
	return names
}

// config is a way to match in an experiment: a matcher, changed or as it is.
type config struct {
	name   string
	group  string // what is swept: "", or one of the groups below
	value  int    // of what is swept
	ways   rfactor.Matchers
	effort int
	setup  study.Setup // without Watch
	rules  *rfactor.Rules
	table  *pattern.Own
}

// The groups of configurations in which a limit is swept.
const (
	byEffort     = "effort"
	byIterations = "iterations"
	byNodes      = "nodes"
)

// without stands between a matcher and what it is without, in the name of a configuration.
const without = " without "

// plain is the configuration of a matcher as it is.
func plain(name string) *config {
	m, _ := matcherNamed(name)
	return &config{name: name, ways: m.ways, setup: study.Setup{Stages: setOf(m.without)}}
}

// swept lists the configurations in which a limit of the reference is changed.
func (e *Experiment) swept() (out []*config) {
	add := func(group string, value int, set func(*config)) {
		c := plain(e.Reference)
		c.name, c.group, c.value = fmt.Sprintf("%s %s=%d", e.Reference, group, value), group, value
		set(c)
		out = append(out, c)
	}
	for _, n := range e.Efforts {
		add(byEffort, n, func(c *config) { c.effort = n })
	}
	for _, n := range e.Iterations {
		add(byIterations, n, func(c *config) { c.setup.Iterations = n })
	}
	for _, n := range e.Nodes {
		add(byNodes, n, func(c *config) { c.setup.Nodes = n })
	}
	return out
}

// with stands between a matcher and what it has besides, in the name of a configuration.
const with = " with "

// added lists the configurations with rules and tables of one's own.
func (e *Experiment) added() (out []*config) {
	for _, matcher := range e.Ablate {
		for _, w := range e.With {
			c := plain(matcher)
			c.name, c.rules, c.table = matcher+with+w.Name, w.rules, w.table
			out = append(out, c)
		}
	}
	return out
}

// ablated returns a matcher without some things.
func ablated(matcher string, w Without) *config {
	c := plain(matcher)
	c.name = matcher + without + w.Name
	var removed []string
	for _, p := range w.Rules {
		removed = append(removed, rulesNamed(p)...)
	}
	c.setup.Rules, c.setup.Families, c.setup.Tables = setOf(removed), setOf(w.Families), setOf(w.Tables)
	if len(removed) > 0 {
		c.setup.RuleSets = canon.NewRuleSets(slices.DeleteFunc(slices.Clone(rules.All()), func(r *rules.Rule) bool { return c.setup.Rules[r.Name] }))
	}
	for _, s := range w.Stages {
		c.setup.Stages[s] = true
	}
	return c
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// tableNames lists the tables by the types of their components.
func tableNames() (names []string) {
	for _, types := range pattern.Signatures() {
		names = append(names, strings.TrimSuffix(pattern.TableName(types), ".txt"))
	}
	slices.Sort(names)
	return names
}
