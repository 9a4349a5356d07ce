package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// call writes the calls.
func (g *scanPlanner) call(s *scan) {
	n, l := s.nest, s.nest.Loops[len(s.nest.Loops)-1]
	c := &scanCall{scan: s, count: g.Name("n"), block: strconv.Itoa(funcs.ScanBlock)}
	defer g.forget(c)
	if n.Scan.Keep == nil {
		g.staged(c)
		return
	}
	g.File.Printf("if %[1]s := %[2]s; %[1]s > 0 {\n", c.count, g.GoInt(l.Span.Extent))
	if len(s.runs) == 1 && s.runs[0].Tree == nil {
		r := s.runs[0]
		if r.Total != nil {
			g.atOnce(c, r)
		}
		g.File.Printf("%s%s\n}\n", r.Callee(), scope.Bracket(g.arguments(c, r, g.begins(r))))
		if r.Total != nil {
			g.File.Printf("}\n")
		}
		return
	}
	if slices.ContainsFunc(s.runs, func(r *funcs.Scan) bool { return r.Tree != nil }) {
		c.block = strconv.FormatInt(n.Scan.Tile, 10)
	}
	for i, r := range s.runs {
		names := []string{g.Name("x" + strconv.Itoa(i))}
		for len(names) < len(r.Types) {
			names = append(names, g.Name("x"+strconv.Itoa(len(names))))
		}
		c.names = append(c.names, names...)
		c.states = append(c.states, strings.Join(names, ", "))
		g.File.Printf("%s := %s\n", c.states[i], g.begins(r))
	}
	if g.treesAtOnce(s) {
		g.atOnce(c, s.runs[0])
		g.blocks(c, func() {})
		g.File.Printf("}\n}\n")
		return
	}
	g.blocks(c, func() {})
	g.File.Printf("}\n")
}

// treesAtOnce reports whether tiles of floats may be scanned on goroutines: those behind one whose states are not finite are then scanned again, and what
// they read has to be there still.
func (g *scanPlanner) treesAtOnce(s *scan) bool {
	r := s.runs[0]
	return len(s.runs) == 1 && r.Tree != nil && !r.Steps.Finite && r.Tree.Vector != nil && s.nest.Scan.Parallel && !g.inBody &&
		!slices.ContainsFunc(r.Streams, func(in funcs.Stream) bool { return in.Access.Array == s.nest.Buffer.Name })
}

// tileTexts is what says how tiles are scanned at once: the type of a total and the body that gives it, the state x behind one, and the body that scans a
// tile from x and tells whether all is finite, or what scans tiles again where some are not.
type tileTexts struct{ when, tile, state, typ, total, join, scan, again string }

// atOnce writes the call of tiles on goroutines, up to the loop that takes its place where there are too few of these.
func (g *scanPlanner) atOnce(c *scanCall, r *funcs.Scan) {
	t := kernel.GoType[r.Types[0]]
	workers, x, so := g.Name("workers"), g.Name("x"), g.Name("so")
	slice := *c
	slice.from, slice.to = "lo", "hi"
	args := g.arguments(&slice, r, x)
	g.asksVectors = true
	texts := g.totalTexts
	if r.Tree != nil {
		texts = g.treeTexts
	}
	s := texts(c, r, x, so, args)
	g.File.Printf("if %[1]s := %[2]s(%[3]s/%[5]d, %[4]s); %[6]s {\n", workers, g.Use("crew"), c.count, g.BytesOf(c.nest, nil), scanGrains, fmt.Sprintf(s.when, workers))
	g.File.Printf("%s(%s, %s, %s, %s, func(lo, hi int) %s {\n%s\n}, ", g.Use("scanTiles"), workers, c.count, s.tile, s.state, s.typ, s.total)
	g.File.Printf("func(%[1]s %[2]s, %[3]s %[4]s) %[2]s { return %[5]s }, func(lo, hi int, %[1]s %[2]s) bool {\n%[6]s\n}, %[7]s)\n} else {\n", x, t, so, s.typ, s.join, s.scan, s.again)
	for _, name := range []string{workers, x, so} {
		delete(g.Taken, name)
	}
}

