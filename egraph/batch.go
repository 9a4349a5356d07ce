package egraph

import "math/bits"

// A batch asks of many matches at once whether they change nothing: those that one run of nodes
// gives where a bind ends its rules. Each step is a short loop over columns, so that the waits for
// memory of many look-ups overlap.
type batch struct {
	at     [batchSize]uint32 // place of the match's node in the run
	kids   [3]column         // its children, canonical
	same   [2]column         // what all matches have in common, or classes of nodes
	place  [batchSize]uint64 // in the table
	nodes  [batchEnds][batchLooks]column
	unsure [batchEnds]uint64 // matches that may change something, a bit each
}

type column = [batchSize]Class

const (
	batchSize  = 64
	batchEnds  = 4
	batchLooks = 4
)

// batchFrom is the length of a run that is worth the columns; tests let shorter ones be.
var batchFrom = 16

// batched reports whether all rules that end behind a bind may be asked about by columns.
func (rs *RuleSet) batched(in *instr) bool {
	if in.ends == 0 || in.ends > batchEnds || in.head >= 4<<24 {
		return false
	}
	for _, y := range rs.prog.alternatives(in.child) {
		a := &rs.applies[y.other]
		if !a.settles || len(a.looks) == 0 || len(a.looks) > batchLooks {
			return false
		}
		for _, l := range a.looks {
			if n := l.head >> 24; n == 0 || n > 2 {
				return false
			}
		}
	}
	return true
}

// columnsPay reports whether bindBatch may be asked: in a graph that grows most matches add
// something, and looking them up once more costs more than it saves. Schedules count each match.
func (r *runner) columnsPay() bool {
	return r.turns.out == nil && r.kept <= r.asked/4*3+tryColumns
}

// tryColumns is how many matches of an iteration may change something before that counts.
const tryColumns = 512

// bindBatch is what bind does with the nodes of a run that has none of the skip bits where all
// that follows is the end of rules. All of these matches are new.
func (m *machine) bindBatch(in *instr, es []entry, skip uint32) bool {
	g, r := m.g, m.run
	if r.batch == nil {
		r.batch = &batch{}
	}
	b := r.batch
	saved := m.fresh
	ends := m.prog.alternatives(in.child)
	for at := 0; at < len(es); {
		n := 0
		for ; at < len(es) && n < batchSize; at++ {
			b.at[n] = uint32(at)
			n += int((es[at].node^fresh)&skip>>31 ^ 1)
		}
		if n == 0 {
			break
		}
		r.it.Matches += n * len(ends)
		r.it.Applied += n * len(ends)
		for j := range b.kids[:in.head>>24] {
			for i, at := range b.at[:n] {
				b.kids[j][i] = g.find(es[at].kid[j])
			}
		}
		any := uint64(0)
		for e := range ends {
			b.unsure[e] = b.ask(g, m, in, &r.rs.applies[ends[e].other], &b.nodes[e], n)
			any |= b.unsure[e]
			if r.limits.Fired != nil {
				r.limits.Fired[ends[e].other] += n
			}
			kept := bits.OnesCount64(b.unsure[e])
			r.asked += n
			r.kept += kept
			m.poller.budget -= n - kept
		}
		for ; any != 0; any &= any - 1 {
			i := bits.TrailingZeros64(any)
			x := &es[b.at[i]]
			copy(m.regs[in.out:], x.kid[:])
			m.nodes[in.slot] = x.node &^ fresh
			m.fresh = saved | x.node&fresh
			for e := range ends {
				if b.unsure[e]>>i&1 == 0 {
					continue
				}
				a := &r.rs.applies[ends[e].other]
				match := r.take(m, int(ends[e].other))
				match[0] |= wasAsked
				for l := range a.looks {
					match[varsAt+a.vars+l] = b.nodes[e][l][i]
				}
				if len(r.found) >= blockWords && !g.applyFound(r, m) {
					return false
				}
			}
		}
	}
	m.fresh = saved
	return true
}

// ask looks up the right sides of n matches of a rule, and returns those that may change
// something. nodes has what is there, NoClass for what is missing.
func (b *batch) ask(g *Graph, m *machine, in *instr, a *applier, nodes *[batchLooks]column, n int) (unsure uint64) {
	root := g.find(m.regs[0])
	for i := range a.looks {
		l := &a.looks[i]
		k0 := b.values(g, m, in, nodes, l.kid[0], 0, n)
		k1 := &noClasses
		if l.head >= 2<<24 {
			k1 = b.values(g, m, in, nodes, l.kid[1], 1, n)
		}
		g.lookUpAll(l.head, k0, k1, &b.place, &nodes[i], n)
	}
	for j, c := range nodes[len(a.looks)-1][:n] {
		if c != root && (c == NoClass || g.find(c) != root) {
			unsure |= 1 << j
		}
	}
	return unsure
}

var noClasses = func() (c column) {
	for i := range c {
		c[i] = NoClass
	}
	return c
}()

// values returns the column of a child of a look, or of the result.
func (b *batch) values(g *Graph, m *machine, in *instr, nodes *[batchLooks]column, from uint16, spare, n int) *column {
	if from&isLook != 0 {
		found := &nodes[from&^isLook]
		if g.forest == nil {
			return found // classes: see nameOf
		}
		same := &b.same[spare]
		for i, c := range found[:n] {
			if c != NoClass {
				c = g.find(c)
			}
			same[i] = c
		}
		return same
	}
	if j := int(from) - int(in.out); j >= 0 && j < int(in.head>>24) {
		return &b.kids[j]
	}
	same := &b.same[spare]
	c := g.find(m.regs[from])
	for i := range same[:n] {
		same[i] = c
	}
	return same
}

// lookUpAll finds n nodes of one operator word with at most two children: NoClass for those that
// are missing.
func (g *Graph) lookUpAll(head uint32, k0, k1 *column, place *[batchSize]uint64, found *column, n int) {
	slots := g.table.slots
	mask := uint64(len(slots) - 1)
	sum := uint32(0)
	for i := range place[:n] {
		at := mix(keyOf(head, k0[i], k1[i], NoClass), 0) >> g.table.shift
		place[i] = at
		sum ^= slots[at&mask].id
	}
	g.touched = sum
	for i, at := range place[:n] {
		a, b := uint64(head)|uint64(k0[i])<<32, uint32(k1[i])
		s := &slots[at&mask]
		for s.id != 0 && (s.a != a || s.b != b) {
			at++
			s = &slots[at&mask]
		}
		found[i] = NoClass
		if s.id != 0 {
			found[i] = g.nameOf(s)
		}
	}
}
