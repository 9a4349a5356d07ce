package egraph

// A match waits in runner.found as a row of words: the rule, the root, the classes of the
// variables, room for the nodes built for the right side, and with proofs the matched nodes.

// A pass says which matches are applied: those that need few new nodes go first. What they make
// equal lets others find what they would else add, and add a second time under another name.
type pass int

const (
	unite  pass = iota // the right side is there
	attach             // only its root is missing
	create             // any other
)

// maxLater is how many matches may wait for their turn; tests let fewer.
var maxLater = 1 << 24

// applyFound applies the matches collected so far whose right sides are there, and lets the
// others wait; false if the run must end. The index stays as it is: the search goes on in it.
func (g *Graph) applyFound(r *runner, m *machine) bool {
	rows := r.found
	r.found = r.found[:0]
	return g.applyFirst(r, m, rows)
}

// uniteRows applies matches whose right sides are there; false if the run must end.
func (g *Graph) uniteRows(r *runner, m *machine, rows []Class) bool {
	for len(rows) > 0 {
		for n := blockMatches; n > 0 && len(rows) > 0; n-- {
			a := &r.rs.rules[rows[0]].applier
			words := a.words(r.proofs)
			g.applyOne(r, a, rows[:words])
			rows = rows[words:]
			m.poller.budget--
		}
		if !g.between(r, m) {
			return false
		}
	}
	return true
}

// applyFirst is applyFound for a row of matches.
func (g *Graph) applyFirst(r *runner, m *machine, rows []Class) bool {
	rest, n, ok := g.applyRows(r, m, rows, unite)
	r.later.put(rest, n)
	return ok && g.makeRoom(r, m)
}

// makeRoom applies the matches that wait if there are too many; false if the run must end.
func (g *Graph) makeRoom(r *runner, m *machine) bool {
	return r.roots.n+r.later.n < maxLater || g.applyLater(r, m)
}

// A queue has matches that wait, in pieces.
type queue struct {
	pieces [][]Class
	n      int // matches
}

// pieceWords is the size of a piece; only the first begins small.
const pieceWords = 1 << 16

// put appends n matches.
func (q *queue) put(rows []Class, n int) {
	if n == 0 {
		return
	}
	q.n += n
	tail := q.tail(len(rows))
	*tail = append(*tail, rows...)
}

// tail returns the piece that the next rows of so many words go to.
func (q *queue) tail(words int) *[]Class {
	last := len(q.pieces) - 1
	if last < 0 || len(q.pieces[last])+words > pieceWords {
		if last++; last < cap(q.pieces) {
			q.pieces = q.pieces[:last+1]
		} else {
			q.pieces = append(q.pieces, nil)
		}
		if last > 0 && q.pieces[last] == nil {
			q.pieces[last] = make([]Class, 0, pieceWords)
		}
	}
	return &q.pieces[last]
}

// empty forgets the matches, and keeps memory.
func (q *queue) empty() {
	for i := range q.pieces {
		q.pieces[i] = q.pieces[i][:0]
	}
	q.pieces, q.n = q.pieces[:0], 0
}

// applyLater applies the matches that wait.
func (g *Graph) applyLater(r *runner, m *machine) bool {
	late := r.later.n // nodes to expect of them
	switch n, nodes := r.roots.n, g.nodes.n; {
	case n > 0:
		if !g.attachRoots(r, m) {
			return false
		}
		made := g.nodes.n - nodes
		if r.byColumns && made < n/6 { // then few of the others make any, which goroutines find out side by side
			g.Rebuild()
			if !g.askAgain(r, m) || !g.attachRoots(r, m) {
				return false
			}
		}
		// As many of the others make nodes, and these miss two at least.
		late = int(2 * int64(r.later.n) * int64(made) / int64(n))
	case !r.byColumns && !r.filter && late > blockMatches: // fewer are not worth a pass more
		g.Rebuild()
		if !g.applyQueue(r, m, &r.later, attach) {
			return false
		}
		late = r.later.n
	}
	g.Rebuild()
	g.reserve(late, r.limits.Nodes)
	ok := g.applyQueue(r, m, &r.later, create)
	r.later.empty()
	return ok
}

// attachRoots applies the matches that missed only the root.
func (g *Graph) attachRoots(r *runner, m *machine) bool {
	g.Rebuild()
	for _, rows := range r.roots.pieces {
		if !g.attachRows(r, m, rows) {
			return false
		}
	}
	r.roots.empty()
	return true
}

