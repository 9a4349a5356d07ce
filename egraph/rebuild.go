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
		pos := g.uses[c][0]
		g.uses[c][0] = 0
		for pos != 0 {
			slot := &g.uses[pos>>2][pos&3]
			next := *slot
			if n := g.owner(pos); g.arena[n].head != dead && g.rekey(n) {
				now := g.arena[pos>>2].kid[pos&3-1]
				*slot = g.uses[now][0]
				g.uses[now][0] = pos
			}
			pos = next
		}
	}
	g.work = 0
}

// rekey makes the children of a node canonical. It reports whether the node
// still lives: a copy of another node dies.
func (g *Graph) rekey(n Node) bool {
	size := records(g.arena[n].head)
	changed := false
	for i := range g.arena[n : int(n)+size] {
		kid := &g.arena[int(n)+i].kid
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
	g.seen[n] = NoClass
	key, rest := g.arena[n], g.arena[int(n)+1:int(n)+size]
	h := hash(key, rest)
	m, at, ok := g.probe(h, key, rest)
	if !ok {
		g.enter(n, h, key, at)
		return true
	}
	g.kill(n, size)
	if a, b := g.Find(Class(n)), g.Find(Class(m)); a != b {
		if g.forest != nil {
			g.forest.connect(n, m, a, b, congruence)
		}
		g.merge(a, b)
	}
	return false
}

func (g *Graph) kill(n Node, size int) {
	for i := range size {
		g.arena[int(n)+i].head = dead
	}
	g.live--
}
