package egraph

// A match waits in runner.found as a row of words: the rule, the root, the classes of the
// variables, room for the nodes built for the right side, and with proofs the matched nodes.

// wasAsked marks the rule of a match that settled or a batch looked up, until the first pass.
const wasAsked Class = 1 << 31

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
		a := &r.rs.applies[rows[0]]
		words := a.words(r.proofs)
		g.applyOne(r, a, rows[:words])
		rows = rows[words:]
		m.poller.budget--
		if g.work > closeAfter || len(g.dirty) > closeAfter {
			g.Rebuild()
		}
	}
	return m.poller.budget >= 0 || !m.poller.poll()
}

// applyFirst is applyFound for a row of matches.
func (g *Graph) applyFirst(r *runner, m *machine, rows []Class) bool {
	rest, ok := g.applyRows(r, m, rows, unite)
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

// forget empties later.
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
			match := rows[at : at+a.words(r.proofs)]
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
		g.note(&r.rs.rules[match[0]], a, match, result, ra, rb)
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
	rule := &r.rs.rules[match[0]]
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
	for jobs := append(r.jobs[:0], job{todo: uint32(a.first)}); len(a.build) > 0 && len(jobs) > 0; {
		g.prepare(jobs, r.rs.builders, match)
		jobs = g.finish(r, jobs, match, create)
	}
	return match[a.result], true
}
