package egraph

import "fmt"

// Op is an operator symbol: any number up to MaxOp that the caller chose.
type Op uint32

// Class names a set of terms known to be equal. Classes merge: two Class values
// mean the same class if Find maps them to the same value.
type Class uint32

// Node names one node as it was added: an operator and the children it had
// then. It never changes its meaning, and stands for one term: see Graph.Term.
// Every node founds a class, so that Class(n) is a class that holds n.
type Node uint32

const (
	// MaxOp is the largest operator symbol.
	MaxOp Op = 1<<24 - 1
	// MaxArity is the largest number of children of a node.
	MaxArity = 254
	// MaxNodes is the largest number of nodes that a graph can ever have held
	// between two Resets.
	MaxNodes = 1<<30 - 1
	// NoClass is no class.
	NoClass Class = 1<<32 - 1
)

// A record is the piece of a node that fits 16 bytes: the operator word and
// three children. A node with more children continues in the records that
// follow; unused children are NoClass, so that records compare as a whole.
type record struct {
	head uint32
	kid  [3]Class
}

// A node is a record and what the graph keeps with it: what is needed together lies in one
// cache line.
type node struct {
	record
	next [3]uint32 // the next position that holds the same class as kid[i]
	seen Class     // class of the node in the last index; NoClass if it has another form since
}

// A class is a set of the union-find, and who uses it.
type class struct {
	parent Class
	first  uint32 // first position that holds the class; 0 if none
	users  uint32 // length of the list that begins there, dead nodes included
}

// Operator words: arity<<24 | op. The two exceptions are larger than any.
const (
	continued = 255 << 24 // | number of records back to the node's first
	dead      = 1<<32 - 1 // a node that congruence made a copy of another
)

func headOf(op Op, arity int) uint32 { return uint32(arity)<<24 | uint32(op) }

// Options choose what a graph keeps beside the terms.
type Options struct {
	Proofs   bool      // remember why classes merged, for Explain
	Analysis *Analysis // a datum per class; nil for none
}

// A Graph is an e-graph. Make one with New: most methods of the zero Graph panic.
type Graph struct {
	// All memory is a handful of arrays indexed by node. A position names
	// a child slot: 4*record + 1 + i is child i of a record.
	nodes paged[node]
	class []class
	data  []uint64 // analysis datum of a class

	table   hashcons
	long    []record // scratch: continuation of the key being looked up
	other   []record // scratch: continuation of the key being purged
	kidbuf  []Class  // scratch: children handed to the analysis
	pending []Class  // merged classes whose users hold the old name
	users   []job    // a block of these
	work    int      // users of the pending classes
	dirty   []Class  // classes whose datum changed or is new

	live    int    // canonical nodes
	classes int    // canonical classes
	changes uint64 // nodes added plus classes merged, ever

	analysis *Analysis
	forest   *forest
	pushed   []snapshot
	index    index
	touched  uint32 // keeps the compiler from dropping the reads
	first    first
}

// first is the memory that a graph begins with. It lies in the graph, so that a small one takes a
// single allocation, and at its end, where the collector looks for no pointers.
type first struct {
	pages [1][]node
	slots [smallTable]slot
	nodes [firstNodes]node
	class [firstNodes]class
}

// firstNodes is how many nodes need no memory but the first.
const firstNodes = 32

func (g *Graph) useFirst() {
	f := &g.first
	f.pages[0] = f.nodes[:]
	g.nodes.pages = f.pages[:]
	g.class = f.class[:0]
	g.table.slots = f.slots[:]
}

// New returns an empty graph. The zero Options keep terms alone.
func New(o Options) *Graph {
	g := &Graph{analysis: o.Analysis}
	g.useFirst()
	if o.Proofs {
		g.forest = &forest{}
	}
	g.table.setSize()
	return g
}

// Reset empties the graph, forgets every Push, and keeps memory and options. It costs time in
// the size that was used, not in the size that was ever allocated.
func (g *Graph) Reset() {
	g.nodes.n, g.class, g.data = 0, g.class[:0], g.data[:0]
	g.pending, g.dirty, g.work = g.pending[:0], g.dirty[:0], 0
	g.live, g.classes = 0, 0
	g.changes++
	g.table.init()
	g.index.reset()
	clear(g.pushed)
	g.pushed = g.pushed[:0]
	if g.forest != nil {
		g.forest.reset()
	}
}

