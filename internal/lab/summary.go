package lab

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
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

// quantile interpolates in sorted values, of which there is at least one.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// confidence returns the mean of some values and half the width of its 95 % confidence interval, by
// Student's t; 0 for less than two values.
func confidence(values []float64) (mean, half float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if n < 2 {
		return mean, 0
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, student(len(values)-1) * math.Sqrt(squares/(n-1)/n)
}

// student is the 97.5 % quantile of Student's t.
func student(freedom int) float64 {
	table := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	return 1.96 + 2.5/float64(freedom) // within 0.01 of the quantile
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

// table is rows of cells, the first of which is the head.
type table struct {
	name  string // of its file, and of its place in the page
	title string
	rows  [][]string
}

func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case float64:
			row[i] = fmt.Sprintf("%.4g", c)
			if math.Abs(c) >= 1000 {
				row[i] = fmt.Sprintf("%.0f", c)
			}
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	t.rows = append(t.rows, row)
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

// tables makes all tables; those that would be empty are left out.
func (s *Summary) tables() (out []*table) {
	for _, t := range []*table{s.coverage(), s.families(), s.times(), s.gains(), s.sweeps(), s.scrambled(), s.scrambledFamilies(), s.ablations(), s.redundant(), s.stages(), s.saturation(), s.joined(), s.updatesTable()} {
		if t != nil && len(t.rows) > 1 {
			out = append(out, t)
		}
	}
	return out
}

// coverage counts updates by corpus, class and configuration.
func (s *Summary) coverage() *table {
	t := &table{name: "coverage", title: "Coverage by corpus, class and matcher"}
	t.add("corpus", "class", "matcher", "updates", "associative", "lifted", "staged", "refused", "answered %", "assuming nothing")
	for _, config := range s.configs {
		if s.isAblation(config) {
			continue
		}
		type key struct{ corpus, class string }
		var keys []key
		count := map[key]*[6]int{}
		s.updates(config, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			for _, k := range []key{{c.name, l.Class}, {c.name, "all"}, {"all", "all"}} {
				n := count[k]
				if n == nil {
					n = &[6]int{}
					count[k], keys = n, append(keys, k)
				}
				n[0]++
				switch v.Status {
				case "associative":
					n[1]++
				case "lifted":
					n[2]++
				case "staged":
					n[3]++
				default:
					n[4]++
				}
				if v.answered() && v.Assumes == "none" {
					n[5]++
				}
			}
		})
		for _, k := range keys {
			n := count[k]
			t.add(k.corpus, cmp.Or(k.class, "unknown"), config, n[0], n[1], n[2], n[3], n[4], percent(n[0]-n[4], n[0]), n[5])
		}
	}
	return t
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// isAblation reports whether a configuration is of some updates only.
func (s *Summary) isAblation(config string) bool { return strings.Contains(config, without) }

// families counts the updates of each family, one matcher beside the other.
func (s *Summary) families() *table {
	t := &table{name: "families", title: "Answered updates by family and matcher"}
	head := []any{"corpus", "family", "class", "updates"}
	for _, m := range s.e.Matchers {
		head = append(head, m)
	}
	t.add(head...)
	type key struct{ corpus, base string }
	var keys []key
	class, of, count := map[key]string{}, map[key]int{}, map[key]map[string]int{}
	for _, m := range s.e.Matchers {
		s.updates(m, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			k := key{c.name, cmp.Or(l.Base, l.Name)}
			if count[k] == nil {
				count[k], keys, class[k] = map[string]int{}, append(keys, k), cmp.Or(l.Class, "unknown")
			}
			if m == s.e.Reference {
				of[k]++
			}
			if v.answered() {
				count[k][m]++
			}
		})
	}
	for _, k := range keys {
		row := []any{k.corpus, k.base, class[k], of[k]}
		for _, m := range s.e.Matchers {
			row = append(row, count[k][m])
		}
		t.add(row...)
	}
	return t
}

// times has quantiles of the medians of updates.
func (s *Summary) times() *table {
	t := &table{name: "times", title: "Microseconds a match: quantiles over updates of the medians of repeated runs"}
	t.add("matcher", "corpus", "updates", "median", "p90", "p99", "max", "slowest", "greatest effort")
	for _, config := range s.configs {
		if s.isAblation(config) {
			continue
		}
		by, slowest, effort := map[string][]float64{}, map[string]*Verdict{}, map[string]float64{}
		var names []string
		s.updates(config, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			for _, n := range []string{c.name, "all"} {
				if by[n] == nil {
					names = append(names, n)
				}
				by[n] = append(by[n], v.Micros)
				effort[n] = max(effort[n], v.Effort)
				if slowest[n] == nil || slowest[n].Micros < v.Micros {
					slowest[n] = v
				}
			}
		})
		for _, n := range names {
			ts := by[n]
			slices.Sort(ts)
			t.add(config, n, len(ts), quantile(ts, 0.5), quantile(ts, 0.9), quantile(ts, 0.99), ts[len(ts)-1], slowest[n].Name, effort[n])
		}
	}
	return t
}

