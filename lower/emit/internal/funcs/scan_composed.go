package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Composed is what a scanRun has besides where steps have parameters that compose. One component of the state is kept.
//
//	f(r) = in(r) + f(r - 1)/2 - f(r - 2)/4   →   each lane composes its step with those of the lanes below it, and applies them to f(r - 1) and f(r - 2)
type Composed struct {
	To      []ir.Expr // a step
	Inject  []ir.Expr // its parameters
	Combine []ir.Expr // the parameters of two steps
	Apply   []ir.Expr // the state behind steps
}

// ofComposed are what functions that compose steps declare, whatever their parameters.
var ofComposed = strings.Fields("so begun begin d i n low fine finite0 zero low1 low2 low4 up1 up2 up4 top ends")

// ComposedNames are what functions of so many parameters declare.
func ComposedNames(params int) (names []string) {
	for i := range params {
		for _, letter := range "vsc" {
			names = append(names, fmt.Sprintf("%c%d", letter, i))
		}
	}
	return append(names, ofComposed...)
}

// composedTile writes the function of a tile.
func (r *Scan) composedTile(g *scope.Scope) {
	t, m := kernel.GoType[r.Types[0]], len(r.Composed.Inject)
	x := r.exprs(g, elements{
		state: func(c int) string { return fmt.Sprintf("x%d", c) },
		right: func(p int) string { return fmt.Sprintf("so[%d]", p) },
	})
	behind := scope.List(len(r.Types), func(c int) string { return x.Typed(r.Composed.Apply[c]) })
	g.File.Printf(`
// %[1]sTile is %[1]sPortable on a tile, whose steps a tree composes. How it rounds, their places in the tile alone say.
func %[1]sTile%[2]s %[3]s {
	var so [%[4]d]%[5]s
	if %[6]s%[7]s {
		return %[8]s
	}
	return %[1]sPortable%[9]s // some state or parameter is no number, or too great a one
}
`, r.Name, r.parameters(false), r.result(), m, t, r.treeFunction(), r.passed(r.stateNames()+", &so, false", ""), behind, r.passed(r.stateNames(), ""))
}

// composedTree writes the tree in plain Go.
func (r *Scan) composedTree(g *scope.Scope) {
	c, t, m := r.Composed, kernel.GoType[r.Types[0]], len(r.Composed.Inject)
	at := func(index string) func(int) string {
		return func(p int) string { return fmt.Sprintf("v%d[%s]", p, index) }
	}
	so := func(p int) string { return fmt.Sprintf("so[%d]", p) }
	write := func(values []ir.Expr, to []string, left, right func(int) string) {
		w := r.exprs(g, elements{element: func(s int) string { return r.Streams[s].Name + "[i]" }, place: "int32(first + i)", state: left, right: right})
		g.Body(w, nil, values, to)
	}
	g.File.Printf("\n// %[1]sTree steps through a part of a tile, behind what so has composed of it. It reports whether all states and parameters are finite.\nfunc %[1]sTree%[2]s bool {\nvar fine %[3]s\n%[4]s", r.Name, r.parameters(true), t, r.clampedStreams())
	for _, x := range r.States() {
		g.File.Printf("fine += %[1]s - %[1]s\n", x)
	}
	g.File.Printf("for len(dst) > 0 {\nvar %s [%d]%s\nn := min(len(dst), %[2]d)\nfor i := range n {\n", scope.List(m, func(p int) string { return fmt.Sprintf("v%d", p) }), plan.TreeLanes, t)
	write(c.Inject, texts(m, at("i")), nil, nil)
	g.File.Printf("}\nfor d := 1; d < n; d *= 2 {\nfor i := d; i < n; i++ {\nif low := i&^(d-1) - 1; i&d != 0 {\n")
	write(c.Combine, texts(m, at("i")), at("low"), at("i"))
	g.File.Printf("}\n}\n}\nif begun {\nfor i := range n {\n")
	write(c.Combine, texts(m, at("i")), so, at("i"))
	g.File.Printf("}\n}\nbegun = true\n%s = %s\nfor i := range n {\n", scope.List(m, so), scope.List(m, at("n-1")))
	states := texts(len(r.Types), func(i int) string { return fmt.Sprintf("s%d", i) })
	x := r.exprs(g, elements{state: func(i int) string { return fmt.Sprintf("x%d", i) }, right: at("i")})
	g.File.Printf("%s := %s\n", strings.Join(states, ", "), scope.List(len(c.Apply), func(i int) string { return x.Typed(c.Apply[i]) }))
	for _, v := range slices.Concat(states, texts(m, at("i"))) {
		g.File.Printf("fine += %[1]s - %[1]s\n", v)
	}
	g.File.Printf("dst[i] = %s\n}\ndst = dst[n:]\n", states[r.State])
	for _, s := range r.Streams {
		g.File.Printf("%[1]s = %[1]s[n:]\n", s.Name)
	}
	if r.First {
		g.File.Printf("first += n\n")
	}
	g.File.Printf("}\nreturn fine == 0\n}\n")
}

// texts lists what f gives for the numbers below n.
func texts(n int, f func(int) string) (out []string) {
	for i := range n {
		out = append(out, f(i))
	}
	return out
}
