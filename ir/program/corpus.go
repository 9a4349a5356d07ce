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
	Name     string
	Source   string // where the shape occurs
	Types    string // as ParseUpdate takes them
	Exprs    string // the update
	Class    string // assoc, assoc-no-id, lift, not or unknown
	Form     string // canonical or variant
	Base     string // the canonical line of a variant
	Holds    string
	Commutes string
	Op       string // one right operator: x_i and z_i are its operands
	Inject   string
	Identity string
	IDKind   string
	Pre      string // precondition on states and inputs
	Note     string
	Line     int // in the file
}

// ReadCorpus reads a corpus: tab-separated columns, lines that start with # are comments.
// Columns after the fourth may be missing.
func ReadCorpus(r io.Reader) ([]CorpusLine, error) {
	var lines []CorpusLine
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, ir.MaxSource)
	for n := 1; sc.Scan(); n++ {
		text := strings.TrimSuffix(sc.Text(), "\r")
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			continue
		}
		cols := strings.Split(text, "\t")
		if len(cols) < 4 {
			return nil, fmt.Errorf("corpus line %d: %d columns, at least 4 are needed: name, source, types, exprs", n, len(cols))
		}
		l := CorpusLine{Line: n}
		for i, field := range l.fields() {
			if i < len(cols) && cols[i] != "-" {
				*field = cols[i]
			}
		}
		lines = append(lines, l)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return lines, nil
}

// fields is the columns in their order.
func (l *CorpusLine) fields() []*string {
	return []*string{
		&l.Name, &l.Source, &l.Types, &l.Exprs, &l.Class, &l.Form, &l.Base, &l.Holds,
		&l.Commutes, &l.Op, &l.Inject, &l.Identity, &l.IDKind, &l.Pre, &l.Note,
	}
}
