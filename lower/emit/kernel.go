package emit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// run is a function that updates one element with a run of elements that lie contiguous
// in every array that it reads.
type run struct {
	name    string // without Portable, Kernel
	nest    *nest
	loop    plan.Loop
	types   []ir.Type
	streams []stream
	scalars []scalar       // what does not change during the run
	first   bool           // the loop's variable is needed besides: its first value is passed
	serial  *kernel.Kernel // over the streams and scalars by their numbers
	plain   *kernel.Kernel // the same as a loop over elements
	vector  *kernel.Kernel // in lanes; nil for none
	form    string         // its name in the table
	why     string         // why there is none
	choices []kernel.Choice

	flat  *flat  // nil where runs are not joined
	parts []*run // what is left where earlier elements are read
	part  bool   // it is one of these

	until *until   // its steps end early; nil where they do not, or not by a condition on inputs
	of    *run     // the run that calls this one, if it is one of those
	avoid []string // names that are no arguments
}

// stream is a read that steps through an array element by element.
type stream struct {
	call   ir.Expr
	access access.Access
	name   string
}

type scalar struct {
	expr ir.Expr
	name string
}

// kernelAt is the kernel of the innermost loop, where it is at depth d and has one.
func (g *generator) kernelAt(n *nest, d int) *run {
	if g.serial || d != len(n.loops)-1 {
		return nil
	}
	if k := g.kernelOf(n); k != nil {
		return k
	}
	k := g.runOf(n)
	if k == nil {
		return nil
	}
	if same := g.twin(k); same != nil {
		k.name = same.name
		g.twins[n] = k
		return k
	}
	g.kernels = append(g.kernels, k.withParts()...)
	return k
}

// runOf is the innermost loop of a nest as a kernel; nil where it is none. The kernel is not written yet.
func (g *generator) runOf(n *nest) *run {
	d := len(n.loops) - 1
	if d < 0 || n.hoisted() > d || n.loops[d].Pure || n.Role == plan.First || n.Role == plan.Merge {
		return nil
	}
	k := &run{nest: n, loop: n.loops[d], types: n.Buffer.Types}
	if faulty(g.plan, n) || !k.findStreams(n, d) {
		return nil
	}
	k.name = g.kernelName(n)
	k.nameArguments(&g.glossary)
	k.build(g.plan)
	k.nameParts(g.named)
	(&untilPlanner{g}).endsEarly(k)
	return k
}

// findStreams sorts the reads: contiguous in the loop at depth d, or free of it.
func (k *run) findStreams(n *nest, d int) bool {
	for _, r := range n.reads() {
		switch {
		case !access.Mentions(r.Call, k.loop.Var):
		case r.Contiguous() == d:
			k.streams = append(k.streams, stream{call: r.Call, access: r})
		default:
			return false
		}
	}
	return len(k.streams) > 0
}

// ofVectors are names that kernels on vectors declare, by components, streams and copies.
var ofVectors = regexp.MustCompile(`^(s|t|x|y|m|at|part|all|lanes|kept|place|stay|still|total|whole)\d+[a-l]?$`)

// nameArguments finds the other arguments: parameters, extents and variables in the expressions.
func (k *run) nameArguments(g *glossary) {
	taken := map[string]bool{}
	for w := range g.taken {
		_, isHelper := gosrc.Helpers[w]
		taken[w] = slices.Contains(reserved, w) || isHelper
	}
	fresh := func(like string) string {
		base := identifier(like)
		if ofVectors.MatchString(base) {
			base += "_"
		}
		name := base
		for i := 2; taken[name]; i++ {
			name = base + strconv.Itoa(i)
		}
		taken[name] = true
		return name
	}
	for i := range k.types {
		taken["x"+strconv.Itoa(i)] = true
	}
	for _, w := range k.avoid {
		taken[w] = true
	}
	for _, w := range []string{"first", "i", "y", "n", "v", "whole", "start", "end", "c", "t", "sum", "steps", "lanes", "part", "zero", "blocks", "sa", "sb", "sc", "sd"} {
		taken[w] = true
	}
	for i, s := range k.streams {
		k.streams[i].name = fresh(g.arrays[s.access.Array].parts[s.access.Component])
	}
	var visit func(ir.Expr)
	visit = func(e ir.Expr) {
		switch {
		case e == k.loop.Var:
			k.first = true
		case k.streamOf(e) >= 0, e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf):
		case e.NumArgs() == 0 && e.Op() != ir.Const, access.IsRead(e):
			if !slices.ContainsFunc(k.scalars, func(s scalar) bool { return s.expr == e }) {
				k.scalars = append(k.scalars, scalar{e, fresh(e.Name())})
			}
		default:
			for i := range e.NumArgs() {
				visit(e.Arg(i))
			}
		}
	}
	for _, e := range slices.Concat(k.nest.where, k.nest.values) {
		visit(e)
	}
}

