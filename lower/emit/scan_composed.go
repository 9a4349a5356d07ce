package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// composed is what a scanRun has besides where steps have parameters that compose. One component of the state is kept.
//
//	f(r) = in(r) + f(r - 1)/2 - f(r - 2)/4   →   each lane composes its step with those of the lanes below it, and applies them to f(r - 1) and f(r - 2)
type composed struct {
	to      []ir.Expr // a step
	inject  []ir.Expr // its parameters
	combine []ir.Expr // the parameters of two steps
	apply   []ir.Expr // the state behind steps
}

// composing is the function of a scan whose steps lanes compose; nil where there is none, then lacks may say why.
func (g *scanPlanner) composing(n *nest) (r *scanRun, lacks string) {
	sc := n.Scan
	if len(sc.Passes) != 1 || len(sc.Keep) != 1 || sc.Keep[0].State < 0 || sc.Passes[0].InOrder || slices.Contains(sc.State, ir.Bool) {
		return nil, ""
	}
	p := sc.Passes[0]
	switch {
	case !p.IsExact() && sc.Lanes != plan.TreeLanes:
		return nil, needsTree(sc)
	case !p.IsExact() && !p.NeedsFinite():
		return nil, "a step has an infinity, which may be what others have as well"
	}
	values := slices.Concat(p.Inject, p.Combine, p.Apply, p.Update)
	if slices.ContainsFunc(access.Reads(&plan.Stage{Buffer: n.Buffer, Values: values}), func(a access.Access) bool { return a.Array == n.Buffer.Name }) {
		return nil, readsOutput
	}
	part, d, m := *n, len(n.loops)-1, len(p.Inject)
	part.values = values
	r = &scanRun{output: 0, state: sc.Keep[0].State, starts: sc.Start, tree: !p.IsExact(), composed: &composed{}}
	r.run = &run{nest: &part, loop: n.loops[d], types: sc.State, avoid: slices.Concat(scanNames, composedNames(m))}
	if !r.findStreams(&part, d) {
		return nil, ""
	}
	r.nameArguments(&g.glossary)
	lanes := r.built(nil, values[:2*m+len(sc.State)])
	r.lanes, lacks = lanes.ComposedOf(m, r.built(nil, p.Update).Plain().Cost(nil))
	if r.lanes == nil {
		return nil, lacks
	}
	c, each := r.composed, r.built(nil, values).Each().To
	c.inject, c.combine, c.apply, c.to = each[:m], each[m:2*m], each[2*m:2*m+len(sc.State)], each[2*m+len(sc.State):]
	return r, ""
}

// ofComposed are what functions that compose steps declare, whatever their parameters.
var ofComposed = strings.Fields("so begun begin d i n low fine finite zero low1 low2 low4 up1 up2 up4 top ends")

// composedNames are what functions of so many parameters declare.
func composedNames(params int) (names []string) {
	for i := range params {
		for _, letter := range "vsc" {
			names = append(names, fmt.Sprintf("%c%d", letter, i))
		}
	}
	return append(names, ofComposed...)
}

// composedTile writes the function of a tile.
func (r *scanRun) composedTile(g *glossary) {
	t, m := kernel.GoType[r.types[0]], len(r.composed.inject)
	x := r.exprs(g, elements{
		state: func(c int) string { return fmt.Sprintf("x%d", c) },
		right: func(p int) string { return fmt.Sprintf("so[%d]", p) },
	})
	behind := list(len(r.types), func(c int) string { return x.Typed(r.composed.apply[c]) })
	g.file.printf(`
// %[1]sTile is %[1]sPortable on a tile, whose steps a tree composes. How it rounds, their places in the tile alone say.
func %[1]sTile%[2]s %[3]s {
	var so [%[4]d]%[5]s
	if %[6]s%[7]s {
		return %[8]s
	}
	return %[1]sPortable%[9]s // some state or parameter is no number, or too great a one
}
`, r.name, r.parameters(false), r.result(), m, t, r.treeFunction(), r.passed(r.stateNames()+", &so, false", "", ""), behind, r.passed(r.stateNames(), "", ""))
}

// composedTree writes the tree in plain Go.
func (r *scanRun) composedTree(g *glossary) {
	c, t, m := r.composed, kernel.GoType[r.types[0]], len(r.composed.inject)
	at := func(index string) func(int) string {
		return func(p int) string { return fmt.Sprintf("v%d[%s]", p, index) }
	}
	so := func(p int) string { return fmt.Sprintf("so[%d]", p) }
	write := func(values []ir.Expr, to []string, left, right func(int) string) {
		w := r.exprs(g, elements{element: func(s int) string { return r.streams[s].name + "[i]" }, place: "int32(first + i)", state: left, right: right})
		g.body(w, nil, values, to)
	}
	g.file.printf("\n// %[1]sTree steps through a part of a tile, behind what so has composed of it. It reports whether all states and parameters are finite.\nfunc %[1]sTree%[2]s bool {\nvar fine %[3]s\n%[4]s", r.name, r.parameters(true), t, r.clampedStreams())
	for _, x := range r.states() {
		g.file.printf("fine += %[1]s - %[1]s\n", x)
	}
	g.file.printf("for len(dst) > 0 {\nvar %s [%d]%s\nn := min(len(dst), %[2]d)\nfor i := range n {\n", list(m, func(p int) string { return fmt.Sprintf("v%d", p) }), plan.TreeLanes, t)
	write(c.inject, texts(m, at("i")), nil, nil)
	g.file.printf("}\nfor d := 1; d < n; d *= 2 {\nfor i := d; i < n; i++ {\nif low := i&^(d-1) - 1; i&d != 0 {\n")
	write(c.combine, texts(m, at("i")), at("low"), at("i"))
	g.file.printf("}\n}\n}\nif begun {\nfor i := range n {\n")
	write(c.combine, texts(m, at("i")), so, at("i"))
	g.file.printf("}\n}\nbegun = true\n%s = %s\nfor i := range n {\n", list(m, so), list(m, at("n-1")))
	states := texts(len(r.types), func(i int) string { return fmt.Sprintf("s%d", i) })
	x := r.exprs(g, elements{state: func(i int) string { return fmt.Sprintf("x%d", i) }, right: at("i")})
	g.file.printf("%s := %s\n", strings.Join(states, ", "), list(len(c.apply), func(i int) string { return x.Typed(c.apply[i]) }))
	for _, v := range slices.Concat(states, texts(m, at("i"))) {
		g.file.printf("fine += %[1]s - %[1]s\n", v)
	}
	g.file.printf("dst[i] = %s\n}\ndst = dst[n:]\n", states[r.state])
	for _, s := range r.streams {
		g.file.printf("%[1]s = %[1]s[n:]\n", s.name)
	}
	if r.first {
		g.file.printf("first += n\n")
	}
	g.file.printf("}\nreturn fine == 0\n}\n")
}

// texts lists what f gives for the numbers below n.
func texts(n int, f func(int) string) (out []string) {
	for i := range n {
		out = append(out, f(i))
	}
	return out
}
