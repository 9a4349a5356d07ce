package egraph

// blockMatches is how many matches are applied together.
const blockMatches = 64

// gatherBlock takes the block of matches that begins at place at, and returns its end: the first
// node of each that is still to be found becomes a job. Close to the limit on nodes a block is
// one match. Of a rule that must be asked first nothing is looked up here.
func (g *Graph) gatherBlock(r *runner, rows []Class, at int, p pass) int {
	n := g.blockSize(r)
	r.jobs = r.jobs[:0]
	for ; n > 0 && at < len(rows); n-- {
		a := &r.rs.rules[rows[at]].applier
		match := rows[at : at+a.words(r.proofs)]
		if a.pure {
			for i := range a.build {
				if b := &a.build[i]; match[b.place] == NoClass {
					if p != attach || b.root || !g.unchanged(b, match) {
						r.jobs = append(r.jobs, job{at: uint32(at), todo: uint32(r.rs.first[rows[at]]) + uint32(i)})
					}
					break
				}
			}
		}
		at += len(match)
	}
	return at
}

// blockSize returns how many matches are applied together: near the limit on nodes one.
func (g *Graph) blockSize(r *runner) int {
	if r.limits.Nodes > 0 && g.live+blockMatches*r.rs.builds > r.limits.Nodes {
		return 1
	}
	return blockMatches
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
			g.touched = g.table.touch(jobs)
		}
		jobs = g.finish(r, jobs, rows, p)
	}
}

// touchFrom is the size of table that no cache holds; tests take smaller ones for such.
var touchFrom = 1 << 15

// touch reads slots: a loop so short that many reads are under way at once.
func (t *hashcons) touch(jobs []job) (sum uint32) {
	mask := uint64(len(t.slots) - 1)
	for i := range jobs {
		sum ^= t.slots[jobs[i].hash>>t.shift&mask].id
	}
	return sum
}

// prepare finds the keys of nodes to build. One of many children is left to finish.
func (g *Graph) prepare(jobs []job, builders []*builder, rows []Class) {
	for i := range jobs {
		j := &jobs[i]
		b, at := builders[j.todo], int(j.at)
		switch b.head >> 24 {
		case 0:
			j.key = keyOf(b.head, NoClass, NoClass, NoClass)
		case 1:
			j.key = keyOf(b.head, g.find(rows[at+int(b.first[0])]), NoClass, NoClass)
		case 2:
			j.key = keyOf(b.head, g.find(rows[at+int(b.first[0])]), g.find(rows[at+int(b.first[1])]), NoClass)
		case 3:
			j.key = keyOf(b.head, g.find(rows[at+int(b.first[0])]), g.find(rows[at+int(b.first[1])]), g.find(rows[at+int(b.first[2])]))
		}
		j.hash = mix(j.key, 0)
	}
}

// finish looks nodes up, or adds them if the pass is to do so. It returns the jobs of the nodes
// that are next where they are there.
func (g *Graph) finish(r *runner, jobs []job, rows []Class, p pass) []job {
	builders := r.rs.builders
	more := 0
	for i := range jobs {
		j := &jobs[i]
		b := builders[j.todo]
		var rest []record
		if b.head >= 4<<24 {
			j.key, rest = g.key(Op(b.head)&MaxOp, r.picked(b, rows[j.at:]))
			j.hash = hash(j.key, rest)
		}
		n, at, ok := g.probe(j.hash, j.key, rest)
		if !ok {
			if p != create && (p != attach || !b.root) {
				continue
			}
			n = g.insert(j.key, rest, j.hash, at)
			switch {
			case g.forest == nil:
			case len(rest) == 0:
				g.forest.build(j.key, b.sources, rows[j.at:])
			default:
				g.forest.add(j.key, rest, r.given(g.forest, b, rows[j.at:]))
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
func (r *runner) given(f *forest, b *builder, match []Class) []Class {
	r.kids = r.kids[:0]
	for _, s := range b.sources {
		r.kids = append(r.kids, f.exact(s, match))
	}
	return r.kids
}
