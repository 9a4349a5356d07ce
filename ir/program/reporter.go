package program

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rfactor-go/rfactor/ir"
)

// Limits of what the parser reads, beside MaxSource and MaxDepth of package ir. A source beyond
// one of them is an error that names it.
const (
	MaxNodes  = 1 << 20 // operators, names and literals of one source
	MaxStmts  = 1 << 12 // statements and declared names of one source
	MaxName   = 1 << 10 // bytes of a name
	MaxErrors = 20      // errors reported of one source
)

// checkSource refuses a text that no source is: too long, not UTF-8, or with NUL bytes. It
// returns nil where the text is fine.
func checkSource(s *ir.Source) *ir.Error {
	if len(s.Text) > ir.MaxSource {
		return &ir.Error{Name: s.Name, Line: 1, Col: 1, Msg: fmt.Sprintf("the source has %d bytes, more than %d", len(s.Text), ir.MaxSource)}
	}
	if i := strings.IndexByte(s.Text, 0); i >= 0 {
		return s.Errorf(ir.Pos(i), "NUL byte")
	}
	if !utf8.ValidString(s.Text) {
		i := 0
		for {
			r, n := utf8.DecodeRuneInString(s.Text[i:])
			if r == utf8.RuneError && n == 1 {
				return s.Errorf(ir.Pos(i), "byte %#02x is not UTF-8", s.Text[i])
			}
			i += n
		}
	}
	return nil
}

// reporter collects the errors of one source.
type reporter struct {
	src  *ir.Source
	errs []posError
	more bool // some were dropped
}

type posError struct {
	pos ir.Pos
	msg string
}

func (r *reporter) errorf(pos ir.Pos, format string, args ...any) {
	if len(r.errs) >= MaxErrors {
		r.more = true
		return
	}
	for _, e := range r.errs {
		if e.pos == pos {
			return // one mistake, one message
		}
	}
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = short(s)
		}
	}
	r.errs = append(r.errs, posError{pos, fmt.Sprintf(format, args...)})
}

// full reports whether further errors would be dropped.
func (r *reporter) full() bool {
	r.more = r.more || len(r.errs) >= MaxErrors
	return r.more
}

// short is s as it stands in an error message.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// list is the errors sorted by place; nil where there are none.
func (r *reporter) list() error {
	if len(r.errs) == 0 {
		return nil
	}
	sort.SliceStable(r.errs, func(i, j int) bool { return r.errs[i].pos < r.errs[j].pos })
	var l ir.ErrorList
	for _, e := range r.errs {
		l = append(l, r.src.Errorf(e.pos, "%s", e.msg))
	}
	if r.more {
		l[len(l)-1].Msg += " (and more errors)"
	}
	return l
}
