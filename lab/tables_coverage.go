package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir/program"
)

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
	s.judged(t)
	return t
}

// judged adds to the table of coverage what other matchers say. They tell neither lifts nor assumptions.
func (s *Summary) judged(t *table) {
	type key struct{ corpus, class string }
	for _, o := range s.outside {
		var keys []key
		judged, accepted := map[key]int{}, map[key]int{}
		s.updates(s.e.Reference, func(c *corpus, l *program.CorpusLine, _ *Verdict) {
			v, known := o.of[l.Name]
			if !known || !o.judges(c) {
				return
			}
			for _, k := range []key{{c.name, l.Class}, {c.name, "all"}, {"all", "all"}} {
				if judged[k]++; judged[k] == 1 {
					keys = append(keys, k)
				}
				if v.accepts() {
					accepted[k]++
				}
			}
		})
		for _, k := range keys {
			n, of := accepted[k], judged[k]
			t.add(k.corpus, cmp.Or(k.class, "unknown"), o.name, of, n, "", "", of-n, percent(n, of), "")
		}
	}
}

// families counts the updates of each family, one matcher beside the other.
func (s *Summary) families() *table {
	t := &table{name: "families", title: "Answered updates by family and matcher"}
	head := []any{"corpus", "family", "class", "updates"}
	for _, m := range s.e.Matchers {
		head = append(head, m)
	}
	for _, o := range s.outside {
		head = append(head, o.name)
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
				for _, o := range s.outside {
					if v := o.of[l.Name]; o.judges(c) && v.accepts() {
						count[k][o.name]++
					}
				}
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
		for _, o := range s.outside {
			row = append(row, count[k][o.name])
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

const saturationTable = "saturation"

// saturation has what the largest saturation of each update did.
func (s *Summary) saturation() *table {
	t := &table{name: saturationTable, title: "What saturation did: the largest one of each update"}
	t.add("corpus", "update", "types", "text", "status", "saturations", "stop", "iterations", "nodes", "classes", "rules fired", "most fired")
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
		t.add(c.name, l.Name, l.Types, l.Exprs, v.Status, len(all), big.Stop, len(big.Growth), nodes, classes, len(big.Fired), most)
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
			outer, judged := o.of[l.Name]
			if !judged || !o.judges(c) {
				return
			}
			accepts := outer.accepts()
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
			t.add(o.name, cmp.Or(o.corpus, "all"), class, k.n[0], k.n[1], k.n[2], k.n[3], k.n[4], some(k.only))
		}
	}
	return t
}

// timeColumn is the column of the table of updates that has a matcher's times.
func timeColumn(e *Experiment, matcher string) string {
	if matcher == e.Reference {
		return "µs"
	}
	return matcher + " µs"
}

// filtered writes a name as a filter of the report has it, in which blanks separate conditions.
func filtered(name string) string { return strings.ReplaceAll(name, " ", "-") }

// efforts returns the configurations of an experiment that differ in their effort.
func (s *Summary) efforts() (out []*config) {
	for _, c := range s.e.swept() {
		if c.group == byEffort {
			out = append(out, c)
		}
	}
	return out
}

// ablated are the configurations that leave something out.
func (s *Summary) ablated() (out []string) {
	for _, config := range s.configs {
		if s.isAblation(config) {
			out = append(out, config)
		}
	}
	return out
}

// lostWithout names what an update is lost without, as filters do.
func (s *Summary) lostWithout(ablated []string, of func(config string) *Verdict) string {
	var out []string
	for _, config := range ablated {
		matcher, what, _ := strings.Cut(config, without)
		before, after := of(matcher), of(config)
		if before != nil && before.answered() && after != nil && !after.answered() && !slices.Contains(out, filtered(what)) {
			out = append(out, filtered(what))
		}
	}
	return strings.Join(out, " ")
}

// updatesTable has every update with the verdict of each matcher, its time, why it is refused, and without what it is lost.
func (s *Summary) updatesTable() *table {
	t := &table{name: "updates", title: "Every update: which matchers answer it, and why the reference refuses it"}
	head := []any{"corpus", "update", "family", "class", "types", "text", "status", "via", "assumes", "µs", "least", "greatest", "effort", "first answered by", "answered by", "why not"}
	var others []string // matchers beside the reference, and their times
	for _, m := range s.e.Matchers {
		if m != s.e.Reference {
			others, head = append(others, m), append(head, timeColumn(s.e, m))
		}
	}
	efforts, left := s.efforts(), s.ablated()
	if len(efforts) > 0 {
		head = append(head, "answered at effort")
	}
	if len(left) > 0 {
		head = append(head, "lost without")
	}
	for _, o := range s.outside {
		head = append(head, o.name)
	}
	t.add(head...)
	s.updates(s.e.Reference, func(c *corpus, l *program.CorpusLine, v *Verdict) {
		first, by := "", ""
		for _, m := range s.e.Matchers {
			if w := s.verdicts[Key{Config: m, Corpus: c.name, Name: l.Name}]; w != nil && w.answered() {
				first, by = cmp.Or(first, m), strings.TrimSpace(by+" "+m)
			}
		}
		row := []any{c.name, l.Name, cmp.Or(l.Base, l.Name), cmp.Or(l.Class, "unknown"), l.Types, l.Exprs, v.Status, v.Via, v.Assumes, v.Micros, v.Low, v.High, v.Effort, first, by, v.Reason}
		of := func(config string) *Verdict { return s.verdicts[Key{Config: config, Corpus: c.name, Name: l.Name}] }
		for _, m := range others {
			if w := of(m); w != nil {
				row = append(row, w.Micros)
			} else {
				row = append(row, "")
			}
		}
		if len(efforts) > 0 {
			var at []string
			for _, e := range efforts {
				if w := of(e.name); w != nil && w.answered() {
					at = append(at, fmt.Sprint(e.value))
				}
			}
			row = append(row, strings.Join(at, " "))
		}
		if len(left) > 0 {
			row = append(row, s.lostWithout(left, of))
		}
		for _, o := range s.outside {
			said := ""
			if o.judges(c) {
				said = o.of[l.Name].String()
			}
			row = append(row, said)
		}
		t.add(row...)
	})
	return t
}