// gains says what each matcher answers that the one before it does not, and the reverse.
func (s *Summary) gains() *table {
	t := &table{name: "gains", title: "What each matcher answers beyond the one before it"}
	t.add("matcher", "beyond", "gained", "lost", "by gained families", "gained updates", "lost updates")
	for i := 1; i < len(s.e.Matchers); i++ {
		before, after := s.e.Matchers[i-1], s.e.Matchers[i]
		var gained, lost []string
		bases := map[string]bool{}
		s.updates(after, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			b := s.verdicts[Key{Config: before, Corpus: c.name, Name: l.Name}]
			switch {
			case b == nil:
			case v.answered() && !b.answered():
				gained = append(gained, l.Name)
				bases[cmp.Or(l.Base, l.Name)] = true
			case !v.answered() && b.answered():
				lost = append(lost, l.Name)
			}
		})
		t.add(after, before, len(gained), len(lost), len(bases), some(gained), some(lost))
	}
	return t
}

// some lists names, not more than a cell holds.
func some(names []string) string {
	const most = 40
	if len(names) > most {
		return strings.Join(names[:most], " ") + fmt.Sprintf(" … and %d more", len(names)-most)
	}
	return strings.Join(names, " ")
}

// sweeps says what limits change.
func (s *Summary) sweeps() *table {
	t := &table{name: "sweeps", title: "What limits change"}
	t.add("limit", "value", "updates", "answered", "answered %", "median µs", "p99 µs", "sum of effort")
	for _, c := range s.e.swept() {
		n, answered, effort := 0, 0, 0.0
		var ts []float64
		s.updates(c.name, func(_ *corpus, _ *program.CorpusLine, v *Verdict) {
			n++
			effort += v.Effort
			ts = append(ts, v.Micros)
			if v.answered() {
				answered++
			}
		})
		if n > 0 {
			slices.Sort(ts)
			t.add(c.group, c.value, n, answered, percent(answered, n), quantile(ts, 0.5), quantile(ts, 0.99), effort)
		}
	}
	return t
}

// kept is how many of an update's spellings a matcher answers, by depth.
type kept struct {
	matcher, family string
	depth           int
	n               int
	rates           []float64 // a seed each
	micros          []float64
}

// spellings groups the scrambled matches by matcher and depth, and by family where that is asked for.
func (s *Summary) spellings(byFamily bool) (out []*kept) {
	if s.e.Scrambles == nil {
		return nil
	}
	for _, m := range s.e.Scrambles.Matchers {
		for _, depth := range s.e.Scrambles.Depths {
			of := map[string]*kept{}
			rates := map[string][]float64{}
			var names []string
			for _, seed := range s.e.Scrambles.Seeds {
				hits, n := map[string]int{}, map[string]int{}
				for _, c := range s.corpora {
					for _, l := range c.lines {
						v := s.verdicts[Key{m, c.name, l.Name, depth, seed}]
						if v == nil {
							continue
						}
						family := ""
						if byFamily {
							family = cmp.Or(l.Base, l.Name)
						}
						k := of[family]
						if k == nil {
							k = &kept{matcher: m, family: family, depth: depth}
							of[family], names = k, append(names, family)
						}
						n[family]++
						k.n++
						k.micros = append(k.micros, v.Micros)
						if v.answered() {
							hits[family]++
						}
					}
				}
				for family := range n {
					rates[family] = append(rates[family], percent(hits[family], n[family]))
				}
			}
			for _, family := range names {
				k := of[family]
				k.rates = rates[family]
				slices.Sort(k.micros)
				out = append(out, k)
			}
		}
	}
	return out
}

