package funcs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// NameParts makes a Run with a name of its own for each part of a kernel that reads earlier elements, if k has such a kernel. named reports
// whether a name is taken.
func (k *Run) NameParts(named func(string) bool) {
	if k.Vector == nil {
		return
	}
	h, _ := kernel.First[kernel.History](k.Vector.Body)
	for i, p := range h.Rest {
		r := &Run{Nest: k.Nest, Loop: k.Loop, Scalars: k.Scalars, First: k.First, Part: true, Types: p.Serial.State, Serial: p.Serial, Plain: p.Serial.Plain(), Vector: p.Kernel}
		r.Name = k.Name + "Behind"
		if len(h.Rest) > 1 {
			r.Name += strconv.Itoa(i)
		}
		for named(r.Name) {
			r.Name += "_"
		}
		taken := k.Names()
		for _, s := range p.Streams {
			st := k.Streams[s.Stream]
			if s.Behind > 0 {
				st.Name = fmt.Sprintf("%sBefore%d", st.Name, s.Behind)
				for taken[st.Name] {
					st.Name += "_"
				}
			}
			taken[st.Name] = true
			r.Streams = append(r.Streams, st)
		}
		r.NameParts(named)
		k.parts = append(k.parts, r)
	}
}

// WithParts lists a run and its parts, and theirs.
func (k *Run) WithParts() []*Run {
	out := []*Run{k}
	for _, p := range k.parts {
		out = append(out, p.WithParts()...)
	}
	for _, p := range k.Until.parts() {
		out = append(out, p.WithParts()...)
	}
	return out
}

// writeHistory writes the function of a kernel that reads earlier elements: steps, the parts, and what the last elements say.
func (k *Run) writeHistory(g *scope.Scope, h kernel.History, files map[*kernel.Target]*VectorFile, calls *scope.Lines) {
	u := files[kernel.Simd]
	if v, _ := k.Vector.Shape(kernel.Simd); v == nil {
		u = files[kernel.Archsimd]
		calls.F("\nfunc %sKernel%s {\nreturn %sPortable%s\n}", k.Name, k.Params(), k.Name, k.Arguments(k.States(), "", ""))
	}
	g.Used = u.Used
	lead := k.Streams[0].Name
	w := &scope.Lines{}
	w.F("\n// %sKernel is %sPortable on vectors%s.", k.Name, k.Name, k.Vector.About)
	w.F("func %sKernel%s {\nn := len(%s)\nif n < %d {\nreturn %sPortable%s\n}", k.Name, k.Params(), lead, max(ShortRun, 2*h.Depth), k.Name, k.Arguments(k.States(), "", ""))
	states := strings.Join(k.States(), ", ")
	w.F("%s = %sPortable%s", states, k.Name, k.Arguments(k.States(), fmt.Sprintf("[:%d]", h.Depth), ""))
	for i, p := range h.Rest {
		k.callPart(g, w, k.parts[i], &h, &p)
	}
	past := make([]string, len(k.Types))
	for i, s := range k.States() {
		if past[i] = "_"; slices.Contains(h.Past, i) {
			past[i] = s
		}
	}
	w.F("%s = %sPortable%s", strings.Join(past, ", "), k.Name, k.Arguments(k.States(), fmt.Sprintf("[n-%d:n]", h.Depth), fmt.Sprintf(" + n - %d", h.Depth)))
	w.F("return %s\n}", states)
	u.WriteString(w.String())
}

// between is a slice without so many of the first of n elements, and of the last.
func between(first, last int) string {
	from, to := "", "n"
	if first > 0 {
		from = strconv.Itoa(first)
	}
	if last > 0 {
		to = fmt.Sprintf("n-%d", last)
	}
	return "[" + from + ":" + to + "]"
}

// callPart writes the call of a part, and gives what it computes to the components that it serves.
func (k *Run) callPart(g *scope.Scope, w *scope.Lines, part *Run, h *kernel.History, p *kernel.Part) {
	var to, args []string
	shared := 0
	for i, s := range p.For {
		if len(s.Comps) == 1 {
			to, args = append(to, k.States()[s.Comps[0]]), append(args, k.States()[s.Comps[0]])
			continue
		}
		shared++
		to, args = append(to, fmt.Sprintf("total%d", i)), append(args, g.Use.GoLiteral(part.Types[i], s.Start, true))
	}
	assign := "="
	switch shared {
	case 0:
	case len(p.For):
		assign = ":="
	default:
		for i, s := range p.For {
			if len(s.Comps) > 1 {
				w.F("var total%d %s", i, kernel.GoType[part.Types[i]])
			}
		}
	}
	if k.First {
		args = append(args, fmt.Sprintf("first + %d", h.Depth))
	}
	for _, s := range k.Scalars {
		args = append(args, s.Name)
	}
	for _, s := range p.Streams {
		args = append(args, k.Streams[s.Stream].Name+between(h.Depth-s.Behind, s.Behind))
	}
	w.F("%s %s %sKernel%s", strings.Join(to, ", "), assign, part.Name, scope.Bracket(args))
	for i, s := range p.For {
		if len(s.Comps) == 1 {
			continue
		}
		x := k.exprs(g, elements{
			state: func(c int) string { return k.States()[c] },
			right: func(int) string { return fmt.Sprintf("total%d", i) },
		})
		for _, c := range s.Comps {
			pool := k.Loop.Var.Pool()
			w.WriteString(x.Assignment(s.Join(pool, c, k.Types[c]), k.States()[c]))
		}
	}
}
