package emit

import (
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// last writes the loop that asks whether the last elements of an update decide alone: see plan.Last. It asks of more and more of them, so that all that it
// reads in vain is a small part of what the slices read then.
func (g *generator) last(s group) {
	merge := s.nests[len(s.nests)-1]
	l := merge.Last
	if l == nil || loopnest.Faulty(g.Plan, s.whole) {
		return
	}
	first, steps, into := loopnest.New(l.First), loopnest.New(l.Steps), loopnest.New(l.Merge)
	g.Buffer(l.Buffer)
	count := g.Name("last")
	g.LoopVar[l.Count] = count
	g.File.Printf("\nfor %s := %d; %s <= %s/%d; %s *= %d { // elements that may leave nothing of what came before them\n",
		count, plan.LastFirst, count, g.IntOperand(s.whole.Loops[0].Span.Extent, 5), plan.LastShare, count, plan.LastMore)
	g.allocate([]*plan.Buffer{l.Buffer})
	g.stage(first)
	g.long = l.Count
	g.stage(steps)
	g.long = ir.Expr{}
	w := g.Writer()
	w.Leaf = func(e ir.Expr) string { return g.Leaf(e, nil) }
	g.File.Printf("if %s {\n", w.Expr(l.Holds))
	g.stage(into)
	results, _ := g.Results()
	g.File.Printf("return %s, nil\n}\n}\n", strings.Join(results, ", "))
	for _, name := range slices.Concat([]string{count}, g.Arrays[l.Buffer.Name].Parts) {
		delete(g.Taken, name)
	}
}
