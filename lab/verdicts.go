package lab

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Verdicts are what another matcher says about the updates of a corpus, in a TSV file:
//
//	name	verdict	operator
//	sum	assoc	x0 + y0
//	square	not-assoc
//
// A verdict of "assoc" accepts. The first line may name the columns; of those after the second only one that is named operator is read.
type Verdicts struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	Corpus string `json:"corpus"` // the name of its file; "" means every corpus that has a name of the file

	here bool // the file is relative to the folder of the process, not to the experiment
}

// AddVerdicts adds the verdicts of a file to an experiment, under a name. The experiment's own text, which a run is resumed
// by, stays as it is.
func (e *Experiment) AddVerdicts(name, file string) error {
	e.Verdicts = append(e.Verdicts, Verdicts{Name: name, File: file, here: true})
	return e.checkVerdicts()
}

func (e *Experiment) checkVerdicts() error {
	seen := map[string]bool{}
	for _, v := range e.Verdicts {
		fail := func(format string, args ...any) error {
			if v.here {
				return fmt.Errorf(format, args...)
			}
			return e.errorAt(v.Name, format, args...)
		}
		switch {
		case v.Name == "" || seen[v.Name] || slices.Contains(MatcherNames(), v.Name):
			return fail("verdicts need a name that no other column has, not %q", v.Name)
		case v.Corpus != "" && !slices.ContainsFunc(e.Corpora, func(file string) bool { return filepath.Base(file) == v.Corpus }):
			return fail("the verdicts %q are about the corpus %q, which the experiment does not have", v.Name, v.Corpus)
		}
		seen[v.Name] = true
	}
	return nil
}

// outside is what another matcher says.
type outside struct {
	name    string
	corpus  string             // that it is about; "" means all
	of      map[string]outcome // by the names of updates
	unknown int                // verdicts on names that no corpus has
}

// outcome is a verdict from elsewhere, and the operator where one is named.
type outcome struct{ verdict, operator string }

// acceptsVerdict is the verdict that accepts.
const acceptsVerdict = "assoc"

func (o outcome) accepts() bool { return o.verdict == acceptsVerdict }

// String is what a table shows.
func (o outcome) String() string {
	if o.operator == "" {
		return o.verdict
	}
	return o.verdict + ": " + o.operator
}

func (o *outside) judges(c *corpus) bool { return o.corpus == "" || o.corpus == c.name }