// composes reports whether the state is a step, which begins as the one that changes nothing.
func (k *run) composes() bool {
	return !k.part && k.serial.May.Compose && len(k.serial.Identity) == len(k.types)
}

func (k *run) streamOf(e ir.Expr) int {
	return slices.IndexFunc(k.streams, func(s stream) bool { return s.call == e })
}

func (k *run) states() []string {
	var l []string
	for i := range k.types {
		l = append(l, "x"+strconv.Itoa(i))
	}
	return l
}

// params is the parameters and the results of the function.
func (k *run) params() string {
	var l []param
	var results []string
	for i, t := range k.types {
		l = append(l, param{k.states()[i], kernel.GoType[t]})
		results = append(results, kernel.GoType[t])
	}
	if k.first {
		l = append(l, param{"first", "int"})
	}
	for _, s := range k.scalars {
		l = append(l, param{s.name, kernel.GoType[s.expr.Type()]})
	}
	for _, s := range k.streams {
		l = append(l, param{s.name, "[]" + kernel.GoType[s.call.Type()]})
	}
	out := results[0]
	if len(results) > 1 {
		out = bracket(results)
	}
	return "(" + declared(l) + ") " + out
}

// arguments is how one kernel passes what it got on to another; drop is what has been done
// with the streams: a text like [at:], and how much has been added to first.
func (k *run) arguments(states []string, drop, firstPlus string) string {
	l := slices.Clone(states)
	if k.first {
		l = append(l, "first"+firstPlus)
	}
	for _, s := range k.scalars {
		l = append(l, s.name)
	}
	for _, s := range k.streams {
		l = append(l, s.name+drop)
	}
	return bracket(l)
}

// callKernel writes the call, for the run that the innermost loop is.
func (g *generator) callKernel(n *nest, k *run, state []string) {
	target := strings.Join(state, ", ")
	count := g.goInt(k.loop.Span.Extent)
	guard := smallest(k.loop.Span.Extent).Op() != ir.Const || count == "0"
	var args []string
	if k.first {
		args = append(args, g.goInt(k.loop.Span.Min))
	}
	for _, s := range k.scalars {
		args = append(args, g.leaf(s.expr, nil))
	}
	whole := true
	for _, s := range k.streams {
		whole = whole && k.isWhole(&g.glossary, n, s)
	}
	v := count
	if !whole && k.loop.Span.Extent.Op() != ir.Const {
		v = g.name("n")
		g.file.printf("%s := %s\n", v, count)
	}
	for _, s := range k.streams {
		args = append(args, k.runText(&g.glossary, n, s, v, whole))
	}
	if guard && !whole {
		g.file.printf("if %s > 0 {\n", v)
	}
	call := strings.Join(append([]string{target}, args...), ", ")
	switch {
	case k.until != nil:
		g.file.printf("%s = %sUntil(%s)\n", target, k.name, call)
	case k.vector == nil:
		g.file.printf("%s = %sPortable(%s)\n", target, k.name, call)
	case g.inBody || k.alwaysLong():
		g.file.printf("%s = %sKernel(%s)\n", target, k.name, call)
	case g.short.first && v == count:
		g.short.count = count
		g.file.printf("%s = %sKernel(%s)\n", target, k.name, call)
	default:
		g.file.printf("if %s < %d { // a call costs more than so few elements\n", v, shortRun)
		g.serial = true // without kernels
		g.inner(n, len(n.loops)-1, state)
		g.serial = false
		g.file.printf("} else {\n%s = %sKernel(%s)\n}\n", target, k.name, call)
	}
	if guard && !whole {
		g.file.printf("}\n")
	}
	if v != count {
		delete(g.taken, v)
	}
}

// shortRun is how many elements are too few for vectors, whatever their width: the kernels take four vectors at least.
const shortRun = 32

// alwaysLong reports whether a kernel's runs are known not to be short.
func (k *run) alwaysLong() bool {
	n := k.loop.Span.Extent
	return n.Op() == ir.Const && n.Int() >= shortRun
}

// isWhole reports whether a run is all of a one-dimensional input.
func (k *run) isWhole(g *glossary, n *nest, s stream) bool {
	a := g.arrays[s.access.Array]
	return len(a.extents) == 1 && a.mins == nil && k.loop.Span.Min.IsConst(0) &&
		s.access.Dims[0].Index == k.loop.Var && g.goInt(k.loop.Span.Extent) == a.extents[0]
}

