package egraph

import "iter"

// Classes yields the canonical classes in order of their numbers. The graph is
// rebuilt first, and must not change during the loop. In Rule.Cond and
// Rule.Apply it shows the graph as it was when the iteration began.
func (g *Graph) Classes() iter.Seq[Class] {
	return func(yield func(Class) bool) {
		g.index.ensure(g, nil)
		last := NoClass
		for _, r := range g.index.runs {
			if r.class != last && !yield(r.class) {
				return
			}
			last = r.class
		}
	}
}

// Nodes yields the canonical nodes of a class, sorted by operator. What Classes
// demands holds of Nodes, too.
func (g *Graph) Nodes(c Class) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		g.index.ensure(g, nil)
		for _, r := range g.index.of(g.Find(c)) {
			for _, e := range g.index.entries[r.start:r.end] {
				if !yield(Node(e.node & nodeBits)) {
					return
				}
			}
		}
	}
}

// All yields the canonical nodes with their classes, class by class. What Classes demands holds of
// All, too.
func (g *Graph) All() iter.Seq2[Class, Node] {
	return func(yield func(Class, Node) bool) {
		g.index.ensure(g, nil)
		for i := range g.index.runs {
			r := &g.index.runs[i]
			for _, e := range g.index.entries[r.start:r.end] {
				if !yield(r.class, Node(e.node&nodeBits)) {
					return
				}
			}
		}
	}
}

// Op returns the operator of a node that Nodes, All or Extraction.Node gave.
func (g *Graph) Op(n Node) Op { g.checkNode(n); return Op(g.head(n)) & MaxOp }

// Kids appends the canonical children of such a node to buf, and returns buf.
func (g *Graph) Kids(n Node, buf []Class) []Class { g.checkNode(n); return append(buf, g.kids(n)...) }

// checkNode panics for a number that is no node.
func (g *Graph) checkNode(n Node) {
	if g == nil || int(n) >= g.nodes.n {
		panic(g.unknown(Class(n)))
	}
}
