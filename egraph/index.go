package egraph

import (
	"cmp"
	"slices"
)

// index is a frozen copy of the canonical nodes, sorted by class and operator,
// for matching: while rules add and merge, a search goes on reading it.
type index struct {
	built   bool
	frozen  bool   // a search is reading it
	changes uint64 // of the graph when built
	epoch   uint32 // counts the builds
	before  int    // size of nodes at the build before this one
	size    int    // size of nodes at this build
	entries []entry
	more    []Class // children of nodes with more than three
	runs    []run
	first   []uint32 // of a class id: its first run; the next id's is the end
	bits    []uint64 // of a class id: bitOf the operators that it has
	all     uint64   // those of all classes
	byHead  []uint32 // runs sorted by operator; empty until asked for
}

// entry is a node: formed if its operator and children were not in the index before this one, and
// fresh if they were not there in its class. Of a node with more than three children kid[2]
// is where the third and later ones begin in index.more.
type entry struct {
	head uint32
	kid  [3]Class
	node uint32 // | fresh | formed
}

const (
	fresh    = 1 << 31
	formed   = 1 << 30
	nodeBits = formed - 1
)

// run is a class's nodes with one operator: entries[start:end].
type run struct {
	head       uint32
	start, end uint32
	fresh      uint32 // how many are
	formed     uint32 // how many of these
	class      Class
}

// shelf is memory for the index of a small graph. A runner lends it for a Run, so that a graph that
// is made, run and dropped need not have its own.
type shelf struct {
	entries [firstNodes]entry
	runs    [firstNodes]run
	bits    [firstNodes]uint64
	first   [firstNodes + 1]uint32
}

// lend gives memory to an index that has none, and reports whether it did. An index that has some
// may be in use: by a loop over Classes, or by a Run whose hook calls this one.
func (s *shelf) lend(ix *index) bool {
	if cap(ix.first) > 0 {
		return false
	}
	ix.entries, ix.runs, ix.bits, ix.first = s.entries[:0], s.runs[:0], s.bits[:0], s.first[:0]
	return true
}

// giveBack takes from an index what was lent to it. Arrays that have grown since are its own.
func (s *shelf) giveBack(ix *index) {
	ix.built = false
	ix.entries, ix.runs, ix.bits = grown(ix.entries, len(s.entries)), grown(ix.runs, len(s.runs)), grown(ix.bits, len(s.bits))
	ix.first = grown(ix.first, len(s.first))
}

// grown returns s if it has room for more than n, else nil.
func grown[T any](s []T, n int) []T {
	if cap(s) > n {
		return s
	}
	return nil
}

func (ix *index) reset() {
	ix.built, ix.frozen, ix.epoch, ix.before, ix.size = false, false, 0, 0, 0
}

// ensure rebuilds graph and index unless they are up to date. It returns false
// if p wanted to stop before the end; nil never stops. While a search reads the
// index it stays as it is.
func (ix *index) ensure(g *Graph, p *poller) bool {
	if ix.frozen {
		return true
	}
	g.Rebuild()
	if ix.built && ix.changes == g.changes {
		return true
	}
	ix.built = false
	if !ix.sortByClass(g, p) {
		return false
	}
	ix.split(g.nodes.n)
	ix.built, ix.changes = true, g.changes
	return true
}

// pollEvery bounds the work between two looks at the clock.
const pollEvery = 1 << 14

// sortByClass sorts the live nodes by class: count, sum up, place.
func (ix *index) sortByClass(g *Graph, p *poller) bool {
	n := g.nodes.n
	if cap(ix.first) < n+1 {
		ix.first = huge(make([]uint32, 0, n+n/2+1))
	}
	if cap(ix.bits) < n {
		ix.bits = huge(make([]uint64, 0, n+n/2+1))
	}
	ix.bits = ix.bits[:n]
	place := ix.first[:n+1]
	ix.first = place
	clear(place)
	for i := range n {
		if g.head(Node(i)) < continued {
			place[g.find(Class(i))]++
		}
		if i%pollEvery == pollEvery-1 && p != nil && p.poll() {
			return false
		}
	}
	sum := uint32(0)
	for c, count := range place {
		place[c] = sum
		sum += count
	}
	// From here on to the end of the build what was seen changes: no stopping.
	ix.epoch++
	ix.before, ix.size = ix.size, n
	if cap(ix.entries) < g.live {
		ix.entries = huge(make([]entry, 0, g.live+g.live/2))
	}
	ix.entries, ix.more = ix.entries[:g.live], ix.more[:0]
	for i := range n {
		r := g.nodes.at(uint32(i))
		if r.head >= continued {
			continue
		}
		c := g.find(Class(i))
		e := entry{r.head, r.kid, uint32(i)}
		if r.seen != c {
			e.node |= fresh
			if r.seen == NoClass {
				e.node |= formed
			}
			r.seen = c
		}
		if r.head >= 4<<24 {
			e.kid[2] = Class(len(ix.more))
			ix.more = append(ix.more, g.kids(Node(i))[2:]...)
		}
		ix.entries[place[c]] = e
		place[c]++
	}
	return true
}

