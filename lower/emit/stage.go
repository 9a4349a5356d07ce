package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// stage writes the loops of a stage.
func (g *generator) stage(n *nest) {
	if n.zeroed() && !(n.short && n.Buffer.Output && lends(g.plan)) { // memory of the caller's has other values, and few are asked for
		return
	}
	g.file.apart = true
	g.file.at = plan.Place{Stage: n.Stage}
	defer func() { g.file.at = plan.Place{} }()
	g.file.printf("// %s\n", stageTitle(n))
	if n.idle() {
		parts := g.arrays[n.Buffer.Name].parts
		g.file.printf("%s = %s // which no step changes\n", strings.Join(slices.Repeat([]string{"_"}, len(parts)), ", "), strings.Join(parts, ", "))
		return
	}
	n = g.densified(n)
	for _, l := range n.loops {
		g.loopVar[l.Var] = g.name(l.Var.Name())
	}
	g.loop(n, 0)
	if faulty(g.plan, n) && !g.serial {
		g.file.printf("if bad.err != nil {\n%s\n}\n", g.returnError("bad.err"))
	}
	for _, l := range n.loops {
		delete(g.taken, g.loopVar[l.Var])
	}
}

// idle reports whether every element keeps its value, wherever it is.
func (n *nest) idle() bool {
	for i, v := range n.values {
		if v.Op() != ir.Var || v.Kind() != ir.State || v.Index() != i {
			return false
		}
	}
	return !slices.ContainsFunc(n.index, readsArray)
}

// zeroed reports whether a nest sets first values of 0, as new memory has them.
func (n *nest) zeroed() bool { return n.Role == plan.First && n.zeros() }

// zeros reports whether all values are 0.
func (n *nest) zeros() bool {
	for _, v := range n.values {
		if !v.IsConst(0) {
			return false
		}
	}
	return true
}

