package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// summary is what is printed below the lines of a corpus.
func summary(lines []program.CorpusLine, experiments []experiment) string {
	head := []string{"matched"}
	for _, e := range experiments {
		head = append(head, e.name)
	}
	rows := [][]string{append(head, "of")}
	for _, k := range kinds(lines) {
		row := []string{k.String()}
		total := 0
		for _, e := range experiments {
			var n int
			n, total = matchedOf(lines, e, k)
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, append(row, strconv.Itoa(total)))
	}
	for _, f := range figures {
		row := []string{f.name}
		for _, e := range experiments {
			row = append(row, f.text(lines, e))
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	writeColumns(&b, rows)
	for _, e := range experiments {
		writeMixed(&b, lines, e)
	}
	return b.String()
}

// summaryRecord is the summary as JSON.
type summaryRecord struct {
	Experiments []experimentRecord `json:"experiments"`
}

type experimentRecord struct {
	Matchers        string         `json:"matchers"`
	Counts          []countRecord  `json:"counts"`
	Staged          int            `json:"staged"`
	AssumingNothing int            `json:"assuming_nothing"`
	Families        familiesRecord `json:"families"`
	Micros          microsRecord   `json:"micros"`
}

// countRecord is of a class of updates, or a form of one; of all updates where both are empty.
type countRecord struct {
	Class   string `json:"class"`
	Form    string `json:"form"`
	Matched int    `json:"matched"`
	Of      int    `json:"of"`
}

// familiesRecord counts families in which something matched, and those whose spellings print one operator.
type familiesRecord struct {
	OneOperator int `json:"one_operator"`
	Of          int `json:"of"`
}

type microsRecord struct {
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
	P99    float64 `json:"p99"`
	Max    float64 `json:"max"`
}

func newSummaryRecord(lines []program.CorpusLine, experiments []experiment) (r summaryRecord) {
	for _, e := range experiments {
		x := experimentRecord{Matchers: e.name, Staged: stagedOf(e), AssumingNothing: withoutAssumptions(e)}
		for _, k := range kinds(lines) {
			matched, of := matchedOf(lines, e, k)
			x.Counts = append(x.Counts, countRecord{k.class, k.form, matched, of})
		}
		x.Families.OneOperator, x.Families.Of = families(lines, e)
		at := func(p int) float64 { return float64(percentile(e.times, p).Nanoseconds()) / 1000 }
		x.Micros = microsRecord{at(50), at(90), at(99), at(100)}
		r.Experiments = append(r.Experiments, x)
	}
	return r
}

// figures are the rows of the summary that do not count matches of a class.
var figures = []struct {
	name string
	text func([]program.CorpusLine, experiment) string
}{
	{"staged", func(_ []program.CorpusLine, e experiment) string { return strconv.Itoa(stagedOf(e)) }},
	{"assuming nothing", func(_ []program.CorpusLine, e experiment) string { return strconv.Itoa(withoutAssumptions(e)) }},
	{"families with one operator", func(lines []program.CorpusLine, e experiment) string {
		one, all := families(lines, e)
		return fmt.Sprintf("%d/%d", one, all)
	}},
	{"median time", func(_ []program.CorpusLine, e experiment) string { return percentileText(e.times, 50) }},
	{"p90 time", func(_ []program.CorpusLine, e experiment) string { return percentileText(e.times, 90) }},
	{"p99 time", func(_ []program.CorpusLine, e experiment) string { return percentileText(e.times, 99) }},
	{"max time", func(_ []program.CorpusLine, e experiment) string { return percentileText(e.times, 100) }},
}

// writeColumns writes a table: the first column left, the others right.
func writeColumns(b *bytes.Buffer, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(b, "%-*s", width[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(b, "  %*s", width[i+1], cell)
		}
		b.WriteByte('\n')
	}
}

// kind is a class and form of updates; the zero form stands for all of the class, the
// zero kind for all lines.
type kind struct{ class, form string }

func (k kind) String() string {
	switch {
	case k.class == "":
		return "all"
	case k.form == "":
		return k.class
	}
	return k.class + " " + k.form
}

func (k kind) has(l program.CorpusLine) bool {
	return (k.class == "" || k.class == l.Class) && (k.form == "" || k.form == l.Form)
}

// kinds lists the classes with their forms in the order of the corpus, then all.
func kinds(lines []program.CorpusLine) (out []kind) {
	var classes []string
	for _, l := range lines {
		if l.Class != "" && !slices.Contains(classes, l.Class) {
			classes = append(classes, l.Class)
		}
	}
	for _, class := range classes {
		for _, l := range lines {
			if k := (kind{class, l.Form}); l.Class == class && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
		if !slices.Contains(out, kind{class: class}) {
			out = append(out, kind{class: class})
		}
	}
	return append(out, kind{})
}

func matchedOf(lines []program.CorpusLine, e experiment, k kind) (matched, total int) {
	for i, l := range lines {
		if !k.has(l) {
			continue
		}
		total++
		if e.answers[i].Status.IsAnswer() {
			matched++
		}
	}
	return matched, total
}

// stagedOf counts the answers in several stages.
func stagedOf(e experiment) (n int) {
	for _, a := range e.answers {
		if a.Status == rfactor.Staged {
			n++
		}
	}
	return n
}

func withoutAssumptions(e experiment) (n int) {
	for _, a := range e.answers {
		if a.Status.IsAnswer() && a.Assumes == 0 {
			n++
		}
	}
	return n
}

// operators are the different texts that the matched spellings of a family print, each
// with the first line that prints it.
func operators(lines []program.CorpusLine, e experiment, family string) (texts, names []string) {
	for i, l := range lines {
		if familyOf(l) != family || !e.answers[i].Status.IsAnswer() {
			continue
		}
		text := operatorText(e.answers[i])
		if !slices.Contains(texts, text) {
			texts, names = append(texts, text), append(names, l.Name)
		}
	}
	return texts, names
}

// operatorText is the operator of an answer, or those of its stages, one after the other.
func operatorText(a *rfactor.Answer) string {
	if a.Status != rfactor.Staged {
		return ir.Strings(a.Operator.Exprs)
	}
	var stages []string
	for _, s := range a.Stages {
		stages = append(stages, operatorText(s.Answer))
	}
	return strings.Join(stages, "  then  ")
}

func familyOf(l program.CorpusLine) string {
	if l.Base == "" {
		return l.Name
	}
	return l.Base
}

func familyNames(lines []program.CorpusLine) (out []string) {
	seen := map[string]bool{}
	for _, l := range lines {
		if f := familyOf(l); !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// families counts those in which something matched, and of these the ones whose matched
// spellings all print the same operator.
func families(lines []program.CorpusLine, e experiment) (one, all int) {
	for _, f := range familyNames(lines) {
		switch texts, _ := operators(lines, e, f); len(texts) {
		case 0:
		case 1:
			one++
			all++
		default:
			all++
		}
	}
	return one, all
}

// writeMixed lists the families whose matched spellings print different operators.
func writeMixed(b *bytes.Buffer, lines []program.CorpusLine, e experiment) {
	for _, f := range familyNames(lines) {
		texts, names := operators(lines, e, f)
		if len(texts) < 2 {
			continue
		}
		fmt.Fprintf(b, "\n%s: %s prints %d operators:\n", e.name, f, len(texts))
		for i := range texts {
			fmt.Fprintf(b, "  %s (%s)\n", texts[i], names[i])
		}
	}
}

// percentile is the nearest-rank percentile of some times; 0 of none.
func percentile(times []time.Duration, p int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func percentileText(times []time.Duration, p int) string {
	if len(times) == 0 {
		return "-"
	}
	return micros(percentile(times, p))
}
