package rfactor

import (
	"cmp"
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// sampleOf is how many lines of a corpus there are for each that an ordinary test matches. A corpus
// that is not listed is matched whole.
var sampleOf = map[string]int{"unseen.tsv": suite.More(8, 4), "unseen_lift.tsv": suite.More(3, 1)}

// corpusRun has the lines of a corpus that are matched, and their answers.
type corpusRun struct {
	once    sync.Once
	lines   []program.CorpusLine
	answers []*Answer
	errs    []error
}

type corpusKey struct {
	file     string
	allowed  ir.Assume
	matchers Matchers
}

// corpusRuns holds what several tests look at: each corpus is matched once for each key.
var corpusRuns sync.Map // corpusKey → *corpusRun

// matchCorpus matches the lines of a corpus on all processors, or returns what that gave before.
func matchCorpus(t *testing.T, file string, allowed ir.Assume, matchers Matchers) *corpusRun {
	t.Helper()
	v, _ := corpusRuns.LoadOrStore(corpusKey{file, allowed, matchers}, &corpusRun{})
	r := v.(*corpusRun)
	r.once.Do(func() {
		every := suite.Sample(cmp.Or(sampleOf[file], 1), 1)
		for i, l := range readCorpus(t, file) {
			if i%every == 0 {
				r.lines = append(r.lines, l)
			}
		}
		r.answers, r.errs = make([]*Answer, len(r.lines)), make([]error, len(r.lines))
		updates := make([]*ir.Update, len(r.lines))
		for i, l := range r.lines {
			updates[i] = parse(t, l.Types, l.Exprs)
		}
		var next atomic.Int64
		var all sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(updates); i = int(next.Add(1)) - 1 {
					r.answers[i], r.errs[i] = Match(context.Background(), updates[i], Options{Name: r.lines[i].Name, Allowed: allowed, Matchers: matchers})
				}
			})
		}
		all.Wait()
	})
	if i := slices.IndexFunc(r.errs, func(err error) bool { return err != nil }); i >= 0 {
		t.Fatalf("%s: %v", r.lines[i].Name, r.errs[i])
	}
	return r
}

