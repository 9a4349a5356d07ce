package funcs

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Portable writes the plain functions of a scan: the serial loop, and of a tree the same in blocks.
func (r *Scan) Portable(g *scope.Scope) {
	saved := g.Taken
	g.Taken = r.Names()
	for _, name := range ScanNames {
		g.Taken[name] = true
	}
	g.File.Printf("\n// %sPortable writes the states of a component of %s behind each element, one after another, and returns the last.\n", r.Name, r.Nest.Buffer.Name)
	if r.Lanes == nil {
		g.File.Printf("// It has no twin on vectors: %s.\n", r.whyPlain())
	}
	g.File.Printf("func %sPortable%s %s {\n%s", r.Name, r.parameters(false), r.result(), r.clampedStreams())
	g.File.At = plan.Place{Stage: r.Nest.Stage, Loop: r.Loop.Var}
	g.File.Printf("for i, y := range %s {\n", r.Streams[0].Name)
	g.File.At = plan.Place{Stage: r.Nest.Stage, Body: true}
	to, state := []ir.Expr{r.To}, 0
	if r.Composed != nil {
		to, state = r.Composed.To, r.State
	}
	g.Body(r.writer(g, "i"), nil, to, r.States())
	g.File.Printf("dst[i] = x%d\n}\nreturn %s\n}\n", state, r.stateNames())
	switch {
	case r.Tree && r.Composed != nil:
		r.composedTile(g)
		r.composedTree(g)
	case r.Tree:
		r.plainTile(g)
		r.plainTree(g)
	}
	g.Taken = saved
}

func (r *Scan) whyPlain() string {
	if r.Why != "" {
		return r.Why
	}
	return "its steps have no form that lanes combine"
}

// plainTile writes the function of a tile.
func (r *Scan) plainTile(g *scope.Scope) {
	t := kernel.GoType[r.Types[0]]
	tree := r.passed("x0, &"+g.Use("prefix")+"["+t+"]{}", "")
	g.File.Printf(`
// %[1]sTile is %[1]sPortable on a tile, whose elements a tree combines. How it rounds, their places in the tile alone say.
func %[1]sTile%[2]s %[3]s {
	if %[4]s%[5]s {
		return dst[len(dst)-1]
	}
	return %[1]sPortable%[6]s // some state is no number, or too great a one
}
`, r.Name, r.parameters(false), t, r.treeFunction(), tree, r.passed("x0", ""))
}

// treeFunction is the function that a tile calls.
func (r *Scan) treeFunction() string {
	if r.Lanes != nil {
		return r.Name + "Kernel"
	}
	return r.Name + "Tree"
}

// plainTree writes the tree in plain Go.
func (r *Scan) plainTree(g *scope.Scope) {
	t := kernel.GoType[r.Types[0]]
	state := []string{"v[i]"}
	declare, totals, join := "var v [8]"+t, "addTotals(&v, n, so)", "x0 + y"
	switch {
	case len(r.Inject) == 2:
		g.Use("affineTotals")
		state = []string{"u[i]", "v[i]"}
		declare, totals, join = "var u, v [8]"+t, "affineTotals(&u, &v, n, so)", t+"(x0*u[i]) + y"
	case r.Op == ir.Mul:
		g.Use("mulTotals")
		totals, join = "mulTotals(&v, n, so)", t+"(x0 * y)"
	default:
		g.Use("addTotals")
	}
	g.File.Printf("\n// %[1]sTree steps through a part of a tile, behind what so has combined of it. It reports whether all states are finite.\nfunc %[1]sTree%[2]s bool {\nvar fine %[3]s\n%[4]s", r.Name, r.parameters(true), t, r.clampedStreams())
	g.File.Printf("for len(dst) > 0 {\n%s\nn := min(len(dst), len(v))\nfor i := range n {\n", declare)
	w := r.exprs(g, elements{
		element: func(s int) string { return r.Streams[s].Name + "[i]" },
		place:   "int32(first + i)",
		state:   func(int) string { return "x0" },
	})
	g.Body(w, nil, r.Inject, state)
	g.File.Printf("}\n%s\nfor i, y := range v[:n] {\ny = %s\ndst[i] = y\nfine += y - y\n}\n", totals, join)
	g.File.Printf("dst = dst[n:]\n")
	for _, s := range r.Streams {
		g.File.Printf("%[1]s = %[1]s[n:]\n", s.Name)
	}
	if r.First {
		g.File.Printf("first += n\n")
	}
	g.File.Printf("}\nreturn fine == 0\n}\n")
}

// PlainText is what stands for the function on vectors where there are none.
func (r *Scan) PlainText() string {
	if r.Tree {
		return fmt.Sprintf("\nfunc %[1]sKernel%[2]s bool {\nreturn %[1]sTree%[3]s\n}\n", r.Name, r.parameters(true), r.passed(r.treeState("begun"), ""))
	}
	return fmt.Sprintf("\nfunc %[1]sKernel%[2]s %[3]s {\nreturn %[1]sPortable%[4]s\n}\n", r.Name, r.parameters(false), r.result(), r.passed(r.stateNames(), ""))
}
