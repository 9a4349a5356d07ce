package funcs

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// composer writes how steps are composed in lanes. What does not depend on elements, as the powers of a matrix that is the same at all, is computed
// before the loop.
type composer struct {
	*scanWriter
	statements  []*statement
	known       map[string]string // the names of vectors, by what they are
	fixed       map[string]bool   // of those that are there before the loop
	left, right []string          // what values are computed of
}

// statement is a vector that is declared, or, without a name, something that is done with some.
type statement struct {
	name, text string
	uses       []string
	before     bool // the loop
}

// composed writes the loop over vectors. A tree applies what so has composed to the state before the tile; other scans apply steps of a vector to the
// state before it.
func (w *scanWriter) composed() {
	r := w.r
	c := &composer{scanWriter: w, fixed: map[string]bool{}, known: map[string]string{}}
	vectors, ends := 1, len(r.Types)
	if r.Tree {
		vectors, ends = w.vectorsOf(), 1+len(r.Composed.Inject)
		w.F("begin := *so")
	} else {
		w.head(r.result(), false, vectors)
	}
	loads, values := w.values(vectors)
	w.p.Leaf = c.leaf
	var behind, totals []string // the parameters up to a vector's end, and with those before it
	for j := range vectors {
		behind = c.vector(values[j], behind)
		totals = c.states(j, behind)
	}
	if r.Tree {
		for p, total := range totals {
			c.do(fmt.Sprintf("s%d = %s", p, w.l.Top(total)), total)
		}
	}
	before, inside := c.text()
	w.keep(ends)
	w.hoisted()
	w.carries()
	w.WriteString(w.l.LowerTables() + before)
	w.loop(vectors, 0)
	w.WriteString(loads + inside)
	w.F("}")
	w.leaveComposed(ends)
}

// carries declares the vectors that pass from step to step: the state, and what a tree has composed.
func (w *scanWriter) carries() {
	r := w.r
	for i := range r.Types {
		from := fmt.Sprintf("x%d", i)
		if r.Lanes.Elem.IsFloat() {
			from = fmt.Sprintf("kept%d[%d]", w.l.Bits, i)
		}
		w.F("c%d := %s", i, w.splat(from))
	}
	if !r.Tree {
		return
	}
	for p := range r.Composed.Inject {
		w.F("s%d := %s", p, w.splat(fmt.Sprintf("begin[%d]", p)))
	}
	w.watch(1)
}

// leaveComposed stores what comes behind the loop, and ends the use of vectors.
func (w *scanWriter) leaveComposed(ends int) {
	r := w.r
	end := func(i int) string {
		if ends == 1 {
			return "end"
		}
		return fmt.Sprintf("ends[%d]", i)
	}
	if !r.Tree {
		for i := range r.Types {
			w.F("c%d.StoreArray(&%s)", i, end(i))
		}
		w.restore()
		w.F("return %sPortable%s\n}", r.Name, r.passed(scope.List(len(r.Types), func(i int) string { return end(i) + "[0]" }), ""))
		return
	}
	for p := range r.Composed.Inject {
		w.F("s%d.StoreArray(&%s)", p, end(1+p))
	}
	w.leave(1)
	for p := range r.Composed.Inject {
		w.F("so[%d] = %s[0]", p, end(1+p))
	}
}

// leaf names what a value is made of.
func (c *composer) leaf(v *kernel.Value) string {
	switch v.Op {
	case kernel.State:
		return c.left[v.Imm]
	case kernel.Right:
		return c.right[v.Imm]
	}
	return c.scanWriter.leaf(v)
}

// vector composes the steps of a vector, behind those of the vector before it, if there is one.
func (c *composer) vector(inject []string, before []string) []string {
	params := make([]string, len(inject))
	for p, v := range c.r.Lanes.Values {
		params[p] = c.declare(!v.Varies(nil), inject[p])
	}
	for by := 1; by < c.l.Lanes(); by *= 2 {
		lower := c.each(params, func(v string) string { return c.l.Lower(v, by) })
		for p, v := range c.combined(lower, params) {
			if own := params[p]; v != own {
				params[p] = c.declare(c.fixed[v] && c.fixed[own], fmt.Sprintf("%s.IfElse(up%d, %s)", v, by, own), v, own)
			}
		}
	}
	if before != nil {
		params = c.combined(c.each(before, c.l.Top), params)
	}
	return params
}

