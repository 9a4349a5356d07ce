package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// call writes the calls.
func (g *scanPlanner) call(s *scan) {
	n, l := s.nest, s.nest.loops[len(s.nest.loops)-1]
	c := &scanCall{scan: s, count: g.name("n"), block: strconv.Itoa(scanBlock)}
	defer g.forget(c)
	if n.Scan.Keep == nil {
		g.staged(c)
		return
	}
	g.file.printf("if %[1]s := %[2]s; %[1]s > 0 {\n", c.count, g.goInt(l.Span.Extent))
	if len(s.runs) == 1 && !s.runs[0].tree {
		r := s.runs[0]
		if r.total != nil {
			g.tiles(c, r)
		}
		g.file.printf("%s%s\n}\n", r.callee(), bracket(g.arguments(c, r, g.begins(r))))
		if r.total != nil {
			g.file.printf("}\n")
		}
		return
	}
	if slices.ContainsFunc(s.runs, func(r *scanRun) bool { return r.tree }) {
		c.block = strconv.FormatInt(n.Scan.Tile, 10)
	}
	for i, r := range s.runs {
		names := []string{g.name("x" + strconv.Itoa(i))}
		for len(names) < len(r.types) {
			names = append(names, g.name("x"+strconv.Itoa(len(names))))
		}
		c.names = append(c.names, names...)
		c.states = append(c.states, strings.Join(names, ", "))
		g.file.printf("%s := %s\n", c.states[i], g.begins(r))
	}
	g.blocks(c, func() {})
	g.file.printf("}\n")
}

// begins is the state before the first step of a function.
func (g *scanPlanner) begins(r *scanRun) string {
	return list(len(r.starts), func(i int) string { return g.writer().Typed(r.starts[i]) })
}

// scanGrains is from how many grains for each goroutine on tiles run at once. Of less a second goroutine begins too late to make up for the totals.
const scanGrains = 64

// tiles writes the call of tiles on goroutines, up to the loop that takes its place where there is one goroutine. Without vectors it takes three:
// a plain total takes as long as a plain scan.
func (g *scanPlanner) tiles(c *scanCall, r *scanRun) {
	t, pool := r.types[0], r.loop.Var.Pool()
	typ, zero := kernel.GoType[t], g.use.GoLiteral(t, folds.NeutralValue(r.op, t), false)
	workers, x, y := g.name("workers"), g.name("x"), g.name("y")
	g.file.printf("if %[1]s := %[2]s(%[3]s/%[5]d, %[4]s); inLanes && %[1]s > 1 || %[1]s > 2 {\n", workers, g.use("crew"), c.count, g.bytesOf(c.nest, nil), scanGrains)
	slice := *c
	slice.from, slice.to = "lo", "hi"
	w := g.writer()
	w.Temp[pool.X(0, t)], w.Temp[pool.Y(0, t)] = x, y
	g.file.printf("%s(%s, %s, %s, func(lo, hi int) %s {\nreturn %s%s\n}, ", g.use("scanTiles"), workers, c.count, g.begins(r),
		typ, r.total.callee(), bracket(append([]string{zero}, r.passedTo(&g.glossary, r.total, c.count, "[lo:hi]")...)))
	g.file.printf("func(%[1]s, %[2]s %[3]s) %[3]s { return %[4]s }, ", x, y, typ, w.Expr(ir.Make(r.op, pool.X(0, t), pool.Y(0, t))))
	g.file.printf("func(lo, hi int, %s %s) {\n%s%s\n})\n} else {\n", x, typ, r.callee(), bracket(g.arguments(&slice, r, x)))
	for _, name := range []string{workers, x, y} {
		delete(g.taken, name)
	}
}

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
		delete(g.taken, name)
	}
}

// blocks writes the loop over blocks; ready writes what comes before the functions are called.
func (g *scanPlanner) blocks(c *scanCall, ready func()) {
	c.from, c.to = g.name("from"), g.name("to")
	g.file.printf("for %[1]s := 0; %[1]s < %[2]s; %[1]s += %[3]s {\n%[4]s := min(%[1]s+%[3]s, %[2]s)\n", c.from, c.count, c.block, c.to)
	ready()
	for i, r := range c.runs {
		g.file.printf("%s = %s%s\n", c.states[i], r.callee(), bracket(g.arguments(c, r, c.states[i])))
	}
	g.file.printf("}\n")
}

// staged writes the calls of a stage that keeps its last state alone: the states of a block lie in arrays, where later passes read them. Without
// vectors, and for few steps, the loop itself takes less time.
func (g *scanPlanner) staged(c *scanCall) {
	n, l := c.nest, c.nest.loops[len(c.nest.loops)-1]
	g.asksVectors = true
	g.file.printf("if %[1]s := %[2]s; inLanes && %[1]s >= %[3]d { // a pass for each stage of the answer\n", c.count, g.goInt(l.Span.Extent), stagedSteps)
	target := g.target(n)
	for _, r := range c.runs {
		c.states = append(c.states, g.name("x"+strconv.Itoa(r.state)))
		c.names = append(c.names, c.states[len(c.states)-1])
		c.kept = append(c.kept, g.name("states"+strconv.Itoa(r.state)))
		g.file.printf("var %s [%d]%s\n", c.kept[len(c.kept)-1], scanBlock+1, kernel.GoType[r.types[0]])
		g.file.printf("%s := %s\n", c.states[len(c.states)-1], target[r.state])
	}
	g.blocks(c, func() {
		for i, name := range c.kept {
			g.file.printf("%s[0] = %s\n", name, c.states[i])
		}
	})
	for i, r := range c.runs {
		g.file.printf("%s = %s\n", target[r.state], c.states[i])
	}
	g.file.printf("} else {\n")
	g.afterScan(n)
	g.file.printf("}\n")
}