// attachRows applies matches that missed only the root of their right sides.
func (g *Graph) attachRows(r *runner, m *machine, rows []Class) bool {
	builders := r.rs.builders
	for at := 0; at < len(rows); {
		n := g.blockSize(r)
		jobs := r.jobs[:0]
		for ; n > 0 && at < len(rows); n-- {
			a := &r.rs.rules[rows[at]].applier
			jobs = append(jobs, job{at: uint32(at), todo: uint32(r.rs.first[rows[at]]) + uint32(len(a.build)-1)})
			at += a.words(r.proofs)
		}
		r.jobs = jobs
		g.prepare(jobs, builders, rows)
		g.touched = g.table.touch(jobs)
		for i := range jobs {
			j := &jobs[i]
			b, row := builders[j.todo], rows[j.at:]
			n, place, ok := g.probe(j.hash, j.key, nil)
			if !ok {
				n = g.insert(j.key, nil, j.hash, place)
				if g.forest != nil {
					g.forest.build(j.key, b.sources, row)
				}
			}
			row[b.place] = Class(n)
		}
		for i := range jobs {
			row := rows[jobs[i].at:]
			a := &r.rs.rules[row[0]].applier
			g.applyOne(r, a, row[:a.words(r.proofs)])
		}
		m.poller.budget -= len(jobs)
		if !g.between(r, m) {
			return false
		}
	}
	return true
}

// between looks after the graph between two blocks of matches; false if the run must end.
func (g *Graph) between(r *runner, m *machine) bool {
	if r.limits.Nodes > 0 && g.live > r.limits.Nodes {
		m.poller.why = NodeLimit
		return false
	}
	if g.work > closeAfter || len(g.dirty) > closeAfter {
		g.Rebuild()
	}
	return m.poller.budget >= 0 || !m.poller.poll()
}

// applyQueue applies those matches of a queue that a pass is for, and leaves the others.
func (g *Graph) applyQueue(r *runner, m *machine, q *queue, p pass) bool {
	q.n = 0
	for i, rows := range q.pieces {
		rest, n, ok := g.applyRows(r, m, rows, p)
		if !ok {
			return false
		}
		q.pieces[i] = rest
		q.n += n
	}
	return true
}

// forget empties the queues.
func (r *runner) forget() {
	r.roots.empty()
	r.later.empty()
}

// applyRows applies those of a row of matches that a pass is for, and moves the others to the
// front: rest, n matches.
func (g *Graph) applyRows(r *runner, m *machine, rows []Class, p pass) (rest []Class, n int, ok bool) {
	out := 0
	for at := 0; at < len(rows); {
		end := g.gatherBlock(r, rows, at, p)
		g.buildBlock(r, rows, p)
		for at < end {
			a := &r.rs.rules[rows[at]].applier
			match := rows[at : at+a.words(r.proofs)]
			at += len(match)
			if a.pure && match[a.result] == NoClass {
				out += copy(rows[out:], match)
				n++
				continue
			}
			g.applyOne(r, a, match)
			m.poller.budget--
		}
		if !g.between(r, m) {
			return nil, 0, false
		}
	}
	return rows[:out], n, true
}

// words returns the length of a rule's matches in found.
func (a *applier) words(proofs bool) int {
	if proofs {
		return a.nodesAt + a.nodes
	}
	return a.nodesAt
}

// applyOne makes the right side of a rule equal to the root of a match.
func (g *Graph) applyOne(r *runner, a *applier, match []Class) {
	root, result := match[rootAt], Class(0)
	if a.pure {
		result = match[a.result]
	} else {
		var ok bool
		if result, ok = g.ask(r, a, match); !ok {
			return
		}
	}
	ra, rb := g.find(root), g.find(result)
	if ra == rb {
		return
	}
	if g.forest != nil {
		g.note(&r.rs.rules[match[0]].Rule, a, match, result, ra, rb)
	}
	g.merge(ra, rb)
}

// note tells the forest why classes ra and rb, the root's and the result's, merge. The match is
// spent.
func (g *Graph) note(rule *Rule, a *applier, match []Class, result, ra, rb Class) {
	from := match[rootAt]
	if rule.LHS.Var < 0 {
		from = match[a.nodesAt]
	}
	if rule.Apply == nil {
		result = g.forest.exact(a.source(a.result), match)
	}
	why := g.forest.ruled(match[0], match, varsAt+a.vars)
	g.forest.connect(Node(from), Node(result), ra, rb, why)
}

// ask applies a rule with a condition or a computed right side.
func (g *Graph) ask(r *runner, a *applier, match []Class) (Class, bool) {
	rule := &r.rs.rules[match[0]].Rule
	vals := match[varsAt : varsAt+a.vars : varsAt+a.vars]
	for i, c := range vals {
		if c != NoClass {
			vals[i] = g.find(c)
		}
	}
	if rule.Cond != nil && !rule.Cond(g, vals) {
		return 0, false
	}
	if rule.Apply != nil {
		return rule.Apply(g, g.find(match[rootAt]), vals)
	}
	for jobs := append(r.jobs[:0], job{todo: uint32(r.rs.first[match[0]])}); len(a.build) > 0 && len(jobs) > 0; {
		g.prepare(jobs, r.rs.builders, match)
		jobs = g.finish(r, jobs, match, create)
	}
	return match[a.result], true
}
