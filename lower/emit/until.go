package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// until is what a run consists of whose steps end early: elements are looked through for the end, in parts that grow,
// and the steps before it are done as if they had none. Where the condition reads the state, that is scanned first.
type until struct {
	hits  *run         // counts the elements that would end the loop: what the condition reads
	cond  ir.Expr      // under which an element does
	find  *kernel.Hits // looks for the first of them in lanes; nil where no lanes do
	open  *run         // does the steps before the end; nil where the last of them counts alone, or all components are scanned
	watch []watched    // what the condition reads of the state
	reach *reach       // leaves out parts of which no state ends the loop; nil where it is not known how far states go
}

// watched is a component whose states before the steps of a part lie in an array.
type watched struct {
	scan          *scanRun
	array         string
	before, after ir.Expr // reads of the states before an element, and behind it
}

// parts lists the runs that an early end calls.
func (u *until) parts() (out []*run) {
	if u != nil && u.open != nil {
		out = append(out, u.open)
	}
	if u != nil && u.reach != nil {
		out = append(out, u.reach.run)
	}
	return out
}

// untilPlanner looks for the runs of loops that end early.
type untilPlanner struct{ *generator }

// endsEarly looks for the runs of an early end; it leaves none where lanes cannot look for the end.
func (g *untilPlanner) endsEarly(k *run) {
	u := &until{}
	cond, open := k.nest.Stage.Opened()
	if open == nil {
		if cond, open = k.nest.Stage.Watched(); open != nil {
			cond, u.watch = g.watches(k, cond, open)
		}
	}
	if open == nil || !cond.IsValid() || !slices.Equal(k.nest.values, k.nest.Values) {
		return
	}
	pool := k.loop.Var.Pool()
	u.hits = g.counting(k, "Ends", *open, cond)
	if u.hits == nil {
		return
	}
	each, _ := kernel.First[kernel.Each](u.hits.plain.Body)
	u.cond, _ = folds.Counted(each.To[0].Arg(1))
	u.find = u.hits.plain.HitsOf(u.cond)
	flag := k.nest.Ends.Component
	if u.watch != nil {
		if u.find == nil {
			return
		}
		for _, w := range u.watch {
			g.scanned = append(g.scanned, w.scan)
		}
	}
	watched := func(v ir.Expr) bool {
		return slices.ContainsFunc(u.watch, func(w watched) bool { return open.Values[w.scan.state] == v })
	}
	if slices.ContainsFunc(open.Values, func(v ir.Expr) bool { return v != pool.X(flag, ir.Bool) && v.States() != 0 && !watched(v) }) {
		if u.open = g.partOf(k, "Open", *open); u.open == nil {
			return
		}
	}
	if u.watch != nil {
		g.asksVectors = true
		if u.open != nil || k.scansAll(u) { // else the step before the end needs the state before it
			u.reach = g.reaches(k, u, open)
		}
	}
	k.until, k.vector, k.form, k.why = u, nil, "", "it ends early, and its steps before the end have functions of their own"
}

// partOf is a run that this one calls, which does another stage on the same elements; nil where that does not step through what it reads.
func (g *generator) partOf(k *run, name string, s plan.Stage) *run {
	n := *k.nest
	n.Stage, n.where, n.values = &s, s.Where, s.Values
	r := &run{nest: &n, loop: k.loop, types: s.Buffer.Types, of: k, name: k.name + name}
	if !r.findStreams(&n, len(n.loops)-1) {
		return nil
	}
	r.nameArguments(&g.glossary)
	r.build(g.plan)
	r.nameParts(g.named)
	return r
}

// counting is such a run that counts the elements of a stage at which a condition holds.
func (g *generator) counting(k *run, name string, s plan.Stage, cond ir.Expr) *run {
	pool := k.loop.Var.Pool()
	return g.partOf(k, name, folding(s, ir.AddOf(pool.X(0, ir.I32), ir.SelectOf(cond, pool.Int(ir.I32, 1), pool.Int(ir.I32, 0)))))
}

