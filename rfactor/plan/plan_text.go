package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// String prints the plan as loop nests, for people to read: the form may change.
func (p *Plan) String() string {
	var b strings.Builder
	for _, l := range p.Lines() {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// Place is a part of a plan: a buffer; or of a stage the loop over a variable, or what it does within its innermost
// loop; or a stage as a whole. The zero Place is no part.
type Place struct {
	Buffer *Buffer
	Stage  *Stage
	Loop   ir.Expr // invalid for none
	Body   bool
}

// Line is a line of the text of a plan, with the place that it is about.
type Line struct {
	Text string
	Place
}

// Lines returns the lines of the text that String prints.
func (p *Plan) Lines() (lines []Line) {
	for _, f := range p.Buffers {
		lines = append(lines, Line{f.describe(), Place{Buffer: f}})
	}
	for _, s := range p.Stages {
		lines = append(lines, Line{})
		lines = append(lines, s.lines()...)
	}
	return lines
}

// describe is one line: the name, the dimensions, the types, and what is special.
func (f *Buffer) describe() string {
	kind := "intermediate"
	if f.Output {
		kind = "output"
	}
	var dims, notes []string
	for _, d := range f.Dims {
		dims = append(dims, d.String())
	}
	if f.Seen {
		notes = append(notes, "the last component tells whether anything arrived")
	}
	if f.Steps != "" {
		notes = append(notes, "composed steps of "+f.Func.Name+": "+f.Steps)
	}
	if f.Wide {
		notes = append(notes, fmt.Sprintf("wider than %s %v, which partial results might overflow", f.Func.Name, f.Func.Types))
	}
	if f.At != nil {
		notes = append(notes, fmt.Sprintf("inside loop %s of %s", f.At.Var, f.At.Buffer.Name))
	}
	note := ""
	if len(notes) > 0 {
		note = " // " + strings.Join(notes, "; ")
	}
	return fmt.Sprintf("%s %s(%s) %v%s", kind, f.Name, strings.Join(dims, ", "), f.Types, note)
}

// String is the span as a range, with its end where that is a literal.
func (s Span) String() string {
	if s.Min.Op() == ir.Const {
		end := plus(s.Min, s.Extent)
		if !s.Min.IsConst(0) {
			end = ir.LinearOf(end).Expr(end.Pool()) // n for 1 + (n - 1)
		}
		return fmt.Sprintf("%s..%s", s.Min, end)
	}
	return fmt.Sprintf("%s, %s steps", s.Min, s.Extent)
}

func (s *Stage) lines() (lines []Line) {
	title := fmt.Sprintf("// %s of %s", s.Role, s.Buffer.Name)
	if s.Scan != nil {
		title = "// scan of " + s.Buffer.Name
	}
	if s.Role != First && s.From != nil {
		title += ", from " + s.From.String()
	}
	if s.Places != nil {
		title += s.Places.text()
	}
	lines = append(lines, Line{title, Place{Stage: s}})
	indent, ended := "", false
	for _, l := range s.Loops {
		if s.Scan != nil && l.Var == s.Scan.Var {
			continue
		}
		how := string(l.How)
		if how != "" {
			how = " " + how
		}
		pure := ""
		if !l.Pure {
			pure = " in order"
			if s.Ends != nil && !ended {
				pure += ", until " + s.Ends.String()
				ended = true
			}
		}
		lines = append(lines, Line{fmt.Sprintf("%sfor %s in %s%s%s:", indent, l.Var, l.Span, pure, how), Place{Stage: s, Loop: l.Var}})
		indent += "  "
	}
	if s.Scan != nil {
		i := slices.IndexFunc(s.Loops, func(l Loop) bool { return l.Var == s.Scan.Var })
		return append(lines, s.Scan.lines(s, s.Loops[i], indent)...)
	}
	for _, w := range s.Where {
		lines = append(lines, Line{fmt.Sprintf("%sif %s:", indent, w), Place{Stage: s, Body: true}})
		indent += "  "
	}
	return append(lines, Line{fmt.Sprintf("%s%s(%s) = %s", indent, s.Buffer.Name, list(s.Index), list(s.Values)), Place{Stage: s, Body: true}})
}

func list(es []ir.Expr) string {
	var texts []string
	for _, e := range es {
		texts = append(texts, e.String())
	}
	return strings.Join(texts, ", ")
}