func readCorpus(t testing.TB, name string) []program.CorpusLine {
	t.Helper()
	f, err := os.Open("../testdata/corpus/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// coverage is what a corpus's lines are answered.
type coverage struct {
	answers  map[string]*Answer
	matched  int // of the lines that an operator on the state equals
	of       int
	exact    int // of those that hold in arithmetic that wraps, with no assumption
	exactOf  int
	families map[string]map[string]bool // base → texts of operators
}

func cover(t *testing.T, file string, allowed ir.Assume, matchers Matchers) *coverage {
	c := &coverage{answers: map[string]*Answer{}, families: map[string]map[string]bool{}}
	run := matchCorpus(t, file, allowed, matchers)
	for i, l := range run.lines {
		a := run.answers[i]
		c.answers[l.Name] = a
		found := a.Status == Associative
		associative := strings.HasPrefix(l.Class, "assoc")
		if found && !associative && l.Class != "unknown" {
			t.Errorf("%s: %s is answered for a line of class %s: %s", l.Name, ir.Strings(a.Operator.Exprs), l.Class, l.Exprs)
		}
		if !associative {
			continue
		}
		c.of++
		wraps := strings.Contains(l.Holds, "wrap")
		if wraps {
			c.exactOf++
		}
		if !found {
			continue
		}
		c.matched++
		if wraps && a.Assumes == 0 {
			c.exact++
		}
		base := cmp.Or(l.Base, l.Name)
		if c.families[base] == nil {
			c.families[base] = map[string]bool{}
		}
		c.families[base][joined(a.Operator.Exprs)] = true
	}
	return c
}

func (c *coverage) log(t *testing.T, what string) {
	one := 0
	for _, f := range slices.Sorted(maps.Keys(c.families)) {
		if len(c.families[f]) == 1 {
			one++
		} else {
			t.Logf("%s: family %s has operators %q", what, f, slices.Sorted(maps.Keys(c.families[f])))
		}
	}
	t.Logf("%s: %d of %d matched; %d of %d that wrap without an assumption; %d of %d families with one operator",
		what, c.matched, c.of, c.exact, c.exactOf, one, len(c.families))
}

func (c *coverage) consistentFamilies() float64 {
	one := 0
	for _, ops := range c.families {
		if len(ops) == 1 {
			one++
		}
	}
	return float64(one) / float64(len(c.families))
}

// The corpus as a whole: what must be matched of it at least, and that every answer is
// true by evaluation and every certificate accepted.
func TestCorpus(t *testing.T) {
	all := cover(t, "updates.tsv", ir.AllAssumptions, 0)
	all.log(t, "all assumptions")
	if all.matched < 240 {
		t.Errorf("%d lines are matched, want 240", all.matched)
	}
	if f := all.consistentFamilies(); f < 0.95 {
		t.Errorf("%.0f%% of the families have one operator, want 95%%", 100*f)
	}
	rewriting := cover(t, "updates.tsv", ir.AllAssumptions, EGraph)
	rewriting.log(t, "by rewriting alone")
	if rewriting.matched < 190 {
		t.Errorf("%d lines are matched by rewriting alone, want 190", rewriting.matched)
	}
	byDefault := cover(t, "updates.tsv", ir.DefaultAssumptions, 0)
	byDefault.log(t, "default")
	if byDefault.exact < 200 {
		t.Errorf("%d lines are matched without an assumption, want 200", byDefault.exact)
	}
	greedy := cover(t, "updates.tsv", ir.AllAssumptions, Greedy)
	greedy.log(t, "after a greedy simplifier")
	if greedy.matched >= rewriting.matched {
		t.Errorf("greedy simplification matches %d lines, saturation %d", greedy.matched, rewriting.matched)
	}
	exact := cover(t, "updates.tsv", 0, 0)
	exact.log(t, "no assumption")
	if testing.Short() {
		judgeAll(t, 40, all)
		return
	}
	judgeAll(t, suite.More(40, 120), all, byDefault, exact)
}

// Other updates than those for which operators and rules were chosen: one in four, or all with -long.
func TestUnseenCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	all := cover(t, "unseen.tsv", ir.AllAssumptions, 0)
	all.log(t, "all assumptions")
	if 100*all.matched < 92*all.of {
		t.Errorf("%d of %d lines are matched, want 92%%", all.matched, all.of)
	}
	exact := cover(t, "unseen.tsv", 0, 0)
	exact.log(t, "no assumption")
	judgeAll(t, 60, all, exact)
}

// judgeAll evaluates the answers that are associative, and checks their certificates. Answers under several assumptions are often the same.
func judgeAll(t *testing.T, points int, judged ...*coverage) {
	seen := map[string]bool{}
	for _, c := range judged {
		judgeCoverage(t, points, c, seen)
	}
}

func judgeCoverage(t *testing.T, points int, c *coverage, seen map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(c.answers)) {
		a := c.answers[name]
		if a.Status != Associative {
			continue
		}
		line, err := a.JSON(true)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if seen[string(line)] {
			continue
		}
		seen[string(line)] = true
		if err := claims.Check(line, points, 3); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := verified(line); err != nil {
			t.Errorf("%s: the certificate is not accepted: %v", name, err)
		}
	}
}

// What needs no assumption is seldom answered with one, whatever is allowed: only where an
// assumption gives the operator a simpler text, as min for -max(-x0, -y0) under nsw.
func TestFewAssumptions(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	exact := cover(t, "updates.tsv", 0, 0)
	all := cover(t, "updates.tsv", ir.AllAssumptions, 0)
	more := 0
	for _, name := range slices.Sorted(maps.Keys(exact.answers)) {
		a, b := exact.answers[name], all.answers[name]
		if a.Status == Associative && b.Assumes != 0 {
			t.Logf("%s needs no assumption for %s, but with all allowed the answer makes %s for %s", name, joined(a.Operator.Exprs), b.Assumes, joined(b.Operator.Exprs))
			more++
		}
	}
	if more > 1 {
		t.Errorf("%d answers make assumptions without need", more)
	}
}

func BenchmarkMatch(b *testing.B) {
	var updates []*ir.Update
	for _, l := range readCorpus(b, "updates.tsv") {
		updates = append(updates, parse(b, l.Types, l.Exprs))
	}
	for _, allowed := range []ir.Assume{ir.DefaultAssumptions, ir.AllAssumptions} {
		b.Run(strings.ReplaceAll(allowed.String(), ",", "+"), func(b *testing.B) {
			for b.Loop() {
				for _, u := range updates {
					if _, err := Match(context.Background(), u, Options{Allowed: allowed}); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(updates)), "µs/update")
		})
	}
}
