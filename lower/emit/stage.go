package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// stage writes the loops of a stage.
func (g *generator) stage(n *loopnest.Nest) {
	if n.Zeroed() && !(n.Short && n.Buffer.Output && lends(g.Plan)) { // memory of the caller's has other values, and few are asked for
		return
	}
	g.File.Apart = true
	g.File.At = plan.Place{Stage: n.Stage}
	defer func() { g.File.At = plan.Place{} }()
	g.File.Printf("// %s\n", stageTitle(n))
	if n.Idle() && !g.judges {
		g.File.Printf("// No step changes it.\n")
		return
	}
	fits := (&checkWriter{g}).fits(n)
	if fits == "" {
		g.loops(n)
		return
	}
	g.short = shortRuns{} // which checks nothing
	file, whole, before := g.File, *n, g.functions()
	whole.Fits = true
	called := scope.NewUnit()
	g.File = called
	g.loops(&whole)
	if g.File = file; g.functions() == before {
		g.loops(n)
		return
	}
	g.File.Printf("if %s {\n", fits)
	g.File.Add(called)
	g.File.Printf("} else { // conditions keep indices closer\n")
	g.loops(n)
	g.File.Printf("}\n")
}

// loops writes all loops of a stage.
func (g *generator) loops(n *loopnest.Nest) {
	n = g.densified(n)
	for _, l := range n.Loops {
		g.LoopVar[l.Var] = g.Name(l.Var.Name())
	}
	g.loop(n, 0)
	if loopnest.Checked(g.Plan, n) >= loopnest.Tail && !g.serial {
		g.File.Printf("if bad.err != nil {\n%s\n}\n", g.ReturnError("bad.err"))
	}
	for _, l := range n.Loops {
		delete(g.Taken, g.LoopVar[l.Var])
	}
}

func stageTitle(n *loopnest.Nest) string {
	name := n.Buffer.Name
	switch n.Role {
	case plan.First:
		return "First values of " + name + "."
	case plan.Intermediate:
		return "Partial results: " + name + "."
	case plan.Merge:
		return "Partial results combined, in the order of the slices: " + name + "."
	}
	return "The update of " + name + "."
}

// loop writes the loops from depth d on.
func (g *generator) loop(n *loopnest.Nest, d int) {
	g.File.At = plan.Place{Stage: n.Stage, Body: true}
	if n.Places != nil {
		(&keepPlanner{g}).loop(n, d)
		return
	}
	if as := g.asDense[n]; as != nil && d == as.Depth() {
		g.denseOrPlain(as)
		return
	}
	scans := &scanPlanner{g}
	if s := scans.at(n, d); s != nil {
		scans.call(s)
		return
	}
	if r := scans.recentOf(n, d); r != nil {
		scans.recentLoop(r)
		return
	}
	if k := g.kernelAt(n, d); k != nil {
		g.callKernel(n, k, g.Target(n))
		return
	}
	if s := g.scatterRows(n, d); s != nil {
		g.addScatter(s)
		g.callScatterRows(n, s, d)
		return
	}
	if s := g.scatterAt(n, d); s != nil {
		g.addScatter(s)
		g.callScatter(n, s)
		return
	}
	from := hoisted(g.Plan, n)
	if d == from && d < len(n.Loops) && len(n.Buffer.Dims) > 0 {
		g.flatOr(n, d, func() { g.held(n, d) })
		return
	}
	if d == len(n.Loops) {
		g.point(n, g.Target(n))
		return
	}
	nested := func() {
		g.loopHead(n, d)
		g.loop(n, d+1)
		g.untilEnded(n, d, g.Target(n))
		g.loopEnd(n, d)
	}
	if d == from && n.Role != plan.First && !g.isParallel(n, d) {
		g.flatOr(n, d, nested)
		return
	}
	nested()
}

// hoisted is the depth from which on the element that is updated may be held in variables: it is inside of its array there.
func hoisted(p *plan.Plan, n *loopnest.Nest) int {
	for d, e := range n.Index {
		if loopnest.CheckOf(p, n, n.Buffer.Name, d, e) != loopnest.Before {
			return len(n.Loops)
		}
	}
	return n.Hoisted()
}

