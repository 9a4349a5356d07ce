package egraph

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Stop says why Run ended: Saturated, IterationLimit, NodeLimit, TimeLimit, Cancelled or Stopped.
type Stop int

// The reasons for which Run ends.
const (
	running        Stop = iota
	Saturated           // an iteration changed nothing
	IterationLimit      // Limits.Iterations
	NodeLimit           // Limits.Nodes
	TimeLimit           // Limits.Time
	Cancelled           // the context
	Stopped             // the hook returned false
)

// String returns the reason in words; Stop(99) where there is no such reason.
func (s Stop) String() string {
	words := [...]string{"running", "saturated", "iteration limit", "node limit", "time limit", "cancelled", "stopped"}
	if s < 0 || int(s) >= len(words) {
		return fmt.Sprintf("Stop(%d)", int(s))
	}
	return words[s]
}

// Limits bound a Run; zero means no limit.
type Limits struct {
	Iterations int
	Nodes      int // stop as soon as there are more canonical nodes
	Matches    int // per iteration: about so many are applied, the next iteration goes on from there
	Time       time.Duration
	Fired      []int // counts the matches of each rule that are applied; nil, or a count for each rule
	// Schedule, if any, is asked before every iteration which rules to leave out: it sets
	// out[i] (false for all at first) for rule i. matches[i] is the number of matches that the
	// rule had since Schedule was asked last. Iterations that Matches cut short are parts of one
	// that goes through the whole graph, and Schedule is asked about that one once. A rule that
	// was left out takes up later what it missed. A graph is saturated only when every rule has
	// run on it: a Schedule that leaves one out for ever needs another limit.
	Schedule func(iteration int, matches []int, out []bool)
}

// Iteration counts what one iteration did.
type Iteration struct {
	Number  int // from 1
	Matches int // of all rules, old ones included
	Applied int // matches that could do something: not those of an iteration before
	Nodes   int // canonical nodes after it
	Classes int // canonical classes after it
	Steps   int // of the Run so far: nodes looked at, and matches applied
}

// Report counts what a Run did, and says why it ended.
type Report struct {
	Stop       Stop
	Iterations int
	Matches    int // of all iterations
	Nodes      int // canonical nodes at the end
	Classes    int // canonical classes at the end
}

// runners are for the next Run, of any graph: a small graph has less memory of its own that way.
var runners = sync.Pool{New: func() any { return &runner{} }}

// runner is the state of a Run.
type runner struct {
	progress
	search machine
	rs     *RuleSet
	limits Limits
	jobs   []job   // of a block of matches
	kids   []Class // scratch of given
	found  []Class // matches not yet applied
	later  queue   // matches that wait until the search is over
	roots  queue   // those that are known to miss only the root of their right sides
	turns  turns
	wide   *wide
	nodes  [maxLooks]Class // of the right side of the match at hand
	lent   bool            // the graph's index uses shelf
	shelf  shelf
}

// progress is how far a Run is.
type progress struct {
	allFresh  bool // apply old matches too
	proofs    bool // matches end with their nodes
	filter    bool // ask settled
	byColumns bool // the graph is large: search by columns
	it        Iteration
	epoch     uint32 // index of the last search
	cursor    Class  // where a search stopped by Limits.Matches goes on
	idle      int    // classes searched since the graph changed last
	seen      int    // how many of nodes settled found
}

// blockWords is how much a runner collects before it applies.
const blockWords = 1 << 13

// closeAfter is how many users of merged classes may wait for their new keys:
// it bounds how long it takes to stop in a congruent state.
const closeAfter = 1 << 15

