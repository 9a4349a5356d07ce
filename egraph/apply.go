package egraph

// A match waits in runner.found as a row of words: the rule, the root, the classes of the
// variables, room for the nodes built for the right side, and with proofs the matched nodes.

// blockMatches is how many matches are applied together.
const blockMatches = 64

// A pass says which matches are applied: those that need few new nodes go first. What they make
// equal lets others find what they would else add, and add a second time under another name.
type pass int

const (
	unite  pass = iota // the right side is there
	attach             // only its root is missing
	create             // any other
)

// maxLater is how many matches may wait for their turn.
const maxLater = 1 << 24

// applyFound applies the matches collected so far whose right sides are there, and lets the
// others wait; false if the run must end. The index stays as it is: the search goes on in it.
func (g *Graph) applyFound(r *runner, m *machine) bool {
	rest, ok := g.applyRows(r, m, r.found, unite)
	r.found = r.found[:0]
	r.postpone(rest)
	return ok && (r.waiting < maxLater || g.applyLater(r, m))
}

// laterWords is the size of a piece of runner.later; only the first begins small.
const laterWords = 1 << 16

// postpone lets matches wait.
func (r *runner) postpone(rows []Class) {
	if len(rows) == 0 {
		return
	}
	last := len(r.later) - 1
	if last < 0 || len(r.later[last])+len(rows) > laterWords {
		if last++; last < cap(r.later) {
			r.later = r.later[:last+1]
		} else {
			r.later = append(r.later, nil)
		}
		if last > 0 && r.later[last] == nil {
			r.later[last] = make([]Class, 0, laterWords)
		}
	}
	r.later[last] = append(r.later[last], rows...)
}

// applyLater applies the matches that wait.
func (g *Graph) applyLater(r *runner, m *machine) bool {
	p := attach
	if r.waiting <= blockMatches {
		p = create // so few are not worth a pass more
	}
	for ; p <= create; p++ {
		g.Rebuild()
		if p == create {
			g.reserve(r.waiting, r.limits.Nodes)
		}
		r.waiting = 0
		for i, rows := range r.later {
			var ok bool
			if r.later[i], ok = g.applyRows(r, m, rows, p); !ok {
				return false
			}
		}
	}
	r.forget()
	return true
}

func (r *runner) forget() {
	for i := range r.later {
		r.later[i] = r.later[i][:0]
	}
	r.later, r.waiting = r.later[:0], 0
}

// applyRows applies those of a row of matches that a pass is for, and moves the others to the
// front: rest.
func (g *Graph) applyRows(r *runner, m *machine, rows []Class, p pass) (rest []Class, ok bool) {
	out := 0
	for at := 0; at < len(rows); {
		end := g.gatherBlock(r, rows, at, p)
		g.buildBlock(r, rows, p)
		for at < end {
			a := &r.rs.applies[rows[at]]
			match := rows[at : at+r.words(a)]
			at += len(match)
			if a.pure && match[a.result] == NoClass {
				out += copy(rows[out:], match)
				r.waiting++
				continue
			}
			g.applyOne(r, a, match)
			m.poller.budget--
		}
		if r.limits.Nodes > 0 && g.live > r.limits.Nodes {
			m.poller.why = NodeLimit
			return nil, false
		}
		if g.work > closeAfter || len(g.dirty) > closeAfter {
			g.Rebuild()
		}
		if m.poller.budget < 0 && m.poller.poll() {
			return nil, false
		}
	}
	return rows[:out], true
}

// words returns the length of a rule's matches in found.
func (r *runner) words(a *applier) int {
	if r.proofs {
		return a.nodesAt + a.nodes
	}
	return a.nodesAt
}

// gatherBlock takes the block of matches that begins at place at, and returns its end: the first
// node of each that is still to be found becomes a job. Close to the limit on nodes a block is
// one match. Of a rule that must be asked first nothing is looked up here.
func (g *Graph) gatherBlock(r *runner, rows []Class, at int, p pass) int {
	n := blockMatches
	if r.limits.Nodes > 0 && g.live+n*r.rs.builds > r.limits.Nodes {
		n = 1
	}
	r.jobs = r.jobs[:0]
	for ; n > 0 && at < len(rows); n-- {
		a := &r.rs.applies[rows[at]]
		match := rows[at : at+r.words(a)]
		if a.pure {
			for i := range a.build {
				if b := &a.build[i]; match[b.place] == NoClass {
					if p != attach || b.root || !g.unchanged(b, match) {
						r.jobs = append(r.jobs, job{at: uint32(at), todo: uint32(a.first + i)})
					}
					break
				}
			}
		}
		at += len(match)
	}
	return at
}

// unchanged reports whether the children of a node to build are canonical still.
func (g *Graph) unchanged(b *builder, match []Class) bool {
	for _, k := range b.kids {
		if c := match[k]; g.class[c].parent != c {
			return false
		}
	}
	return true
}

// A job is a node to look up: one to build, or one that needs a new key.
type job struct {
	key  key
	hash uint64
	at   uint32 // of a node to build: where its match begins; else a position
	todo uint32 // of a node to build: which of RuleSet.builders; else 1 if it has a new key
}

