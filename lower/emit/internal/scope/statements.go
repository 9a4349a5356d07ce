package scope

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Body writes conditions and assignments. Subterms that occur more than once get names: it reports whether there are any.
func (g *Scope) Body(w *gosrc.Writer, where, values []ir.Expr, state []string) (named bool) {
	return g.Guarded(w, where, func() {}, values, state, func() {})
}

// Guarded is the same, with what comes first and last where the conditions hold.
func (g *Scope) Guarded(w *gosrc.Writer, where []ir.Expr, before func(), values []ir.Expr, state []string, then func()) (named bool) {
	uses := map[ir.Expr]int{}
	count := func(es []ir.Expr) {
		for _, e := range es {
			uses[e]++
		}
		ir.Walk(es, func(e ir.Expr) {
			if isElement(e) {
				return
			}
			for i := range e.NumArgs() {
				uses[e.Arg(i)]++
			}
		})
	}
	count(where)
	count(values)
	var made []string
	name := func(es []ir.Expr) {
		ir.Walk(es, func(e ir.Expr) {
			cheap := e.NumArgs() == 0 && !isElement(e) || e.IsClosed() || e.Op() == ir.Cast && e.Arg(0).NumArgs() == 0 && !isElement(e.Arg(0))
			if uses[e] < 2 || cheap || w.Temp[e] != "" || !isElement(e) && insideIndex(es, e) {
				return
			}
			t := g.Name(tempName(e))
			g.File.Printf("%s := %s\n", t, w.Typed(e))
			w.Temp[e] = t
			made = append(made, t)
		})
	}
	name(where)
	if len(where) > 0 {
		g.File.Printf("if %s {\n", w.Conjunction(where))
	}
	before()
	name(values)
	g.assign(w, values, state)
	then()
	if len(where) > 0 {
		g.File.Printf("}\n")
	}
	for _, t := range made {
		delete(g.Taken, t)
	}
	return len(made) > 0
}

// ScopedBody is body in a block of its own, where it declares variables.
func (g *Scope) ScopedBody(w *gosrc.Writer, values []ir.Expr, state []string) {
	file := g.File
	g.File = NewUnit()
	declares := g.Body(w, nil, values, state)
	text := g.File.String()
	if g.File = file; declares {
		text = "{\n" + text + "}\n"
	}
	g.File.Printf("%s", text)
}

// assign writes x0, x1 = values.
func (g *Scope) assign(w *gosrc.Writer, values []ir.Expr, state []string) {
	var left, right []string
	for i, v := range values {
		if text := w.Expr(v); text != state[i] {
			left, right = append(left, state[i]), append(right, text)
		}
	}
	if len(left) == 1 {
		i := slices.Index(state, left[0])
		g.File.Printf("%s", w.Assignment(values[i], state[i]))
	} else if len(left) > 0 {
		g.File.Printf("%s = %s\n", strings.Join(left, ", "), strings.Join(right, ", "))
	}
}

// isElement reports whether e is read from memory.
func isElement(e ir.Expr) bool {
	op, _, _ := kernel.Operand(e)
	return op == kernel.Load || access.IsRead(e)
}

// insideIndex reports whether e occurs in es in indices of reads alone: those are written
// as ints.
func insideIndex(es []ir.Expr, e ir.Expr) bool {
	outside := false
	var visit func(ir.Expr)
	seen := map[ir.Expr]bool{}
	visit = func(s ir.Expr) {
		if seen[s] {
			return
		}
		seen[s] = true
		outside = outside || s == e
		if access.IsRead(s) {
			return
		}
		for i := range s.NumArgs() {
			visit(s.Arg(i))
		}
	}
	for _, s := range es {
		visit(s)
	}
	return !outside
}

func tempName(e ir.Expr) string {
	switch {
	case isElement(e):
		return "y"
	case e.Type() == ir.Bool:
		return "c"
	}
	return "t"
}
