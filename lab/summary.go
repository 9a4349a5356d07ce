package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir/program"
)

// Verdict is what became of an update in a configuration.
type Verdict struct {
	Record
	Runs int     // that Micros is the median of
	Low  float64 // the least of them, in microseconds …
	High float64 // … and the greatest
}

// Summary is what the tables, the plots and the page are made of.
type Summary struct {
	Head     Head
	e        *Experiment
	corpora  []corpus
	verdicts map[Key]*Verdict
	configs  []string // in the order of the experiment, those that have a verdict
	outside  []outside
	Missing  int     // matches of the matchers that were not done
	Skipped  []error // lines of the corpora that are wrong, each with its place
}

// Summarise reads the results in a directory of a run of the experiment.
func Summarise(dir string, e *Experiment) (*Summary, error) {
	results, err := ReadResults(dir)
	if err != nil {
		return nil, err
	}
	r := &Run{e: e}
	if err := r.readCorpora(); err != nil {
		return nil, err
	}
	for _, c := range r.corpora {
		if results.Head.Corpora[c.name] != c.digest {
			return nil, fmt.Errorf("%s: the corpus %s changed since this run", dir, c.name)
		}
	}
	s := &Summary{Head: results.Head, e: e, corpora: r.corpora, Skipped: r.skipped, verdicts: verdictsOf(results.Records)}
	s.outside, err = e.readVerdicts(r.corpora)
	s.order()
	return s, err
}

// verdictsOf joins the repeated records of each match.
func verdictsOf(records []Record) map[Key]*Verdict {
	times, out := map[Key][]float64{}, map[Key]*Verdict{}
	for _, r := range records {
		times[r.Key] = append(times[r.Key], r.Micros)
		if v := out[r.Key]; v == nil {
			out[r.Key] = &Verdict{Record: r}
		} else if r.Repeat == 0 {
			v.Record = r
		}
	}
	for k, v := range out {
		ts := times[k]
		slices.Sort(ts)
		v.Runs, v.Low, v.High, v.Micros = len(ts), ts[0], ts[len(ts)-1], quantile(ts, 0.5)
	}
	return out
}

// order lists the configurations that have verdicts, those of the experiment in its order.
func (s *Summary) order() {
	has := map[string]bool{}
	for k := range s.verdicts {
		if k.Depth == 0 && k.Seed == 0 {
			has[k.Config] = true
		}
	}
	add := func(name string) {
		if has[name] {
			s.configs = append(s.configs, name)
			delete(has, name)
		}
	}
	for _, m := range s.e.Matchers {
		add(m)
	}
	for _, c := range s.e.swept() {
		add(c.name)
	}
	rest := []string{}
	for name := range has {
		if !strings.HasSuffix(name, watched) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	s.configs = append(s.configs, rest...)
	for _, m := range s.e.Matchers {
		for _, c := range s.corpora {
			for _, l := range c.lines {
				if s.verdicts[Key{Config: m, Corpus: c.name, Name: l.Name}] == nil {
					s.Missing++
				}
			}
		}
	}
}

// updates visits the updates of the corpora with their verdicts in a configuration, those that have one.
func (s *Summary) updates(config string, visit func(c *corpus, l *program.CorpusLine, v *Verdict)) {
	for i := range s.corpora {
		c := &s.corpora[i]
		for j := range c.lines {
			if v := s.verdicts[Key{Config: config, Corpus: c.name, Name: c.lines[j].Name}]; v != nil {
				visit(c, &c.lines[j], v)
			}
		}
	}
}

// isAblation reports whether a configuration is of some updates only.
func (s *Summary) isAblation(config string) bool { return strings.Contains(config, without) }

// lines says what the run was, and what was skipped, for people.
func (s *Summary) lines() []string {
	lines := s.Head.lines()
	if n := len(s.Skipped); n > 0 {
		lines = append(lines, fmt.Sprintf("skipped lines of the corpora: %d", n))
	}
	return lines
}

// Text returns what is printed when a run has ended: answered updates by corpus and matcher, and what other matchers accept of
// those that they judge.
func (s *Summary) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %8s", "answered", "of")
	for _, m := range s.e.Matchers {
		fmt.Fprintf(&b, " %8.13s", m)
	}
	for _, o := range s.outside {
		fmt.Fprintf(&b, " %8.13s", o.name)
	}
	b.WriteByte('\n')
	for i := range s.corpora {
		c := &s.corpora[i]
		fmt.Fprintf(&b, "%-20s %8d", c.name, len(c.lines))
		for _, m := range s.e.Matchers {
			n := 0
			for _, l := range c.lines {
				if v := s.verdicts[Key{Config: m, Corpus: c.name, Name: l.Name}]; v != nil && v.answered() {
					n++
				}
			}
			fmt.Fprintf(&b, " %*d", max(8, min(13, len(m))), n)
		}
		for _, o := range s.outside {
			fmt.Fprintf(&b, " %*s", max(8, min(13, len(o.name))), o.accepted(c))
		}
		b.WriteByte('\n')
	}
	if n := len(s.Skipped); n > 0 {
		fmt.Fprintf(&b, "skipped lines of the corpora: %d\n", n)
	}
	for _, o := range s.outside {
		if o.unknown > 0 {
			fmt.Fprintf(&b, "%s: %d of its %d verdicts are of no update here\n", o.name, o.unknown, len(o.of))
		}
	}
	return b.String()
}