// scrambled has coverage and time by depth, with confidence intervals over seeds.
func (s *Summary) scrambled() *table {
	t := &table{name: "scrambles", title: "Answered spellings by depth of scrambling; ± is a 95 % confidence interval over seeds"}
	t.add("matcher", "depth", "spellings", "answered %", "±", "median µs", "p90 µs")
	for _, k := range s.spellings(false) {
		mean, half := confidence(k.rates)
		t.add(k.matcher, k.depth, k.n, mean, half, quantile(k.micros, 0.5), quantile(k.micros, 0.9))
	}
	return t
}

func (s *Summary) scrambledFamilies() *table {
	t := &table{name: "scrambles-families", title: "The same by family"}
	t.add("family", "matcher", "depth", "spellings", "answered %", "±", "median µs")
	for _, k := range s.spellings(true) {
		mean, half := confidence(k.rates)
		t.add(k.family, k.matcher, k.depth, k.n, mean, half, quantile(k.micros, 0.5))
	}
	return t
}

// ablations says what is lost without something.
func (s *Summary) ablations() *table {
	t := &table{name: "ablations", title: "Without something: updates that are lost, or answered in another way"}
	t.add("matcher", "without", "matched again", "lost", "only lifted or staged", "other way", "effort then / before", "lost updates")
	for _, config := range s.configs {
		matcher, what, ok := strings.Cut(config, without)
		if !ok {
			continue
		}
		n, lifted, other := 0, 0, 0
		var lost []string
		before, after := 0.0, 0.0
		s.updates(config, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			b := s.verdicts[Key{Config: matcher, Corpus: c.name, Name: l.Name}]
			if b == nil || !b.answered() {
				return
			}
			n++
			before, after = before+b.Effort, after+v.Effort
			switch {
			case !v.answered():
				lost = append(lost, l.Name)
			case v.Status != b.Status:
				lifted++
			case v.Via != b.Via:
				other++
			}
		})
		t.add(matcher, what, n, len(lost), lifted, other, after/max(before, 1e-9), some(lost))
	}
	return t
}

// redundant lists the rules without which nothing is lost alone.
func (s *Summary) redundant() *table {
	t := &table{name: "redundant-rules", title: "Rules without which, one alone, every update is answered as it was or in another way"}
	t.add("matcher", "rule", "matched again", "other way")
	for _, row := range s.ablations().rows[1:] {
		if name, ok := strings.CutPrefix(row[1], "rule "); ok && row[3] == "0" && row[4] == "0" {
			t.add(row[0], name, row[2], row[5])
		}
	}
	return t
}

// stages adds up what stages took.
func (s *Summary) stages() *table {
	t := &table{name: "stages", title: "What stages took, of the reference: time and effort include those of stages within"}
	t.add("stage", "updates", "found", "ms", "effort", "median µs", "p99 µs")
	type sum struct {
		n, found       int
		micros, effort float64
		each           []float64
	}
	var names []string
	sums := map[string]*sum{}
	s.updates(s.e.Reference+watched, func(_ *corpus, _ *program.CorpusLine, v *Verdict) {
		for _, st := range v.Seen.Stages {
			k := sums[st.Name]
			if k == nil {
				k = &sum{}
				sums[st.Name], names = k, append(names, st.Name)
			}
			k.n++
			if st.Found {
				k.found++
			}
			k.micros, k.effort, k.each = k.micros+st.Micros, k.effort+st.Effort, append(k.each, st.Micros)
		}
	})
	for _, name := range names {
		k := sums[name]
		slices.Sort(k.each)
		t.add(name, k.n, k.found, k.micros/1000, k.effort, quantile(k.each, 0.5), quantile(k.each, 0.99))
	}
	return t
}

