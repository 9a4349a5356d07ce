package plan

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// String prints the plan as loop nests, for people to read: the form may change.
func (p *Plan) String() string {
	var b strings.Builder
	for _, f := range p.Buffers {
		b.WriteString(f.describe())
	}
	for _, s := range p.Stages {
		b.WriteString("\n")
		s.print(&b)
	}
	return b.String()
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
	return fmt.Sprintf("%s %s(%s) %v%s\n", kind, f.Name, strings.Join(dims, ", "), f.Types, note)
}

// String is the span as a range, with its end where that is a literal.
func (s Span) String() string {
	if s.Min.Op() == ir.Const {
		return fmt.Sprintf("%s..%s", s.Min, plus(s.Min, s.Extent))
	}
	return fmt.Sprintf("%s, %s steps", s.Min, s.Extent)
}

func (s *Stage) print(b *strings.Builder) {
	title := fmt.Sprintf("%s of %s", s.Role, s.Buffer.Name)
	if s.Role != First && s.From != nil {
		title += ", from " + s.From.String()
	}
	fmt.Fprintf(b, "// %s\n", title)
	indent := ""
	for _, l := range s.Loops {
		how := string(l.How)
		if how != "" {
			how = " " + how
		}
		pure := ""
		if !l.Pure {
			pure = " in order"
		}
		fmt.Fprintf(b, "%sfor %s in %s%s%s:\n", indent, l.Var, l.Span, pure, how)
		indent += "  "
	}
	for _, w := range s.Where {
		fmt.Fprintf(b, "%sif %s:\n", indent, w)
		indent += "  "
	}
	fmt.Fprintf(b, "%s%s(%s) = %s\n", indent, s.Buffer.Name, list(s.Index), list(s.Values))
}

func list(es []ir.Expr) string {
	var texts []string
	for _, e := range es {
		texts = append(texts, e.String())
	}
	return strings.Join(texts, ", ")
}
