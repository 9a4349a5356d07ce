package ir

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of a text that is read. A text beyond one of them is an error that names it.
const (
	MaxSource = 16 << 20 // bytes of one source
	MaxDepth  = 2000     // operators and parentheses around one another
)

// Pos is a place in a Source: a byte offset. A place outside the text counts as its nearest end.
type Pos int

// Source is a text with a name, for error messages. A nil Source is empty and has no name.
type Source struct {
	Name string
	Text string
}

// LineCol returns the line and the column of pos, from 1. Columns count bytes, as those of the
// go command do. It takes time linear in pos.
func (s *Source) LineCol(pos Pos) (line, col int) {
	if s == nil {
		return 1, 1
	}
	before := s.Text[:s.clip(pos)]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')
}

func (s *Source) clip(pos Pos) int { return max(0, min(int(pos), len(s.Text))) }

// Errorf returns an error at pos, with the message that [fmt.Sprintf] makes.
func (s *Source) Errorf(pos Pos, format string, args ...any) *Error {
	if s == nil {
		s = &Source{}
	}
	line, col := s.LineCol(pos)
	e := &Error{Name: s.Name, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
	e.SourceLine, e.caret = s.window(s.clip(pos))
	return e
}

// windowWidth is how many bytes of a long line an error shows.
const windowWidth = 100

// window is the part of the line around at that an error shows, and the offset in it of at.
func (s *Source) window(at int) (text string, caret int) {
	start := strings.LastIndexByte(s.Text[:at], '\n') + 1
	end := len(s.Text)
	if i := strings.IndexByte(s.Text[at:], '\n'); i >= 0 {
		end = at + i
	}
	lo, hi := start, end
	if end-start > windowWidth {
		lo = max(start, min(at-windowWidth/2, end-windowWidth))
		hi = lo + windowWidth
		for lo > start && !utf8.RuneStart(s.Text[lo]) {
			lo--
		}
		for hi < end && !utf8.RuneStart(s.Text[hi]) {
			hi++
		}
	}
	text, caret = strings.TrimSuffix(s.Text[lo:hi], "\r"), at-lo
	if lo > start {
		text, caret = "…"+text, caret+len("…")
	}
	if hi < end {
		text += "…"
	}
	return text, caret
}

// Error is a mistake in a source, with its place. Find it in any error with [errors.As].
type Error struct {
	Name       string // of the source
	Line, Col  int    // 1-based; columns count bytes
	Msg        string
	SourceLine string // the line, or the part around the place of a long one
	caret      int    // byte offset in SourceLine
}

// Error returns "name:line:col: message", the source line, and a caret under the place.
func (e *Error) Error() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:%d:%d: %s", e.Name, e.Line, e.Col, e.Msg)
	if e.SourceLine == "" {
		return b.String()
	}
	line, caret := printable(e.SourceLine, e.caret)
	b.WriteString("\n    " + line + "\n    ")
	for _, r := range line[:caret] {
		if r == '\t' { // a tab stays a tab, so that the caret stands right at any tab width
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteByte('^')
	return b.String()
}

// printable replaces what a terminal must not be sent, and moves the caret along.
func printable(line string, caret int) (string, int) {
	var b strings.Builder
	at := -1
	for i, r := range line {
		if i >= caret && at < 0 {
			at = b.Len()
		}
		if r < ' ' && r != '\t' || r == 0x7f || r == utf8.RuneError {
			r = '·'
		}
		b.WriteRune(r)
	}
	if at < 0 {
		at = b.Len()
	}
	return b.String(), at
}

// ErrorList holds the errors found in one source, in the order of their places.
type ErrorList []*Error

// Unwrap returns the elements, so that [errors.As] finds an *Error.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// Error returns the texts of all errors, one after another.
func (l ErrorList) Error() string {
	parts := make([]string, len(l))
	for i, e := range l {
		parts[i] = e.Error()
	}
	return strings.Join(parts, "\n")
}
