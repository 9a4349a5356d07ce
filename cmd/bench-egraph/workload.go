package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/egraph"
	workloads "github.com/rfactor-go/rfactor/testdata/egraph-workloads"
)

// workload is a row of the table: rules and terms, and how far to go.
type workload struct {
	name, rules, terms, expected string
	iterations                   int  // 0: to saturation
	each                         bool // every term in a graph of its own
	soft                         int  // stop at so many nodes; 0 for never
}

var list = []workload{
	{name: "ac9", rules: "ac", terms: "ac9", expected: "ac9.iters"},
	{name: "ac10", rules: "ac", terms: "ac10", expected: "ac10.iters"},
	{name: "ac11", rules: "ac", terms: "ac11", expected: "ac11.iters"},
	{name: "ac12", rules: "ac", terms: "ac12", expected: "ac12.iters"},
	{name: "math10", rules: "math", terms: "math", expected: "math.iters", iterations: 10},
	{name: "math11", rules: "math", terms: "math", expected: "math.iters", iterations: 11},
	{name: "math-intro5", rules: "math-intro", terms: "math", expected: "math-intro.iters", iterations: 5},
	{name: "upd-each4", rules: "upd", terms: "upd", expected: "upd-each-i5", iterations: 4, each: true},
	{name: "upd-soft1000", rules: "upd", terms: "upd", expected: "upd-each-soft1000", iterations: 30, each: true, soft: 1000},
	{name: "upd-joint4", rules: "upd", terms: "upd", expected: "upd-joint.iters", iterations: 4},
}

// result is what a pass took and counted; over all terms where each is set.
type result struct {
	iterations, nodes, classes int
	wall, user                 time.Duration
	peak                       int64
}

func (w *workload) measure(proofs bool) (result, error) {
	rules, terms, err := w.load()
	if err != nil {
		return result{}, err
	}
	want, err := w.want()
	if err != nil {
		return result{}, err
	}
	var best result
	for begin := time.Now(); best.wall == 0 || time.Since(begin) < time.Second; {
		user, start := userTime(), time.Now()
		counts, r := w.pass(rules, terms, proofs)
		r.wall, r.user = time.Since(start), userTime()-user
		for i := range counts {
			if counts[i] != want[i] {
				return r, fmt.Errorf("term %d: %s, want %s", i+1, counts[i], want[i])
			}
		}
		if best.wall == 0 || r.wall < best.wall {
			best = r
		}
	}
	best.peak = peakBytes()
	return best, nil
}

func (w *workload) load() (*egraph.RuleSet, []*egraph.Term, error) {
	var syms egraph.Symbols
	text, err := workloads.Text(w.rules + ".rules")
	if err != nil {
		return nil, nil, err
	}
	parsed, err := syms.ParseRules(text)
	if err != nil {
		return nil, nil, err
	}
	rules, err := egraph.Compile(parsed)
	if err != nil {
		return nil, nil, err
	}
	lines, err := workloads.Lines(w.terms + ".terms")
	if err != nil {
		return nil, nil, err
	}
	var terms []*egraph.Term
	for _, line := range lines {
		t, err := syms.ParseTerm(line)
		if err != nil {
			return nil, nil, err
		}
		terms = append(terms, t)
	}
	return rules, terms, nil
}

// want reads the expected matches/enodes/classes per iteration, a line per
// graph.
func (w *workload) want() ([]string, error) {
	lines, err := workloads.Lines("expected/" + w.expected + ".txt")
	if err != nil {
		return nil, err
	}
	if w.each {
		for i, line := range lines {
			_, counts, _ := strings.Cut(line, " | ")
			lines[i] = firstWords(counts, w.iterations)
		}
		return lines, nil
	}
	var rows []string
	for _, line := range lines {
		rows = append(rows, strings.Join(strings.Fields(line)[1:], "/"))
	}
	return []string{firstWords(strings.Join(rows, " "), w.iterations)}, nil
}

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	if n > 0 && n < len(words) {
		words = words[:n]
	}
	return strings.Join(words, " ")
}

// pass runs the workload once and returns the counts as want has them.
func (w *workload) pass(rules *egraph.RuleSet, terms []*egraph.Term, proofs bool) ([]string, result) {
	g := egraph.New(egraph.Options{Proofs: proofs})
	var r result
	if !w.each {
		for _, t := range terms {
			g.AddTerm(t)
		}
		return []string{w.run(g, rules, &r)}, r
	}
	var counts []string
	for _, t := range terms {
		g.Reset()
		g.AddTerm(t)
		counts = append(counts, w.run(g, rules, &r))
	}
	return counts, r
}

func (w *workload) run(g *egraph.Graph, rules *egraph.RuleSet, sum *result) string {
	var b strings.Builder
	sep := ""
	r := egraph.Run(context.Background(), g, rules, egraph.Limits{Iterations: w.iterations}, func(it egraph.Iteration) bool {
		fmt.Fprintf(&b, "%s%d/%d/%d", sep, it.Matches, it.Nodes, it.Classes)
		sep = " "
		return w.soft == 0 || it.Nodes < w.soft || it.Number == w.iterations
	})
	if r.Stop == egraph.Stopped { // the file counts an iteration that does nothing
		fmt.Fprintf(&b, " 0/%d/%d", r.Nodes, r.Classes)
	}
	sum.iterations += r.Iterations
	sum.nodes += r.Nodes
	sum.classes += r.Classes
	return b.String()
}