// split sorts every class by operator and cuts it into runs. After sortByClass,
// first[c] is the end of class c in entries.
func (ix *index) split(n int) {
	ix.runs, ix.byHead, ix.all = ix.runs[:0], ix.byHead[:0], 0
	start := uint32(0)
	for c := range n {
		end := ix.first[c]
		ix.first[c] = uint32(len(ix.runs))
		ix.bits[c] = 0
		if start == end {
			continue
		}
		sortByHead(ix.entries[start:end])
		for start < end {
			head := ix.entries[start].head
			r := run{head: head, start: start, end: start, class: Class(c)}
			for r.end < end && ix.entries[r.end].head == head {
				r.count(ix.entries[r.end].node)
				r.end++
			}
			ix.runs = append(ix.runs, r)
			ix.bits[c] |= 1 << bitOf(head)
			start = r.end
		}
		ix.all |= ix.bits[c]
	}
	ix.first[n] = uint32(len(ix.runs))
}

// count adds a node of an entry to those that are fresh, and formed.
func (r *run) count(node uint32) {
	r.fresh += node >> 31
	r.formed += node >> 30 & 1
}

// bitOf is one of 64 bits that tell most operators apart.
func bitOf(head uint32) uint8 { return uint8(head * 0x9E3779B1 >> 26) }

func sortByHead(es []entry) {
	if len(es) > 32 {
		if !slices.IsSortedFunc(es, compareEntries) {
			slices.SortFunc(es, compareEntries)
		}
		return
	}
	for i := 1; i < len(es); i++ {
		for j := i; j > 0 && es[j].head < es[j-1].head; j-- {
			es[j], es[j-1] = es[j-1], es[j]
		}
	}
}

func compareEntries(a, b entry) int {
	if a.head != b.head {
		return cmp.Compare(a.head, b.head)
	}
	return cmp.Compare(a.node&nodeBits, b.node&nodeBits)
}

// of returns the runs of a class, which are none if it was not canonical at the
// build.
func (ix *index) of(c Class) []run {
	if int(c) >= ix.size {
		return nil
	}
	return ix.runs[ix.first[c]:ix.first[c+1]]
}

// find returns a class's run of an operator; nil if it has none.
func (ix *index) find(c Class, head uint32) *run {
	if int(c) >= ix.size {
		return nil
	}
	return ix.among(c, head)
}

// among is find for a class that is in the index.
func (ix *index) among(c Class, head uint32) *run {
	for i, end := ix.first[c], ix.first[c+1]; i < end; i++ {
		if r := &ix.runs[i]; r.head == head {
			return r
		}
	}
	return nil
}

// withHead returns the runs of all classes with an operator, as places in runs.
func (ix *index) withHead(head uint32) []uint32 {
	if len(ix.byHead) != len(ix.runs) {
		ix.byHead = ix.byHead[:0]
		for i := range ix.runs {
			ix.byHead = append(ix.byHead, uint32(i))
		}
		slices.SortStableFunc(ix.byHead, func(a, b uint32) int {
			return cmp.Compare(ix.runs[a].head, ix.runs[b].head)
		})
	}
	at := func(i uint32, h uint32) int { return cmp.Compare(ix.runs[i].head, h) }
	lo, _ := slices.BinarySearchFunc(ix.byHead, head, at)
	hi, _ := slices.BinarySearchFunc(ix.byHead, head+1, at)
	return ix.byHead[lo:hi]
}