func (g *generator) isParallel(n *loopnest.Nest, d int) bool {
	l := n.Loops[d]
	at := n.Buffer.At // its stages run inside a loop of another buffer's stage
	inside := at != nil && l.Var == at.Var && runsParallel(g.Plan, at)
	return d == 0 && l.Pure && !g.serial && (l.How == plan.InParallel || inside)
}

// runsParallel reports whether the loop that a buffer is computed in runs on goroutines.
func runsParallel(p *plan.Plan, at *plan.At) bool {
	for _, s := range p.Stages {
		for _, l := range s.Loops {
			if s.Buffer == at.Buffer && s.Role != plan.First && l.Var == at.Var && l.How == plan.InParallel {
				return true
			}
		}
	}
	return false
}

func (g *generator) loopHead(n *loopnest.Nest, d int) {
	l := n.Loops[d]
	g.File.At = plan.Place{Stage: n.Stage, Loop: l.Var}
	defer func() { g.File.At = plan.Place{Stage: n.Stage, Body: true} }()
	v := g.LoopVar[l.Var]
	lo, extent := g.GoInt(l.Span.Min), g.GoInt(l.Span.Extent)
	if n.Shared && d < 2 {
		g.shareHead(n, d)
		return
	}
	if g.isParallel(n, d) {
		g.inBody = true
		if n.EndsLater(d) {
			n.Ending = g.Name("ended")
			g.File.Printf("var %s %s\n", n.Ending, g.Use("earliest"))
		}
		g.File.Printf("%s(%s, %s, func(lo, hi int) {\n", g.Use("parallel"), extent, g.BytesPerStep(n))
		g.File.SliceHead(v, lo)
		if n.Ending != "" {
			g.File.Printf("if !%s.before(%s) {\nbreak\n}\n", n.Ending, v)
		}
		return
	}
	if !loopnest.MentionsAny(append(n.Exprs(), loopnest.SpansOf(n.Loops)...), l.Var) {
		g.File.Printf("for range max(%s, 0) {\n", extent)
		return
	}
	if lo == "0" {
		g.File.Printf("for %s := range %s {\n", v, extent)
		return
	}
	g.File.Printf("for %s := %s; %s < %s; %s++ {\n", v, lo, v, g.EndText(l.Span), v)
}

func (g *generator) loopEnd(n *loopnest.Nest, d int) {
	g.File.At = plan.Place{Stage: n.Stage, Loop: n.Loops[d].Var}
	defer func() { g.File.At = plan.Place{Stage: n.Stage, Body: true} }()
	if n.Shared && d == 0 {
		g.File.Printf("})\n")
		g.inBody = false
		return
	}
	if d == 0 && n.Ending != "" {
		g.File.Printf("if %s {\n%s.note(%s)\n}\n", funcs.EndedOf(n.Ends, g.Target(n)), n.Ending, g.LoopVar[n.Loops[d].Var])
		delete(g.Taken, n.Ending)
	}
	g.File.Printf("}\n")
	if g.isParallel(n, d) {
		g.File.Printf("})\n")
		g.inBody = false
	}
}

// held keeps the element in variables while the loops from depth d on run.
func (g *generator) held(n *loopnest.Nest, d int) {
	target := g.Target(n)
	var names []string
	for i := range target {
		names = append(names, g.Name("x"+strconv.Itoa(i)))
	}
	g.File.Printf("%s := %s\n", strings.Join(names, ", "), strings.Join(target, ", "))
	g.inner(n, d, names)
	g.File.Printf("%s = %s\n", strings.Join(target, ", "), strings.Join(names, ", "))
	for _, v := range names {
		delete(g.Taken, v)
	}
}

func (g *generator) inner(n *loopnest.Nest, d int, names []string) {
	g.File.At = plan.Place{Stage: n.Stage, Body: true}
	if k := g.kernelAt(n, d); k != nil {
		g.callKernel(n, k, names)
		return
	}
	if d == len(n.Loops) {
		g.point(n, names)
		return
	}
	g.loopHead(n, d)
	g.inner(n, d+1, names)
	g.untilEnded(n, d, names)
	g.loopEnd(n, d)
}

// untilEnded leaves a loop that updates one element, whose components are called state, once that has ended.
func (g *generator) untilEnded(n *loopnest.Nest, d int, state []string) {
	if n.EndsOver(n.Loops[d:], n.Index) && !g.isParallel(n, d) {
		g.File.Printf("if %s {\nbreak\n}\n", funcs.EndedOf(n.Ends, state))
	}
}

