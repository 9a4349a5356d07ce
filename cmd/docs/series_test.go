package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the excerpts of series in documents")

// seriesDir has the series of measurements: tab-separated values below a header line. Lines in front of it that begin
// with # say which command printed them, where and when.
const seriesDir = root + "/testdata/bench"

// A series is a table of measurements.
type series struct {
	columns []string // with _ for spaces
	rows    [][]string
}

// readSeries reads a file of seriesDir.
func readSeries(t *testing.T, name string) *series {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(seriesDir, name))
	if err != nil {
		t.Fatal(err)
	}
	s := &series{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case s.columns == nil:
			s.columns = strings.Split(strings.ReplaceAll(strings.Join(cells, "\t"), " ", "_"), "\t")
		case len(cells) != len(s.columns):
			t.Errorf("%s: %q has not as many cells as there are columns", name, line)
		default:
			s.rows = append(s.rows, cells)
		}
	}
	if s.rows == nil {
		t.Fatalf("%s has no rows", name)
	}
	return s
}

// column returns the index of a column, or -1.
func (s *series) column(name string) int { return slices.Index(s.columns, name) }

// where returns the rows that match, as lines of the file.
func (s *series) where(re *regexp.Regexp) (rows [][]string) {
	for _, r := range s.rows {
		if re.MatchString(strings.Join(r, "\t")) {
			rows = append(rows, r)
		}
	}
	return rows
}

// An excerpt is a table between two comments. The first says which columns of which rows:
//
//	<!-- excerpt of match.tsv: corpus n median_us where ^together -->
//
// or, with a row for each value of one column and a column for each value of others:
//
//	<!-- excerpt of lower.tsv: speedup by reduction over n goroutines where \tsimd\t -->
//
//	<!-- end -->
var excerpt = regexp.MustCompile(`(?s)<!-- excerpt of (\S+): ([^\n]*?) where ([^\n]+?) -->\n(.*?)<!-- end -->`)

// TestExcerpts compares the excerpts of BENCHMARKS.md and of the how-to with the series; -update writes them.
func TestExcerpts(t *testing.T) {
	for _, name := range []string{"BENCHMARKS.md", "docs/howto/run-and-lower.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if out := excerpts(t, name, string(text)); *update {
			if err := os.WriteFile(filepath.Join(root, name), []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// excerpts is a text with its excerpts as the series are.
func excerpts(t *testing.T, name, text string) string {
	t.Helper()
	n := 0
	out := excerpt.ReplaceAllStringFunc(text, func(old string) string {
		n++
		m := excerpt.FindStringSubmatch(old)
		table := readSeries(t, m[1]).excerpt(t, m[2], regexp.MustCompile(m[3]))
		if table != m[4] && !*update {
			t.Errorf("%s shows\n%s\nand %s has\n%s\nrun go test ./cmd/docs -run Excerpts -update", name, m[4], m[1], table)
		}
		return strings.TrimSuffix(old, m[4]+"<!-- end -->") + table + "<!-- end -->"
	})
	if n == 0 {
		t.Errorf("%s has no excerpt", name)
	}
	return out
}

// excerpt returns a table in Markdown, as what names its columns.
func (s *series) excerpt(t *testing.T, what string, re *regexp.Regexp) string {
	t.Helper()
	head, rows := strings.Fields(what), s.where(re)
	if value, by, ok := strings.Cut(what, " by "); ok {
		row, over, _ := strings.Cut(by, " over ")
		head, rows = s.pivot(t, value, row, strings.Fields(over), rows)
	} else {
		rows = s.pick(t, head, rows)
	}
	if len(rows) == 0 {
		t.Errorf("no row matches %s", re)
		return ""
	}
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	rule := make([]string, len(head))
	for i, cell := range rows[0] {
		if rule[i] = "---"; figures.MatchString(cell) {
			rule[i] = "---:"
		}
	}
	b.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

var figures = regexp.MustCompile(`^-?[0-9.]+`)

// pick returns the cells of columns.
func (s *series) pick(t *testing.T, columns []string, rows [][]string) (picked [][]string) {
	t.Helper()
	for _, r := range rows {
		var cells []string
		for _, name := range columns {
			c := s.column(name)
			if c < 0 {
				t.Fatalf("no column is called %q", name)
			}
			cells = append(cells, r[c])
		}
		picked = append(picked, cells)
	}
	return picked
}

// pivot returns a table of values with a row for each cell of one column and a column for the cells of others.
func (s *series) pivot(t *testing.T, value, row string, over []string, rows [][]string) (head []string, table [][]string) {
	t.Helper()
	head = []string{row}
	for _, r := range s.pick(t, append([]string{row, value}, over...), rows) {
		key, title := r[0], strings.Join(r[2:], ", ")
		if !slices.Contains(head[1:], title) {
			head = append(head, title)
		}
		i := slices.IndexFunc(table, func(r []string) bool { return r[0] == key })
		if i < 0 {
			i = len(table)
			table = append(table, []string{key})
		}
		at := slices.Index(head[1:], title) + 1
		for len(table[i]) <= at {
			table[i] = append(table[i], "")
		}
		table[i][at] = r[1]
	}
	for i := range table {
		for len(table[i]) < len(head) {
			table[i] = append(table[i], "")
		}
	}
	return head, table
}

// measured is a section of BENCHMARKS.md that bench write fills: the command, the file of its series if it has one, and
// what stands there.
var measured = regexp.MustCompile(`(?s)<!-- measured: ([^\n]*?)(?: > testdata/bench/(\S+))? -->\n(.*?)<!-- end -->`)

var date = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)

// Every measured section has its date, and a command that the tree has. Every series is linked from one.
func TestSeries(t *testing.T) {
	benchmarks, err := os.ReadFile(filepath.Join(root, "BENCHMARKS.md"))
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	for _, m := range measured.FindAllStringSubmatch(string(benchmarks), -1) {
		command, name, text := m[1], m[2], m[3]
		if err := resolves(command); err != nil {
			t.Errorf("BENCHMARKS.md: %v", err)
		}
		if !date.MatchString(text) {
			t.Errorf("BENCHMARKS.md does not say when %s ran", command)
		}
		if name != "" {
			linked[name] = strings.Contains(text, "(testdata/bench/"+name+")")
			readSeries(t, name)
		}
	}
	files, err := os.ReadDir(seriesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !linked[f.Name()] {
			t.Errorf("BENCHMARKS.md does not link %s where it was measured", f.Name())
		}
	}
}
