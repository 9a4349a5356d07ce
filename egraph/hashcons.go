package egraph

import "math/bits"

// hashcons finds nodes by operator and children: open addressing with linear
// probing, ordered by the hash's upper bits, so that growing moves the slots
// from front to back. A node whose children change is entered again; its old
// slot stays behind until the table grows, and is not found since it names a
// class that is no longer canonical.
type hashcons struct {
	slots []slot // a power of two
	spare []slot // what slots was before it grew
	shift uint   // 64 - log2(len(slots))
	used  int
}

// A slot holds a whole key of up to two children, so that one cache line
// decides most lookups. For longer ones a and b hold the hash, and the node
// itself decides.
type slot struct {
	a  uint64 // the operator word and the first child
	b  uint32 // the second
	id uint32 // + 1; 0 if empty. A node, or just its class: see probe
}

// A key is a record in two words, as registers hold it: memory that was written in pieces is
// slow to read as a whole.
type key struct{ a, b uint64 }

func (r *record) key() key {
	return key{uint64(r.head) | uint64(r.kid[0])<<32, uint64(r.kid[1]) | uint64(r.kid[2])<<32}
}

func keyOf(head uint32, k0, k1, k2 Class) key {
	return key{uint64(head) | uint64(k0)<<32, uint64(k1) | uint64(k2)<<32}
}

func (k key) head() uint32 { return uint32(k.a) }

func (k key) record() record {
	return record{uint32(k.a), [3]Class{Class(k.a >> 32), Class(k.b), Class(k.b >> 32)}}
}

const (
	smallTable = 64
	largeTable = 1 << 18 // too large to keep a second one
)

func (t *hashcons) init() {
	t.slots = t.slots[:smallTable]
	clear(t.slots)
	t.setSize()
}

func (t *hashcons) setSize() {
	t.shift = uint(64 - bits.TrailingZeros(uint(len(t.slots))))
	t.used = 0
}

// put enters a key at the first empty slot from place p on.
func (t *hashcons) put(p uint64, s slot) {
	mask := uint64(len(t.slots) - 1)
	for t.slots[p&mask].id != 0 {
		p++
	}
	t.slots[p&mask] = s
	t.used++
}

// hash mixes 128 bits by one wide multiplication per record.
func hash(k key, rest []record) uint64 {
	h := mix(k, 0)
	for i := range rest {
		h = mix(rest[i].key(), h)
	}
	return h
}

func mix(k key, seed uint64) uint64 {
	hi, lo := bits.Mul64(k.a^0x9E3779B97F4A7C15^seed, k.b^0xC2B2AE3D27D4EB4F)
	return hi ^ lo
}

// isShort tells operator words of at most two children.
func isShort(head uint32) bool { return head < 3<<24 }

// slotOf returns the slot for a key, still without its node.
func slotOf(k key, h uint64) slot {
	if isShort(k.head()) {
		return slot{a: k.a, b: uint32(k.b)}
	}
	return slot{a: uint64(k.head()) | h<<32, b: uint32(h >> 32)}
}

func (s slot) head() uint32 { return uint32(s.a) }

// hash returns the hash of the key in the slot.
func (s slot) hash() uint64 {
	if isShort(s.head()) {
		return mix(key{s.a, uint64(s.b) | uint64(NoClass)<<32}, 0)
	}
	return s.a>>32 | uint64(s.b)<<32
}

// probe finds the node with this key and hash, or the place to put it. Without proofs a
// slot comes to name the node's class instead: few and therefore cached, where
// the nodes would be a cache miss each.
func (g *Graph) probe(h uint64, k key, rest []record) (n Node, at uint64, ok bool) {
	want := slotOf(k, h)
	slots := g.table.slots
	mask := uint64(len(slots) - 1)
	for at = h >> g.table.shift; ; at++ {
		s := &slots[at&mask]
		if s.id == 0 {
			return 0, at, false
		}
		if s.a != want.a || s.b != want.b {
			continue
		}
		id := s.id - 1
		if !isShort(s.head()) {
			if g.nodes.at(id).key() == k && g.continues(id, rest) {
				return Node(id), at, true
			}
			continue
		}
		if g.forest == nil {
			if c := uint32(g.find(Class(id))); c != id {
				id = c
				s.id = c + 1
			}
		}
		return Node(id), at, true
	}
}

