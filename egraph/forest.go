package egraph

// forest remembers why classes merged. The nodes of a class form a tree; an
// edge is one reason, and the only path between two nodes is the explanation.
// It never changes later, so explanations cannot be circular: whatever a reason
// itself relies on was connected before.
type forest struct {
	orig   []record   // nodes as they were added; not canonical
	edge   []edge     // of a node to its parent in the tree
	size   []uint32   // nodes of a class
	notes  []uint32   // what the reasons refer to
	sets   []*RuleSet // of the runs so far
	copies map[string]Node
	keybuf []byte
}

type edge struct {
	to  Node // the node itself at a root
	why reason
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
	f.orig, f.edge, f.size, f.notes = f.orig[:0], f.edge[:0], f.size[:0], f.notes[:0]
	clear(f.sets)
	f.sets = f.sets[:0]
	clear(f.copies)
}

// add appends a node with the children as given, which founds a tree.
func (f *forest) add(key record, rest []record, kids []Class) {
	n := len(f.orig)
	f.orig = append(append(f.orig, key), rest...)
	for i, k := range kids {
		f.orig[n+i/3].kid[i%3] = k
	}
	for range 1 + len(rest) {
		f.edge = append(f.edge, edge{to: Node(n)})
		f.size = append(f.size, 1)
	}
}

// kid returns child i of a node as it was added.
func (f *forest) kid(n Node, i int) Node { return Node(f.orig[int(n)+i/3].kid[i%3]) }

func (f *forest) arity(n Node) int { return int(f.orig[n].head >> 24) }

func (f *forest) external(number uint32) reason {
	f.notes = append(f.notes, number)
	return byCaller | reason(len(f.notes)-1)<<3
}

// ruled notes a rule and the nodes of its match.
func (f *forest) ruled(rule int, nodes []Class) reason {
	at := len(f.notes)
	f.notes = append(f.notes, uint32(len(f.sets)-1), uint32(rule))
	for _, n := range nodes {
		f.notes = append(f.notes, uint32(n))
	}
	return byRule | reason(at)<<3
}

// connect makes an edge between two nodes of different classes, whose names are
// ca and cb. The smaller tree is turned so that its node becomes the root.
func (f *forest) connect(a, b Node, ca, cb Class, why reason) {
	size := f.size[ca] + f.size[cb]
	if f.size[ca] > f.size[cb] {
		a, b = b, a
		why ^= flipped
	}
	f.size[ca], f.size[cb] = size, size
	next := edge{b, why}
	for n := a; ; {
		e := f.edge[n]
		f.edge[n] = next
		if e.to == n {
			return
		}
		next = edge{n, e.why ^ flipped}
		n = e.to
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
		g.arena[int(m)+i].head = dead
	}
	if g.analysis != nil {
		g.data = append(g.data, make([]uint64, 1+len(rest))...)
	}
	c := g.Find(Class(n))
	f.connect(m, n, Class(m), c, congruence)
	g.parent[m] = c
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
