package egraph

import "math/bits"

// In a large graph matches wait in blocks, one for each rule, before anything is kept of them. A
// block is asked at once which of its matches change nothing: each step is a short loop over
// columns, so that the waits for memory of many look-ups overlap. Nothing is written meanwhile,
// and a search by columns takes only what rows it leaves to a goroutine of its own.

// A block is the rows of matches of one rule, word by word: cols[w][i] is word w of match i.
type block struct {
	n    int
	cols []column
}

type column [blockSize]Class

const blockSize = 64

// left is what a search by columns leaves.
type left struct {
	matches int
	applied int
	unite   []Class // rows whose right side is there, but not known to equal the root
	roots   []Class // rows that miss only the root of their right side
	later   []Class // rows that miss more
	rootsN  int     // how many
	laterN  int
	ask     []Class // rows of rules that could not be asked about
	askN    int     // how many, of those asked again
}

// A gatherer has the blocks of a machine, and the rows that are left of them.
type gatherer struct {
	allFresh bool
	full     bool // there were too many rows
	left     left
	blocks   []block // by rule
	at       [blockSize]uint32
	place    [blockSize]uint32
	kids     [3]column
	alive    [blockSize]uint32
	touched  uint32 // keeps the compiler from dropping the reads
}

// maxRows is how many words a gatherer leaves of a chunk; tests let fewer be.
var maxRows = 1 << 16

// begin readies a gatherer for an iteration.
func (w *gatherer) begin(r *runner) {
	if w.blocks == nil {
		w.blocks = make([]block, len(r.rs.rules))
	}
	w.allFresh = r.allFresh
}

// block returns the block of a rule, which has room for a match.
func (m *machine) block(y int) *block {
	b := &m.gatherer.blocks[y]
	if b.cols == nil {
		b.cols = make([]column, m.rs.rules[y].words(m.proofs))
	}
	return b
}

// gather is the sink of a search by columns.
func gather(m *machine, y int) bool {
	w := m.gatherer
	w.left.matches++
	a := &m.rs.rules[y].applier
	if m.fresh == 0 && !w.allFresh && a.pure {
		return true
	}
	w.left.applied++
	if !a.settles {
		w.left.ask, _ = m.take(w.left.ask, y)
		return w.hasRoom()
	}
	b := m.block(y)
	b.cols[rootAt][b.n] = m.regs[0]
	for v, reg := range a.regs[:a.vars] {
		b.cols[varsAt+v][b.n] = m.at(reg)
	}
	if m.proofs {
		for i, at := range m.prog.matched(&m.prog.yields[y]) {
			b.cols[a.nodesAt+i][b.n] = Class(m.node(nodeAt(at)))
		}
	}
	b.n++
	if b.n == blockSize {
		m.ask(b, a, y)
	}
	return w.hasRoom()
}

func (w *gatherer) hasRoom() bool {
	w.full = w.full || len(w.left.unite)+len(w.left.roots)+len(w.left.later)+len(w.left.ask) > maxRows
	return !w.full
}

// inOrder are the places of a block.
var inOrder = func() (at [blockSize]uint32) {
	for i := range at {
		at[i] = uint32(i)
	}
	return at
}()

// bindColumns is what bind does with the nodes of a run, where all that follows is the end of pure
// rules and all matches are new: those of the nodes that have the skip bits.
func (m *machine) bindColumns(in *instr, es []entry, skip uint32) bool {
	w, bit := m.gatherer, bits.TrailingZeros32(skip)&31
	ends := m.prog.alternatives(in.child)
	for len(es) > 0 {
		next := min(len(es), blockSize)
		at := inOrder[:next]
		if skip != 0 {
			n := 0
			for i := range es[:next] {
				w.at[n%blockSize] = uint32(i)
				n += int(es[i].node >> bit & 1)
			}
			at = w.at[:n]
		}
		for i := range ends {
			if len(at) > 0 && !m.bindEnd(in, int(ends[i].other), es, at) {
				return false
			}
		}
		es = es[next:]
	}
	return true
}

// bindEnd gives matches to a rule: of the nodes at some places.
func (m *machine) bindEnd(in *instr, y int, es []entry, at []uint32) bool {
	w := m.gatherer
	w.left.matches += len(at)
	w.left.applied += len(at)
	a := &m.rs.rules[y].applier
	if !a.settles {
		for _, at := range at {
			m.enterNode(in, &es[at])
			w.left.ask, _ = m.take(w.left.ask, y)
		}
		return w.hasRoom()
	}
	b := m.block(y)
	for len(at) > 0 {
		n := min(len(at), blockSize-b.n)
		m.copyColumns(in, b, a, y, es, at[:n])
		b.n += n
		at = at[n:]
		if b.n == blockSize {
			m.ask(b, a, y)
		}
	}
	return w.hasRoom()
}

