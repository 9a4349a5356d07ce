package emit

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// portable writes the plain functions of a scan: the serial loop, and of a tree the same in blocks.
func (r *scanRun) portable(g *glossary) {
	saved := g.taken
	g.taken = r.names()
	for _, name := range scanNames {
		g.taken[name] = true
	}
	g.file.printf("\n// %sPortable writes the states of a component of %s behind each element, one after another, and returns the last.\n", r.name, r.nest.Buffer.Name)
	if r.lanes == nil {
		g.file.printf("// It has no twin on vectors: %s.\n", r.whyPlain())
	}
	g.file.printf("func %sPortable%s %s {\n%s", r.name, r.parameters(false), r.result(), r.clampedStreams())
	g.file.at = plan.Place{Stage: r.nest.Stage, Loop: r.loop.Var}
	g.file.printf("for i, y := range %s {\n", r.streams[0].name)
	g.file.at = plan.Place{Stage: r.nest.Stage, Body: true}
	to, state := []ir.Expr{r.to}, 0
	if r.composed != nil {
		to, state = r.composed.to, r.state
	}
	if !kernel.Mentions(to, kernel.Load, 0) {
		g.file.printf("_ = y\n")
	}
	g.body(r.writer(g, "i"), nil, to, r.states())
	g.file.printf("dst[i] = x%d\n}\nreturn %s\n}\n", state, r.stateNames())
	switch {
	case r.tree && r.composed != nil:
		r.composedTile(g)
		r.composedTree(g)
	case r.tree:
		r.plainTile(g)
		r.plainTree(g)
	}
	g.taken = saved
}

func (r *scanRun) whyPlain() string {
	if r.why != "" {
		return r.why
	}
	return "its steps have no form that lanes combine"
}

// plainTile writes the function of a tile.
func (r *scanRun) plainTile(g *glossary) {
	t := kernel.GoType[r.types[0]]
	tree := r.passed("x0, &"+g.use("prefix")+"["+t+"]{}", "", "")
	g.file.printf(`
// %[1]sTile is %[1]sPortable on a tile, whose elements a tree combines. How it rounds, their places in the tile alone say.
func %[1]sTile%[2]s %[3]s {
	if %[4]s%[5]s {
		return dst[len(dst)-1]
	}
	return %[1]sPortable%[6]s // some state is no number, or too great a one
}
`, r.name, r.parameters(false), t, r.treeFunction(), tree, r.passed("x0", "", ""))
}

// treeFunction is the function that a tile calls.
func (r *scanRun) treeFunction() string {
	if r.lanes != nil {
		return r.name + "Kernel"
	}
	return r.name + "Tree"
}

// plainTree writes the tree in plain Go.
func (r *scanRun) plainTree(g *glossary) {
	t := kernel.GoType[r.types[0]]
	state := []string{"v[i]"}
	declare, totals, join := "var v [8]"+t, "addTotals(&v, n, so)", "x0 + y"
	switch {
	case len(r.inject) == 2:
		g.use("affineTotals")
		state = []string{"u[i]", "v[i]"}
		declare, totals, join = "var u, v [8]"+t, "affineTotals(&u, &v, n, so)", t+"(x0*u[i]) + y"
	case r.op == ir.Mul:
		g.use("mulTotals")
		totals, join = "mulTotals(&v, n, so)", t+"(x0 * y)"
	default:
		g.use("addTotals")
	}
	g.file.printf("\n// %[1]sTree steps through a part of a tile, behind what so has combined of it. It reports whether all states are finite.\nfunc %[1]sTree%[2]s bool {\nvar fine %[3]s\n%[4]s", r.name, r.parameters(true), t, r.clampedStreams())
	g.file.printf("for len(dst) > 0 {\n%s\nn := min(len(dst), len(v))\nfor i := range n {\n", declare)
	w := r.exprs(g, elements{
		element: func(s int) string { return r.streams[s].name + "[i]" },
		place:   "int32(first + i)",
		state:   func(int) string { return "x0" },
	})
	g.body(w, nil, r.inject, state)
	g.file.printf("}\n%s\nfor i, y := range v[:n] {\ny = %s\ndst[i] = y\nfine += y - y\n}\n", totals, join)
	g.file.printf("dst = dst[n:]\n")
	for _, s := range r.streams {
		g.file.printf("%[1]s = %[1]s[n:]\n", s.name)
	}
	if r.first {
		g.file.printf("first += n\n")
	}
	g.file.printf("}\nreturn fine == 0\n}\n")
}

// plainText is what stands for the function on vectors where there are none.
func (r *scanRun) plainText() string {
	if r.tree {
		return fmt.Sprintf("\nfunc %[1]sKernel%[2]s bool {\nreturn %[1]sTree%[3]s\n}\n", r.name, r.parameters(true), r.passed(r.treeState("begun"), "", ""))
	}
	return fmt.Sprintf("\nfunc %[1]sKernel%[2]s %[3]s {\nreturn %[1]sPortable%[4]s\n}\n", r.name, r.parameters(false), r.result(), r.passed(r.stateNames(), "", ""))
}