func stageTitle(n *nest) string {
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

// hoisted is the depth from which on the element that is updated stays the same.
func (n *nest) hoisted() int {
	d := len(n.loops)
	if slices.ContainsFunc(n.index, readsArray) {
		return d
	}
	for d > 0 && !mentionsAny(n.index, n.loops[d-1].Var) {
		d--
	}
	return d
}

// loop writes the loops from depth d on.
func (g *generator) loop(n *nest, d int) {
	g.file.at = plan.Place{Stage: n.Stage, Body: true}
	if n.Places != nil {
		(&keepPlanner{g}).loop(n, d)
		return
	}
	if as := g.asDense[n]; as != nil && d == as.depth() {
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
		g.callKernel(n, k, g.target(n))
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
	if d == n.hoisted() && d < len(n.loops) && len(n.Buffer.Dims) > 0 {
		g.flatOr(n, d, func() { g.held(n, d) })
		return
	}
	if d == len(n.loops) {
		g.point(n, g.target(n))
		return
	}
	nested := func() {
		g.loopHead(n, d)
		g.loop(n, d+1)
		g.loopEnd(n, d)
	}
	if d == n.hoisted() && n.Role != plan.First && !g.isParallel(n, d) {
		g.flatOr(n, d, nested)
		return
	}
	nested()
}

func (g *generator) isParallel(n *nest, d int) bool {
	l := n.loops[d]
	at := n.Buffer.At // its stages run inside a loop of another buffer's stage
	inside := at != nil && l.Var == at.Var && runsParallel(g.plan, at)
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

func (g *generator) loopHead(n *nest, d int) {
	l := n.loops[d]
	g.file.at = plan.Place{Stage: n.Stage, Loop: l.Var}
	defer func() { g.file.at = plan.Place{Stage: n.Stage, Body: true} }()
	v := g.loopVar[l.Var]
	lo, extent := g.goInt(l.Span.Min), g.goInt(l.Span.Extent)
	if n.shared && d < 2 {
		g.shareHead(n, d)
		return
	}
	if g.isParallel(n, d) {
		g.inBody = true
		if n.endsLater(d) {
			n.ending = g.name("ended")
			g.file.printf("var %s %s\n", n.ending, g.use("earliest"))
		}
		g.file.printf("%s(%s, %s, func(lo, hi int) {\n", g.use("parallel"), extent, g.bytesPerStep(n))
		g.file.sliceHead(v, lo)
		if n.ending != "" {
			g.file.printf("if !%s.before(%s) {\nbreak\n}\n", n.ending, v)
		}
		return
	}
	if !mentionsAny(append(n.exprs(), spansOf(n.loops)...), l.Var) {
		g.file.printf("for range max(%s, 0) {\n", extent)
		return
	}
	if lo == "0" {
		g.file.printf("for %s := range %s {\n", v, extent)
		return
	}
	g.file.printf("for %s := %s; %s < %s; %s++ {\n", v, lo, v, g.endText(l.Span), v)
}

func spansOf(loops []plan.Loop) (es []ir.Expr) {
	for _, l := range loops {
		es = append(es, l.Span.Min, l.Span.Extent)
	}
	return es
}

func plusExpr(a, b ir.Expr) ir.Expr {
	if a.Op() == ir.Const && b.Op() == ir.Const {
		return a.Pool().Int(a.Type(), a.Int()+b.Int())
	}
	return ir.AddOf(a, b)
}

func (g *generator) loopEnd(n *nest, d int) {
	g.file.at = plan.Place{Stage: n.Stage, Loop: n.loops[d].Var}
	defer func() { g.file.at = plan.Place{Stage: n.Stage, Body: true} }()
	if n.shared && d == 0 {
		g.file.printf("})\n")
		g.inBody = false
		return
	}
	if d == 0 && n.ending != "" {
		g.file.printf("if %s {\n%s.note(%s)\n}\n", endedOf(n.Ends, g.target(n)), n.ending, g.loopVar[n.loops[d].Var])
		delete(g.taken, n.ending)
	}
	g.file.printf("}\n")
	if g.isParallel(n, d) {
		g.file.printf("})\n")
		g.inBody = false
	}
}

// bytesPerStep is about how much input a step of the outermost loop reads.
func (g *glossary) bytesPerStep(n *nest) string {
	return g.bytesOf(n, n.loops[1:])
}

// smallest is the literal among the alternatives of an extent, where there is one.
func smallest(e ir.Expr) ir.Expr {
	for _, a := range alternatives(e) {
		if a.Op() == ir.Const {
			return a
		}
	}
	return e
}

// held keeps the element in variables while the loops from depth d on run.
func (g *generator) held(n *nest, d int) {
	target := g.target(n)
	var names []string
	for i := range target {
		names = append(names, g.name("x"+strconv.Itoa(i)))
	}
	g.file.printf("%s := %s\n", strings.Join(names, ", "), strings.Join(target, ", "))
	g.inner(n, d, names)
	g.file.printf("%s = %s\n", strings.Join(target, ", "), strings.Join(names, ", "))
	for _, v := range names {
		delete(g.taken, v)
	}
}

func (g *generator) inner(n *nest, d int, names []string) {
	g.file.at = plan.Place{Stage: n.Stage, Body: true}
	if k := g.kernelAt(n, d); k != nil {
		g.callKernel(n, k, names)
		return
	}
	if d == len(n.loops) {
		g.point(n, names)
		return
	}
	g.loopHead(n, d)
	g.inner(n, d+1, names)
	g.loopEnd(n, d)
}

// point writes the update of one element, whose components are called state.
func (g *generator) point(n *nest, state []string) {
	w := g.writer()
	w.Leaf = func(e ir.Expr) string { return g.leaf(e, state) }
	g.checked(w, n, state, func() {})
}

// checked writes conditions and assignments of a step of a stage, and then what counts it. Indices are checked before they are used: those in conditions
// ahead of these, the others where the conditions hold.
func (g *generator) checked(w *gosrc.Writer, n *nest, state []string, then func()) {
	checks := &checkWriter{g}
	ahead := *n
	ahead.index, ahead.values = nil, nil
	conds := ahead.reads()
	checks.indexChecks(n, conds)
	rest := slices.DeleteFunc(n.reads(), func(a access.Access) bool {
		return slices.ContainsFunc(conds, func(c access.Access) bool { return c.Call == a.Call })
	})
	rest = append(rest, access.Access{Array: n.Buffer.Name, Dims: access.Coordinates(n.index, nil)})
	g.guarded(w, n.where, func() { checks.indexChecks(n, rest) }, n.values, state, then)
}

// indexChecks compares indices that depend on data with their limits.
func (g *checkWriter) indexChecks(n *nest, accesses []access.Access) {
	if g.serial {
		return // the test calls the function first
	}
	for _, a := range accesses {
		for d, c := range a.Dims {
			if !needsCheck(g.plan, n, a.Array, d, c.Index) {
				continue
			}
			lo, hi, known := limits(g.plan, a.Array, d)
			low, text := g.sumText(lo), g.sumText(hi.plus(lo, -1))
			if !known {
				low, text = "0", g.limitText(a.Array, d, hi)
			}
			leave := "return"
			if !g.inBody {
				leave = g.returnError("bad.err")
			}
			g.file.printf("if at := %s; at < %s || at >= %s + %s {\nbad.outside(%q, at, %s, %s)\n%s\n}\n", g.goInt(c.Index), low, low, text, a.Array, low, text, leave)
		}
	}
}

// body writes conditions and assignments. Subterms that occur more than once get names: it reports whether there are any.
func (g *glossary) body(w *gosrc.Writer, where, values []ir.Expr, state []string) (named bool) {
	return g.guarded(w, where, func() {}, values, state, func() {})
}

// guarded is the same, with what comes first and last where the conditions hold.
func (g *glossary) guarded(w *gosrc.Writer, where []ir.Expr, before func(), values []ir.Expr, state []string, then func()) (named bool) {
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
			t := g.name(tempName(e))
			g.file.printf("%s := %s\n", t, w.Typed(e))
			w.Temp[e] = t
			made = append(made, t)
		})
	}
	name(where)
	if len(where) > 0 {
		g.file.printf("if %s {\n", w.Conjunction(where))
	}
	before()
	name(values)
	g.assign(w, values, state)
	then()
	if len(where) > 0 {
		g.file.printf("}\n")
	}
	for _, t := range made {
		delete(g.taken, t)
	}
	return len(made) > 0
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

// assign writes x0, x1 = values.
func (g *glossary) assign(w *gosrc.Writer, values []ir.Expr, state []string) {
	var left, right []string
	for i, v := range values {
		if text := w.Expr(v); text != state[i] {
			left, right = append(left, state[i]), append(right, text)
		}
	}
	if len(left) == 1 {
		i := slices.Index(state, left[0])
		g.file.printf("%s", w.Assignment(values[i], state[i]))
	} else if len(left) > 0 {
		g.file.printf("%s = %s\n", strings.Join(left, ", "), strings.Join(right, ", "))
	}
}

func bracket(list []string) string { return fmt.Sprintf("(%s)", strings.Join(list, ", ")) }
