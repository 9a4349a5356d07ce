package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// keeper is the innermost loop of a stage at counted places, as calls of functions: one keeps elements of a run one behind another, and one
// counts them, so that slices know where to begin.
//
//	if in(r) > 9: out(pos++) = in(r)   →   at, ok := outKernel(out, at, in)
type keeper struct {
	*run
	counts *run         // nil where every element is kept
	lanes  *kernel.Keep // nil where there are none
}

// keepNames are what functions of keepers call things.
var keepNames = strings.Fields("dst at front size kept m packs pairs place ahead head found from left")

// keepTile is how many elements are moved to the front of an array before those that are kept are copied to the result. What the result has behind
// them stays as it is.
const keepTile = 512

// keepPlanner makes functions of stages at counted places, and calls them.
type keepPlanner struct{ *generator }

// loop writes the loops of such a stage from depth d on.
func (g *keepPlanner) loop(n *nest, d int) {
	switch {
	case d == len(n.loops):
		g.point(n)
	case d == len(n.loops)-1 && !g.serial && g.keeperOf(n) != nil:
		g.call(g.keeperOf(n))
	default:
		g.loopHead(n, d)
		g.loop(n, d+1)
		g.loopEnd(n, d)
	}
}

// point writes a step, which counts itself.
func (g *keepPlanner) point(n *nest) {
	g.checked(g.writer(), n, g.target(n), func() { g.file.printf("%s++\n", g.counter(n)) })
}

// counter is the variable that counts places.
func (g *keepPlanner) counter(n *nest) string {
	return g.arrays[n.Places.Counter.Name].parts[0]
}

// keeperOf makes the functions of the innermost loop; nil where it does not step through what it reads.
func (g *keepPlanner) keeperOf(n *nest) *keeper {
	if i := slices.IndexFunc(g.keepers, func(k *keeper) bool { return k.nest == n }); i >= 0 {
		return g.keepers[i]
	}
	d := len(n.loops) - 1
	k := &keeper{run: &run{nest: n, loop: n.loops[d], types: n.Buffer.Types, avoid: keepNames}}
	for _, a := range n.reads() {
		for i, c := range a.Dims {
			if needsCheck(g.plan, n, a.Array, i, c.Index) {
				return nil
			}
		}
	}
	if !k.findStreams(n, d) {
		return nil
	}
	k.name = g.kernelName(n)
	k.nameArguments(&g.glossary)
	k.plain = k.built(n.where, n.values)
	if n.Places.Lanes {
		k.lanes, k.why = k.plain.KeepOf()
	} else {
		k.why = "the schedule asks for none"
	}
	if len(n.where) > 0 {
		all := *n.Stage
		all.Where = nil
		k.counts = g.counting(k.run, "Count", all, folds.All(n.where))
		g.kernels = append(g.kernels, k.counts.withParts()...)
	}
	g.keepers = append(g.keepers, k)
	return k
}

// call writes the calls.
func (g *keepPlanner) call(k *keeper) {
	n := k.nest
	count, at, ok := g.name("n"), g.name("at"), g.name("ok")
	defer func() {
		for _, name := range []string{count, at, ok} {
			delete(g.taken, name)
		}
	}()
	a := g.arrays[n.Buffer.Name]
	least, length := "0", a.extents[0]
	if a.mins != nil {
		least = g.intOperand(a.mins[0], 4)
	}
	first := fmt.Sprintf("int(%s)", g.counter(n))
	if least != "0" {
		first += " - " + least
	}
	g.file.printf("if %[1]s := %[2]s; %[1]s > 0 {\n%[3]s, %[4]s := %[5]s, true\n", count, g.goInt(k.loop.Span.Extent), at, ok, first)
	if n.Places.Parallel && k.counts != nil {
		g.slices(k, count, at, length)
	} else {
		g.file.printf("%s, %s = %s%s\n", at, ok, k.callee(), bracket(g.arguments(k, a.parts, at, count, "")))
	}
	plus := at
	if least != "0" {
		plus += " + " + least
	}
	g.file.printf("if !%s {\nbad.outside(%q, %s, %s, %s)\n%s\n}\n", ok, n.Buffer.Name, plus, least, length, g.returnError("bad.err"))
	g.file.printf("%s = int32(%s)\n}\n", g.counter(n), plus)
}

