package lab

import (
	"cmp"
	"slices"

	"github.com/rfactor-go/rfactor/ir/program"
)

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

const lostSpellings = "lost-spellings"

// lost has the spellings that are not answered.
func (s *Summary) lost() *table {
	t := &table{name: lostSpellings, title: "Spellings that are not answered"}
	t.add("matcher", "depth", "seed", "corpus", "update", "types", "text", "why not")
	if s.e.Scrambles == nil {
		return t
	}
	for _, m := range s.e.Scrambles.Matchers {
		for _, depth := range s.e.Scrambles.Depths {
			for _, seed := range s.e.Scrambles.Seeds {
				for _, c := range s.corpora {
					for _, l := range c.lines {
						if v := s.verdicts[Key{m, c.name, l.Name, depth, seed}]; v != nil && !v.answered() {
							t.add(m, depth, seed, c.name, l.Name, l.Types, cmp.Or(v.Text, l.Exprs), v.Reason)
						}
					}
				}
			}
		}
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