// accepted counts the updates of a corpus that are accepted, of those that are judged where that is not all of them.
func (o *outside) accepted(c *corpus) string {
	n, of := 0, 0
	for _, l := range c.lines {
		if v, known := o.of[l.Name]; known && o.judges(c) {
			of++
			if v.accepts() {
				n++
			}
		}
	}
	switch of {
	case 0:
		return "-"
	case len(c.lines):
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d/%d", n, of)
}

// readVerdicts reads the verdicts from elsewhere. It is an error where none of a file is of an update of the corpora.
func (e *Experiment) readVerdicts(corpora []corpus) (all []outside, err error) {
	for _, v := range e.Verdicts {
		file := v.File
		if !v.here {
			file = filepath.Join(e.dir, file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		o := outside{name: v.Name, corpus: v.Corpus}
		if o.of, err = parseVerdicts(&ir.Source{Name: file, Text: string(text)}); err != nil {
			return nil, err
		}
		for name := range o.of {
			if !slices.ContainsFunc(corpora, func(c corpus) bool { return o.judges(&c) && c.names[name] }) {
				o.unknown++
			}
		}
		if o.unknown == len(o.of) {
			return nil, fmt.Errorf("%s: none of its %d verdicts is of an update of the experiment", file, len(o.of))
		}
		all = append(all, o)
	}
	return all, nil
}

// parseVerdicts reads a file of verdicts.
func parseVerdicts(s *ir.Source) (map[string]outcome, error) {
	of := map[string]outcome{}
	operator, first := -1, true
	for at, line := range offsets(s.Text) {
		cols := strings.Split(line, "\t")
		switch {
		case line == "" || line[0] == '#':
			continue
		case first && cols[0] == "name":
			operator = slices.Index(cols, "operator")
		case len(cols) < 2 || cols[0] == "" || cols[1] == "":
			return nil, s.Errorf(ir.Pos(at), "a verdict needs a name and a verdict, with a tab between them")
		default:
			if _, twice := of[cols[0]]; twice {
				return nil, s.Errorf(ir.Pos(at), "there is another verdict on %s", cols[0])
			}
			o := outcome{verdict: cols[1]}
			if operator > 1 && operator < len(cols) {
				o.operator = cols[operator]
			}
			of[cols[0]] = o
		}
		first = false
	}
	return of, nil
}

// offsets yields the lines of a text without their ends, each with its offset.
func offsets(text string) func(yield func(at int, line string) bool) {
	return func(yield func(int, string) bool) {
		at := 0
		for line := range strings.Lines(text) {
			if !yield(at, strings.TrimRight(line, "\r\n")) {
				return
			}
			at += len(line)
		}
	}
}

// ConvertVerdicts writes a file of verdicts, from lines with the name of an update, whether a matcher accepts it, and the operator that it found,
// if any: apart by tabs or, where a line has none, as CSV. Whether it accepts is said by true or false, yes or no, 1 or 0, matched
// or refused, assoc or not-assoc. A first line that says "matched" there names the columns. Lines that are wrong are left out and
// returned, each with its place.
func ConvertVerdicts(w io.Writer, s *ir.Source) (bad ir.ErrorList, err error) {
	if _, err := io.WriteString(w, "name\tverdict\toperator\n"); err != nil {
		return nil, err
	}
	seen, first := map[string]bool{}, true
	for at, line := range offsets(s.Text) {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		head := first
		first = false
		cols, col := strings.Split(line, "\t"), 0
		if len(cols) == 1 {
			r := csv.NewReader(strings.NewReader(line))
			r.TrimLeadingSpace = true
			if cols, err = r.Read(); err != nil {
				bad = append(bad, s.Errorf(ir.Pos(at), "this is no line of CSV: %v", err))
				continue
			}
		}
		for i := range cols {
			cols[i] = strings.TrimSpace(cols[i])
		}
		fail := func(format string, args ...any) { bad = append(bad, s.Errorf(ir.Pos(at+col), format, args...)) }
		if len(cols) < 2 || len(cols) > 3 {
			fail("a line has a name, whether it matched, and an operator if there is one: 2 or 3 columns, not %d", len(cols))
			continue
		}
		if head && strings.EqualFold(cols[1], "matched") {
			continue
		}
		col = strings.Index(line, cols[1])
		verdict, known := matchedWords[strings.ToLower(cols[1])]
		switch {
		case cols[0] == "":
			col = 0
			fail("the name is missing")
		case !known:
			fail("%q does not say whether it matched: true or false, yes or no, 1 or 0, matched or refused, assoc or not-assoc", cols[1])
		case seen[cols[0]]:
			col = 0
			fail("there is another line about %s", cols[0])
		default:
			seen[cols[0]] = true
			out := cols[0] + "\t" + verdict
			if len(cols) == 3 && cols[2] != "" && verdict == acceptsVerdict {
				out += "\t" + cols[2]
			}
			if _, err := io.WriteString(w, out+"\n"); err != nil {
				return nil, err
			}
		}
	}
	return bad, nil
}

// matchedWords are the verdicts that words say.
var matchedWords = map[string]string{
	"true": acceptsVerdict, "yes": acceptsVerdict, "1": acceptsVerdict, "matched": acceptsVerdict, "assoc": acceptsVerdict,
	"false": "not-assoc", "no": "not-assoc", "0": "not-assoc", "refused": "not-assoc", "not-assoc": "not-assoc",
}
