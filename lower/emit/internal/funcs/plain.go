package funcs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// plainWriter writes the plain function of a run.
type plainWriter struct {
	*scope.Scope
	k *Run
}

// Portable writes the plain kernel of a run as a function.
func (k *Run) Portable(g *scope.Scope) {
	w := &plainWriter{g, k}
	if k.Plain.Table {
		w.table()
	}
	switch _, tree := kernel.First[kernel.Tree](k.Plain.Body); {
	case tree:
		g.File.Printf("\n// %sPortable writes the states behind a part of a tile, whose steps it composes behind those that were composed, by a tree; and what is 0 while\n// all is finite.\n", k.Name)
	case len(k.Outputs) > 0:
		g.File.Printf("\n// %sPortable writes the states of a component of %s behind each element, one after another, and returns the last.\n", k.Name, k.Nest.Buffer.Name)
	case len(k.Types) == 0:
		g.File.Printf("\n// %sPortable is the place of the first element that ends the loop of %s, or how many elements there are.\n", k.Name, k.Nest.Buffer.Name)
	case k.Part:
		g.File.Printf("\n// %sPortable does what is left of a step where earlier elements are read.\n", k.Name)
	default:
		g.File.Printf("\n// %sPortable updates an element of %s with a run of elements, one after another.\n", k.Name, k.Nest.Buffer.Name)
	}
	if k.Vector == nil {
		g.File.Printf("// It has no twin on vectors: %s.\n", k.Why)
	}
	g.File.Printf("func %sPortable%s {\n", k.Name, k.Params())
	lead := slices.Concat(k.Outputs, []string{k.Streams[0].Name})[0]
	for _, s := range k.Streams {
		if s.Name != lead {
			g.File.Printf("%s = %s[:len(%s)]\n", s.Name, s.Name, lead)
		}
	}
	saved := g.Taken
	g.Taken = k.Names()
	for _, n := range k.Plain.Body {
		switch n := n.(type) {
		case kernel.Chunks:
			w.chunks(&n)
		case kernel.Peeled:
			w.peeled(n.To)
		case kernel.Tree:
			w.tree(n)
		case kernel.Each:
			w.each(n)
		default:
			g.Failf("emit: internal: plain kernel %s has %T", k.Name, n)
		}
	}
	g.Taken = saved
	if len(k.Types) == 0 {
		g.File.Printf("return len(%s)\n}\n", lead)
		return
	}
	g.File.Printf("return %s\n}\n", strings.Join(k.States(), ", "))
}

// table writes the table of the step.
func (g *plainWriter) table() {
	taken := g.Taken
	g.Taken = g.k.Names()
	g.File.Printf("\n// %[1]sNext is the step from each state by each byte.\nvar %[1]sNext = func() (next [256 * %[2]d]uint8) {\nfor i := range next {\nx0, y := uint8(i%%%[2]d), %[3]s(i/%[2]d)\n",
		g.k.Name, folds.TableStates, kernel.GoType[g.k.Streams[0].Call.Type()])
	g.Body(g.k.writer(g.Scope, "i"), nil, g.k.Serial.Each().To, []string{"x0"})
	g.File.Printf("next[i] = x0\n}\nreturn next\n}()\n\n")
	g.Taken = taken
}

// lookUp is the state behind an element.
func (g *plainWriter) lookUp(state, element string) string {
	if g.k.Streams[0].Call.Type() != ir.U8 {
		element = "uint8(" + element + ")"
	}
	return fmt.Sprintf("%sNext[%d*int(%s)+int(%s%%%d)]", g.k.Name, folds.TableStates, element, state, folds.TableStates)
}