// point writes the update of one element, whose components are called state.
func (g *generator) point(n *loopnest.Nest, state []string) {
	w := g.Writer()
	w.Leaf = func(e ir.Expr) string { return g.Leaf(e, state) }
	g.checked(w, n, state, func() {})
}

// checked writes conditions and assignments of a step of a stage, and then what counts it. Indices are checked before they are used: those in
// conditions that read something where the conditions on coordinates hold, and the others where all conditions hold. It is judged ahead of all
// conditions whether those indices exist that the function compares with limits before anything runs.
func (g *generator) checked(w *gosrc.Writer, n *loopnest.Nest, state []string, then func()) {
	checks := &checkWriter{g}
	where, guards := n.Where, []ir.Expr(nil)
	if slices.ContainsFunc(where, loopnest.ReadsArray) {
		guards = slices.DeleteFunc(slices.Clone(where), loopnest.ReadsArray)
		where = slices.DeleteFunc(slices.Clone(where), func(e ir.Expr) bool { return !loopnest.ReadsArray(e) })
	}
	conds := *n
	conds.Where, conds.Index, conds.Values = where, nil, nil
	var ahead, rest []access.Access
	for _, a := range n.Accesses() {
		if slices.ContainsFunc(conds.Reads(), func(c access.Access) bool { return c.Call == a.Call }) {
			ahead = append(ahead, a)
		} else {
			rest = append(rest, a)
		}
	}
	if g.judges && n.Role != plan.First {
		checks.indexChecks(n, n.Accesses(), true)
	}
	if len(guards) > 0 {
		g.File.Printf("if %s {\n", w.Conjunction(guards))
	}
	checks.indexChecks(n, ahead, false)
	g.Guarded(w, where, func() {
		checks.indexChecks(n, rest, false)
		if promised := checks.promised(n); len(promised) > 0 {
			g.File.Printf("if !(%s) {\n%s\n}\n", w.Conjunction(promised), g.ReturnError("false"))
		}
	}, n.Values, state, then)
	if len(guards) > 0 {
		g.File.Printf("}\n")
	}
}

// exists reports whether the element of an index is known to exist wherever the loops run.
func (g *checkWriter) exists(n *loopnest.Nest, name string, d int, e ir.Expr) bool {
	if loopnest.InRange(g.Plan, n, name, d, e) {
		return true
	}
	lo, hi, known := loopnest.Limits(g.Plan, name, d)
	positive, at := n.NonEmpty(name), loopnest.SumOf(e)
	upper, lower := loopnest.Extremes(at, n.Scope, true, positive), loopnest.Extremes(at, n.Scope, false, positive)
	return known && len(upper) > 0 && len(lower) > 0 && loopnest.Within(upper, hi, true, positive) && loopnest.Within(lower, lo, false, positive)
}

// indexChecks compares indices with their limits: those that are checked where they occur or, to judge, those that are compared before anything runs.
func (g *checkWriter) indexChecks(n *loopnest.Nest, accesses []access.Access, before bool) {
	if g.serial && !g.judges {
		return // what has no kernel alone is checked
	}
	for _, a := range accesses {
		for d, c := range a.Dims {
			lo, hi, known := loopnest.Limits(g.Plan, a.Array, d)
			check := loopnest.CheckOf(g.Plan, n, a.Array, d, c.Index)
			if before != (check == loopnest.Before) || check == loopnest.Kept || before && g.exists(n, a.Array, d, c.Index) {
				continue
			}
			low, text := g.SumText(lo), g.SumText(hi.Plus(lo, -1))
			if !known {
				low, text = "0", g.limitText(a.Array, d, hi)
			}
			fails, leave := fmt.Sprintf("bad.outside(%q, at, %s, %s)\n", a.Array, low, text), "return"
			switch {
			case g.judges:
				fails, leave = "", g.ReturnError("false")
			case !g.inBody:
				leave = g.ReturnError("bad.err")
			}
			end := text
			if low != "0" {
				end = low + " + " + text
			}
			g.File.Printf("if at := %s; at < %s || at >= %s {\n%s%s\n}\n", g.GoInt(c.Index), low, end, fails, leave)
		}
	}
}
