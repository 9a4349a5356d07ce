package egraph

import (
	"math/bits"
	"slices"
)

// hashcons finds nodes by operator and children: open addressing with linear
// probing. A slot is hash<<32 | node+1, 0 if empty; a hit is confirmed in the
// arena. A node whose children change is entered again and its old slot stays
// behind: it cannot be hit, since the arena no longer holds that key, and goes
// when the table is rebuilt.
type hashcons struct {
	slots []uint64 // a power of two
	used  int
}

const smallTable = 128

func (t *hashcons) init() { t.resize(smallTable) }

// resize empties the table at a new size, in the old memory if it suffices.
func (t *hashcons) resize(n int) {
	if cap(t.slots) < n {
		t.slots = make([]uint64, n)
	} else {
		t.slots = t.slots[:n]
		clear(t.slots)
	}
	t.used = 0
}

// put enters a node that is not in the table under this hash.
func (t *hashcons) put(h uint64, n Node) {
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = h>>32<<32 | uint64(n+1)
	t.used++
}

// hash mixes 128 bits by one wide multiplication per record.
func hash(key record, rest []record) uint64 {
	h := mix(key, 0)
	for _, r := range rest {
		h = mix(r, h)
	}
	return h
}

func mix(r record, seed uint64) uint64 {
	a := uint64(r.head) | uint64(r.kid[0])<<32
	b := uint64(r.kid[1]) | uint64(r.kid[2])<<32
	hi, lo := bits.Mul64(a^0x9E3779B97F4A7C15^seed, b^0xC2B2AE3D27D4EB4F)
	return hi ^ lo
}

// probe finds the node with this key.
func (g *Graph) probe(h uint64, key record, rest []record) (Node, bool) {
	slots := g.table.slots
	mask := uint64(len(slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := slots[i&uint64(len(slots)-1)]
		if s == 0 {
			return 0, false
		}
		if s>>32 != h>>32 {
			continue
		}
		n := uint32(s) - 1
		if g.arena[n] == key && (rest == nil || g.continues(n, rest)) {
			return Node(n), true
		}
	}
}

func (g *Graph) continues(n uint32, rest []record) bool {
	return slices.Equal(g.arena[n+1:n+1+uint32(len(rest))], rest)
}

// makeRoom lets one more node enter the table, which it rebuilds from the arena
// at a load of 0.62.
func (g *Graph) makeRoom() {
	t := &g.table
	if (t.used+1)*8 <= len(t.slots)*5 {
		return
	}
	size := len(t.slots)
	for (g.live+1)*5 > size*2 {
		size *= 2
	}
	t.resize(size)
	for n := range g.arena {
		if head := g.arena[n].head; head < continued {
			rest := g.arena[n+1 : n+records(head)]
			t.put(hash(g.arena[n], rest), Node(n))
		}
	}
}

// records returns the number of records of a node with this operator word.
func records(head uint32) int { return max(1, (int(head>>24)+2)/3) }
