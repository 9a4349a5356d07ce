package egraph

// Rebuild closes the graph under congruence and brings the analysis up to date.
func (g *Graph) Rebuild() {
	g.close()
	for len(g.dirty) > 0 {
		c := g.dirty[len(g.dirty)-1]
		g.dirty = g.dirty[:len(g.dirty)-1]
		g.propagate(g.Find(c))
		g.close()
	}
}

// close gives every user of a merged class its new key, and merges the users
// that become equal thereby.
func (g *Graph) close() {
	for len(g.pending) > 0 {
		c := g.pending[len(g.pending)-1]
		g.pending = g.pending[:len(g.pending)-1]
		pos := g.class[c].first
		g.class[c].first = 0
		for pos != 0 {
			at, i := g.nodes.at(pos>>2), pos&3-1
			next := at.next[i]
			if n := g.owner(pos); g.head(n) != dead && g.rekey(n) {
				now := &g.class[at.kid[i]]
				at.next[i] = now.first
				now.first = pos
			}
			pos = next
		}
	}
	g.work = 0
}

// rekey makes the children of a node canonical. It reports whether the node
// still lives: a copy of another node dies.
func (g *Graph) rekey(n Node) bool {
	at := g.nodes.at(uint32(n))
	changed := false
	for i := range records(at.head) {
		kid := &g.nodes.at(uint32(n) + uint32(i)).kid
		for j, k := range kid {
			if k == NoClass {
				break
			}
			if c := g.Find(k); c != k {
				kid[j] = c
				changed = true
			}
		}
	}
	if !changed {
		return true
	}
	at.seen = NoClass
	g.long = g.continuation(n, g.long[:0])
	h := hash(at.record, g.long)
	m, place, ok := g.probe(h, at.record, g.long)
	if !ok {
		g.enter(n, h, at.record, place)
		return true
	}
	g.kill(n)
	if a, b := g.Find(Class(n)), g.Find(Class(m)); a != b {
		if g.forest != nil {
			g.forest.connect(n, m, a, b, congruence)
		}
		g.merge(a, b)
	}
	return false
}

func (g *Graph) kill(n Node) {
	for i := range records(g.head(n)) {
		g.nodes.at(uint32(n) + uint32(i)).head = dead
	}
	g.live--
}
