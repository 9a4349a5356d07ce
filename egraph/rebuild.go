package egraph

// Rebuild closes the graph under congruence and brings the analysis up to date.
func (g *Graph) Rebuild() {
	g.close()
	for len(g.dirty) > 0 {
		c := g.dirty[len(g.dirty)-1]
		g.dirty = g.dirty[:len(g.dirty)-1]
		g.propagate(g.find(c))
		g.close()
	}
}

// close gives every user of a merged class its new key, and merges the users
// that become equal thereby. It takes users in blocks, so that in a large table
// a block's waits for memory overlap.
func (g *Graph) close() {
	for len(g.pending) > 0 {
		g.gather()
		if len(g.table.slots) >= touchFrom {
			for i := range g.users {
				g.refresh(&g.users[i])
			}
			g.touched = g.table.touch(g.users)
		}
		for i := range g.users {
			g.rekey(&g.users[i])
		}
	}
	g.work = 0
}

// gather takes a block of users off the lists of merged classes.
func (g *Graph) gather() {
	g.users = g.users[:0]
	for len(g.pending) > 0 && len(g.users) < blockMatches {
		last := len(g.pending) - 1
		c := &g.class[g.pending[last]]
		for c.first != 0 && len(g.users) < blockMatches {
			g.users = append(g.users, job{at: c.first})
			c.first = g.next(c.first)
		}
		if c.first == 0 {
			g.pending = g.pending[:last]
		}
	}
}

// refresh makes the children of a user canonical.
func (g *Graph) refresh(u *job) {
	n := g.owner(u.at)
	at := g.nodes.at(uint32(n))
	if at.head == dead {
		return
	}
	changed := g.canonical(at)
	for i := range records(at.head) - 1 {
		if g.canonical(g.nodes.at(uint32(n) + 1 + uint32(i))) {
			changed = true
		}
	}
	if changed {
		u.todo = 1
		at.seen = NoClass
		g.long = g.continuation(n, g.long[:0])
		u.key = at.key()
		u.hash = hash(u.key, g.long)
	}
}

// canonical makes the children in one record canonical, and reports whether they were not.
func (g *Graph) canonical(at *node) bool {
	changed := false
	for i, k := range at.kid {
		if k == NoClass {
			break
		}
		if c := g.find(k); c != k {
			at.kid[i] = c
			changed = true
		}
	}
	return changed
}

// rekey enters a user under its new key into table and list. A copy of another node dies.
func (g *Graph) rekey(u *job) {
	n := g.owner(u.at)
	if g.head(n) == dead {
		return
	}
	g.refresh(u) // anew: others of the block may have merged since
	if u.todo != 0 {
		g.long = g.continuation(n, g.long[:0])
		m, place, ok := g.probe(u.hash, u.key, g.long)
		if ok {
			g.unite(n, m)
			return
		}
		g.enter(n, u.hash, u.key, place)
	}
	holder, i := g.nodes.at(u.at>>2), u.at&3-1
	c := &g.class[holder.kid[i]]
	holder.next[i] = c.first
	c.first = u.at
}

// unite merges the classes of a node and of its copy, which dies.
func (g *Graph) unite(n, m Node) {
	g.kill(n)
	if a, b := g.find(Class(n)), g.find(Class(m)); a != b {
		if g.forest != nil {
			g.forest.connect(n, m, a, b, congruence)
		}
		g.merge(a, b)
	}
}

func (g *Graph) kill(n Node) {
	for i := range records(g.head(n)) {
		g.nodes.at(uint32(n) + uint32(i)).head = dead
	}
	g.live--
}