// runText is the part of an array that a run reads, up to its end where no count is given.
func (k *run) runText(g *glossary, n *nest, s stream, count string, whole bool) string {
	a := g.arrays[s.access.Array]
	part := a.parts[s.access.Component] + a.pix
	if whole {
		return part
	}
	var at []ir.Expr
	for _, c := range s.access.Dims {
		at = append(at, foldSum(ir.Subst(c.Index, []ir.Expr{k.loop.Var}, []ir.Expr{k.loop.Span.Min})))
	}
	from := a.offset(g.coords(a, at))
	if from != "0" {
		part = fmt.Sprintf("%s[%s:]", part, from)
	}
	if count != "" {
		part = fmt.Sprintf("%s[:%s]", part, count)
	}
	return part
}

// foldSum drops the zeros that a substitution left in a sum.
func foldSum(e ir.Expr) ir.Expr {
	if e.Op() != ir.Add && e.Op() != ir.Sub {
		return e
	}
	a, b := foldSum(e.Arg(0)), foldSum(e.Arg(1))
	switch {
	case b.IsConst(0):
		return a
	case a.IsConst(0) && e.Op() == ir.Add:
		return b
	case a.Op() == ir.Const && b.Op() == ir.Const:
		return e.Pool().Const(e.Type(), ir.Eval(ir.Make(e.Op(), a, b), &ir.Env{}))
	}
	return ir.Make(e.Op(), a, b)
}

// portableKernels is the file of plain loops, and of the helpers that they and the function
// use.
func (g *kernelWriter) portableKernels(api gosrc.Uses) string {
	g.begin()
	g.written["kernel.go"] = g.file
	for _, k := range g.kernels {
		g.file.at = plan.Place{Stage: k.nest.Stage, Body: true}
		k.portable(&g.glossary)
		if k.until != nil {
			k.ends(&g.glossary)
		}
	}
	for _, k := range g.kernels {
		if k.flat != nil {
			g.file.at = plan.Place{Stage: k.nest.Stage, Body: true}
			k.rows(&g.glossary)
		}
	}
	for _, d := range g.denses {
		g.file.at = plan.Place{Stage: d.nest.Stage, Body: true}
		d.portable(g.file)
	}
	for _, s := range g.scatters {
		g.file.at = plan.Place{Stage: s.nest.Stage, Body: true}
		g.file.printf("%s", s.text())
	}
	for _, r := range g.scanned {
		g.file.at = plan.Place{Stage: r.nest.Stage, Body: true}
		r.portable(&g.glossary)
	}
	for _, k := range g.keepers {
		g.file.at = plan.Place{Stage: k.nest.Stage, Body: true}
		k.portable(&g.glossary)
	}
	text := g.file.String()
	if text += g.used.Declare(gosrc.HelpersOf(api, g.used)); text == "" {
		return ""
	}
	head := header + "package " + g.pkg + "\n\n" + g.used.Imports()
	g.file.from = len(head)
	return head + text
}

// plainKernels stands in for the vector kernels where the package simd is not there.
func (g *kernelWriter) plainKernels() string {
	var b strings.Builder
	for _, k := range g.kernels {
		if k.vector != nil {
			fmt.Fprintf(&b, "\nfunc %sKernel%s {\nreturn %sPortable%s\n}\n", k.name, k.params(), k.name, k.arguments(k.states(), "", ""))
		}
		if k.flat != nil {
			fmt.Fprintf(&b, "\nfunc %sFlat%s {\nreturn %sRows%s\n}\n", k.name, k.flat.params(k, ""), k.name, k.flat.arguments(k, k.states(), "0"))
		}
	}
	for _, k := range g.kernels {
		if k.until != nil && k.until.find != nil {
			b.WriteString(k.findText())
		}
	}
	for _, r := range g.scanned {
		if r.lanes != nil {
			b.WriteString(r.plainText())
		}
	}
	for _, k := range g.keepers {
		if k.lanes != nil {
			b.WriteString(k.plainText())
		}
	}
	for _, d := range g.denses {
		decls, names := d.params()
		fmt.Fprintf(&b, "\nfunc %sDense(%s) {\n%sPortable(%s)\n}\n", d.name, declared(decls), d.name, strings.Join(names, ", "))
	}
	if g.asksVectors {
		b.WriteString(inLanesText + "const inLanes = false\n")
	}
	return header + "//go:build !(" + simdTag + ")\n\npackage " + g.pkg + "\n" + b.String()
}
