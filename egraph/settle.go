package egraph

// Most matches change nothing: their right side is there, and equal to the root. In a table that
// a cache holds they are recognised while the search goes on, by what its registers hold, and
// leave no row. All others wait among those that miss as much.

// settled reports whether a match of a rule changes nothing. Where it may, seen counts the nodes
// of the right side that are there before the first that is missing.
func (g *Graph) settled(r *runner, m *machine, a *applier) bool {
	for r.seen = 0; r.seen < len(a.looks); r.seen++ {
		n, ok := g.lookUp(g.lookKey(r, m, &a.looks[r.seen]))
		if !ok {
			return false
		}
		r.nodes[r.seen] = Class(n)
	}
	return g.find(r.valueOf(m, a.answer)) == g.find(m.regs[0])
}

// valueOf returns what a register or an earlier look holds.
func (r *runner) valueOf(m *machine, at uint16) Class {
	if at&isLook != 0 {
		return r.nodes[at&^isLook]
	}
	return m.regs[at]
}

// lookKey returns the key of a node of the right side.
func (g *Graph) lookKey(r *runner, m *machine, l *look) key {
	switch l.head >> 24 {
	case 0:
		return keyOf(l.head, NoClass, NoClass, NoClass)
	case 1:
		return keyOf(l.head, g.find(r.valueOf(m, l.kid[0])), NoClass, NoClass)
	case 2:
		return keyOf(l.head, g.find(r.valueOf(m, l.kid[0])), g.find(r.valueOf(m, l.kid[1])), NoClass)
	}
	return keyOf(l.head, g.find(r.valueOf(m, l.kid[0])), g.find(r.valueOf(m, l.kid[1])), g.find(r.valueOf(m, l.kid[2])))
}

// lookUp finds a node of at most three children, as probe does.
func (g *Graph) lookUp(k key) (Node, bool) {
	h := mix(k, 0)
	if !isShort(k.head()) {
		n, _, ok := g.probe(h, k, nil)
		return n, ok
	}
	slots := g.table.slots
	mask := uint64(len(slots) - 1)
	for at := h >> g.table.shift; ; at++ {
		s := &slots[at&mask]
		switch {
		case s.id == 0:
			return 0, false
		case s.a == k.a && s.b == uint32(k.b):
			return Node(g.nameOf(s)), true
		}
	}
}

// peek is lookUp that writes nothing: it may find a node whose class has another name.
func (g *Graph) peek(k key) (Node, bool) {
	h := mix(k, 0)
	want := slotOf(k, h)
	slots := g.table.slots
	mask := uint64(len(slots) - 1)
	for at := h >> g.table.shift; ; at++ {
		s := &slots[at&mask]
		switch {
		case s.id == 0:
			return 0, false
		case s.a == want.a && s.b == want.b && (isShort(k.head()) || g.nodes.at(s.id-1).key() == k):
			return Node(s.id - 1), true
		}
	}
}

// nameOf returns the node of a slot, or without proofs its class, which the slot comes to name.
func (g *Graph) nameOf(s *slot) Class {
	id := Class(s.id - 1)
	if g.forest == nil {
		if c := g.find(id); c != id {
			id = c
			s.id = uint32(c) + 1
		}
	}
	return id
}
