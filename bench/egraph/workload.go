package egraph

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/pace"
	"github.com/rfactor-go/rfactor/internal/sexpr"
	workloads "github.com/rfactor-go/rfactor/testdata/egraph-workloads"
)

// workload is a row of the table, or two: rules and terms, and how far to go.
type workload struct {
	name, rules, terms, expected string
	iterations                   int  // 0: to saturation
	each                         bool // every term in a graph of its own
	soft                         int  // stop at so many nodes; 0 for never
	plain                        bool // not measured with proofs
	kind                         kind
	egg                          [2]figure // without and with proofs
}

// kind says what of a workload is measured.
type kind int

const (
	whole   kind = iota
	extract      // only the cheapest term of every class, afterwards
	fresh        // an iteration in a new graph, of many
	reused       // an iteration in a graph used before, of many
)

// figure is what egg took on the machine of the calibration; zero where nobody measured.
type figure struct {
	wall time.Duration
	mb   int
}

var list = []workload{
	{name: "ac9", rules: "ac", terms: "ac9", expected: "ac9.iters", egg: eggTook(0.075, 21, 1.01, 128)},
	{name: "ac10", rules: "ac", terms: "ac10", expected: "ac10.iters", egg: eggTook(0.51, 79, 7.7, 685)},
	{name: "ac11", rules: "ac", terms: "ac11", expected: "ac11.iters", egg: eggTook(4.37, 316, 0, 0)},
	{name: "ac12", rules: "ac", terms: "ac12", expected: "ac12.iters", egg: eggTook(25.9, 1165, 0, 0)},
	{name: "math10", rules: "math", terms: "math", expected: "math.iters", iterations: 10, egg: eggTook(0.148, 39, 0.36, 92)},
	{name: "math11", rules: "math", terms: "math", expected: "math.iters", iterations: 11, egg: eggTook(1.81, 298, 0, 0)},
	{name: "math11-extract", rules: "math", terms: "math", expected: "math.iters", iterations: 11, plain: true, kind: extract, egg: eggTook(2.65, 0, 0, 0)},
	{name: "math-intro5", rules: "math-intro", terms: "math", expected: "math-intro.iters", iterations: 5, egg: eggTook(6.2, 980, 0, 0)},
	{name: "upd-each4", rules: "upd", terms: "upd", expected: "upd-each-i5", iterations: 4, each: true, egg: eggTook(200/13754.0, 2, 200/9376.0, 0)},
	{name: "upd-soft1000", rules: "upd", terms: "upd", expected: "upd-each-soft1000", iterations: 30, each: true, soft: 1000, egg: eggTook(200/420.0, 13, 0, 0)},
	{name: "upd-joint4", rules: "upd", terms: "upd", expected: "upd-joint.iters", iterations: 4, egg: eggTook(1.55, 260, 0, 0)},
	{name: "ten-nodes-fresh", rules: "upd", terms: "upd", expected: "upd-each-i5", iterations: 1, each: true, plain: true, kind: fresh, egg: eggTook(15e-6, 0, 0, 0)},
	{name: "ten-nodes-reused", rules: "upd", terms: "upd", expected: "upd-each-i5", iterations: 1, each: true, plain: true, kind: reused, egg: eggTook(15e-6, 0, 0, 0)},
}

func eggTook(seconds float64, mb int, proofSeconds float64, proofMB int) [2]figure {
	return [2]figure{
		{time.Duration(seconds * float64(time.Second)), mb},
		{time.Duration(proofSeconds * float64(time.Second)), proofMB},
	}
}

// result is what a pass took and counted; over all terms where each is set.
type result struct {
	iterations, nodes, classes int
	wall, cpu                  time.Duration
	peak                       int64
	passes                     int
	threads                    int
}

// time is what a pass took, on one thread as far as other work on the machine does not show.
func (r result) time() time.Duration {
	if r.threads > 1 {
		return r.wall
	}
	return r.cpu
}

const (
	passes   = 5
	budget   = 20 * time.Second // no further pass is begun that would end later
	atLeast  = time.Second      // short workloads have more passes
	repeated = 20_000           // iterations on a small term that one pass does
)

// measure makes passes, or one, and returns the best.
func (w *workload) measure(proofs, once bool) (result, error) {
	rules, terms, err := w.load()
	if err != nil {
		return result{}, err
	}
	want, err := w.want()
	if err != nil {
		return result{}, err
	}
	if w.kind == fresh || w.kind == reused {
		terms, want = tenNodes(terms, want)
	}
	var best result
	begin := time.Now()
	last := time.Duration(0)
	n := 0
	for n == 0 || !once && (n < passes && time.Since(begin)+last < budget || time.Since(begin) < atLeast) {
		start := time.Now()
		counts, r := w.pass(rules, terms, proofs)
		for i := range counts {
			if counts[i] != want[i] {
				return r, fmt.Errorf("term %d: %s, want %s", i+1, counts[i], want[i])
			}
		}
		if r.peak = best.peak; n == 0 {
			r.peak = peakBytes()
		}
		if n++; n == 1 || r.time() < best.time() {
			best = r
		}
		best.passes = n
		runtime.GC() // the graph of this pass is not the next one's to collect
		last = time.Since(start)
	}
	return best, nil
}

// tenNodes chooses the first start term of ten nodes.
func tenNodes(terms []*egraph.Term, want []string) ([]*egraph.Term, []string) {
	for i, t := range terms {
		g := egraph.New(egraph.Options{})
		g.AddTerm(t)
		if g.NodeCount() == 10 {
			return terms[i : i+1], want[i : i+1]
		}
	}
	panic("internal: no start term has ten nodes")
}

func (w *workload) load() (*egraph.RuleSet, []*egraph.Term, error) {
	var syms sexpr.Symbols
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
	cpu, start := pace.ProcessorTime(), time.Now()
	g := egraph.New(egraph.Options{Proofs: proofs})
	r := result{threads: runtime.GOMAXPROCS(0)}
	var counts []string
	switch {
	case w.kind == fresh || w.kind == reused:
		for range repeated {
			if g.Reset(); w.kind == fresh {
				g = egraph.New(egraph.Options{Proofs: proofs})
			}
			g.AddTerm(terms[0])
			egraph.Run(context.Background(), g, rules, egraph.Limits{Iterations: w.iterations}, nil)
		}
		r.wall, r.cpu = time.Since(start)/repeated, (pace.ProcessorTime()-cpu)/repeated
		g.Reset()
		g.AddTerm(terms[0])
		return []string{w.run(g, rules, &r)}, r
	case w.each:
		for _, t := range terms {
			g.Reset()
			g.AddTerm(t)
			counts = append(counts, w.run(g, rules, &r))
		}
	default:
		for _, t := range terms {
			g.AddTerm(t)
		}
		counts = []string{w.run(g, rules, &r)}
		if w.kind == extract {
			cpu, start = pace.ProcessorTime(), time.Now()
			g.Extract(egraph.TermSize)
		}
	}
	r.wall, r.cpu = time.Since(start), pace.ProcessorTime()-cpu
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
