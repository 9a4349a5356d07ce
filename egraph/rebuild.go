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
// that become equal thereby. It takes users in blocks, so that in a large table
// a block's waits for memory overlap.
func (g *Graph) close() {
	for len(g.pending) > 0 {
		g.gather()
		if len(g.table.slots) >= touchFrom {
			for i := range g.users {
				g.refresh(&g.users[i])
			}
			g.run.touched = g.table.touchUsers(g.users)
		}
		for i := range g.users {
			g.rekey(&g.users[i])
		}
	}
	g.work = 0
}

// A user is a child position that held a merged class, on its way to the list of the class that
// it holds now.
type user struct {
	hash    uint64 // of the new key
	pos     uint32
	changed bool // the node has a new key that is not in the table
}

// gather takes a block of users off the lists of merged classes.
func (g *Graph) gather() {
	g.users = g.users[:0]
	for len(g.pending) > 0 && len(g.users) < blockMatches {
		last := len(g.pending) - 1
		c := &g.class[g.pending[last]]
		for c.first != 0 && len(g.users) < blockMatches {
			g.users = append(g.users, user{pos: c.first})
			c.first = g.next(c.first)
		}
		if c.first == 0 {
			g.pending = g.pending[:last]
		}
	}
}

// refresh makes the children of a user canonical.
func (g *Graph) refresh(u *user) {
	n := g.owner(u.pos)
	at := g.nodes.at(uint32(n))
	if at.head == dead {
		return
	}
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
	if changed {
		u.changed = true
		at.seen = NoClass
		g.long = g.continuation(n, g.long[:0])
		u.hash = hash(at.record, g.long)
	}
}

// touchUsers is touch for users.
func (t *hashcons) touchUsers(users []user) (sum uint32) {
	mask := uint64(len(t.slots) - 1)
	for i := range users {
		sum ^= t.slots[users[i].hash>>t.shift&mask].id
	}
	return sum
}

// rekey enters a node under its new key. A copy of another node dies.
func (g *Graph) rekey(u *user) {
	n := g.owner(u.pos)
	at := g.nodes.at(uint32(n))
	if at.head == dead {
		return
	}
	g.refresh(u) // anew: others of the block may have merged since
	if u.changed {
		g.long = g.continuation(n, g.long[:0])
		m, place, ok := g.probe(u.hash, at.record, g.long)
		if ok {
			g.unite(n, m)
			return
		}
		g.enter(n, u.hash, at.record, place)
	}
	holder, i := g.nodes.at(u.pos>>2), u.pos&3-1
	c := &g.class[holder.kid[i]]
	holder.next[i] = c.first
	c.first = u.pos
}

// unite merges the classes of a node and of its copy, which dies.
func (g *Graph) unite(n, m Node) {
	g.kill(n)
	if a, b := g.Find(Class(n)), g.Find(Class(m)); a != b {
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
