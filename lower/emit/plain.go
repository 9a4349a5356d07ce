package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// portable writes the plain kernel of a run as a function.
func (k *run) portable(g *glossary) {
	if k.plain.Table {
		k.table(g)
	}
	if k.part {
		g.file.printf("\n// %sPortable does what is left of a step where earlier elements are read.\n", k.name)
	} else {
		g.file.printf("\n// %sPortable updates an element of %s with a run of elements, one after another.\n", k.name, k.nest.Buffer.Name)
	}
	if k.vector == nil {
		g.file.printf("// It has no twin on vectors: %s.\n", k.why)
	}
	g.file.printf("func %sPortable%s {\n", k.name, k.params())
	for _, s := range k.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, k.streams[0].name)
	}
	saved := g.taken
	g.taken = k.names()
	for _, n := range k.plain.Body {
		switch n := n.(type) {
		case kernel.Chunks:
			k.chunks(g, &n)
		case kernel.Peeled:
			k.peeled(g, n.To)
		case kernel.Each:
			k.each(g, n)
		default:
			g.failf("emit: internal: plain kernel %s has %T", k.name, n)
		}
	}
	g.taken = saved
	g.file.printf("return %s\n}\n", strings.Join(k.states(), ", "))
}

// table writes the table of the step.
func (k *run) table(g *glossary) {
	taken := g.taken
	g.taken = k.names()
	g.file.printf("\n// %[1]sNext is the step from each state by each byte.\nvar %[1]sNext = func() (next [256 * %[2]d]uint8) {\nfor i := range next {\nx0, y := uint8(i%%%[2]d), %[3]s(i/%[2]d)\n",
		k.name, folds.TableStates, kernel.GoType[k.streams[0].call.Type()])
	g.body(k.writer(g, "i"), nil, k.serial.Each().To, []string{"x0"})
	g.file.printf("next[i] = x0\n}\nreturn next\n}()\n\n")
	g.taken = taken
}

// lookUp is the state behind an element.
func (k *run) lookUp(state, element string) string {
	if k.streams[0].call.Type() != ir.U8 {
		element = "uint8(" + element + ")"
	}
	return fmt.Sprintf("%sNext[%d*int(%s)+int(%s%%%d)]", k.name, folds.TableStates, element, state, folds.TableStates)
}

// each writes the loop over elements.
func (k *run) each(g *glossary, e kernel.Each) {
	index := "_"
	if k.plain.UsesPlace() || len(k.streams) > 1 {
		index = "i"
	}
	to, ends := e.To, k.nest.Ends != nil && (k.until == nil || k.until.watch != nil) && k.of == nil && !k.part
	if ends {
		g.file.printf("if %s {\nreturn %s\n}\n", k.ended(), strings.Join(k.states(), ", "))
		to = k.nest.Ends.Before(to...)
	}
	g.file.at = plan.Place{Stage: k.nest.Stage, Loop: k.loop.Var}
	g.file.printf("for %s, y := range %s {\n", index, k.streams[0].name)
	g.file.at = plan.Place{Stage: k.nest.Stage, Body: true}
	w := k.writer(g, "i")
	if k.plain.Table {
		g.file.printf("x0 = %s\n", k.lookUp("x0", "y"))
	} else if ends && len(e.Where) == 0 {
		k.last(g, w, to)
	} else {
		g.body(w, e.Where, to, k.states())
		if ends {
			g.file.printf("if %s {\nbreak\n}\n", k.ended())
		}
	}
	g.file.printf("}\n")
}

// last writes a step that may be the last one. What says so is a branch alone, and is no state of the loop.
func (k *run) last(g *glossary, w *gosrc.Writer, to []ir.Expr) {
	c, states := k.nest.Ends.Component, k.states()
	names, ended := slices.Clone(states), g.name("ended")
	names[c] = ended
	g.file.printf("%s := %s\n", ended, w.Expr(to[c]))
	rest := slices.Clone(to)
	rest[c] = k.loop.Var.Pool().X(c, ir.Bool)
	g.body(w, nil, rest, states)
	g.file.printf("if %s {\n%s = %v\nbreak\n}\n", endedOf(k.nest.Ends, names), states[c], k.nest.Ends.Value)
}

// peeled writes the point that finds the flag not set.
func (k *run) peeled(g *glossary, to []ir.Expr) {
	lead := k.streams[0].name
	g.file.printf("if len(%s) > 0 && !%s {\n", lead, k.states()[len(to)-1])
	if kernel.Mentions(to, kernel.Load, 0) {
		g.file.printf("y := %s[0]\n", lead)
	}
	g.body(k.writer(g, "0"), nil, to, k.states())
	for _, s := range k.streams {
		g.file.printf("%s = %s[1:]\n", s.name, s.name)
	}
	if k.first {
		g.file.printf("first++\n")
	}
	g.file.printf("}\n")
}

// names are the identifiers that the function uses.
func (k *run) names() map[string]bool {
	taken := map[string]bool{"y": true, "i": true, "first": true, "c": false}
	for _, w := range reserved {
		taken[w] = true
	}
	for _, s := range k.states() {
		taken[s] = true
	}
	for _, s := range k.scalars {
		taken[s.name] = true
	}
	for _, s := range k.streams {
		taken[s.name] = true
	}
	return taken
}

