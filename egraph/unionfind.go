package egraph

import "fmt"

// Find returns the canonical name of a class. It panics where the graph has no such class.
func (g *Graph) Find(c Class) Class {
	if g == nil || uint(c) >= uint(len(g.class)) {
		panic(g.unknown(c))
	}
	return g.find(c)
}

// unknown says of a number that it is no class.
func (g *Graph) unknown(c Class) string {
	switch {
	case g == nil:
		return noGraph
	case c == NoClass:
		return "egraph: NoClass is no class"
	}
	return fmt.Sprintf("egraph: there is no class %d: the graph has numbers below %d", c, len(g.class))
}

const noGraph = "egraph: the graph is nil"

// find is Find for a class of the graph.
func (g *Graph) find(c Class) Class {
	s := g.class
	for s[c].parent != c {
		p := s[s[c].parent].parent
		s[c].parent = p // path halving
		c = p
	}
	return c
}

// root is find that writes nothing.
func (g *Graph) root(c Class) Class {
	for {
		p := g.class[c].parent
		if p == c {
			return c
		}
		c = p
	}
}

// ClassOf returns the canonical class of a node. It panics where the graph has no such node.
func (g *Graph) ClassOf(n Node) Class { return g.Find(Class(n)) }

// Union makes two classes one and reports whether they were different. The
// reason is any number of the caller's: a proof shows it as a step of its own
// between the terms of Node(a) and Node(b) (values of Class as given, which
// need not be canonical). The graph is congruent again after Rebuild. Union panics where the graph
// has no such class.
func (g *Graph) Union(a, b Class, reason uint32) bool {
	ra, rb := g.Find(a), g.Find(b)
	if ra == rb {
		return false
	}
	if g.forest != nil {
		g.forest.connect(Node(a), Node(b), ra, rb, g.forest.external(reason))
	}
	g.merge(ra, rb)
	return true
}

// UnionNodes is Union for the classes of two nodes, whose terms the proof shows.
func (g *Graph) UnionNodes(a, b Node, reason uint32) bool {
	return g.Union(Class(a), Class(b), reason)
}

// merge makes canonical classes a and b one. The class with more users keeps
// its name: only users of the other one need new keys.
func (g *Graph) merge(a, b Class) {
	if g.class[a].users < g.class[b].users || g.class[a].users == g.class[b].users && b < a {
		a, b = b, a
	}
	g.class[b].parent = a
	g.classes--
	g.changes++
	if n := g.class[b].users; n > 0 {
		g.pending = append(g.pending, b)
		g.work += int(n)
		g.class[a].users += n
	}
	if g.analysis != nil {
		g.mergeData(a, b)
	}
}