// stagedSteps is from how many steps on passes take less time than the loop.
const stagedSteps = 256

// afterScan writes the loop that a scan stands for.
func (g *scanPlanner) afterScan(n *nest) {
	d := len(n.loops) - 1
	if k := g.kernelAt(n, d); k != nil {
		g.callKernel(n, k, g.target(n))
		return
	}
	g.loopHead(n, d)
	g.point(n, g.target(n))
	g.loopEnd(n, d)
}

// arguments is what a function of a scan is called with.
func (g *scanPlanner) arguments(c *scanCall, r *scanRun, state string) []string {
	n, part := c.nest, ""
	if c.from != "" {
		part = "[" + c.from + ":" + c.to + "]"
	}
	inBlock := "[:" + c.to + "-" + c.from + "]"
	var args []string
	if c.kept != nil {
		args = append(args, c.keptBy(r.state)+"[1:]"+inBlock, state)
	} else {
		target := stream{access: access.Access{Array: n.Buffer.Name, Component: r.output, Dims: access.Coordinates(n.index, nil)}}
		args = append(args, r.runText(&g.glossary, n, target, c.count, false)+part, state)
	}
	if r.first {
		first := g.goInt(r.loop.Span.Min)
		if c.from != "" {
			first += " + " + c.from
		}
		args = append(args, first)
	}
	for _, s := range r.scalars {
		args = append(args, g.leaf(s.expr, nil))
	}
	for _, s := range r.streams {
		switch reading, ok := g.states[s.access.Array]; {
		case !ok:
			args = append(args, r.runText(&g.glossary, n, s, c.count, false)+part)
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
	return c.kept[slices.IndexFunc(c.runs, func(r *scanRun) bool { return r.state == state })]
}

// statesOf names the array of a block that a pass reads, for expressions.
func (g *scanPlanner) statesOf(r plan.Reading) string {
	name := "states." + r.Var.Name()
	g.states[name] = r
	g.arrays[name] = &array{name: name, parts: []string{r.Var.Name()}, types: []ir.Type{r.Var.Type()}}
	return name
}

// callee is the function that the stage calls.
func (r *scanRun) callee() string {
	switch {
	case r.tree:
		return r.name + "Tile"
	case r.lanes != nil:
		return r.name + "Kernel"
	}
	return r.name + "Portable"
}

// parameters is the parameters of the functions, behind the slice that is written and the state; a tree has what it has combined so far besides.
func (r *scanRun) parameters(tree bool) string {
	t := kernel.GoType[r.types[0]]
	l := []param{{"dst", "[]" + t}}
	for i := range r.types {
		l = append(l, param{fmt.Sprintf("x%d", i), t})
	}
	switch {
	case tree && r.composed != nil:
		l = append(l, param{"so", fmt.Sprintf("*[%d]%s", len(r.composed.inject), t)}, param{"begun", "bool"})
	case tree:
		l = append(l, param{"so", "*prefix[" + t + "]"})
	}
	if r.first {
		l = append(l, param{"first", "int"})
	}
	for _, s := range r.scalars {
		l = append(l, param{s.name, kernel.GoType[s.expr.Type()]})
	}
	for _, s := range r.streams {
		l = append(l, param{s.name, "[]" + kernel.GoType[s.call.Type()]})
	}
	return "(" + declared(l) + ")"
}

// passed is how a function passes on what it got: dst and the state, and the streams from part on.
func (r *scanRun) passed(state, part, plus string) string {
	l := []string{"dst" + part, state}
	if r.first {
		l = append(l, "first"+plus)
	}
	for _, s := range r.scalars {
		l = append(l, s.name)
	}
	for _, s := range r.streams {
		l = append(l, s.name+part)
	}
	return bracket(l)
}

// stateNames are the state, as arguments.
func (r *scanRun) stateNames() string { return strings.Join(r.states(), ", ") }

// treeState is the same with what a tree has combined so far, and, where steps compose, whether there is any.
func (r *scanRun) treeState(begun string) string {
	if r.composed != nil {
		return r.stateNames() + ", so, " + begun
	}
	return r.stateNames() + ", so"
}

// result is the type of the state.
func (r *scanRun) result() string {
	types := list(len(r.types), func(int) string { return kernel.GoType[r.types[0]] })
	if len(r.types) > 1 {
		return "(" + types + ")"
	}
	return types
}

// clampedStreams gives all streams the length of what is written.
func (r *scanRun) clampedStreams() string {
	var b strings.Builder
	for _, s := range r.streams {
		fmt.Fprintf(&b, "%[1]s = %[1]s[:len(dst)]\n", s.name)
	}
	return b.String()
}
