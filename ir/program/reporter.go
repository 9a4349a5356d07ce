package program

import (
	"fmt"
	"slices"
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

	parts  []part          // components, in the order of the source
	named  map[string]bool // names that are not declared, which is said of the first use
	units  []ir.Pos        // where statements, or components of an abstract update, begin
	offers func()          // adds to the errors what was probably meant; nil where nobody is told of them
}

// part is where a component of several begins, and its name; or where none goes on.
type part struct {
	pos  ir.Pos
	name string
}

type posError struct {
	pos  ir.Pos
	msg  string
	name bool // a name is not declared: a mistake of its own
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
	r.errs = append(r.errs, posError{pos: pos, msg: fmt.Sprintf(format, args...)})
}

// of names the component of a place, where there are several.
func (r *reporter) of(pos ir.Pos) string {
	name := ""
	for _, p := range r.parts {
		if p.pos > pos {
			break
		}
		name = p.name
	}
	if name != "" {
		name += ": "
	}
	return name
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

// firsts drops all errors of a statement but the first, of which the others may be a consequence. That a name is
// not declared is a mistake of its own.
func (r *reporter) firsts() {
	seen := map[int]bool{}
	r.errs = slices.DeleteFunc(r.errs, func(e posError) bool {
		unit := sort.Search(len(r.units), func(i int) bool { return r.units[i] > e.pos })
		again := seen[unit] && !e.name
		seen[unit] = true
		return again
	})
}

// list is the errors sorted by place; nil where there are none.
func (r *reporter) list() error {
	if len(r.errs) == 0 {
		return nil
	}
	if r.firsts(); r.offers != nil {
		r.offers()
	}
	sort.SliceStable(r.errs, func(i, j int) bool { return r.errs[i].pos < r.errs[j].pos })
	var l ir.ErrorList
	for _, e := range r.errs {
		l = append(l, r.src.Errorf(e.pos, "%s", r.of(e.pos)+e.msg))
	}
	if r.more {
		l[len(l)-1].Msg += " (and more errors)"
	}
	return l
}