// folding is a stage with the steps of another one that folds other values.
func folding(s plan.Stage, values ...ir.Expr) plan.Stage {
	s.Operator, s.Inject, s.From, s.Places, s.Scan = nil, nil, nil, nil, nil
	s.Buffer, s.Values = &plan.Buffer{Name: s.Buffer.Name}, values
	for _, v := range values {
		s.Buffer.Types = append(s.Buffer.Types, v.Type())
	}
	return s
}

// watches makes scans of the components that a condition reads, and puts reads of their states into it; it is invalid where lanes have no such scan.
func (g *untilPlanner) watches(k *run, cond ir.Expr, open *plan.Stage) (out ir.Expr, watch []watched) {
	pool, d := cond.Pool(), len(k.nest.loops)-1
	for i, v := range open.Values {
		if cond.States()>>i&1 == 0 {
			continue
		}
		t := v.Type()
		fold, ok := folds.Of(v, i)
		if !ok || fold.Op == ir.Const || fold.Leaf.States() != 0 {
			return ir.Expr{}, nil
		}
		n := *k.nest
		n.values = []ir.Expr{ir.Make(fold.Op, pool.X(0, t), fold.Leaf), fold.Leaf}
		r := &scanRun{output: -1, state: i, op: fold.Op, run: &run{nest: &n, loop: k.loop, types: []ir.Type{t}, avoid: scanNames, name: k.name + "States"}}
		if len(watch) > 0 {
			r.name += strconv.Itoa(i)
		}
		if !r.findStreams(&n, d) {
			return ir.Expr{}, nil
		}
		r.nameArguments(&g.glossary)
		each := r.built(nil, n.values).Each().To
		r.to, r.inject = each[0], each[1:]
		if r.lanes, r.why = r.built(nil, n.values[1:]).ScanOf(fold.Op, kernel.PlainScan); r.lanes == nil || t.IsFloat() && fold.Op != ir.Min && fold.Op != ir.Max {
			return ir.Expr{}, nil
		}
		w := watched{scan: r, array: "states" + strconv.Itoa(i)}
		for k.names()[w.array] {
			w.array += "_"
		}
		read := func(name, part string) ir.Expr {
			name += k.name + strconv.Itoa(i)
			g.arrays[name] = &array{name: name, parts: []string{part}, types: []ir.Type{t}}
			return pool.Call(t, name, 0, k.loop.Var)
		}
		w.before, w.after = read("before.", w.array), read("after.", "after"+strconv.Itoa(i))
		cond = ir.Subst(cond, []ir.Expr{v}, []ir.Expr{w.after})
		cond = ir.Subst(cond, []ir.Expr{pool.X(i, t)}, []ir.Expr{w.before})
		watch = append(watch, w)
	}
	return cond, watch
}

// ends writes the function of a run that ends early, and the one that finds the end.
func (k *run) ends(g *glossary) {
	u, lead := k.until, k.streams[0].name
	g.file.printf("\n// %sEnd is the place of the first element that ends the loop of %s, or how many elements there are.\n", k.name, k.nest.Buffer.Name)
	g.file.printf("func %sEnd(%s) int {\n", k.name, declared(u.hits.takes()))
	first := u.hits.streams[0].name
	for _, s := range u.hits.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, first)
	}
	saved := g.taken
	g.taken = u.hits.names()
	g.file.printf("for i, y := range %s {\nif %s {\nreturn i\n}\n}\nreturn len(%s)\n}\n", first, u.hits.writer(g, "i").Expr(u.cond), first)
	g.taken = saved

	if u.watch != nil {
		k.watch(g)
		return
	}
	target := strings.Join(k.states(), ", ")
	g.file.printf("\n// %sUntil updates an element of %s with a run of elements as far as its end.\n", k.name, k.nest.Buffer.Name)
	g.file.printf("func %sUntil%s {\nif %s {\nreturn %s\n}\n", k.name, k.params(), k.ended(), target)
	for _, s := range k.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, lead)
	}
	if u.open == nil {
		g.file.printf("end := %s%s\n", k.findsEnd(), k.passes(u.hits, nil, "", ""))
		g.file.printf("if end > 0 { // the step before the end undoes those before it\n%s = %sPortable%s\n}\n", target, k.name, k.arguments(k.states(), "[end-1:end]", " + end - 1"))
		g.file.printf("if end < len(%s) {\nreturn %sPortable%s\n}\nreturn %s\n}\n", lead, k.name, k.arguments(k.states(), "[end:end+1]", " + end"), target)
		return
	}
	g.file.printf("for size := 256; len(%[1]s) > 0; size = min(2*size, 1<<14) {\nn := min(size, len(%[1]s))\nend := %[2]s%[3]s\n", lead, k.findsEnd(), k.passes(u.hits, nil, "[:n]", ""))
	g.file.printf("%s = %s%s\n", target, u.open.callee(), k.passes(u.open, k.states(), "[:end]", ""))
	g.file.printf("if end < n {\nreturn %sPortable%s\n}\n", k.name, k.arguments(k.states(), "[end:end+1]", " + end"))
	g.file.printf("%s}\nreturn %s\n}\n", k.behind("n"), target)
}

