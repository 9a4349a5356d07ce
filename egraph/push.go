package egraph

import (
	"maps"
	"slices"
)

// A snapshot is what Push saw of a graph.
type snapshot struct {
	nodes   paged[node]
	class   []class
	data    []uint64
	slots   []slot
	used    int
	live    int
	classes int
	forest  forest
}

// Push rebuilds the graph and remembers it, for Pop to come back to. It copies
// the graph: time and memory in its size, however little changes until Pop. It
// must not be called in Rule.Cond, Rule.Apply or an Analysis.
func (g *Graph) Push() {
	g.Rebuild()
	s := snapshot{
		nodes: g.nodes.clone(), class: slices.Clone(g.class), data: slices.Clone(g.data),
		slots: slices.Clone(g.table.slots), used: g.table.used, live: g.live, classes: g.classes,
	}
	if f := g.forest; f != nil {
		s.forest = forest{
			nodes: f.nodes.clone(), notes: f.notes.clone(), copies: maps.Clone(f.copies),
		}
	}
	g.pushed = append(g.pushed, s)
}

// Pop makes the graph what it was at the last Push that no Pop undid, and
// reports whether there was one. Classes and nodes made since name nothing any
// more, and later ones take their numbers; those from before mean what they
// meant then. What an Analysis keeps outside the graph is not its business. It
// must not be called where Push must not; in a hook of Run it may: the run goes on from there.
func (g *Graph) Pop() bool {
	if len(g.pushed) == 0 {
		return false
	}
	last := len(g.pushed) - 1
	s := g.pushed[last]
	g.pushed[last] = snapshot{} // for the collector
	g.pushed = g.pushed[:last]
	g.nodes, g.class, g.data = s.nodes, s.class, s.data
	g.table.slots, g.table.spare = s.slots, nil
	g.table.setSize()
	g.table.used = s.used
	g.pending, g.dirty, g.work = g.pending[:0], g.dirty[:0], 0
	g.live, g.classes = s.live, s.classes
	g.changes++
	g.index.built = false
	g.index.epoch += 2 // a run going on must not take any match for an old one
	if f := g.forest; f != nil {
		// The rule sets stay: the run that is going on is the last of them.
		f.nodes, f.notes, f.copies = s.forest.nodes, s.forest.notes, s.forest.copies
	}
	return true
}
