package egraph

// A match waits in runner.found as a row of words: the rule, the root, the
// classes of the variables, room for the nodes built for the right side, and with
// proofs the matched nodes.

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
	n := 2 + a.vars + len(a.build)
	if r.proofs {
		n += a.nodes
	}
	return n
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

// A job is one node to build: its key, and where the match begins that needs it.
type job struct {
	key   record
	hash  uint64
	at    uint32 // in found
	build uint32 // of the rule
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
				r.jobs[level] = append(r.jobs[level], job{at: uint32(at), build: uint32(i)})
			}
		}
		at += r.words(a)
	}
	for _, jobs := range r.jobs {
		for i := range jobs {
			j := &jobs[i]
			g.prepare(j, &r.rs.applies[r.found[j.at]].build[j.build], r.found[j.at+2:])
		}
		if len(g.table.slots) >= touchFrom {
			r.touched = g.table.touch(jobs)
		}
		for i := range jobs {
			j := &jobs[i]
			g.finish(r, j, &r.rs.applies[r.found[j.at]])
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

// prepare finds the key of a node over variables and built nodes. Nodes of many children are
// left to finish.
func (g *Graph) prepare(j *job, b *builder, vals []Class) {
	j.key = record{b.head, [3]Class{NoClass, NoClass, NoClass}}
	if len(b.kids) > 3 {
		return
	}
	for i, v := range b.kids {
		j.key.kid[i] = g.Find(vals[v])
	}
	j.hash = hash(j.key, nil)
}

// finish looks a node up, or adds it.
func (g *Graph) finish(r *runner, j *job, a *applier) {
	vals := r.found[j.at+2:]
	b := &a.build[j.build]
	made := &vals[a.vars+int(j.build)]
	if len(b.kids) > 3 {
		*made = Class(g.add(Op(b.head)&MaxOp, g.given(a, b, r.found[j.at:])))
		return
	}
	n, at, ok := g.probe(j.hash, j.key, nil)
	if !ok {
		n = g.insert(j.key, nil, j.hash, at)
		if g.forest != nil {
			g.forest.add(j.key, nil, g.given(a, b, r.found[j.at:]))
		}
	}
	*made = Class(n)
}

// given returns the children of a node to build as a proof knows them. The variables stand for
// the terms that were matched, so that no proof need explain why these equal their classes'
// founders. Valid until the next call.
func (g *Graph) given(a *applier, b *builder, match []Class) []Class {
	kids := g.run.kids[:0]
	for _, v := range b.kids {
		kids = append(kids, g.exactly(a, int(v), match))
	}
	g.run.kids = kids
	return kids
}

// exactly returns the node that value v of a match stands for, with proofs; else its class.
func (g *Graph) exactly(a *applier, v int, match []Class) Class {
	if g.forest == nil || v >= a.vars {
		return match[2+v]
	}
	s := a.sources[v]
	if s.node < 0 {
		return match[1]
	}
	nodes := match[2+a.vars+len(a.build):]
	return Class(g.forest.kid(Node(nodes[s.node]), int(s.kid)))
}

// applyOne makes the right side of a rule equal to the root of a match.
func (g *Graph) applyOne(r *runner, a *applier, match []Class) {
	root, result := match[1], Class(0)
	if a.pure {
		result = match[2+a.result]
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
		rule := &r.rs.rules[match[0]]
		from := Node(root)
		if rule.LHS.Var < 0 {
			from = Node(match[2+a.vars+len(a.build)])
		}
		if rule.Apply == nil {
			result = g.exactly(a, int(a.result), match)
		}
		why := g.forest.ruled(int(match[0]), match[2+a.vars:])
		g.forest.connect(from, Node(result), ra, rb, why)
	}
	g.merge(ra, rb)
}

// ask applies a rule with a condition or a computed right side.
func (g *Graph) ask(r *runner, a *applier, match []Class) (Class, bool) {
	rule := &r.rs.rules[match[0]]
	vals := match[2 : 2+a.vars : 2+a.vars]
	for i, c := range vals {
		if c != NoClass {
			vals[i] = g.Find(c)
		}
	}
	if rule.Cond != nil && !rule.Cond(g, vals) {
		return 0, false
	}
	if rule.Apply != nil {
		return rule.Apply(g, g.Find(match[1]), vals)
	}
	for i := range a.build {
		b := &a.build[i]
		match[2+a.vars+i] = Class(g.add(Op(b.head)&MaxOp, g.given(a, b, match)))
	}
	return match[2+a.result], true
}
