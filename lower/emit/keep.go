package emit

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// keepPlanner makes functions of stages at counted places, and calls them.
type keepPlanner struct{ *generator }

// loop writes the loops of such a stage from depth d on.
func (g *keepPlanner) loop(n *loopnest.Nest, d int) {
	switch {
	case d == len(n.Loops):
		g.point(n)
	case d == len(n.Loops)-1 && !g.serial && g.keeperOf(n) != nil:
		g.call(g.keeperOf(n))
	default:
		g.loopHead(n, d)
		g.loop(n, d+1)
		g.loopEnd(n, d)
	}
}

// point writes a step, which counts itself.
func (g *keepPlanner) point(n *loopnest.Nest) {
	g.checked(g.Writer(), n, g.Target(n), func() { g.File.Printf("%s++\n", g.counter(n)) })
}

// counter is the variable that counts places.
func (g *keepPlanner) counter(n *loopnest.Nest) string {
	return g.Arrays[n.Places.Counter.Name].Parts[0]
}

// keeperOf makes the functions of the innermost loop; nil where it does not step through what it reads.
func (g *keepPlanner) keeperOf(n *loopnest.Nest) *funcs.Keeper {
	if i := slices.IndexFunc(g.keepers, func(k *funcs.Keeper) bool { return k.Nest == n }); i >= 0 {
		return g.keepers[i]
	}
	d := len(n.Loops) - 1
	k := &funcs.Keeper{Run: &funcs.Run{Nest: n, Loop: n.Loops[d], Types: n.Buffer.Types, Avoid: funcs.KeepNames}}
	for _, a := range n.Reads() {
		for i, c := range a.Dims {
			if loopnest.CheckOf(g.Plan, n, a.Array, i, c.Index) != loopnest.Before {
				return nil
			}
		}
	}
	if !k.FindStreams(n, d) {
		return nil
	}
	k.Name = g.kernelName(n)
	k.NameArguments(&g.Scope)
	if len(n.Where) > 0 {
		all := *n.Stage
		all.Where = nil
		if k.Counts = g.counting(k.Run, "Count", all, folds.Conjunction(n.Where)); k.Counts == nil {
			return nil // the condition reads no elements
		}
		g.kernels = append(g.kernels, k.Counts.WithParts()...)
	}
	k.Keeps()
	if n.Places.Lanes {
		k.Vector, k.Why = forms.KeepOf(k.Plain)
	} else {
		k.Why = "the schedule asks for none"
	}
	g.keepers = append(g.keepers, k)
	return k
}

// call writes the calls.
func (g *keepPlanner) call(k *funcs.Keeper) {
	n := k.Nest
	count, at, ok := g.Name("n"), g.Name("at"), g.Name("ok")
	defer func() {
		for _, name := range []string{count, at, ok} {
			delete(g.Taken, name)
		}
	}()
	a := g.Arrays[n.Buffer.Name]
	least, length := "0", a.Extents[0]
	if a.Mins != nil {
		least = g.IntOperand(a.Mins[0], 4)
	}
	first := fmt.Sprintf("int(%s)", g.counter(n))
	if least != "0" {
		first += " - " + least
	}
	g.File.Printf("if %[1]s := %[2]s; %[1]s > 0 {\n%[3]s, %[4]s := %[5]s, true\n", count, g.GoInt(k.Loop.Span.Extent), at, ok, first)
	if n.Places.Parallel && k.Counts != nil {
		g.slices(k, count, at, ok, length)
	} else {
		g.File.Printf("%s, %s = %s%s\n", at, ok, k.Callee(), scope.Bracket(g.arguments(k, a.Parts, at, count, "")))
	}
	plus := at
	if least != "0" {
		plus += " + " + least
	}
	g.File.Printf("if !%s {\nbad.outside(%q, %s, %s, %s)\n%s\n}\n", ok, n.Buffer.Name, plus, least, length, g.ReturnError("bad.err"))
	g.File.Printf("%s = int32(%s)\n}\n", g.counter(n), plus)
}

// slices writes the calls of slices on goroutines, and of one.
func (g *keepPlanner) slices(k *funcs.Keeper, count, at, ok, length string) {
	a := g.Arrays[k.Nest.Buffer.Name]
	workers, ends, w := g.Name("workers"), g.Name("ends"), g.Name("w")
	defer func() { delete(g.Taken, workers); delete(g.Taken, ends); delete(g.Taken, w) }()
	bytes := g.BytesPerStep(k.Nest)
	g.File.Printf("if %s := %s(%s, %s); %s > 1 { // slices are counted, and then know where theirs begins\n", workers, g.Use("crew"), count, bytes, workers)
	g.File.Printf("%s := make([]int, %s+1)\n%s[0] = %s\n", ends, workers, ends, at)
	part := "[lo:hi]"
	g.File.Printf("%s(%s, %s, func(%s, lo, hi int) {\n%s[%[4]s+1] = int(%[6]s%[7]s)\n})\n", g.Use("share"), workers, count, w, ends, k.Counts.Callee(), scope.Bracket(append([]string{"0"}, k.PassedTo(&g.Scope, k.Counts, count, part)...)))
	g.File.Printf("for %[3]s := range %[1]s {\n%[2]s[%[3]s+1] += %[2]s[%[3]s]\n}\n", workers, ends, w)
	g.File.Printf("if 0 <= %[1]s && %[2]s[%[3]s] <= %[4]s {\n", at, ends, workers, length)
	g.File.Printf("%s(%s, %s, func(%s, lo, hi int) {\n%s%s\n})\n%s = %s[%s]\n", g.Use("share"), workers, count, w, k.Callee(), scope.Bracket(g.arguments(k, a.Parts, ends+"["+w+"]", count, part)), at, ends, workers)
	whole := k.Callee() + scope.Bracket(g.arguments(k, a.Parts, at, count, ""))
	g.File.Printf("} else {\n%[1]s, %[2]s = %[3]s\n}\n} else {\n%[1]s, %[2]s = %[3]s\n}\n", at, ok, whole)
}

// arguments is what the function that keeps elements is called with.
func (g *keepPlanner) arguments(k *funcs.Keeper, to []string, at, count, part string) []string {
	return append(append(slices.Clone(to), at), k.PassedTo(&g.Scope, k.Run, count, part)...)
}
