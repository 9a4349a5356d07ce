package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/dense"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// densified is the stage as a dense one, if its schedule has lanes along a pure dimension and a form
// serves; else it is n, and why no form serves is noted.
func (g *generator) densified(n *loopnest.Nest) *loopnest.Nest {
	if g.serial || n.Shared || n.Role == plan.First || !slices.ContainsFunc(n.Loops, func(l plan.Loop) bool { return l.Pure && l.How == plan.AsLanes }) {
		return n
	}
	d, why := dense.Of(g.Plan, n, g.Use)
	if why != "" {
		g.undense[n.Stage] = why
		return n
	}
	d.Name = g.kernelName(n)
	for i := 2; slices.ContainsFunc(g.denses, func(e *dense.Stage) bool { return e.Name == d.Name }); i++ {
		d.Name = fmt.Sprintf("%s%d", g.kernelName(n), i)
	}
	g.denses = append(g.denses, d)
	g.asDense[d.Nest] = d
	return d.Nest
}

// fewUpdates is how many updates are quicker in plain loops than in rows and tiles.
const fewUpdates = 2048

// denseOrPlain writes the loops from the depth on: plain ones for few updates.
func (g *generator) denseOrPlain(d *dense.Stage) {
	var extents []string
	for _, l := range d.Nest.Loops[d.Depth():] {
		extents = append(extents, "int64("+g.GoInt(l.Span.Extent)+")") // their product may be more than an int of 32 bits holds
	}
	g.File.Printf("if %s < %d {\n", strings.Join(extents, "*"), fewUpdates)
	plain := *d.Nest
	g.serial = true // without kernels and goroutines
	g.loop(&plain, d.Depth())
	g.serial = false
	g.File.Printf("} else {\n")
	if b := d.Nest.Buffer; b.Output { // a result that functions capture would go to the heap, in plain loops, too
		parts := strings.Join(g.Arrays[b.Name].Parts, ", ")
		g.File.Printf("%s := %s\n", parts, parts)
	}
	g.callDense(d)
	g.File.Printf("}\n")
}

// callDense writes the call, with functions that give rows and what is the same in a row.
func (g *generator) callDense(d *dense.Stage) {
	n := d.Nest
	y, lo, height := "_", "0", "1"
	parallel := false
	if d.Y {
		l := n.Loops[d.Depth()]
		y, lo, height = g.LoopVar[l.Var], g.GoInt(l.Span.Min), g.GoInt(l.Span.Extent)
		if parallel = d.Depth() == 0 && g.isParallel(n, 0); parallel {
			g.inBody = true
			g.File.Printf("%s(%s, %s, func(lo, hi int) { // which copies operands once\n", g.Use("partition"), height, g.BytesPerStep(n))
			height = "hi - lo"
			if lo != "0" {
				lo = "lo + " + g.IntOperand(l.Span.Min, 3)
			} else {
				lo = "lo"
			}
		}
	}
	k := g.LoopVar[d.K.Var]
	from := func(part string, a *scope.Array, index []ir.Expr) string {
		var at []ir.Expr
		for _, e := range index {
			at = append(at, loopnest.FoldSum(ir.Subst(e, []ir.Expr{d.X.Var}, []ir.Expr{d.X.Span.Min})))
		}
		return fmt.Sprintf("%s[%s:]", part, a.Offset(g.Coords(a, at)))
	}
	t := kernel.GoType[d.T]
	args := []string{g.GoInt(d.X.Span.Extent), lo, height, g.GoInt(d.K.Span.Min), g.GoInt(d.K.Span.Extent)}
	a := g.Arrays[n.Buffer.Name]
	for _, part := range a.Parts {
		args = append(args, fmt.Sprintf("func(%s int) []%s { return %s }", y, t, from(part, a, n.Index)))
	}
	w := g.Writer()
	for _, u := range d.Uniforms {
		step := "i"
		for g.Taken[step] {
			step += "i"
		}
		body := fmt.Sprintf("for %[1]s := range to {\nto[%[1]s] = %[2]s\n%[3]s++\n}\nreturn to", step, w.Expr(u), k)
		if r, ok := d.AlongSteps(u); ok {
			b := g.Arrays[r.Array]
			body = fmt.Sprintf("return %s[:len(to)]", from(b.Parts[r.Component]+b.Pix, b, access.Operands(u)))
		}
		args = append(args, fmt.Sprintf("func(%s, %s int, to []%s) []%s {\n%s\n}", y, k, t, t, body))
	}
	for _, s := range d.Streams {
		b := g.Arrays[s.Array]
		args = append(args, fmt.Sprintf("func(%s, %s int) []%s { return %s }", y, k, t, from(b.Parts[s.Component]+b.Pix, b, access.Operands(s.Call))))
	}
	g.File.Printf("%sDense(%s)\n", d.Name, strings.Join(args, ", "))
	if parallel {
		g.File.Printf("})\n")
		g.inBody = false
	}
}
