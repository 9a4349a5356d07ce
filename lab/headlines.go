package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir/program"
)

// headline is a figure that an experiment is about, and a sentence of what it says.
type headline struct{ Figure, Says string }

// headlines returns the first three figures that there are results for.
func (s *Summary) headlines() (out []headline) {
	for _, f := range []func() (headline, bool){s.answeredHeadline, s.ablationHeadline, s.scrambledHeadline, s.gainHeadline, s.timeHeadline} {
		if h, ok := f(); ok && len(out) < 3 {
			out = append(out, h)
		}
	}
	return out
}

// answers counts the updates that a matcher saw, and those that it answered.
func (s *Summary) answers(matcher string) (n, answered int) {
	s.updates(matcher, func(_ *corpus, _ *program.CorpusLine, v *Verdict) {
		n++
		if v.answered() {
			answered++
		}
	})
	return n, answered
}

func (s *Summary) answeredHeadline() (headline, bool) {
	n, answered := s.answers(s.e.Reference)
	return headline{fmt.Sprintf("%.1f %%", percent(answered, n)), fmt.Sprintf("of updates are answered by %s: %d of %d.", s.e.Reference, answered, n)}, n > 0
}

func (s *Summary) gainHeadline() (headline, bool) {
	first := s.e.Matchers[0]
	n, before := s.answers(first)
	_, after := s.answers(s.e.Reference)
	return headline{fmt.Sprintf("%+d", after-before), fmt.Sprintf("updates are what %s answers beyond %s, which answers %d of %d.", s.e.Reference, first, before, n)}, n > 0 && first != s.e.Reference
}

func (s *Summary) ablationHeadline() (headline, bool) {
	rows := s.ablations().rows[1:]
	lossless := 0
	for _, row := range rows {
		if row[3] == "0" {
			lossless++
		}
	}
	return headline{fmt.Sprintf("%d of %d", len(rows)-lossless, len(rows)), "things that were left out, each alone, lose an update."}, len(rows) > 0
}

func (s *Summary) scrambledHeadline() (headline, bool) {
	all := s.spellings(false)
	if len(all) == 0 {
		return headline{}, false
	}
	deepest := slices.MaxFunc(all, func(a, b *kept) int { return cmp.Compare(a.depth, b.depth) })
	mean, half := confidence(deepest.rates)
	return headline{fmt.Sprintf("%.1f %%", mean), fmt.Sprintf("of spellings are answered by %s after %d random equivalences (± %.1f, 95 %% confidence).", deepest.matcher, deepest.depth, half)}, true
}

func (s *Summary) timeHeadline() (headline, bool) {
	var ts []float64
	s.updates(s.e.Reference, func(_ *corpus, _ *program.CorpusLine, v *Verdict) { ts = append(ts, v.Micros) })
	if len(ts) == 0 {
		return headline{}, false
	}
	slices.Sort(ts)
	return headline{fmt.Sprintf("%.3g ms", quantile(ts, 0.5)/1000), fmt.Sprintf("is the median match by %s; 99 of 100 take at most %.3g ms.", s.e.Reference, quantile(ts, 0.99)/1000)}, true
}

// heat is a table whose cells are darker the more they stand for. A cell leads to its updates.
type heat struct {
	Title   string
	Columns []string
	Rows    []heatRow
}

type heatRow struct {
	Name  string
	Cells []heatCell
}

type heatCell struct {
	Text   string
	Shade  int    // of 0 to 10
	Lost   bool   // it counts losses
	Filter string // of the table of updates; "" for a cell that leads nowhere
}

// heats are the heat maps that there are results for.
func (s *Summary) heats() (out []heat) {
	for _, h := range []heat{s.gainHeat(), s.lossHeat()} {
		if len(h.Rows) > 0 {
			out = append(out, h)
		}
	}
	return out
}

// shadeOf is darker for larger parts of a whole, and never white where there is something.
func shadeOf(n, of int) int {
	if n == 0 {
		return 0
	}
	return max(1, 10*n/max(of, 1))
}

// gainHeat has for each class of updates what each matcher gains on the one before it, and loses.
func (s *Summary) gainHeat() heat {
	h := heat{Title: "Updates gained and lost by class, each matcher on the one before it", Columns: slices.Concat([]string{"updates"}, s.e.Matchers)}
	type tally struct {
		n            int
		gained, lost []int
	}
	of := map[string]*tally{}
	for i, m := range s.e.Matchers {
		s.updates(m, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			class := cmp.Or(l.Class, "unknown")
			k := of[class]
			if k == nil {
				k = &tally{gained: make([]int, len(s.e.Matchers)), lost: make([]int, len(s.e.Matchers))}
				of[class] = k
			}
			if m == s.e.Reference {
				k.n++
			}
			before := false
			if i > 0 {
				b := s.verdicts[Key{Config: s.e.Matchers[i-1], Corpus: c.name, Name: l.Name}]
				before = b != nil && b.answered()
			}
			switch {
			case v.answered() && !before:
				k.gained[i]++
			case !v.answered() && before:
				k.lost[i]++
			}
		})
	}
	for _, class := range sortedKeys(of) {
		k := of[class]
		row := heatRow{Name: class, Cells: []heatCell{{Text: fmt.Sprint(k.n), Filter: "class==" + class}}}
		for i, m := range s.e.Matchers {
			cell := heatCell{Text: fmt.Sprintf("+%d", k.gained[i]), Shade: shadeOf(k.gained[i], k.n), Filter: "class==" + class + " first-answered-by==" + m}
			if k.lost[i] > 0 {
				cell.Text, cell.Lost = cell.Text+fmt.Sprintf(" −%d", k.lost[i]), true
			}
			row.Cells = append(row.Cells, cell)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// lossHeat has for each thing that was left out the updates of each class that are lost.
func (s *Summary) lossHeat() heat {
	h := heat{Title: "Updates lost by class, without something"}
	lost, of := map[string]map[string]int{}, map[string]int{}
	for _, config := range s.configs {
		matcher, what, ok := strings.Cut(config, without)
		if !ok {
			continue
		}
		s.updates(config, func(c *corpus, l *program.CorpusLine, v *Verdict) {
			b := s.verdicts[Key{Config: matcher, Corpus: c.name, Name: l.Name}]
			if b == nil || !b.answered() || v.answered() {
				return
			}
			if lost[what] == nil {
				lost[what] = map[string]int{}
			}
			class := cmp.Or(l.Class, "unknown")
			lost[what][class]++
			of[class] = max(of[class], lost[what][class])
		})
	}
	h.Columns = sortedKeys(of)
	for _, what := range sortedKeys(lost) {
		row := heatRow{Name: what}
		for _, class := range h.Columns {
			n := lost[what][class]
			row.Cells = append(row.Cells, heatCell{Text: fmt.Sprint(n), Shade: shadeOf(n, of[class]), Lost: n > 0, Filter: "class==" + class + " lost-without==" + filtered(what)})
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
