package program

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// CorpusLine is one update of a corpus of updates that programs contain, with what is
// known of it. A column that holds "-" is empty.
type CorpusLine struct {
	Name     string // unique in the corpus
	Source   string // where the shape occurs
	Types    string // as ParseUpdate takes them
	Exprs    string // the update
	Class    string // assoc, assoc-no-id, lift, not or unknown
	Form     string // canonical or variant
	Base     string // the canonical line of a variant
	Holds    string // what associativity needs: exact, or assumptions
	Commutes string // yes or no
	Op       string // one right operator: x_i and z_i are its operands
	Inject   string // of Op, its second operand
	Identity string // of Op
	IDKind   string // the side on which Identity is one
	Pre      string // precondition on states and inputs
	Note     string // for readers
	Line     int    // in the file
}

// ReadCorpus reads a corpus: tab-separated columns, lines that start with # are comments.
// Columns after the fourth may be missing. A line with fewer, and one whose name another line has, is an
// [*ir.Error]; other errors are those of r.
func ReadCorpus(r io.Reader) ([]CorpusLine, error) {
	if r == nil {
		panic("program: ReadCorpus of a nil reader")
	}
	lines, bad, err := readCorpus(r)
	if len(bad) > 0 {
		return nil, bad[0]
	}
	if err != nil {
		return nil, err
	}
	return lines, nil
}

// ReadGoodLines reads a corpus as [ReadCorpus] does, and leaves out the lines that are wrong: those it rejects, and those whose update
// does not parse. It returns the lines and, for each that is left out, an error that begins with the line's number.
func ReadGoodLines(r io.Reader) (lines []CorpusLine, bad []error, err error) {
	if r == nil {
		panic("program: ReadGoodLines of a nil reader")
	}
	all, wrong, err := readCorpus(r)
	for _, e := range wrong {
		bad = append(bad, fmt.Errorf("%d:%d: %s", e.Line, e.Col, e.Msg))
	}
	for _, l := range all {
		if _, e := l.Update(); e != nil {
			bad = append(bad, fmt.Errorf("%d: %w", l.Line, e))
			continue
		}
		lines = append(lines, l)
	}
	return lines, bad, err
}

func readCorpus(r io.Reader) (lines []CorpusLine, bad []*ir.Error, err error) {
	names := map[string]int{}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, ir.MaxSource)
	for n := 1; sc.Scan(); n++ {
		text := strings.TrimSuffix(sc.Text(), "\r")
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		cols := strings.Split(text, "\t")
		if len(cols) < 4 {
			msg := fmt.Sprintf("%s, and at least 4 are needed: name, source, types, exprs", plural(len(cols), "column"))
			bad = append(bad, &ir.Error{Name: "corpus", Line: n, Col: 1, Msg: msg})
			continue
		}
		l := CorpusLine{Line: n}
		for i, field := range l.fields() {
			if i < len(cols) && cols[i] != "-" {
				*field = cols[i]
			}
		}
		if first, twice := names[l.Name]; twice {
			bad = append(bad, &ir.Error{Name: "corpus", Line: n, Col: 1, Msg: fmt.Sprintf("the name %s is that of line %d, too", l.Name, first)})
			continue
		}
		names[l.Name] = n
		lines = append(lines, l)
	}
	if err := sc.Err(); err != nil {
		return nil, bad, fmt.Errorf("corpus: %w", err)
	}
	return lines, bad, nil
}

// Update parses the update of the line, in a pool of its own, with what is given of it. The errors are
// those of [ParseUpdate] and [ParseGiven].
func (l *CorpusLine) Update() (*ir.Update, error) {
	u, err := ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
	if err == nil && l.Pre != "" {
		u.Given, err = ParseGiven(u, l.Pre)
	}
	return u, err
}

// fields returns the columns in their order.
func (l *CorpusLine) fields() []*string {
	return []*string{
		&l.Name, &l.Source, &l.Types, &l.Exprs, &l.Class, &l.Form, &l.Base, &l.Holds,
		&l.Commutes, &l.Op, &l.Inject, &l.Identity, &l.IDKind, &l.Pre, &l.Note,
	}
}