// each writes the loop over elements.
func (g *plainWriter) each(e kernel.Each) {
	index := "_"
	if g.k.Plain.UsesPlace() || len(g.k.Streams)+len(g.k.Outputs) > 1 || e.Until.IsValid() {
		index = "i"
	}
	to, ends := e.To, g.k.Nest.Ends != nil && (g.k.Until == nil || g.k.Until.Watch != nil) && g.k.Of == nil && !g.k.Part && len(g.k.Outputs) == 0
	if ends {
		g.File.Printf("if %s {\nreturn %s\n}\n", g.k.ended(), strings.Join(g.k.States(), ", "))
		to = g.k.Nest.Ends.Before(to...)
	}
	g.File.At = plan.Place{Stage: g.k.Nest.Stage, Loop: g.k.Loop.Var}
	g.File.Printf("for %s, y := range %s {\n", index, g.k.Streams[0].Name)
	g.File.At = plan.Place{Stage: g.k.Nest.Stage, Body: true}
	w := g.k.writer(g.Scope, "i")
	if e.Until.IsValid() {
		g.File.Printf("if %s {\nreturn i\n}\n", w.Expr(e.Until))
	} else if g.k.Plain.Table {
		g.File.Printf("x0 = %s\n", g.lookUp("x0", "y"))
	} else if ends && len(e.Where) == 0 {
		g.last(w, to)
	} else {
		g.Body(w, e.Where, to, g.k.States())
		if ends {
			g.File.Printf("if %s {\nbreak\n}\n", g.k.ended())
		}
	}
	for o, c := range e.Put {
		g.File.Printf("%s[i] = %s\n", g.k.Outputs[o], g.k.States()[c])
	}
	g.File.Printf("}\n")
}

// last writes a step that may be the last one. What says so is a branch alone, and is no state of the loop.
func (g *plainWriter) last(w *gosrc.Writer, to []ir.Expr) {
	c, states := g.k.Nest.Ends.Component, g.k.States()
	names, ended := slices.Clone(states), g.Name("ended")
	names[c] = ended
	g.File.Printf("%s := %s\n", ended, w.Expr(to[c]))
	rest := slices.Clone(to)
	rest[c] = g.k.Loop.Var.Pool().X(c, ir.Bool)
	g.Body(w, nil, rest, states)
	g.File.Printf("if %s {\n%s = %v\nbreak\n}\n", EndedOf(g.k.Nest.Ends, names), states[c], g.k.Nest.Ends.Value)
}

// peeled writes the point that finds the flag not set.
func (g *plainWriter) peeled(to []ir.Expr) {
	lead := g.k.Streams[0].Name
	g.File.Printf("if len(%s) > 0 && !%s {\n", lead, g.k.States()[len(to)-1])
	if kernel.Mentions(to, kernel.Load, 0) {
		g.File.Printf("y := %s[0]\n", lead)
	}
	g.Body(g.k.writer(g.Scope, "0"), nil, to, g.k.States())
	for _, s := range g.k.Streams {
		g.File.Printf("%s = %s[1:]\n", s.Name, s.Name)
	}
	if g.k.First {
		g.File.Printf("first++\n")
	}
	g.File.Printf("}\n")
}

