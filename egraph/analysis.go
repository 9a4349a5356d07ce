package egraph

// An Analysis keeps one datum per class: a fact that holds of all its terms.
// Join must be associative, commutative and idempotent, and repeated joining
// must come to an end (a semilattice of finite height).
type Analysis struct {
	// Make returns the datum of a node from those of its children, which it
	// reads by Graph.Data. It must not change the graph nor keep kids.
	Make func(g *Graph, op Op, kids []Class) uint64
	// Join returns the datum of a class that was two.
	Join func(a, b uint64) uint64
	// Modify, if any, is called in Rebuild for every class that is new or whose
	// datum changed; it may Add and Union: a constant to its class, say. It
	// must not read Classes or Nodes, which would rebuild again.
	Modify func(g *Graph, c Class)
}

// Data returns the analysis datum of a class. It panics without Options.Analysis.
func (g *Graph) Data(c Class) uint64 {
	if g.analysis == nil {
		panic("egraph: Data needs Options.Analysis")
	}
	return g.data[g.Find(c)]
}

func (g *Graph) mergeData(winner, loser Class) {
	a, b := g.data[winner], g.data[loser]
	j := g.analysis.Join(a, b)
	g.data[winner] = j
	// The winner's users need not hear of it where only the loser, whom nobody used, learnt
	// something: a class with many users would be visited for each new node.
	if j != a || j != b && g.class[loser].users != 0 {
		g.dirty = append(g.dirty, winner)
	}
}

// propagate carries the datum of a class to the classes of its users.
func (g *Graph) propagate(c Class) {
	for pos := g.class[c].first; pos != 0; pos = g.next(pos) {
		n := g.owner(pos)
		if g.head(n) == dead {
			continue
		}
		up := g.find(Class(n))
		d := g.analysis.Make(g, Op(g.head(n))&MaxOp, g.kids(n))
		if j := g.analysis.Join(g.data[up], d); j != g.data[up] {
			g.data[up] = j
			g.dirty = append(g.dirty, up)
		}
	}
	if g.analysis.Modify != nil {
		g.analysis.Modify(g, c)
	}
}