// saturation has what the largest saturation of each update did.
func (s *Summary) saturation() *table {
	t := &table{name: "saturation", title: "What saturation did: the largest one of each update"}
	t.add("corpus", "update", "status", "saturations", "stop", "iterations", "nodes", "classes", "rules fired", "most fired")
	s.updates(s.e.Reference+watched, func(c *corpus, l *program.CorpusLine, v *Verdict) {
		if v.Seen == nil || len(v.Seen.Saturations) == 0 {
			return
		}
		all := v.Seen.Saturations
		big := all[0]
		for _, o := range all {
			if len(o.Growth) > 0 && (len(big.Growth) == 0 || o.Growth[len(o.Growth)-1].Nodes > big.Growth[len(big.Growth)-1].Nodes) {
				big = o
			}
		}
		nodes, classes := 0, 0
		if n := len(big.Growth); n > 0 {
			nodes, classes = big.Growth[n-1].Nodes, big.Growth[n-1].Classes
		}
		most := ""
		for name, n := range big.Fired {
			if n > big.Fired[most] || n == big.Fired[most] && name < most {
				most = name
			}
		}
		t.add(c.name, l.Name, v.Status, len(all), big.Stop, len(big.Growth), nodes, classes, len(big.Fired), most)
	})
	return t
}

// joined has verdicts from elsewhere beside those of the reference.
func (s *Summary) joined() *table {
	t := &table{name: "verdicts", title: "Verdicts from elsewhere beside the reference's"}
	t.add("from", "corpus", "class", "updates", "both", "only it", "only "+s.e.Reference, "neither", "only it accepts")
	for _, o := range s.outside {
		type sum struct {
			n    [5]int
			only []string
		}
		var classes []string
		sums := map[string]*sum{}
		s.updates(s.e.Reference, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			accepts, judged := o.accepts[l.Name]
			if c.name != o.corpus || !judged {
				return
			}
			for _, class := range []string{cmp.Or(l.Class, "unknown"), "all"} {
				k := sums[class]
				if k == nil {
					k = &sum{}
					sums[class], classes = k, append(classes, class)
				}
				k.n[0]++
				switch {
				case accepts && v.answered():
					k.n[1]++
				case accepts:
					k.n[2]++
					k.only = append(k.only, l.Name)
				case v.answered():
					k.n[3]++
				default:
					k.n[4]++
				}
			}
		})
		for _, class := range classes {
			k := sums[class]
			t.add(o.name, o.corpus, class, k.n[0], k.n[1], k.n[2], k.n[3], k.n[4], some(k.only))
		}
	}
	return t
}

// updatesTable has every update with the verdict of each matcher, its time, and why it is refused.
func (s *Summary) updatesTable() *table {
	t := &table{name: "updates", title: "Every update: which matchers answer it, and why the reference refuses it"}
	head := []any{"corpus", "update", "family", "class", "text", "status", "via", "assumes", "µs", "least", "greatest", "effort", "first answered by", "why not"}
	t.add(head...)
	s.updates(s.e.Reference, func(c *corpus, l *program.CorpusLine, v *Verdict) {
		first := ""
		for _, m := range s.e.Matchers {
			if w := s.verdicts[Key{Config: m, Corpus: c.name, Name: l.Name}]; first == "" && w != nil && w.answered() {
				first = m
			}
		}
		t.add(c.name, l.Name, cmp.Or(l.Base, l.Name), cmp.Or(l.Class, "unknown"), l.Exprs, v.Status, v.Via, v.Assumes, v.Micros, v.Low, v.High, v.Effort, first, v.Reason)
	})
	return t
}

// csv returns a table with the head of the run as comments.
func (s *Summary) csv(t *table) []byte {
	var b bytes.Buffer
	for _, line := range s.Head.lines() {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	if s.Missing > 0 {
		fmt.Fprintf(&b, "# partial: %d matches are missing\n", s.Missing)
	}
	for _, row := range t.rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// data returns what the script of the page reads: the tables as JSON.
func data(tables []*table) ([]byte, error) {
	type page struct {
		Name, Title string
		Rows        [][]string
	}
	var all []page
	for _, t := range tables {
		all = append(all, page{t.name, t.title, t.rows})
	}
	return json.Marshal(all)
}

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
