package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/kernel"
)

// nameParts makes runs of the parts of a kernel that reads earlier elements.
func (k *run) nameParts(named func(string) bool) {
	if k.vector == nil {
		return
	}
	h, _ := kernel.First[kernel.History](k.vector.Body)
	for i, p := range h.Rest {
		r := &run{nest: k.nest, loop: k.loop, scalars: k.scalars, first: k.first, part: true, types: p.Serial.State, serial: p.Serial, plain: p.Serial.Plain(), vector: p.Kernel}
		r.name = k.name + "Behind"
		if len(h.Rest) > 1 {
			r.name += strconv.Itoa(i)
		}
		for named(r.name) {
			r.name += "_"
		}
		taken := k.names()
		for _, s := range p.Streams {
			st := k.streams[s.Stream]
			if s.Behind > 0 {
				st.name = fmt.Sprintf("%sBefore%d", st.name, s.Behind)
				for taken[st.name] {
					st.name += "_"
				}
			}
			taken[st.name] = true
			r.streams = append(r.streams, st)
		}
		r.nameParts(named)
		k.parts = append(k.parts, r)
	}
}

// withParts lists a run and its parts, and theirs.
func (k *run) withParts() []*run {
	out := []*run{k}
	for _, p := range k.parts {
		out = append(out, p.withParts()...)
	}
	for _, p := range k.until.parts() {
		out = append(out, p.withParts()...)
	}
	return out
}

// writeHistory writes the function of a kernel that reads earlier elements: steps, the parts, and what the last elements say.
func (k *run) writeHistory(g *glossary, h kernel.History, files map[*kernel.Target]*vectorFile, calls *lines) {
	u := files[kernel.Simd]
	if v, _ := k.vector.Shape(kernel.Simd); v == nil {
		u = files[kernel.Archsimd]
		calls.f("\nfunc %sKernel%s {\nreturn %sPortable%s\n}", k.name, k.params(), k.name, k.arguments(k.states(), "", ""))
	}
	g.used = u.used
	lead := k.streams[0].name
	w := &lines{}
	w.f("\n// %sKernel is %sPortable on vectors%s.", k.name, k.name, k.vector.About)
	w.f("func %sKernel%s {\nn := len(%s)\nif n < %d {\nreturn %sPortable%s\n}", k.name, k.params(), lead, max(shortRun, 2*h.Depth), k.name, k.arguments(k.states(), "", ""))
	states := strings.Join(k.states(), ", ")
	w.f("%s = %sPortable%s", states, k.name, k.arguments(k.states(), fmt.Sprintf("[:%d]", h.Depth), ""))
	for i, p := range h.Rest {
		k.callPart(g, w, k.parts[i], &h, &p)
	}
	past := make([]string, len(k.types))
	for i, s := range k.states() {
		if past[i] = "_"; slices.Contains(h.Past, i) {
			past[i] = s
		}
	}
	w.f("%s = %sPortable%s", strings.Join(past, ", "), k.name, k.arguments(k.states(), fmt.Sprintf("[n-%d:n]", h.Depth), fmt.Sprintf(" + n - %d", h.Depth)))
	w.f("return %s\n}", states)
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
func (k *run) callPart(g *glossary, w *lines, part *run, h *kernel.History, p *kernel.Part) {
	var to, args []string
	shared := 0
	for i, s := range p.For {
		if len(s.Comps) == 1 {
			to, args = append(to, k.states()[s.Comps[0]]), append(args, k.states()[s.Comps[0]])
			continue
		}
		shared++
		to, args = append(to, fmt.Sprintf("total%d", i)), append(args, g.use.GoLiteral(part.types[i], s.Start, true))
	}
	assign := "="
	switch shared {
	case 0:
	case len(p.For):
		assign = ":="
	default:
		for i, s := range p.For {
			if len(s.Comps) > 1 {
				w.f("var total%d %s", i, kernel.GoType[part.types[i]])
			}
		}
	}
	if k.first {
		args = append(args, fmt.Sprintf("first + %d", h.Depth))
	}
	for _, s := range k.scalars {
		args = append(args, s.name)
	}
	for _, s := range p.Streams {
		args = append(args, k.streams[s.Stream].name+between(h.Depth-s.Behind, s.Behind))
	}
	w.f("%s %s %sKernel%s", strings.Join(to, ", "), assign, part.name, bracket(args))
	for i, s := range p.For {
		if len(s.Comps) == 1 {
			continue
		}
		x := k.exprs(g, elements{
			state: func(c int) string { return k.states()[c] },
			right: func(int) string { return fmt.Sprintf("total%d", i) },
		})
		for _, c := range s.Comps {
			pool := k.loop.Var.Pool()
			w.WriteString(x.Assignment(s.Join(pool, c, k.types[c]), k.states()[c]))
		}
	}
}
