package lab

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
	Missing  int // matches of the matchers that were not done
}

// outside is what another matcher says.
type outside struct {
	name, corpus string
	accepts      map[string]bool // by the names of updates
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
	s := &Summary{Head: results.Head, e: e, corpora: r.corpora, verdicts: verdictsOf(results.Records)}
	s.outside, err = e.readVerdicts()
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

// readVerdicts reads the verdicts from elsewhere.
func (e *Experiment) readVerdicts() (all []outside, err error) {
	for _, v := range e.Verdicts {
		file := filepath.Join(e.dir, v.File)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		o := outside{v.Name, v.Corpus, map[string]bool{}}
		sc := bufio.NewScanner(bytes.NewReader(text))
		for n := 1; sc.Scan(); n++ {
			cols := strings.Split(sc.Text(), "\t")
			switch {
			case strings.HasPrefix(sc.Text(), "#") || n == 1 && cols[0] == "name":
			case len(cols) < 2:
				return nil, fmt.Errorf("%s:%d:1: a verdict needs a name and a verdict, with a tab between them", file, n)
			default:
				o.accepts[cols[0]] = cols[1] == "assoc"
			}
		}
		all = append(all, o)
	}
	return all, nil
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

// Text returns what is printed when a run has ended: answered updates by corpus and matcher.
func (s *Summary) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %8s", "answered", "of")
	for _, m := range s.e.Matchers {
		fmt.Fprintf(&b, " %8.13s", m)
	}
	b.WriteByte('\n')
	for _, c := range s.corpora {
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
		b.WriteByte('\n')
	}
	return b.String()
}
