package emit

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// until is what a run consists of whose steps end by a condition on inputs: elements are looked through for the end, in parts that grow,
// and the steps before it are done as if they had none.
type until struct {
	hits *run // counts the elements that would end the loop
	open *run // does the steps before the end; nil where the last of them counts alone
}

// parts lists the runs that an early end calls.
func (u *until) parts() (out []*run) {
	if u == nil {
		return nil
	}
	if out = append(out, u.hits); u.open != nil {
		out = append(out, u.open)
	}
	return out
}

// endsEarly looks for the runs of an early end; it leaves none where the steps do not end by a condition on inputs.
func (k *run) endsEarly(g *generator) {
	cond, open := k.nest.Stage.Opened()
	if open == nil || !slices.Equal(k.nest.values, k.nest.Values) {
		return
	}
	pool := k.loop.Var.Pool()
	part := func(name string, s plan.Stage) *run {
		n := *k.nest
		n.Stage, n.values = &s, s.Values
		r := &run{nest: &n, loop: k.loop, types: s.Buffer.Types, of: k, name: k.name + name}
		if !r.findStreams(&n, len(n.loops)-1) {
			return nil
		}
		r.nameArguments(g)
		r.build(g.plan)
		return r
	}
	u := &until{}
	count := *open
	count.Operator, count.Inject, count.From = nil, nil, nil
	count.Buffer = &plan.Buffer{Name: open.Buffer.Name, Types: []ir.Type{ir.I32}}
	count.Values = []ir.Expr{ir.AddOf(pool.X(0, ir.I32), ir.SelectOf(cond, pool.Int(ir.I32, 1), pool.Int(ir.I32, 0)))}
	u.hits = part("Ends", count)
	flag := k.nest.Ends.Component
	if slices.ContainsFunc(open.Values, func(v ir.Expr) bool { return v != pool.X(flag, ir.Bool) && v.States() != 0 }) {
		if u.open = part("Open", *open); u.open == nil {
			return
		}
	}
	if u.hits != nil {
		g.asksVectors = g.asksVectors || u.hits.vector != nil
		k.until, k.vector, k.form, k.why = u, nil, "", "it ends early, and its steps before the end have functions of their own"
	}
}

// ends writes the function of a run that ends early, and the one that finds the end.
func (g *kernelWriter) ends(k *run) {
	u, lead := k.until, k.streams[0].name
	g.file.printf("\n// %sEnd is the place of the first element that ends the loop of %s, or how many elements there are.\n", k.name, k.nest.Buffer.Name)
	g.file.printf("func %sEnd%s int {\n", k.name, u.hits.takes())
	first := u.hits.streams[0].name
	for _, s := range u.hits.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, first)
	}
	saved := g.taken
	g.taken = u.hits.names()
	each, _ := kernel.First[kernel.Each](u.hits.plain.Body)
	cond, _ := folds.Counted(each.To[0].Arg(1))
	g.file.printf("for i, y := range %s {\nif %s {\nreturn i\n}\n}\nreturn len(%s)\n}\n", first, u.hits.writer(&g.glossary, "i").Expr(cond), first)
	g.taken = saved

	target := strings.Join(k.states(), ", ")
	g.file.printf("\n// %sUntil updates an element of %s with a run of elements as far as its end.\n", k.name, k.nest.Buffer.Name)
	g.file.printf("func %sUntil%s {\nif %s {\nreturn %s\n}\n", k.name, k.params(), k.ended(), target)
	for _, s := range k.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, lead)
	}
	g.file.printf("for size := 256; len(%s) > 0; size = min(2*size, 1<<14) {\nn := min(size, len(%s))\n", lead, lead)
	find := k.name + "End" + k.passes(u.hits, nil, "[:n]", "")
	if u.hits.vector == nil {
		g.file.printf("end := %s\n", find)
	} else {
		g.file.printf("end := n\nif !inLanes || %sKernel%s > 0 {\nend = %s\n}\n", u.hits.name, k.passes(u.hits, []string{"0"}, "[:n]", ""), find)
	}
	if u.open == nil {
		g.file.printf("if end > 0 { // the step before the end undoes those before it\n%s = %sPortable%s\n}\n", target, k.name, k.arguments(k.states(), "[end-1:end]", " + end - 1"))
	} else {
		name := u.open.name + "Portable"
		if u.open.vector != nil {
			name = u.open.name + "Kernel"
		}
		g.file.printf("%s = %s%s\n", target, name, k.passes(u.open, k.states(), "[:end]", ""))
	}
	g.file.printf("if end < n {\nreturn %sPortable%s\n}\n", k.name, k.arguments(k.states(), "[end:end+1]", " + end"))
	for _, s := range k.streams {
		g.file.printf("%s = %s[n:]\n", s.name, s.name)
	}
	if k.first {
		g.file.printf("first += n\n")
	}
	g.file.printf("}\nreturn %s\n}\n", target)
}

// ended is the condition on the state under which steps change nothing any more.
func (k *run) ended() string { return endedOf(k.nest.Ends, k.states()) }

// takes are the parameters of a run but for the state.
func (k *run) takes() string {
	var l []param
	if k.first {
		l = append(l, param{"first", "int"})
	}
	for _, s := range k.scalars {
		l = append(l, param{s.name, kernel.GoType[s.expr.Type()]})
	}
	for _, s := range k.streams {
		l = append(l, param{s.name, "[]" + kernel.GoType[s.call.Type()]})
	}
	return "(" + declared(l) + ")"
}

// passes is how a run passes on to another what that takes of its arguments; see arguments.
func (k *run) passes(to *run, states []string, drop, firstPlus string) string {
	l := slices.Clone(states)
	if to.first {
		l = append(l, "first"+firstPlus)
	}
	for _, s := range to.scalars {
		i := slices.IndexFunc(k.scalars, func(o scalar) bool { return o.expr == s.expr })
		l = append(l, k.scalars[i].name)
	}
	for _, s := range to.streams {
		l = append(l, k.streams[k.streamOf(s.call)].name+drop)
	}
	return bracket(l)
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