// nearEnd is how many of many more elements are looked through before anything else: goroutines take longer to begin, and so does asking how many
// processors there are.
const nearEnd = 4096

// near writes what returns where a run ends among its first elements. Elsewhere these steps are done again.
func (g *kernelWriter) near(n *nest, k *run) {
	if k.until.watch != nil || len(n.loops) != 1 || len(n.Buffer.Dims) > 0 || slices.ContainsFunc(k.streams, func(s stream) bool { return !k.isWhole(&g.glossary, n, s) }) {
		return
	}
	args := slices.Clone(k.states())
	target := g.target(n)
	copy(args, target)
	if k.first {
		args = append(args, g.goInt(k.loop.Span.Min))
	}
	for _, s := range k.scalars {
		args = append(args, g.leaf(s.expr, nil))
	}
	for _, s := range k.streams {
		args = append(args, k.runText(&g.glossary, n, s, "", true)+fmt.Sprintf("[:%d]", nearEnd))
	}
	results, _ := g.results()
	g.file.printf("if %s >= %d { // an end that is near\n", g.goInt(k.loop.Span.Extent), 32*nearEnd)
	g.file.printf("if %s := %sUntil%s; %s {\nreturn %s, nil\n}\n}\n", strings.Join(target, ", "), k.name, bracket(args), endedOf(n.Ends, target), strings.Join(results, ", "))
}

// findsEnd is the function that finds the end of a run.
func (k *run) findsEnd() string {
	if k.until.find != nil {
		return k.name + "EndKernel"
	}
	return k.name + "End"
}

// nearSteps is how many steps the loop does before states are scanned: where the end is among them, an array of states would cost more.
const nearSteps = 1024