// Add adds a node and returns its canonical class. Adding a node that is there already
// (with equal children) adds nothing. It panics for an operator above MaxOp, for more than
// MaxArity children, and for a child that is no class of the graph.
func (g *Graph) Add(op Op, kids ...Class) Class {
	g.check(kids)
	return g.find(Class(g.add(op, kids)))
}

// check panics where there is no graph to add a node to, or a child is no class of it.
func (g *Graph) check(kids []Class) {
	if g == nil || len(g.table.slots) == 0 {
		panic("egraph: make a Graph with New")
	}
	for _, k := range kids {
		if uint(k) >= uint(len(g.class)) {
			panic(g.unknown(k))
		}
	}
}

// AddNode adds a node whose children are the given nodes, and returns a node
// that stands for exactly this term, for Explain, even where the class has an
// equal node already. Without proofs it returns a node of the same class, good
// for ClassOf only. It panics where Add does.
func (g *Graph) AddNode(op Op, kids ...Node) Node {
	ks := make([]Class, len(kids))
	for i, k := range kids {
		ks[i] = Class(k)
	}
	g.check(ks)
	n := g.add(op, ks)
	if g.forest == nil {
		return n
	}
	return g.exact(n, op, ks)
}

// AddTerm adds a whole term, as AddNode does. Shared subterms are added once. It panics for a nil
// term or subterm.
func (g *Graph) AddTerm(t *Term) Node { return g.addTerm(t, &termNodes{}) }

// termNodes remembers the nodes of terms: a few in a row, more in a map.
type termNodes struct {
	few [16]struct {
		term *Term
		node Node
	}
	n    int // of few
	many map[*Term]Node
}

func (m *termNodes) get(t *Term) (Node, bool) {
	for i := range m.n {
		if m.few[i].term == t {
			return m.few[i].node, true
		}
	}
	n, ok := m.many[t]
	return n, ok
}

func (m *termNodes) put(t *Term, n Node) {
	switch {
	case m.n < len(m.few):
		m.few[m.n].term, m.few[m.n].node = t, n
		m.n++
	case m.many == nil:
		m.many = map[*Term]Node{t: n}
	default:
		m.many[t] = n
	}
}

func (g *Graph) addTerm(t *Term, memo *termNodes) Node {
	if t == nil {
		panic("egraph: AddTerm of a nil term")
	}
	if len(t.Kids) == 0 {
		return g.AddNode(t.Op) // adds nothing the second time
	}
	if n, ok := memo.get(t); ok {
		return n
	}
	kids := make([]Node, len(t.Kids))
	for i, k := range t.Kids {
		kids[i] = g.addTerm(k, memo)
	}
	n := g.AddNode(t.Op, kids...)
	memo.put(t, n)
	return n
}

// Lookup returns the canonical class of a node, or NoClass and false where the graph does not have
// the node. It panics where Add does.
func (g *Graph) Lookup(op Op, kids ...Class) (Class, bool) {
	g.check(kids)
	checkSize(op, len(kids))
	k, rest := g.key(op, kids)
	n, _, ok := g.probe(hash(k, rest), k, rest)
	if !ok {
		return NoClass, false
	}
	return g.find(Class(n)), true
}

// key puts a node with canonical children into records; those after the first
// are valid until the next call.
func (g *Graph) key(op Op, kids []Class) (key, []record) {
	r := record{headOf(op, len(kids)), [3]Class{NoClass, NoClass, NoClass}}
	for i, k := range kids[:min(3, len(kids))] {
		r.kid[i] = g.find(k)
	}
	if len(kids) <= 3 {
		return r.key(), nil
	}
	g.long = g.long[:0]
	for i, k := range kids[3:] {
		if i%3 == 0 {
			back := continued | uint32(i/3+1)
			g.long = append(g.long, record{back, [3]Class{NoClass, NoClass, NoClass}})
		}
		g.long[i/3].kid[i%3] = g.find(k)
	}
	return r.key(), g.long
}

