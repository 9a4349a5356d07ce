package egraph

import (
	"context"
	"slices"
	"time"
)

// A machine runs a program on the index. Its memory is used again: see runners and queries.
type machine struct {
	g        *Graph
	prog     *program
	regs     []Class
	nodes    []uint32 // matched nodes by slot
	leaves   []leafAt
	fresh    uint32                       // not 0 if anything matched so far is fresh
	count    *int                         // counts old matches, which sink need not get; nil if it does
	sink     func(m *machine, y int) bool // takes a match; false stops
	accept   func(g *Graph, v int, c Class) bool
	found    func(entry int, subst []Class) bool
	bound    []Class
	subst    []Class   // of a query: NoClass everywhere, but while a match is told of
	vars     int       // of the table
	rs       *RuleSet  // of which prog is; nil for a query
	proofs   bool      // keep the nodes of matches
	run      *runner   // of which it is the search; else nil
	gatherer *gatherer // of a search by columns; else nil
	poller   poller
}

type leafAt struct {
	known bool  // what follows was looked up
	class Class // NoClass if the graph has no such leaf
	node  uint32
	fresh uint32
}

// poller looks at clock and context once in a while.
type poller struct {
	done     <-chan struct{}
	deadline time.Time // zero for none
	budget   int
	polled   int  // steps before the last poll
	why      Stop // what stopped it; 0 if nothing did
}

func (p *poller) start(ctx context.Context, deadline time.Time) {
	*p = poller{done: ctx.Done(), deadline: deadline, budget: pollSteps}
}

const pollSteps = 4096

// steps returns how many steps were made since start.
func (p *poller) steps() int { return p.polled + pollSteps - p.budget }

// restart counts steps anew.
func (p *poller) restart() { p.budget, p.polled, p.why = pollSteps, 0, running }

// poll reports whether to stop.
func (p *poller) poll() bool {
	p.polled += pollSteps - p.budget
	p.budget = pollSteps
	select {
	case <-p.done:
		p.why = Cancelled
	default:
		if !p.deadline.IsZero() && !time.Now().Before(p.deadline) {
			p.why = TimeLimit
		}
	}
	return p.why != 0
}

// begin points the machine at a program on an up-to-date index.
func (m *machine) begin(g *Graph, prog *program) {
	m.g, m.prog, m.fresh, m.count = g, prog, 0, nil
	if len(m.regs) < prog.regs {
		m.regs = make([]Class, prog.regs)
	}
	if len(m.nodes) < prog.slots {
		m.nodes = make([]uint32, prog.slots)
	}
	m.leaves = slices.Grow(m.leaves[:0], len(prog.leaves))
	for range prog.leaves {
		m.leaves = append(m.leaves, leafAt{})
	}
}

// release forgets what belongs to others.
func (m *machine) release() {
	m.g, m.prog, m.rs, m.count, m.accept, m.found, m.poller = nil, nil, nil, nil, nil, nil, poller{}
}

// findLeaves finds all leaves, before the graph changes.
func (m *machine) findLeaves() {
	for i := range m.leaves {
		m.leafAt(uint16(i))
	}
}

// leafAt finds a leaf when it is first asked for.
func (m *machine) leafAt(i uint16) *leafAt {
	l := &m.leaves[i]
	if !l.known {
		*l = leafAt{known: true, class: NoClass}
		op := m.prog.leaves[i]
		if c, ok := m.g.Lookup(op); ok {
			if r := m.g.index.find(c, headOf(op, 0)); r != nil { // nil if it is newer than the index
				node := m.g.index.entries[r.start].node
				l.class, l.node, l.fresh = c, node&nodeBits, node&fresh
			}
		}
	}
	return l
}

// exec tries an instruction and its alternatives; false stops the search.
func (m *machine) exec(at int32) bool {
	code, ix := m.prog.code, &m.g.index
	for more := at != 0; more; at++ {
		in := &code[at]
		more = in.more
		switch in.kind {
		case iBind:
			c := m.regs[in.reg]
			if ix.bits[c]>>in.bit&1 == 0 {
				continue
			}
			if r := ix.among(c, in.head); r != nil && !m.bind(in, r) {
				return false
			}
		case iScan:
			for _, r := range m.g.index.withHead(in.head) {
				if !m.bind(in, &m.g.index.runs[r]) {
					return false
				}
			}
		case iSame:
			if m.regs[in.reg] == m.regs[in.other] && !m.exec(in.child) {
				return false
			}
		case iLeaf:
			if !m.leaf(in) {
				return false
			}
		case iCheck:
			if m.accepts(int(in.other), m.regs[in.reg]) && !m.exec(in.child) {
				return false
			}
		case iYield:
			if !m.sink(m, int(in.other)) {
				return false
			}
		}
	}
	return true
}

// bind goes on with every node of a run.
func (m *machine) bind(in *instr, r *run) bool {
	if m.poller.budget -= int(r.end - r.start); m.poller.budget < 0 && m.poller.poll() {
		return false
	}
	saved, bit := m.fresh, in.fresh
	skip := uint32(0)
	if m.count != nil && saved == 0 && in.ends > 0 {
		n := r.fresh
		if bit == formed {
			n = r.formed
		}
		*m.count += int(r.end-r.start-n) * int(in.ends)
		if n == 0 {
			return true
		}
		skip = bit
	}
	es := m.g.index.entries[r.start:r.end]
	if m.gatherer != nil && in.ends > 0 {
		return m.bindColumns(in, es, skip)
	}
	child := in.child
	tested, want := 3, NoClass
	if in.lone {
		test := &m.prog.code[child]
		tested, want, child = int(test.reg-in.out), m.regs[test.other], test.child
	}
	for i := range es {
		e := &es[i]
		if skip&^e.node != 0 || tested < 3 && e.kid[tested] != want {
			continue
		}
		m.enterNode(in, e)
		m.fresh = saved | e.node&bit
		if in.ends == 1 {
			if !collect(m, int(m.prog.code[child].other)) {
				return false
			}
		} else if !m.exec(child) {
			return false
		}
	}
	m.fresh = saved
	return true
}

// enterNode puts a node and its children into registers.
func (m *machine) enterNode(in *instr, e *entry) {
	out := m.regs[in.out : in.out+3 : in.out+3]
	out[0], out[1], out[2] = e.kid[0], e.kid[1], e.kid[2]
	if in.head >= 4<<24 {
		m.bindLong(in, e)
	}
	m.nodes[in.slot] = e.node & nodeBits
}

// bindLong puts the third and later children into registers.
func (m *machine) bindLong(in *instr, e *entry) {
	arity := int(in.head >> 24)
	copy(m.regs[in.out+2:], m.g.index.more[e.kid[2]:][:arity-2])
}

// at returns what a register holds, NoClass if there is none.
func (m *machine) at(reg uint16) Class {
	if reg == noReg {
		return NoClass
	}
	return m.regs[reg]
}

func (m *machine) leaf(in *instr) bool {
	l := m.leafAt(in.other)
	if m.regs[in.reg] != l.class {
		return true
	}
	saved := m.fresh
	m.fresh |= l.fresh
	ok := m.exec(in.child)
	m.fresh = saved
	return ok
}

func (m *machine) accepts(v int, c Class) bool {
	if v < len(m.bound) && m.bound[v] != NoClass && m.bound[v] != c {
		return false
	}
	return m.accept == nil || m.accept(m.g, v, c)
}