// copyColumns appends matches of the nodes at some places of a run to a block, but for their number.
func (m *machine) copyColumns(in *instr, b *block, a *applier, y int, es []entry, at []uint32) {
	fill(&b.cols[rootAt], b.n, len(at), m.regs[0])
	for v, reg := range a.regs[:a.vars] {
		col := &b.cols[varsAt+v]
		switch j := uint(reg) - uint(in.out); {
		case j >= uint(in.head>>24):
			fill(col, b.n, len(at), m.at(reg))
		case in.head < 4<<24 || j < 2:
			to := col[b.n : b.n+len(at)]
			j := min(j, 2) // a bound that the compiler sees
			for i := range to {
				to[i] = es[at[i]].kid[j]
			}
		default:
			to := col[b.n : b.n+len(at)]
			for i, at := range at {
				to[i] = m.g.index.more[es[at].kid[2]:][j-2]
			}
		}
	}
	if !m.proofs {
		return
	}
	for i, place := range m.prog.matched(&m.prog.yields[y]) {
		col := &b.cols[a.nodesAt+i]
		if nodeAt(place) != nodeAt(in.slot) {
			fill(col, b.n, len(at), Class(m.node(nodeAt(place))))
			continue
		}
		for i, at := range at {
			col[b.n+i] = Class(es[at].node & nodeBits)
		}
	}
}

func fill(col *column, from, n int, c Class) {
	to := col[from : from+n]
	for i := range to {
		to[i] = c
	}
}

// drop forgets the matches in blocks.
func (w *gatherer) drop() {
	for y := range w.blocks {
		w.blocks[y].n = 0
	}
}

// askAll empties all blocks.
func (m *machine) askAll() {
	w := m.gatherer
	for y := range w.blocks {
		if b := &w.blocks[y]; b.n > 0 {
			m.ask(b, &m.rs.rules[y].applier, y)
		}
	}
}

// askRows asks matches again, now that the graph has changed.
func (m *machine) askRows(rows []Class) {
	l := &m.gatherer.left
	for len(rows) > 0 {
		y := rows[0]
		a := &m.rs.rules[y].applier
		words := a.words(m.proofs)
		if !a.settles {
			l.ask = append(l.ask, rows[:words]...)
			l.askN++
			rows = rows[words:]
			continue
		}
		b := m.block(int(y))
		n := 1 // rows of the rule, which stand together
		for b.n+n < blockSize && n*words < len(rows) && rows[n*words] == y {
			n++
		}
		b.enter(rows[:n*words])
		if b.n += n; b.n == blockSize {
			m.ask(b, a, int(y))
		}
		rows = rows[n*words:]
	}
	m.askAll()
}

// enter appends rows to a block, but for their number.
func (b *block) enter(rows []Class) {
	words := len(b.cols)
	for j := rootAt; j < words; j++ {
		to := b.cols[j][b.n:]
		for at, i := j, 0; at < len(rows) && i < len(to); at, i = at+words, i+1 {
			to[i] = rows[at]
		}
	}
}

// ask empties a block: rows are left of matches that may change something, with the nodes of the
// right side that are there.
func (m *machine) ask(b *block, a *applier, y int) {
	w, g, n := m.gatherer, m.g, b.n
	for v := range a.vars {
		g.rootsOf(b.cols[varsAt+v][:n])
	}
	alive := w.alive[:copy(w.alive[:n], inOrder[:])]
	inner := uint64(0) // miss more than the root
	for i := range a.build {
		if i == len(a.build)-1 {
			inner = bitsBut(alive, n)
		}
		if len(alive) < n {
			fill(&b.cols[a.build[i].place], 0, n, NoClass)
		}
		alive = w.lookUp(g, b, a, &a.build[i], alive)
	}
	missing, differ := bitsBut(alive, n), uint64(0)
	result, root := &b.cols[a.result], &b.cols[rootAt]
	for _, i := range alive {
		c, to := result[i%blockSize], root[i%blockSize]
		if c != to && g.root(c) != g.root(to) {
			differ |= 1 << (i % blockSize)
		}
	}
	l := &w.left
	roots, later, unite := bits.OnesCount64(missing&^inner), bits.OnesCount64(inner), bits.OnesCount64(differ)
	m.poller.budget -= len(alive) - unite
	l.roots = b.leave(l.roots, y, missing&^inner, roots)
	l.later = b.leave(l.later, y, inner, later)
	l.unite = b.leave(l.unite, y, differ, unite)
	l.rootsN += roots
	l.laterN += later
	b.n = 0
}