// totalTexts is that of an operation, whose totals a function gives. Without vectors it takes three goroutines: a plain total takes as long as a plain scan.
func (g *scanPlanner) totalTexts(c *scanCall, r *funcs.Scan, x, so string, args []string) tileTexts {
	t, zero := kernel.GoType[r.Types[0]], g.Use.GoLiteral(r.Types[0], folds.NeutralValue(r.Op, r.Types[0]), false)
	total := scope.Bracket(append([]string{zero}, r.PassedTo(&g.Scope, r.Total, c.count, "[lo:hi]")...))
	name := func(s string) func(int) string { return func(int) string { return s } }
	return tileTexts{
		when: "inLanes && %[1]s > 1 || %[1]s > 2", tile: fmt.Sprintf("max(%s/16, 1)", g.Use("grainBytes")), state: g.begins(r), typ: t, total: fmt.Sprintf("return %s%s", r.Total.Callee(), total),
		join: funcs.Applied(&g.Scope, r.Run, r.Steps.Apply, name(x), name(so))[0], scan: fmt.Sprintf("%s%s\nreturn true", r.Callee(), scope.Bracket(args)), again: "nil",
	}
}

// treePart is how many states the total of a tile computes at once: it is what the function of the tile has combined, and its states are not kept.
const treePart = 1024

// treeTexts is that of a tree. With one parameter it takes three goroutines: totals of sums take as long as the sums.
func (g *scanPlanner) treeTexts(c *scanCall, r *funcs.Scan, x, so string, args []string) tileTexts {
	t, m := kernel.GoType[r.Types[0]], len(r.Steps.Inject)
	typ, few := fmt.Sprintf("[%d]%s", m, t), 2
	if m > 1 {
		few = 1
	}
	end, part, begun := g.Name("end"), g.Name("part"), g.Name("begun")
	defer func() { delete(g.Taken, end); delete(g.Taken, part); delete(g.Taken, begun) }()
	steps := scope.List(m, func(i int) string { return fmt.Sprintf("%s[%d]", so, i) })
	inside := append([]string{part + "[:hi-lo]", "0", steps, "0", begun}, r.PassedTo(&g.Scope, r.Run, c.count, "[lo:hi]")...)
	fine := slices.Repeat([]string{"_"}, len(r.Tree.Types))
	fine[len(fine)-2] = end
	return tileTexts{
		when: fmt.Sprintf("inLanes && %%s > %d", few), tile: c.block, state: c.states[0], typ: typ,
		total: fmt.Sprintf("var %[1]s %[2]s\nvar %[3]s [%[4]d]%[5]s\n%[6]s := false\nfor %[7]s := hi; lo < %[7]s; lo = hi {\nhi = min(lo+len(%[3]s), %[7]s)\n_, %[8]s, _, %[6]s = %[9]s%[10]s\n}\nreturn %[1]s",
			so, typ, part, treePart, t, begun, end, steps, r.Tree.Callee(), scope.Bracket(inside)),
		join:  funcs.Applied(&g.Scope, r.Run, r.Steps.Apply, func(int) string { return x }, func(i int) string { return fmt.Sprintf("%s[%d]", so, i) })[0],
		scan:  fmt.Sprintf("%s := %s%s\nreturn %s == 0", strings.Join(fine, ", "), r.Tree.Callee(), scope.Bracket(slices.Concat(args[:1], r.Begun([]string{x}), args[2:])), end),
		again: fmt.Sprintf("func(lo, hi int, %[1]s %[2]s) %[2]s { return %[3]s%[4]s }", x, t, r.Callee(), scope.Bracket(args)),
	}
}

// begins is the state before the first step of a function.
func (g *scanPlanner) begins(r *funcs.Scan) string {
	return scope.List(len(r.Starts), func(i int) string { return g.Writer().Typed(r.Starts[i]) })
}

// scanGrains is from how many grains for each goroutine on tiles run at once. Of less a second goroutine begins too late to make up for the totals.
const scanGrains = 64

// scanCall is the names that a call declares.
type scanCall struct {
	*scan
	count    string
	block    string   // how many steps run at once
	states   []string // of the functions, each as a list
	names    []string // in these lists
	from, to string   // the block; "" for all at once
	kept     []string // of the functions: the array of the states of a block; nil where the stage keeps them
}

func (g *scanPlanner) forget(c *scanCall) {
	for _, name := range slices.Concat(c.names, c.kept, []string{c.count, c.from, c.to}) {
		delete(g.Taken, name)
	}
}