// slices writes the calls of slices on goroutines, and of one.
func (g *keepPlanner) slices(k *keeper, count, at, length string) {
	a := g.arrays[k.nest.Buffer.Name]
	workers, ends := g.name("workers"), g.name("ends")
	defer func() { delete(g.taken, workers); delete(g.taken, ends) }()
	bytes := g.bytesPerStep(k.nest)
	g.file.printf("if %s := %s(%s, %s); %s > 1 { // slices are counted, and then know where theirs begins\n", workers, g.use("crew"), count, bytes, workers)
	g.file.printf("%s := make([]int, %s+1)\n%s[0] = %s\n", ends, workers, ends, at)
	part := "[lo:hi]"
	g.file.printf("%s(%s, %s, func(w, lo, hi int) {\n%s[w+1] = int(%s%s)\n})\n", g.use("share"), workers, count, ends, k.counts.callee(), bracket(append([]string{"0"}, k.passedTo(&g.glossary, k.counts, count, part)...)))
	g.file.printf("for w := range %[1]s {\n%[2]s[w+1] += %[2]s[w]\n}\n", workers, ends)
	g.file.printf("if 0 <= %[1]s && %[2]s[%[3]s] <= %[4]s {\n", at, ends, workers, length)
	g.file.printf("%s(%s, %s, func(w, lo, hi int) {\n%s%s\n})\n%s = %s[%s]\n", g.use("share"), workers, count, k.callee(), bracket(g.arguments(k, a.parts, ends+"[w]", count, part)), at, ends, workers)
	whole := k.callee() + bracket(g.arguments(k, a.parts, at, count, ""))
	g.file.printf("} else {\n%s, ok = %s\n}\n} else {\n%s, ok = %s\n}\n", at, whole, at, whole)
}

// arguments is what the function that keeps elements is called with.
func (g *keepPlanner) arguments(k *keeper, to []string, at, count, part string) []string {
	return append(append(slices.Clone(to), at), k.passedTo(&g.glossary, k.run, count, part)...)
}

// passedTo is the arguments that are no results: for a part of the run, which begins at lo.
func (k *run) passedTo(g *glossary, to *run, count, part string) (args []string) {
	if to.first {
		first := g.goInt(k.loop.Span.Min)
		switch {
		case part != "" && first == "0":
			first = "lo"
		case part != "":
			first += " + lo"
		}
		args = append(args, first)
	}
	for _, s := range to.scalars {
		args = append(args, g.leaf(s.expr, nil))
	}
	for _, s := range to.streams {
		args = append(args, k.runText(g, k.nest, s, count, false)+part)
	}
	return args
}

// callee is the function that a stage calls.
func (k *keeper) callee() string {
	if k.lanes != nil {
		return k.name + "Kernel"
	}
	return k.name + "Portable"
}

// callee is the function of a run.
func (k *run) callee() string {
	if k.vector != nil {
		return k.name + "Kernel"
	}
	return k.name + "Portable"
}

// results names the slices that elements are kept in.
func (k *keeper) results() (names []string) {
	if len(k.types) == 1 {
		return []string{"dst"}
	}
	for i := range k.types {
		names = append(names, "dst"+strconv.Itoa(i))
	}
	return names
}

// fronts names the arrays that elements are moved to the front of.
func (k *keeper) fronts() (names []string) {
	for i := range k.types {
		names = append(names, "front"+strconv.Itoa(i))
	}
	return names
}

// parameters is the parameters of the function.
func (k *keeper) parameters() string {
	var l []param
	for i, name := range k.results() {
		l = append(l, param{name, "[]" + kernel.GoType[k.types[i]]})
	}
	return "(" + declared(append(append(l, param{"at", "int"}), k.takes()...)) + ")"
}

// handedOn is how a function passes its arguments on to another; part is the part of the streams: a text like [:n].
func (k *keeper) handedOn(part string) string {
	return k.arguments(append(k.results(), "at"), part, "")
}