// elements says how code reaches what an expression of a kernel reads.
type elements struct {
	element func(stream int) string
	place   string
	state   func(comp int) string
	right   func(comp int) string // of a merge; nil where there is none
}

// exprs writes expressions of a kernel.
func (k *run) exprs(g *glossary, of elements) *gosrc.Writer {
	return &gosrc.Writer{Use: g.use, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string {
		switch op, i, _ := kernel.Operand(e); {
		case op == kernel.State:
			return of.state(i)
		case op == kernel.Right && of.right != nil:
			return of.right(i)
		case op == kernel.Load:
			return of.element(i)
		case op == kernel.Scalar:
			return k.scalars[i].name
		case op == kernel.Place:
			return of.place
		}
		g.failf("emit: internal: %s is no argument of the kernel", e)
		return "0"
	}}
}

// writer writes the kernel's expressions for the element number i of the run, of the first stream y.
func (k *run) writer(g *glossary, i string) *gosrc.Writer {
	w := k.exprs(g, elements{
		element: func(s int) string { return k.streams[s].name + "[" + i + "]" },
		place:   "int32(first + " + i + ")",
		state:   func(c int) string { return "x" + strconv.Itoa(c) },
	})
	w.Temp[kernel.Elem(k.loop.Var.Pool(), 0, k.streams[0].call.Type())] = "y"
	return w
}

// chunk is a part of a run that has a state of its own.
type chunk struct {
	number int
	names  []string // of the components
	parts  []string // of the streams
}

// chunks writes the parts of a run side by side; the elements behind them are left to what follows.
func (k *run) chunks(g *glossary, c *kernel.Chunks) {
	g.file.printf("if n := len(%s) / %d; n >= %d {\n", k.streams[0].name, c.Parts, c.Least)
	parts := make([]*chunk, c.Parts)
	for j := range parts {
		parts[j] = k.startChunk(g, c, j, parts[0])
	}
	g.file.printf("for i := range n {\n")
	for _, part := range parts {
		to := c.To
		if k.plain.Table {
			g.file.printf("%s = %s\n", part.names[0], k.lookUp(part.names[0], part.parts[0]+"[i]"))
			continue
		}
		if part.number+1 < c.Parts { // those that all share are updated last, by the last part
			to = kept(to, c.Same)
		}
		g.scopedBody(k.chunkWriter(g, part), to, part.names)
	}
	g.file.printf("}\n")
	for _, part := range parts {
		join := k.exprs(g, elements{
			state: func(i int) string { return k.states()[i] },
			right: func(i int) string { return part.names[i] },
		})
		g.scopedBody(join, c.Join, k.states())
	}
	for _, s := range k.streams {
		g.file.printf("%s = %s[%d*n:]\n", s.name, s.name, c.Parts)
	}
	if k.first {
		g.file.printf("first += %d*n\n", c.Parts)
	}
	g.file.printf("}\n")
}

// kept is values of which some components stay.
func kept(to []ir.Expr, stays []bool) []ir.Expr {
	out := make([]ir.Expr, len(to))
	for i, v := range to {
		if out[i] = v; stays[i] {
			out[i] = v.Pool().X(i, v.Type())
		}
	}
	return out
}

// startChunk declares a chunk. Components that are the same in all of them are those of the first one.
func (k *run) startChunk(g *glossary, c *kernel.Chunks, number int, first *chunk) *chunk {
	out := &chunk{number: number}
	var fresh, values []string
	for i, t := range k.types {
		if c.Same[i] && number > 0 {
			out.names = append(out.names, first.names[i])
			continue
		}
		name := g.name(fmt.Sprintf("%c%d", 'p'+number, i))
		out.names, fresh = append(out.names, name), append(fresh, name)
		values = append(values, g.use.GoLiteral(t, c.Start[i], true))
	}
	if len(fresh) > 0 {
		g.file.printf("%s := %s\n", strings.Join(fresh, ", "), strings.Join(values, ", "))
	}
	for _, s := range k.streams {
		part := g.name(fmt.Sprintf("%s%d", s.name, number))
		out.parts = append(out.parts, part)
		g.file.printf("%s := %s[%s:][:n]\n", part, s.name, []string{"0", "n", "2*n", "3*n"}[number])
	}
	return out
}

// chunkWriter writes the step of a chunk.
func (k *run) chunkWriter(g *glossary, c *chunk) *gosrc.Writer {
	place := "int32(first + i)"
	if c.number > 0 {
		place = fmt.Sprintf("int32(first + %d*n + i)", c.number)
	}
	return k.exprs(g, elements{
		element: func(s int) string { return c.parts[s] + "[i]" },
		place:   place,
		state:   func(i int) string { return c.names[i] },
	})
}

// scopedBody is body in a block of its own, where it declares variables.
func (g *glossary) scopedBody(w *gosrc.Writer, values []ir.Expr, state []string) {
	file := g.file
	g.file = newUnit()
	declares := g.body(w, nil, values, state)
	text := g.file.String()
	if g.file = file; declares {
		text = "{\n" + text + "}\n"
	}
	g.file.printf("%s", text)
}