// Run applies rules until nothing changes, a limit is reached, ctx is cancelled
// or hook returns false. One iteration finds all matches of all rules on one
// congruent graph, then makes every right side equal to its match, then
// rebuilds. hook may be nil; it may read and change the graph. The graph is
// congruent when hook is called and when Run returns. Run panics for a nil context, graph or rule
// set.
func Run(ctx context.Context, g *Graph, rs *RuleSet, limits Limits, hook func(it Iteration) bool) Report {
	if ctx == nil || g == nil || rs == nil {
		panic("egraph: Run needs a context, a graph and a rule set")
	}
	r := runners.Get().(*runner)
	r.begin(g, rs, limits)
	if limits.Schedule != nil {
		r.turns = newTurns(len(rs.rules))
	}
	deadline := time.Time{}
	if limits.Time > 0 {
		deadline = time.Now().Add(limits.Time)
	}
	m := &r.search
	m.poller.start(ctx, deadline)
	if g.forest != nil {
		g.forest.sets = append(g.forest.sets, rs)
	}
	g.Rebuild()
	report := Report{}
	for report.Stop == running {
		changes := g.changes
		report.Stop = g.iterate(r, m)
		if r.it.Number > report.Iterations {
			report.Iterations = r.it.Number
			report.Matches += r.it.Matches
		}
		if report.Stop == running && hook != nil && !hook(r.it) {
			report.Stop = Stopped
		}
		g.Rebuild()
		switch {
		case report.Stop != running:
		case r.settled(g, g.changes != changes):
			report.Stop = Saturated
		case limits.Iterations > 0 && r.it.Number >= limits.Iterations:
			report.Stop = IterationLimit
		case limits.Nodes > 0 && g.live > limits.Nodes:
			report.Stop = NodeLimit
		}
	}
	report.Nodes, report.Classes = g.live, g.classes
	r.release(g)
	return report
}

// begin readies a runner of the pool for a graph.
func (r *runner) begin(g *Graph, rs *RuleSet, limits Limits) {
	r.progress = progress{allFresh: true, proofs: g.forest != nil}
	r.rs, r.limits = rs, limits
	r.lent = r.shelf.lend(&g.index)
	m := &r.search
	m.run, m.rs, m.proofs, m.sink = r, rs, g.forest != nil, collect
}

// release gives a runner back to the pool, without what a graph or only a large one needed.
func (r *runner) release(g *Graph) {
	r.forget()
	if r.lent {
		r.shelf.giveBack(&g.index)
	}
	for _, q := range []*queue{&r.roots, &r.later} {
		if cap(q.pieces) > 16 {
			q.pieces = nil
		}
	}
	r.found = r.found[:0]
	r.search.release()
	r.wide = nil
	r.rs, r.limits, r.turns = nil, Limits{}, turns{}
	runners.Put(r)
}

// settled reports whether all classes were searched since the last change.
func (r *runner) settled(g *Graph, changed bool) bool {
	if changed {
		r.idle = 0
		clear(r.turns.idle)
		return false
	}
	for _, n := range r.turns.idle {
		if n < g.classes {
			return false
		}
	}
	return r.idle >= g.classes
}

// iterate does one iteration and returns why the run must end, if it must.
func (g *Graph) iterate(r *runner, m *machine) Stop {
	if m.poller.poll() {
		return m.poller.why
	}
	r.it = Iteration{Number: r.it.Number + 1}
	if !g.index.ensure(g, &m.poller) {
		return m.poller.why
	}
	r.allFresh = r.allFresh || g.index.epoch != r.epoch+1
	r.epoch = g.index.epoch
	if r.limits.Schedule != nil && r.cursor == 0 {
		r.turns.next(r)
	}
	m.begin(g, r.rs.prog)
	m.findLeaves()
	if !r.allFresh && r.limits.Schedule == nil {
		m.count = &r.it.Matches
	}
	r.filter = len(g.table.slots) < touchFrom
	g.index.frozen = true
	idle := r.idle
	all := false
	if r.byColumns = r.isWide(g); r.byColumns {
		all = g.searchWide(r, m)
	} else {
		all = g.searchAll(r, m)
	}
	r.allFresh = !all
	r.turns.done(r.idle-idle, all)
	if m.poller.why == running && g.applyFound(r, m) {
		g.applyLater(r, m)
	}
	g.index.frozen = false
	r.found = r.found[:0]
	r.forget()
	g.Rebuild()
	r.it.Nodes, r.it.Classes, r.it.Steps = g.live, g.classes, m.poller.steps()
	return m.poller.why
}