// add returns the node with these children, which may be new, or any node of
// its class if there are no proofs. With proofs a new node stands for the term
// with the children exactly as given.
func (g *Graph) add(op Op, kids []Class) Node {
	checkSize(op, len(kids))
	k, rest := g.key(op, kids)
	h := hash(k, rest)
	n, at, ok := g.probe(h, k, rest)
	if ok {
		return n
	}
	n = g.insert(k, rest, h, at)
	if g.forest != nil {
		g.forest.add(k, rest, kids)
	}
	return n
}

// checkSize panics for a node that no graph can hold.
func checkSize(op Op, kids int) {
	if op > MaxOp || kids > MaxArity {
		panic(fmt.Sprintf("egraph: operator %d with %d children is too large", op, kids))
	}
}

// insert adds a node with canonical children that probe did not find.
func (g *Graph) insert(k key, rest []record, h, at uint64) Node {
	n := g.extend(k, rest)
	g.enter(n, h, k, at)
	g.link(n, int(k.head()>>24))
	g.live++
	g.classes++
	g.changes++
	if g.analysis != nil {
		g.data = append(g.data, make([]uint64, 1+len(rest))...)
		g.data[n] = g.analysis.Make(g, Op(k.head())&MaxOp, g.kids(n))
		if g.analysis.Modify != nil { // nobody uses a new node yet
			g.dirty = append(g.dirty, Class(n))
		}
	}
	return n
}

// extend appends the records of a node, as a class of its own.
func (g *Graph) extend(k key, rest []record) Node {
	n := g.nodes.n
	if n+len(rest) >= MaxNodes {
		panic("egraph: more than MaxNodes nodes")
	}
	at := g.nodes.more()
	at.record, at.next, at.seen = k.record(), [3]uint32{}, NoClass
	g.class = append(doubled(g.class), class{parent: Class(n)})
	for _, r := range rest {
		g.nodes.push(node{record: r, seen: NoClass})
		g.class = append(g.class, class{parent: Class(n)})
	}
	return Node(n)
}

// doubled makes room for one more: where append would copy more often.
func doubled[T any](s []T) []T {
	if len(s) < cap(s) {
		return s
	}
	return append(huge(make([]T, 0, max(2*cap(s), 64))), s...)
}

// link enters the children of node n into the lists of their users.
func (g *Graph) link(n Node, arity int) {
	for r := uint32(n); arity > 0; r++ {
		at := g.nodes.at(r)
		for i, c := range at.kid[:min(arity, 3)] {
			k := &g.class[c]
			at.next[i] = k.first
			k.first = 4*r + 1 + uint32(i)
			k.users++
		}
		arity -= 3
	}
}

// next returns the position after pos in the list of users.
func (g *Graph) next(pos uint32) uint32 { return g.nodes.at(pos >> 2).next[pos&3-1] }

// owner returns the node that a child position belongs to.
func (g *Graph) owner(pos uint32) Node {
	n := pos >> 2
	if h := g.nodes.at(n).head; h >= continued && h != dead {
		n -= h & (continued ^ dead)
	}
	return Node(n)
}

// head returns the operator word of a node.
func (g *Graph) head(n Node) uint32 { return g.nodes.at(uint32(n)).head }

// kids returns the canonical children of a live node; valid until the graph
// changes or kids is called again.
func (g *Graph) kids(n Node) []Class {
	at := g.nodes.at(uint32(n))
	a := int(at.head >> 24)
	if a <= 3 {
		return at.kid[:a:a]
	}
	g.kidbuf = g.kidbuf[:0]
	for i := range a {
		g.kidbuf = append(g.kidbuf, g.nodes.at(uint32(n) + uint32(i/3)).kid[i%3])
	}
	return g.kidbuf
}

// continuation appends the records of a node after its first to buf.
func (g *Graph) continuation(n Node, buf []record) []record {
	for i := range records(g.head(n)) - 1 {
		buf = append(buf, g.nodes.at(uint32(n)+1+uint32(i)).record)
	}
	return buf
}

// NodeCount returns the number of canonical nodes: different operator and
// children, counted after congruence if the graph is congruent.
func (g *Graph) NodeCount() int { return g.live }

// ClassCount returns the number of canonical classes.
func (g *Graph) ClassCount() int { return g.classes }

// Changes counts the nodes added and the classes merged since New: while it
// stays the same, the graph has not changed.
func (g *Graph) Changes() uint64 { return g.changes }

// Proofs reports whether the graph records proofs.
func (g *Graph) Proofs() bool { return g.forest != nil }
