package egraph

// forest remembers why classes merged. The nodes of a class form a tree; an
// edge is one reason, and the only path between two nodes is the explanation.
// It never changes later, so explanations cannot be circular: whatever a reason
// itself relies on was connected before.
type forest struct {
	nodes  paged[member]
	notes  paged[Class] // what the reasons refer to
	sets   []*RuleSet   // of the runs so far
	copies map[string]Node
	keybuf []byte
}

// A member is a node as it was added, not canonical, and its edge to its parent in the tree.
type member struct {
	record
	to   Node // the node itself at a root
	why  reason
	size uint32 // nodes of the class with the number of this node, not of the subtree
}

// A reason is kind | flipped | note<<3.
type reason uint32

const (
	congruence reason = 0 // children are pairwise equal
	byCaller   reason = 1 // notes: the caller's number
	byRule     reason = 2 // notes: run, rule, built nodes, matched nodes
	kindMask   reason = 3
	flipped    reason = 4 // the edge points from the right side to the left
)

func (f *forest) reset() {
	f.nodes.n, f.notes.n = 0, 0
	clear(f.sets)
	f.sets = f.sets[:0]
	clear(f.copies)
}

// add appends a node with the children as given, which founds a tree.
func (f *forest) add(k key, rest []record, kids []Class) {
	n := uint32(f.nodes.n)
	m := member{record: k.record(), to: Node(n), size: 1}
	copy(m.kid[:], kids)
	f.nodes.push(m)
	for i, r := range rest {
		m := member{record: r, to: Node(n), size: 1}
		copy(m.kid[:], kids[3+3*i:])
		f.nodes.push(m)
	}
}

// build is add for a node of up to three children, given by sources in a match.
func (f *forest) build(k key, sources []source, match []Class) {
	m := member{record: k.record(), to: Node(f.nodes.n), size: 1}
	for i, s := range sources {
		m.kid[i] = f.exact(s, match)
	}
	f.nodes.push(m)
}

// kid returns child i of a node as it was added.
func (f *forest) kid(n Node, i int) Node {
	return Node(f.nodes.at(uint32(n) + uint32(i/3)).kid[i%3])
}

// exact returns the node of a match that a value stands for.
func (f *forest) exact(s source, match []Class) Class {
	if s.kid < 0 {
		return match[s.place]
	}
	return Class(f.kid(Node(match[s.place]), int(s.kid)))
}

// head returns the operator word of a node.
func (f *forest) head(n Node) uint32 { return f.nodes.at(uint32(n)).head }

func (f *forest) arity(n Node) int { return int(f.head(n) >> 24) }

// parent returns the node that the edge of n leads to, n itself at a root.
func (f *forest) parent(n Node) Node { return f.nodes.at(uint32(n)).to }

func (f *forest) external(number uint32) reason {
	at := f.notes.n
	f.notes.push(Class(number))
	return byCaller | reason(at)<<3
}

// ruled notes a rule and the nodes of its match. The two words before the nodes in match are its
// to write on.
func (f *forest) ruled(rule Class, match []Class, nodes int) reason {
	at := f.notes.n
	note := match[nodes-2:]
	note[0], note[1] = Class(len(f.sets)-1), rule
	f.notes.append(note)
	return byRule | reason(at)<<3
}

// connect makes an edge between two nodes of different classes, whose names are
// ca and cb. The smaller tree is turned so that its node becomes the root.
func (f *forest) connect(a, b Node, ca, cb Class, why reason) {
	sa, sb := &f.nodes.at(uint32(ca)).size, &f.nodes.at(uint32(cb)).size
	if *sa > *sb {
		a, b = b, a
		why ^= flipped
	}
	*sa += *sb
	*sb = *sa
	for to := b; ; {
		e := f.nodes.at(uint32(a))
		up, old := e.to, e.why
		e.to, e.why = to, why
		if up == a {
			return
		}
		to, a, why = a, up, old^flipped
	}
}

// exact returns a node whose term is exactly op over the given nodes: n itself,
// or a copy that lives in the forest only, equal to n by congruence.
func (g *Graph) exact(n Node, op Op, kids []Class) Node {
	f := g.forest
	if f.stands(n, kids) {
		return n
	}
	key := f.keybuf[:0]
	for _, w := range append([]Class{Class(op)}, kids...) {
		key = append(key, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	f.keybuf = key
	if m, ok := f.copies[string(key)]; ok {
		return m
	}
	r, rest := g.key(op, kids)
	m := g.extend(r, rest)
	f.add(r, rest, kids)
	for i := range 1 + len(rest) {
		g.nodes.at(uint32(m) + uint32(i)).head = dead
	}
	if g.analysis != nil {
		g.data = append(g.data, make([]uint64, 1+len(rest))...)
	}
	c := g.find(Class(n))
	f.connect(m, n, Class(m), c, congruence)
	g.class[m].parent = c
	if f.copies == nil {
		f.copies = map[string]Node{}
	}
	f.copies[string(key)] = m
	return m
}

func (f *forest) stands(n Node, kids []Class) bool {
	for i, k := range kids {
		if f.kid(n, i) != Node(k) {
			return false
		}
	}
	return true
}