// bitsBut returns a word whose lowest n bits are set, without the bits that some lists.
func bitsBut(some []uint32, n int) uint64 {
	all := ^uint64(0) >> (blockSize - n)
	for _, i := range some {
		all &^= 1 << (i % blockSize)
	}
	return all
}

// leave appends n matches, given as bits, to rows.
func (b *block) leave(rows []Class, y int, which uint64, n int) []Class {
	words := len(b.cols)
	for cap(rows)-len(rows) < n*words {
		rows = doubled(rows[:cap(rows)])[:len(rows)]
	}
	from := len(rows)
	rows = rows[:from+n*words]
	for at := from; at < len(rows); at += words {
		rows[at] = Class(y)
	}
	if n == b.n {
		for j := rootAt; j < words; j++ {
			col := &b.cols[j]
			for at, i := from+j, 0; at < len(rows); at, i = at+words, i+1 {
				rows[at] = col[i%blockSize]
			}
		}
		return rows
	}
	for ; which != 0; which &= which - 1 {
		i := bits.TrailingZeros64(which)
		for j := rootAt; j < words; j++ {
			rows[from+j] = b.cols[j][i]
		}
		from += words
	}
	return rows
}

// lookUp finds nodes of the right sides of those matches of a block that are alive, and returns
// those whose nodes are there.
func (w *gatherer) lookUp(g *Graph, b *block, a *applier, make *builder, alive []uint32) []uint32 {
	var k [3]*column
	for i := range k {
		k[i] = &noClasses
		if i < len(make.kids) {
			k[i] = w.canonical(g, b, a, make.kids[i], i, alive)
		}
	}
	head, found := make.head, &b.cols[make.place]
	if !isShort(head) {
		return g.lookUpLong(head, k, found, alive)
	}
	w.hashColumns(g.table.shift, head, k[0], k[1], alive)
	w.touched = w.touch(g.table.slots, len(alive))
	return w.probeColumns(g.table.slots, head, k[0], k[1], found, alive)
}

// hashColumns finds the places of nodes in the table.
func (w *gatherer) hashColumns(shift uint, head uint32, k0, k1 *column, alive []uint32) {
	for j, i := range alive {
		at := mix(keyOf(head, k0[i%blockSize], k1[i%blockSize], NoClass), 0) >> (shift & 63)
		w.place[j&(blockSize-1)] = uint32(at)
	}
}

// touch reads the slots at n places: a loop so short that many reads are under way at once.
func (w *gatherer) touch(slots []slot, n int) (sum uint32) {
	for _, at := range w.place[:n] {
		sum ^= slots[at].id
	}
	return sum
}

// probeColumns looks nodes up from their places on, and returns those that are there. The key of
// an empty slot is none of a node with children.
func (w *gatherer) probeColumns(slots []slot, head uint32, k0, k1, found *column, alive []uint32) []uint32 {
	mask, out := uint32(len(slots)-1), uint32(0)
	for j, i := range alive {
		i %= blockSize
		at := w.place[j&(blockSize-1)]
		a, b := uint64(head)|uint64(k0[i])<<32, uint32(k1[i])
		s := &slots[at&mask]
		for (s.a != a || s.b != b) && s.id != 0 {
			at++
			s = &slots[at&mask]
		}
		id := s.id
		found[i] = Class(id - 1)
		w.alive[out%blockSize] = i
		if id != 0 {
			id = 1
		}
		out += id
	}
	return w.alive[:out]
}

// lookUpLong is lookUp for nodes of three children.
func (g *Graph) lookUpLong(head uint32, k [3]*column, found *column, alive []uint32) []uint32 {
	out := 0
	for _, i := range alive {
		n, ok := g.peek(keyOf(head, k[0][i], k[1][i], k[2][i]))
		found[i] = NoClass
		if ok {
			found[i] = Class(n)
			alive[out] = i
			out++
		}
	}
	return alive[:out]
}

var noClasses = func() (c column) {
	for i := range c {
		c[i] = NoClass
	}
	return c
}()

// canonical returns the column of a child of a node to find. Variables are canonical; nodes found before
// stand in proofs for themselves, and so stay as they are.
func (w *gatherer) canonical(g *Graph, b *block, a *applier, place uint16, spare int, alive []uint32) *column {
	col := &b.cols[place]
	if int(place) < varsAt+a.vars {
		return col
	}
	kids := &w.kids[spare]
	for _, i := range alive {
		kids[i] = g.root(col[i])
	}
	return kids
}

// rootsOf makes classes canonical.
func (g *Graph) rootsOf(classes []Class) {
	all := g.class
	for i, c := range classes {
		if uint(c) < uint(len(all)) && all[c].parent != c { // NoClass stays
			classes[i] = g.root(c)
		}
	}
}
