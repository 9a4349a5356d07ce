package poly

import "slices"

// internTable is a table of distinct word sequences, numbered from 0 in order of arrival:
// the hash-consing behind Space, flat and without pointers.
type internTable struct {
	data  []uint32
	start []uint32 // of each sequence in data; one more at the end
	hash  []uint32
	table []uint32 // open addressing, id + 1
}

// smallTable is the size of the table of an empty one, however large it was before: clearing a
// large table costs more than most uses of it.
const smallTable = 64

func (t *internTable) reset() {
	t.data, t.hash = t.data[:0], t.hash[:0]
	t.start = append(t.start[:0], 0)
	t.resize(smallTable)
}

// resize empties the table and gives it so many places.
func (t *internTable) resize(n int) {
	if cap(t.table) < n {
		t.table = make([]uint32, n)
		return
	}
	t.table = t.table[:n]
	clear(t.table)
}

func (t *internTable) words(id uint32) []uint32 { return t.data[t.start[id]:t.start[id+1]] }

func (t *internTable) intern(w []uint32) uint32 {
	h := hashWords(w)
	mask := uint32(len(t.table) - 1)
	i := h & mask
	for ; t.table[i] != 0; i = (i + 1) & mask {
		if id := t.table[i] - 1; t.hash[id] == h && slices.Equal(t.words(id), w) {
			return id
		}
	}
	id := uint32(len(t.hash))
	if len(t.data)+len(w) > cap(t.data) { // append would copy a large one five times until it is twice as large
		t.data = slices.Grow(t.data, len(t.data)+len(w))
	}
	t.data = append(t.data, w...)
	t.start = append(t.start, uint32(len(t.data)))
	t.hash = append(t.hash, h)
	t.table[i] = id + 1
	if 2*len(t.hash) > len(t.table) {
		t.grow()
	}
	return id
}

func (t *internTable) grow() {
	t.resize(2 * len(t.table))
	mask := uint32(len(t.table) - 1)
	for id, h := range t.hash {
		i := h & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = uint32(id) + 1
	}
}

func hashWords(w []uint32) uint32 {
	h := uint64(len(w)) + 0x9e3779b97f4a7c15
	for _, x := range w {
		h = (h ^ uint64(x)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return uint32(h>>32) ^ uint32(h)
}