// Names are the identifiers that the function uses.
func (k *Run) Names() map[string]bool {
	taken := map[string]bool{"y": true, "i": true, "first": true, "c": false}
	for _, w := range scope.Reserved {
		taken[w] = true
	}
	for _, s := range k.States() {
		taken[s] = true
	}
	for _, s := range k.Scalars {
		taken[s.Name] = true
	}
	for _, s := range k.Streams {
		taken[s.Name] = true
	}
	for _, name := range append(k.Outputs, k.Avoid...) {
		taken[name] = true
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
func (k *Run) exprs(g *scope.Scope, of elements) *gosrc.Writer {
	return &gosrc.Writer{Use: g.Use, Temp: map[ir.Expr]string{}, Leaf: func(e ir.Expr) string {
		switch op, i, _ := kernel.Operand(e); {
		case op == kernel.State:
			return of.state(i)
		case op == kernel.Right && of.right != nil:
			return of.right(i)
		case op == kernel.Load:
			return of.element(i)
		case op == kernel.Scalar:
			return k.Scalars[i].Name
		case op == kernel.Place:
			return of.place
		}
		g.Failf("emit: internal: %s is no argument of the kernel", e)
		return "0"
	}}
}

// Applied writes what the steps that a kernel composes do to a state, over ir.State and ir.Leaf, with names of both.
func Applied(g *scope.Scope, k *Run, values []ir.Expr, state, step func(i int) string) (out []string) {
	w := k.exprs(g, elements{state: state, right: step})
	for _, e := range values {
		out = append(out, w.Expr(e))
	}
	return out
}

// writer writes the kernel's expressions for the element number i of the run, of the first stream y.
func (k *Run) writer(g *scope.Scope, i string) *gosrc.Writer {
	w := k.exprs(g, elements{
		element: func(s int) string { return k.Streams[s].Name + "[" + i + "]" },
		place:   "int32(first + " + i + ")",
		state:   func(c int) string { return "x" + strconv.Itoa(c) },
	})
	w.Temp[kernel.Elem(k.Loop.Var.Pool(), 0, k.Streams[0].Call.Type())] = "y"
	return w
}

// chunk is a part of a run that has a state of its own.
type chunk struct {
	number int
	names  []string // of the components
	parts  []string // of the streams
}

// chunks writes the parts of a run side by side; the elements behind them are left to what follows.
func (g *plainWriter) chunks(c *kernel.Chunks) {
	g.File.Printf("if n := len(%s) / %d; n >= %d {\n", g.k.Streams[0].Name, c.Parts, c.Least)
	parts := make([]*chunk, c.Parts)
	for j := range parts {
		parts[j] = g.startChunk(c, j, parts[0])
	}
	g.File.Printf("for i := range n {\n")
	for _, part := range parts {
		to := c.To
		if g.k.Plain.Table {
			g.File.Printf("%s = %s\n", part.names[0], g.lookUp(part.names[0], part.parts[0]+"[i]"))
			continue
		}
		if part.number+1 < c.Parts { // those that all share are updated last, by the last part
			to = kept(to, c.Same)
		}
		g.ScopedBody(g.chunkWriter(part), to, part.names)
	}
	g.File.Printf("}\n")
	for _, part := range parts {
		join := g.k.exprs(g.Scope, elements{
			state: func(i int) string { return g.k.States()[i] },
			right: func(i int) string { return part.names[i] },
		})
		g.ScopedBody(join, c.Join, g.k.States())
	}
	for _, s := range g.k.Streams {
		g.File.Printf("%s = %s[%d*n:]\n", s.Name, s.Name, c.Parts)
	}
	if g.k.First {
		g.File.Printf("first += %d*n\n", c.Parts)
	}
	g.File.Printf("}\n")
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
func (g *plainWriter) startChunk(c *kernel.Chunks, number int, first *chunk) *chunk {
	out := &chunk{number: number}
	var fresh, values []string
	for i, t := range g.k.Types {
		if c.Same[i] && number > 0 {
			out.names = append(out.names, first.names[i])
			continue
		}
		name := g.Name(fmt.Sprintf("%c%d", 'p'+number, i))
		out.names, fresh = append(out.names, name), append(fresh, name)
		values = append(values, g.Use.GoLiteral(t, c.Start[i], true))
	}
	if len(fresh) > 0 {
		g.File.Printf("%s := %s\n", strings.Join(fresh, ", "), strings.Join(values, ", "))
	}
	for _, s := range g.k.Streams {
		part := g.Name(fmt.Sprintf("%s%d", s.Name, number))
		out.parts = append(out.parts, part)
		g.File.Printf("%s := %s[%s:][:n]\n", part, s.Name, []string{"0", "n", "2*n", "3*n"}[number])
	}
	return out
}

// chunkWriter writes the step of a chunk.
func (g *plainWriter) chunkWriter(c *chunk) *gosrc.Writer {
	place := "int32(first + i)"
	if c.number > 0 {
		place = fmt.Sprintf("int32(first + %d*n + i)", c.number)
	}
	return g.k.exprs(g.Scope, elements{
		element: func(s int) string { return c.parts[s] + "[i]" },
		place:   place,
		state:   func(i int) string { return c.names[i] },
	})
}