// blocks writes the loop over blocks; ready writes what comes before the functions are called.
func (g *scanPlanner) blocks(c *scanCall, ready func()) {
	c.from, c.to = g.Name("from"), g.Name("to")
	g.File.Printf("for %[1]s := 0; %[1]s < %[2]s; %[1]s += %[3]s {\n%[4]s := min(%[1]s+%[3]s, %[2]s)\n", c.from, c.count, c.block, c.to)
	ready()
	for i, r := range c.runs {
		g.File.Printf("%s = %s%s\n", c.states[i], r.Callee(), scope.Bracket(g.arguments(c, r, c.states[i])))
	}
	g.File.Printf("}\n")
}

// staged writes the calls of a stage that keeps its last state alone: the states of a block lie in arrays, where later passes read them. Without
// vectors, and for few steps, the loop itself takes less time.
func (g *scanPlanner) staged(c *scanCall) {
	n, l := c.nest, c.nest.Loops[len(c.nest.Loops)-1]
	g.asksVectors = true
	g.File.Printf("if %[1]s := %[2]s; inLanes && %[1]s >= %[3]d { // a pass for each stage of the answer\n", c.count, g.GoInt(l.Span.Extent), stagedSteps)
	target := g.Target(n)
	for _, r := range c.runs {
		c.states = append(c.states, g.Name("x"+strconv.Itoa(r.State)))
		c.names = append(c.names, c.states[len(c.states)-1])
		c.kept = append(c.kept, g.Name("states"+strconv.Itoa(r.State)))
		g.File.Printf("var %s [%d]%s\n", c.kept[len(c.kept)-1], funcs.ScanBlock+1, kernel.GoType[r.Types[0]])
		g.File.Printf("%s := %s\n", c.states[len(c.states)-1], target[r.State])
	}
	g.blocks(c, func() {
		for i, name := range c.kept {
			g.File.Printf("%s[0] = %s\n", name, c.states[i])
		}
	})
	for i, r := range c.runs {
		g.File.Printf("%s = %s\n", target[r.State], c.states[i])
	}
	g.File.Printf("} else {\n")
	g.afterScan(n)
	g.File.Printf("}\n")
}

// stagedSteps is from how many steps on passes take less time than the loop.
const stagedSteps = 256

// afterScan writes the loop that a scan stands for.
func (g *scanPlanner) afterScan(n *loopnest.Nest) {
	d := len(n.Loops) - 1
	if k := g.kernelAt(n, d); k != nil {
		g.callKernel(n, k, g.Target(n))
		return
	}
	g.loopHead(n, d)
	g.point(n, g.Target(n))
	g.loopEnd(n, d)
}

// arguments is what a function of a scan is called with.
func (g *scanPlanner) arguments(c *scanCall, r *funcs.Scan, state string) []string {
	n, part := c.nest, ""
	if c.from != "" {
		part = "[" + c.from + ":" + c.to + "]"
	}
	inBlock := "[:" + c.to + "-" + c.from + "]"
	var args []string
	if c.kept != nil {
		args = append(args, c.keptBy(r.State)+"[1:]"+inBlock, state)
	} else {
		target := funcs.Stream{Access: access.Access{Array: n.Buffer.Name, Component: r.Output, Dims: access.Coordinates(n.Index, nil)}}
		args = append(args, r.RunText(&g.Scope, n, target, c.count, false)+part, state)
	}
	if r.First {
		first := g.GoInt(r.Loop.Span.Min)
		if c.from != "" {
			first += " + " + c.from
		}
		args = append(args, first)
	}
	for _, s := range r.Scalars {
		args = append(args, g.Leaf(s.Expr, nil))
	}
	for _, s := range r.Streams {
		switch reading, ok := g.states[s.Access.Array]; {
		case !ok:
			args = append(args, r.RunText(&g.Scope, n, s, c.count, false)+part)
		case reading.After:
			args = append(args, c.keptBy(reading.Component)+"[1:]"+inBlock)
		default:
			args = append(args, c.keptBy(reading.Component)+inBlock)
		}
	}
	return args
}

// keptBy is the array that has the states of a component.
func (c *scanCall) keptBy(state int) string {
	return c.kept[slices.IndexFunc(c.runs, func(r *funcs.Scan) bool { return r.State == state })]
}

// statesOf names the array of a block that a pass reads, for expressions.
func (g *scanPlanner) statesOf(r plan.Reading) string {
	name := "states." + r.Var.Name()
	g.states[name] = r
	g.Arrays[name] = &scope.Array{Name: name, Parts: []string{r.Var.Name()}, Types: []ir.Type{r.Var.Type()}}
	return name
}