func (g *Graph) continues(n uint32, rest []record) bool {
	for i, r := range rest {
		if g.nodes.at(n+1+uint32(i)).record != r {
			return false
		}
	}
	return true
}

// enter puts a node that is not in the table, at the place that probe found or
// elsewhere if the table has to grow.
func (g *Graph) enter(n Node, h uint64, k key, at uint64) {
	t := &g.table
	if (t.used+1)*4 > len(t.slots)*3 {
		g.growTable()
		at = h >> t.shift
	}
	s := slotOf(k, h)
	s.id = uint32(n) + 1
	t.put(at, s)
}

// purge empties the slots that nothing can find any more. It begins behind an
// empty slot and enters every other one again, which finds its place no later
// than where it was: all slots before are either entered again or empty.
func (g *Graph) purge() {
	t := &g.table
	mask := len(t.slots) - 1
	start := 0
	for t.slots[start].id != 0 {
		start++
	}
	t.used = 0
	for i := start + 1; i <= start+mask; i++ {
		s := t.slots[i&mask]
		if s.id == 0 {
			continue
		}
		t.slots[i&mask].id = 0
		if g.current(s) {
			t.put(s.hash()>>t.shift, s)
		}
	}
}

// growTable makes room: it purges the table, or doubles it if more than 9/16 of it is live.
func (g *Graph) growTable() {
	t := &g.table
	size := len(t.slots)
	if (g.live+1)*16 <= size*9 {
		if g.purge(); t.used*16 <= size*10 { // else it would soon be full again
			return
		}
	}
	g.resizeTable(2 * size)
}

// reserve makes room for n more nodes at once, as far as a limit on nodes lets them come.
func (g *Graph) reserve(n, limit int) {
	if limit > 0 {
		n = min(n, limit-g.live)
	}
	size := len(g.table.slots)
	for (g.table.used+n)*4 > size*3 {
		size *= 2
	}
	if size > len(g.table.slots) {
		g.resizeTable(size)
	}
	if n > cap(g.class)-len(g.class) {
		g.class = append(huge(make([]class, 0, len(g.class)+n)), g.class...)
	}
}

// resizeTable moves the table to so many slots.
func (g *Graph) resizeTable(size int) {
	t := &g.table
	old := t.slots
	if cap(t.spare) < size {
		t.slots = huge(make([]slot, size))
	} else {
		t.slots = t.spare[:size]
		clear(t.slots)
	}
	t.spare = nil
	if len(old) <= largeTable {
		t.spare = old
	}
	few := (t.used-g.live)*8 < t.used // not worth asking which
	t.setSize()
	for _, s := range old {
		if s.id != 0 && (few || g.current(s)) {
			t.put(s.hash()>>t.shift, s)
		}
	}
}

// current reports whether a slot may still be found: the children of its key
// are canonical, or the node holds its key.
func (g *Graph) current(s slot) bool {
	if !isShort(s.head()) {
		n := Node(s.id - 1)
		if g.head(n) != s.head() {
			return false
		}
		g.other = g.continuation(n, g.other[:0])
		return hash(g.nodes.at(uint32(n)).key(), g.other) == s.hash()
	}
	a, b := Class(s.a>>32), Class(s.b)
	return (a == NoClass || g.class[a].parent == a) && (b == NoClass || g.class[b].parent == b)
}

// records returns the number of records of a node with this operator word.
func records(head uint32) int { return max(1, (int(head>>24)+2)/3) }