// watch writes the function of a run whose end depends on the state. Without vectors the loop itself takes less time.
func (k *run) watch(g *glossary) {
	u, lead, target := k.until, k.streams[0].name, strings.Join(k.states(), ", ")
	g.file.printf("\n// %sUntil updates an element of %s with a run of elements as far as its end, which is looked for among the states before each element.\n", k.name, k.nest.Buffer.Name)
	g.file.printf("func %sUntil%s {\nif !inLanes || len(%s) < %d {\nreturn %sPortable%s\n}\n", k.name, k.params(), lead, 2*nearSteps, k.name, k.arguments(k.states(), "", ""))
	g.file.printf("%s = %sPortable%s // an end that is near\nif %s {\nreturn %s\n}\n", target, k.name, k.arguments(k.states(), fmt.Sprintf("[:%d]", nearSteps), ""), k.ended(), target)
	g.file.printf("%s", k.behind(strconv.Itoa(nearSteps)))
	for _, s := range k.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, lead)
	}
	for _, w := range u.watch {
		g.file.printf("var %s [%d]%s\n", w.array, scanBlock+1, kernel.GoType[w.scan.types[0]])
	}
	g.file.printf("for size := %d; len(%s) > 0; size = min(2*size, %d) {\nn := min(size, len(%s))\n", nearSteps, lead, scanBlock, lead)
	x := k.states()[u.watch[0].scan.state]
	sum, define, end := "", ":=", "}\n"
	if u.reach != nil {
		var bounds, cond string
		sum, bounds, cond = k.reachText(g, x)
		g.file.printf("%send := n\nif %s { // a state may end the loop\n", bounds, cond)
		define = "="
		if u.open == nil {
			end = fmt.Sprintf("} else {\n%s += %s\n}\n", x, sum)
		}
	}
	for _, w := range u.watch {
		x := k.states()[w.scan.state]
		args := append([]string{w.array + "[1:][:n]", x}, k.given(w.scan.run, "[:n]", "")...)
		g.file.printf("%s[0] = %s\n%s%s\n", w.array, x, w.scan.callee(), bracket(args))
	}
	g.file.printf("end %s %s%s\n", define, k.findsEnd(), k.passes(u.hits, nil, "[:n]", ""))
	if k.scansAll(u) && u.open == nil {
		for _, w := range u.watch {
			g.file.printf("%s = %s[end]\n", k.states()[w.scan.state], w.array)
		}
	}
	if u.reach != nil {
		g.file.printf("%s", end)
	}
	switch {
	case u.open != nil:
		g.file.printf("%s = %s%s\n", target, u.open.callee(), k.passes(u.open, k.states(), "[:end]", ""))
	case k.scansAll(u):
	default:
		g.file.printf("if end > 0 { // the step before the end undoes those before it, but for the states\n")
		for _, w := range u.watch {
			g.file.printf("%s = %s[end-1]\n", k.states()[w.scan.state], w.array)
		}
		g.file.printf("%s = %sPortable%s\n}\n", target, k.name, k.arguments(k.states(), "[end-1:end]", " + end - 1"))
	}
	g.file.printf("if end < n {\nreturn %sPortable%s\n}\n", k.name, k.arguments(k.states(), "[end:end+1]", " + end"))
	g.file.printf("%s}\nreturn %s\n}\n", k.behind("n"), target)
}

// scansAll reports whether all components but the one that says that the loop has ended are scanned.
func (k *run) scansAll(u *until) bool { return len(u.watch)+1 == len(k.types) }

// ended is the condition on the state under which steps change nothing any more.
func (k *run) ended() string { return endedOf(k.nest.Ends, k.states()) }

// takes are the parameters of a run but for the state.
func (k *run) takes() (l []param) {
	if k.first {
		l = append(l, param{"first", "int"})
	}
	for _, s := range k.scalars {
		l = append(l, param{s.name, kernel.GoType[s.expr.Type()]})
	}
	for _, s := range k.streams {
		l = append(l, param{s.name, "[]" + kernel.GoType[s.call.Type()]})
	}
	return l
}

// behind is the text by which a function leaves out so many elements that it has taken.
func (k *run) behind(n string) string {
	var b lines
	for _, s := range k.streams {
		b.f("%[1]s = %[1]s[%[2]s:]", s.name, n)
	}
	if k.first {
		b.f("first += %s", n)
	}
	return b.String()
}

// passes is how a run passes on to another what that takes of its arguments; see arguments.
func (k *run) passes(to *run, states []string, drop, firstPlus string) string {
	return bracket(append(slices.Clone(states), k.given(to, drop, firstPlus)...))
}

// given is the same without the states.
func (k *run) given(to *run, drop, firstPlus string) (l []string) {
	if to.first {
		l = append(l, "first"+firstPlus)
	}
	for _, s := range to.scalars {
		i := slices.IndexFunc(k.scalars, func(o scalar) bool { return o.expr == s.expr })
		l = append(l, k.scalars[i].name)
	}
	for _, s := range to.streams {
		if i := k.streamOf(s.call); i >= 0 {
			l = append(l, k.streams[i].name+drop)
			continue
		}
		for _, w := range k.until.watch {
			switch s.call {
			case w.before:
				l = append(l, w.array+drop)
			case w.after:
				l = append(l, w.array+"[1:]"+drop)
			}
		}
	}
	return l
}

// endedOf is the condition under which an element whose components are called state has ended.
func endedOf(e *plan.Ends, state []string) string {
	if !e.Value {
		return "!" + state[e.Component]
	}
	return state[e.Component]
}

// endsLater reports whether the iterations of a parallel loop are slices of which those behind one that has ended are not needed.
func (n *nest) endsLater(d int) bool {
	return d == 0 && n.Ends != nil && n.Ends.Later && n.loops[0].Var == n.Loops[0].Var
}