// searchAll searches every class, beginning at the cursor; with a schedule only up to the last
// class, so that every rule comes to all of them. It reports whether it saw them all.
func (g *Graph) searchAll(r *runner, m *machine) bool {
	ix := &g.index
	runs := ix.runs
	at := 0
	if r.cursor != 0 && int(r.cursor) < ix.size {
		at = int(ix.first[r.cursor])
	}
	for left := len(runs); left > 0; {
		if at >= len(runs) {
			if r.cursor = 0; r.turns.out != nil {
				return false
			}
			at = 0
		}
		c := runs[at].class
		end := int(ix.first[c+1])
		if !m.searchClass(c, runs[at:end]) {
			return false
		}
		left -= end - at
		at = end
		r.idle++
		if r.limits.Matches > 0 && r.it.Applied >= r.limits.Matches && left > 0 {
			r.cursor = c + 1
			return false
		}
	}
	r.cursor = 0
	return true
}

func (m *machine) searchClass(c Class, runs []run) bool {
	if !m.searchBare(c) {
		return false
	}
	for i := range runs {
		if !m.searchRun(&runs[i]) {
			return false
		}
	}
	return true
}

// searchBare matches patterns that are variables with a class.
func (m *machine) searchBare(c Class) bool {
	if m.rs.bare == 0 {
		return true
	}
	m.regs[0], m.fresh = c, 0
	if int(c) >= m.g.index.before {
		m.fresh = fresh
	}
	ok := m.exec(m.rs.bare)
	m.fresh = 0
	return ok
}

// searchRun matches the other patterns with the nodes of a run.
func (m *machine) searchRun(r *run) bool {
	heads := &m.rs.heads
	at := heads.at[heads.place(r.head)]
	if at == 0 {
		return true
	}
	m.regs[0], m.fresh = r.class, 0
	return m.bind(&m.prog.code[at], r)
}

// collect counts a match and keeps it unless it was applied before: then its
// right side is there and equal already.
func collect(m *machine, y int) bool {
	g, r := m.g, m.run
	old := m.fresh == 0 && !r.allFresh
	if r.turns.out != nil {
		if r.turns.out[y] {
			return true
		}
		r.turns.matches[y]++
		old = old && !r.turns.owed[y]
	}
	r.it.Matches++
	if old && r.rs.rules[y].pure {
		return true
	}
	r.it.Applied++
	if r.limits.Fired != nil {
		r.limits.Fired[y]++
	}
	a := &r.rs.rules[y].applier
	switch {
	case !r.filter || !a.settles:
		r.found, _ = m.take(r.found, y)
	case g.settled(r, m, a):
		m.poller.budget--
		return true
	default:
		r.keep(m, a, y)
	}
	if len(r.found) < blockWords && r.roots.n+r.later.n < maxLater {
		return true
	}
	return g.applyFound(r, m)
}

// keep keeps a match that settled asked about, with the nodes that it found, among those that miss
// as much of their right sides.
func (r *runner) keep(m *machine, a *applier, y int) {
	rows := &r.found
	if r.seen < len(a.looks) {
		q := &r.later
		if r.seen == len(a.looks)-1 {
			q = &r.roots
		}
		rows = q.tail(a.words(r.proofs))
		q.n++
	}
	var match []Class
	*rows, match = m.take(*rows, y)
	copy(match[varsAt+a.vars:], r.nodes[:r.seen])
}

// take appends a match to rows, and returns it as well.
func (m *machine) take(rows []Class, y int) (longer, match []Class) {
	a := &m.rs.rules[y].applier
	n, words := len(rows), a.words(m.proofs)
	if cap(rows)-n < words {
		rows = slices.Grow(rows, words)
	}
	rows = rows[:n+words]
	match = rows[n:]
	match[0], match[rootAt] = Class(y), m.regs[0]
	for i, reg := range a.regs {
		match[varsAt+i] = m.at(reg)
	}
	if m.proofs {
		for i, at := range m.prog.matched(&m.prog.yields[y]) {
			match[a.nodesAt+i] = Class(m.node(nodeAt(at)))
		}
	}
	return rows, match
}

func (m *machine) node(at nodeAt) uint32 {
	if at&isLeaf != 0 {
		return m.leafAt(uint16(at &^ isLeaf)).node
	}
	return m.nodes[at]
}