// buildBlock finds the nodes of the right sides of a block of matches, one after the other, and
// makes those that the pass is to make; a match whose next node is not there goes no further.
// Going through a large table one by one waits for memory at every lookup; looking at the slots
// of the whole block first lets these waits overlap.
func (g *Graph) buildBlock(r *runner, rows []Class, p pass) {
	for jobs := r.jobs; len(jobs) > 0; {
		g.prepare(jobs, r.rs.builders, rows)
		if len(g.table.slots) >= touchFrom {
			r.touched = g.table.touch(jobs)
		}
		jobs = g.finish(jobs, r.rs.builders, rows, p)
	}
}

// touchFrom is the size of table that no cache holds.
const touchFrom = 1 << 15

// touch reads slots: a loop so short that many reads are under way at once.
func (t *hashcons) touch(jobs []job) (sum uint32) {
	mask := uint64(len(t.slots) - 1)
	for i := range jobs {
		sum ^= t.slots[jobs[i].hash>>t.shift&mask].id
	}
	return sum
}

// prepare finds the keys of nodes to build. One of many children is left to finish.
func (g *Graph) prepare(jobs []job, builders []builder, rows []Class) {
	for i := range jobs {
		j := &jobs[i]
		b, at := &builders[j.todo], int(j.at)
		switch b.head >> 24 {
		case 0:
			j.key = keyOf(b.head, NoClass, NoClass, NoClass)
		case 1:
			j.key = keyOf(b.head, g.Find(rows[at+b.first[0]]), NoClass, NoClass)
		case 2:
			j.key = keyOf(b.head, g.Find(rows[at+b.first[0]]), g.Find(rows[at+b.first[1]]), NoClass)
		case 3:
			j.key = keyOf(b.head, g.Find(rows[at+b.first[0]]), g.Find(rows[at+b.first[1]]), g.Find(rows[at+b.first[2]]))
		}
		j.hash = mix(j.key, 0)
	}
}

// finish looks nodes up, or adds them if the pass is to do so. It returns the jobs of the nodes
// that are next where they are there.
func (g *Graph) finish(jobs []job, builders []builder, rows []Class, p pass) []job {
	more := 0
	for i := range jobs {
		j := &jobs[i]
		b := &builders[j.todo]
		var rest []record
		if b.head >= 4<<24 {
			j.key, rest = g.key(Op(b.head)&MaxOp, g.run.picked(b, rows[j.at:]))
			j.hash = hash(j.key, rest)
		}
		n, at, ok := g.probe(j.hash, j.key, rest)
		if !ok {
			if p != create && (p != attach || !b.root) {
				continue
			}
			n = g.insert(j.key, rest, j.hash, at)
			if g.forest != nil {
				g.forest.add(j.key, rest, g.given(b, rows[j.at:]))
			}
		}
		rows[j.at+uint32(b.place)] = Class(n)
		if !b.root {
			jobs[more].at, jobs[more].todo = j.at, j.todo+1
			more++
		}
	}
	return jobs[:more]
}

// picked returns the children of a node to build. Valid until the next call.
func (r *runner) picked(b *builder, match []Class) []Class {
	r.kids = r.kids[:0]
	for _, k := range b.kids {
		r.kids = append(r.kids, match[k])
	}
	return r.kids
}

// given returns the children of a node to build that proofs speak of: the
// variables stand for the terms that were matched, so that no proof need explain why these equal
// their classes' founders. Valid until the next call.
func (g *Graph) given(b *builder, match []Class) []Class {
	kids := g.run.kids[:0]
	for _, s := range b.sources {
		kids = append(kids, g.forest.exact(s, match))
	}
	g.run.kids = kids
	return kids
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
	ra, rb := g.Find(root), g.Find(result)
	if ra == rb {
		return
	}
	if g.forest != nil {
		g.note(&r.rs.rules[match[0]], a, match, result, ra, rb)
	}
	g.merge(ra, rb)
}

// note tells the forest why classes ra and rb, the root's and the result's, merge.
func (g *Graph) note(rule *Rule, a *applier, match []Class, result, ra, rb Class) {
	from := match[rootAt]
	if rule.LHS.Var < 0 {
		from = match[a.nodesAt]
	}
	if rule.Apply == nil {
		result = g.forest.exact(a.source(a.result), match)
	}
	why := g.forest.ruled(match[0], match[varsAt+a.vars:])
	g.forest.connect(Node(from), Node(result), ra, rb, why)
}

// ask applies a rule with a condition or a computed right side.
func (g *Graph) ask(r *runner, a *applier, match []Class) (Class, bool) {
	rule := &r.rs.rules[match[0]]
	vals := match[varsAt : varsAt+a.vars : varsAt+a.vars]
	for i, c := range vals {
		if c != NoClass {
			vals[i] = g.Find(c)
		}
	}
	if rule.Cond != nil && !rule.Cond(g, vals) {
		return 0, false
	}
	if rule.Apply != nil {
		return rule.Apply(g, g.Find(match[rootAt]), vals)
	}
	for jobs := append(r.jobs[:0], job{todo: uint32(a.first)}); len(a.build) > 0 && len(jobs) > 0; {
		g.prepare(jobs, r.rs.builders, match)
		jobs = g.finish(jobs, r.rs.builders, match, create)
	}
	return match[a.result], true
}
