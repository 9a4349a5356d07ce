package egraph

// A match waits in runner.found as a row of words: the rule, the root, the classes of the
// variables, room for the nodes built for the right side, and with proofs the matched nodes.

// blockMatches is how many matches are applied together.
const blockMatches = 64

// applyFound applies the matches collected so far; false if the run must end.
// The index stays as it is: the search goes on in it.
func (g *Graph) applyFound(r *runner, m *machine) bool {
	for at := 0; at < len(r.found); {
		end := g.blockEnd(r, at)
		g.buildBlock(r, at, end)
		for at < end {
			a := &r.rs.applies[r.found[at]]
			g.applyOne(r, a, r.found[at:at+r.words(a)])
			at += r.words(a)
			m.poller.budget--
		}
		if r.limits.Nodes > 0 && g.live > r.limits.Nodes {
			m.poller.why = NodeLimit
			return false
		}
		if g.work > closeAfter || len(g.dirty) > closeAfter {
			g.Rebuild()
		}
		if m.poller.budget < 0 && m.poller.poll() {
			return false
		}
	}
	r.found = r.found[:0]
	return true
}

// words returns the length of a rule's matches in found.
func (r *runner) words(a *applier) int {
	if r.proofs {
		return a.nodesAt + a.nodes
	}
	return a.nodesAt
}

// blockEnd returns where the block of matches that begins at place at ends. Close to the
// limit on nodes a block is one match.
func (g *Graph) blockEnd(r *runner, at int) int {
	n := blockMatches
	if r.limits.Nodes > 0 && g.live+n*r.rs.builds > r.limits.Nodes {
		n = 1
	}
	for ; n > 0 && at < len(r.found); n-- {
		at += r.words(&r.rs.applies[r.found[at]])
	}
	return at
}

// A job is a node to look up: one to build, or one that needs a new key.
type job struct {
	key  key
	hash uint64
	at   uint32 // of a node to build: where in found its match begins; else a position
	todo uint32 // of a node to build: which of RuleSet.builders; else 1 if it has a new key
}

// buildBlock makes the nodes of the matches from place at to end, level by level, of those
// rules that need not be asked first. Going through a large table one by one waits for memory at
// every lookup; looking at the slots of a whole level first lets these waits overlap.
func (g *Graph) buildBlock(r *runner, at, end int) {
	for i := range r.jobs {
		r.jobs[i] = r.jobs[i][:0]
	}
	for at < end {
		a := &r.rs.applies[r.found[at]]
		if a.pure {
			for i := range a.build {
				level := a.build[i].level
				r.jobs[level] = append(r.jobs[level], job{at: uint32(at), todo: uint32(a.first + i)})
			}
		}
		at += r.words(a)
	}
	for _, jobs := range r.jobs {
		for i := range jobs {
			j := &jobs[i]
			g.prepare(j, &r.rs.builders[j.todo], r.found[j.at:])
		}
		if len(g.table.slots) >= touchFrom {
			r.touched = g.table.touch(jobs)
		}
		for i := range jobs {
			j := &jobs[i]
			g.finish(j, &r.rs.builders[j.todo], r.found[j.at:])
		}
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

// prepare finds the key of a node to build. One of many children is left to finish.
func (g *Graph) prepare(j *job, b *builder, match []Class) {
	switch len(b.kids) {
	case 0:
		j.key = keyOf(b.head, NoClass, NoClass, NoClass)
	case 1:
		j.key = keyOf(b.head, g.Find(match[b.kids[0]]), NoClass, NoClass)
	case 2:
		j.key = keyOf(b.head, g.Find(match[b.kids[0]]), g.Find(match[b.kids[1]]), NoClass)
	case 3:
		j.key = keyOf(b.head, g.Find(match[b.kids[0]]), g.Find(match[b.kids[1]]), g.Find(match[b.kids[2]]))
	}
	j.hash = mix(j.key, 0)
}

// finish looks a node up, or adds it.
func (g *Graph) finish(j *job, b *builder, match []Class) {
	if len(b.kids) > 3 {
		match[b.place] = Class(g.add(Op(b.head)&MaxOp, g.given(b, match)))
		return
	}
	n, at, ok := g.probe(j.hash, j.key, nil)
	if !ok {
		n = g.insert(j.key, nil, j.hash, at)
		if g.forest != nil {
			g.forest.add(j.key, nil, g.given(b, match))
		}
	}
	match[b.place] = Class(n)
}

// given returns the children of a node to build, with proofs those that proofs speak of: the
// variables stand for the terms that were matched, so that no proof need explain why these equal
// their classes' founders. Valid until the next call.
func (g *Graph) given(b *builder, match []Class) []Class {
	kids := g.run.kids[:0]
	for i, k := range b.kids {
		if g.forest == nil {
			kids = append(kids, match[k])
		} else {
			kids = append(kids, g.forest.exact(b.sources[i], match))
		}
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
	for i := range a.build {
		b := &a.build[i]
		match[b.place] = Class(g.add(Op(b.head)&MaxOp, g.given(b, match)))
	}
	return match[a.result], true
}
