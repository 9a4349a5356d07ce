package egraph

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A large graph is searched in rounds of chunks: rows of nodes that are searched by columns, each
// for itself and on as many goroutines as there are processors, while the graph stays as it is.
// Then the rows that they left are applied in the order of the chunks. What a chunk leaves does
// not depend on who searched it, so neither does the graph.

const roundChunks = 8

// Tests take other sizes.
var (
	wideFrom   = 1 << 11 // nodes of a graph that is searched by columns
	chunkNodes = 128     // nodes of a chunk
	maxWorkers = 4       // goroutines that search a graph
)

// A chunk is a row of nodes of the index, of one class or several, and what its search left.
type chunk struct {
	run      int    // that has the first
	from, to uint32 // in index.entries
	classes  int    // that end in it
	left     left
	steps    int
	why      Stop
	full     bool // what is left is too much, and incomplete
}

// wide is the memory of searches by columns.
type wide struct {
	chunks  [roundChunks]chunk
	again   [roundChunks]chunk // rows that are asked again, which may be between two of chunks
	workers []*machine
}

// isWide reports whether the graph is searched by columns: not where matches are counted one by one.
func (r *runner) isWide(g *Graph) bool {
	l := &r.limits
	return g.live >= wideFrom && l.Matches == 0 && l.Schedule == nil && l.Fired == nil
}

// searchWide searches every class and applies what can be at once. It reports whether it came to
// the end.
func (g *Graph) searchWide(r *runner, m *machine) bool {
	if r.wide == nil {
		r.wide = &wide{}
	}
	w := r.wide
	w.begin(r, m)
	if m.prog.scans {
		g.index.withHead(0) // sorts them for all
	}
	for last := (chunk{}); int(last.to) < len(g.index.entries); {
		n := 0
		for ; n < len(w.chunks) && int(last.to) < len(g.index.entries); n++ {
			w.chunks[n].cut(&g.index, last)
			last = w.chunks[n]
		}
		w.each(n, func(m *machine, i int) { m.searchChunk(&w.chunks[i]) })
		for i := range w.chunks[:n] {
			if !g.accept(r, m, &w.chunks[i]) {
				return false
			}
		}
	}
	return true
}

// begin readies the machines.
func (w *wide) begin(r *runner, m *machine) {
	n := min(runtime.GOMAXPROCS(0), maxWorkers)
	for len(w.workers) < n {
		w.workers = append(w.workers, &machine{gatherer: &gatherer{}, sink: gather})
	}
	w.workers = w.workers[:n]
	for _, k := range w.workers {
		k.begin(m.g, m.prog)
		k.rs, k.proofs = m.rs, m.proofs
		k.leaves = append(k.leaves[:0], m.leaves...)
		k.poller = m.poller
		k.gatherer.begin(r)
		if m.count != nil {
			k.count = &k.gatherer.left.matches
		}
	}
}

// cut takes the chunk that begins behind another.
func (c *chunk) cut(ix *index, last chunk) {
	*c = chunk{run: last.run, from: last.to, to: min(last.to+uint32(chunkNodes), uint32(len(ix.entries))), left: c.left.emptied()}
	for ix.runs[c.run].end <= c.from {
		c.run++
	}
}

// emptied returns memory for what another chunk leaves.
func (l *left) emptied() left {
	return left{unite: l.unite[:0], roots: l.roots[:0], later: l.later[:0], ask: l.ask[:0]}
}

// each has the machines do n pieces of work.
func (w *wide) each(n int, do func(m *machine, i int)) {
	var next atomic.Int32
	work := func(m *machine) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(m, i)
		}
	}
	var others sync.WaitGroup
	for _, m := range w.workers[1:min(len(w.workers), n)] {
		others.Go(func() { work(m) })
	}
	work(w.workers[0])
	others.Wait()
}

// searchChunk searches a chunk by columns.
func (m *machine) searchChunk(c *chunk) {
	w := m.gatherer
	m.poller.restart()
	w.left, w.full = c.left, false
	if m.searchPart(c) {
		m.askAll()
	} else {
		w.drop()
	}
	c.left, c.full = w.left, w.full
	c.steps, c.why = m.poller.steps(), m.poller.why
}

// accept counts what a chunk has and applies its rows. One that has too many is searched again,
// and its rows are applied meanwhile.
func (g *Graph) accept(r *runner, m *machine, c *chunk) bool {
	m.poller.polled += c.steps
	if c.why != running {
		m.poller.why = c.why
		return false
	}
	if c.full {
		r.filter = false
		if !m.searchPart(c) {
			return false
		}
	} else {
		l := &c.left
		r.it.Matches += l.matches
		r.it.Applied += l.applied
		r.roots.put(l.roots, l.rootsN)
		r.later.put(l.later, l.laterN)
		if !g.uniteRows(r, m, l.unite) || !g.applyFirst(r, m, l.ask) {
			return false
		}
	}
	r.idle += c.classes
	return true
}

// askAgain asks about the matches that miss more than a root once more, now that the graph has
// changed, and leaves those of them that do still. False if the run must end.
func (g *Graph) askAgain(r *runner, m *machine) bool {
	w := r.wide
	r.later.n = 0
	for pieces := r.later.pieces; len(pieces) > 0; {
		n := min(len(pieces), len(w.again))
		w.each(n, func(m *machine, i int) {
			c := &w.again[i]
			m.poller.restart()
			m.gatherer.left = c.left.emptied()
			m.askRows(pieces[i])
			c.left, c.steps = m.gatherer.left, m.poller.steps()
		})
		for i := range w.again[:n] {
			c := &w.again[i]
			l := &c.left
			m.poller.polled += c.steps
			pieces[i] = append(append(pieces[i][:0], l.later...), l.ask...)
			r.later.n += l.laterN + l.askN
			r.roots.put(l.roots, l.rootsN)
			if !g.uniteRows(r, m, l.unite) {
				return false
			}
		}
		pieces = pieces[n:]
	}
	return true
}

// searchPart searches the nodes of a chunk.
func (m *machine) searchPart(c *chunk) bool {
	ix := &m.g.index
	c.classes = 0
	for at := c.run; at < len(ix.runs) && ix.runs[at].start < c.to; at++ {
		r := ix.runs[at]
		if at == int(ix.first[r.class]) && r.start >= c.from && !m.searchBare(r.class) {
			return false
		}
		if at+1 == int(ix.first[r.class+1]) && r.end <= c.to {
			c.classes++
		}
		if r.start < c.from || r.end > c.to {
			r.start, r.end = max(r.start, c.from), min(r.end, c.to)
			r.fresh, r.formed = 0, 0
			for _, e := range ix.entries[r.start:r.end] {
				r.count(e.node)
			}
		}
		if !m.searchRun(&r) {
			return false
		}
	}
	return true
}