// states writes the states of a vector's elements. A tree composes their steps with all that came before, and gives the parameters.
func (c *composer) states(j int, params []string) []string {
	r := c.r
	if r.Tree {
		params = c.combined(texts(len(params), func(p int) string { return fmt.Sprintf("s%d", p) }), params)
	}
	c.left, c.right = texts(len(r.Types), func(i int) string { return fmt.Sprintf("c%d", i) }), params
	var states []string
	for _, v := range r.Lanes.Apply {
		states = append(states, c.value(v))
	}
	at := ""
	if j > 0 {
		at = fmt.Sprintf("[%d:]", j*c.l.Lanes())
	}
	c.do(c.p.Target.Store(r.Lanes.Elem, states[r.State], "dst"+at), states[r.State])
	if !r.Tree {
		for i, v := range states {
			c.do(fmt.Sprintf("c%d = %s", i, c.l.Top(v)), v)
		}
		return params
	}
	sum := "zero" // 0 times a number is a zero
	for _, v := range slices.Concat(states, params) {
		sum = c.declare(false, fmt.Sprintf("%s.MulAdd(zero, %s)", v, sum), v, sum)
	}
	c.do(fmt.Sprintf("finite0 = finite0.Add(%s)", sum), sum)
	return params
}

// each gives what f makes of each vector.
func (c *composer) each(vectors []string, f func(string) string) (out []string) {
	for _, v := range vectors {
		out = append(out, c.declare(c.fixed[v], f(v), v))
	}
	return out
}

// combined is the parameters of two steps.
func (c *composer) combined(left, right []string) (out []string) {
	c.left, c.right = left, right
	for _, v := range c.r.Lanes.Combine {
		out = append(out, c.value(v))
	}
	return out
}

// value is a vector of the lefts and rights, what is the same at all elements before the loop.
func (c *composer) value(v *kernel.Value) string {
	c.p.Named = map[*kernel.Value]string{}
	c.hoist(v)
	return c.named(v)
}

func (c *composer) hoist(v *kernel.Value) {
	switch {
	case v.Op.IsLeaf() || v.Op == kernel.Broadcast:
		return
	case c.isFixed(v) && v.Type.Shape == kernel.Vector:
		c.p.Named[v] = c.named(v)
		return
	}
	for _, a := range v.Args {
		c.hoist(a)
	}
}

// named declares a value.
func (c *composer) named(v *kernel.Value) string {
	var uses []string
	var visit func(v *kernel.Value)
	visit = func(v *kernel.Value) {
		switch name := c.p.Named[v]; {
		case name != "":
			uses = append(uses, name)
		case v.Op == kernel.State || v.Op == kernel.Right:
			uses = append(uses, c.leaf(v))
		}
		for _, a := range v.Args {
			visit(a)
		}
	}
	visit(v)
	return c.declare(c.isFixed(v), c.p.Text(v), uses...)
}

// isFixed reports whether a value is the same at all elements.
func (c *composer) isFixed(v *kernel.Value) bool {
	switch v.Op {
	case kernel.State, kernel.Right:
		return c.fixed[c.leaf(v)]
	case kernel.Load, kernel.Place:
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *kernel.Value) bool { return !c.isFixed(a) })
}

// declare gives a vector a name, before the loop or inside of it; what has one keeps it.
func (c *composer) declare(before bool, text string, uses ...string) string {
	if name := c.known[text]; name != "" {
		return name
	}
	s := &statement{fmt.Sprintf("t%d", len(c.statements)), text, uses, before}
	c.statements = append(c.statements, s)
	c.known[text], c.known[s.name], c.fixed[s.name] = s.name, s.name, before
	return s.name
}

// do does something with vectors.
func (c *composer) do(text string, uses ...string) {
	c.statements = append(c.statements, &statement{text: text, uses: uses})
}

// text is the statements before the loop and inside of it, without vectors that nothing uses.
func (c *composer) text() (before, inside string) {
	used := map[string]bool{}
	for _, s := range slices.Backward(c.statements) {
		if s.name == "" || used[s.name] {
			for _, name := range s.uses {
				used[name] = true
			}
		}
	}
	var b, in scope.Lines
	for _, s := range c.statements {
		switch {
		case s.name == "":
			in.F("%s", s.text)
		case used[s.name] && s.before:
			b.F("%s := %s", s.name, s.text)
		case used[s.name]:
			in.F("%s := %s", s.name, s.text)
		}
	}
	return b.String(), in.String()
}
