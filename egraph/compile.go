package egraph

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A program is a tree of instructions: patterns that begin alike share their
// beginning. The alternatives of a place follow each other.
type program struct {
	code   []instr // code[0] is the root, so that 0 means none
	alt    []int32 // while the tree grows: the next alternative of each instruction
	leaves []Op    // operators of 0-ary nodes that instructions refer to
	yields []yield
	places []uint16 // what yields refer to
	regs   int      // registers that a machine needs
	slots  int      // places for matched nodes
	scans  bool     // it has an iScan

	build compiler // its memory, while the tree grows
}

type instrKind uint8

const (
	iBind  instrKind = iota // for every node of class reg with operator head: children to out…
	iScan                   // for every node with operator head in any class: children to out…
	iSame                   // registers reg and other hold the same class
	iLeaf                   // register reg holds the class of leaf number other
	iCheck                  // variable number other accepts the class in reg
	iYield                  // a match of yield number other
)

type instr struct {
	kind  instrKind
	lone  bool  // all that follows begins with one test: that a child is what another node has
	more  bool  // the next instruction is an alternative
	bit   uint8 // bitOf head
	reg   uint16
	out   uint16
	slot  uint16 // where iBind and iScan leave the matched node
	other uint16
	ends  uint16 // matches that a node makes if all that follows is their end; else 0
	head  uint32
	fresh uint32 // which bit of a node says that it makes new matches
	child int32  // what must hold next
}

// A yield says where a match finds its parts: places[vars:nodes] are pairs of a variable that
// occurs and its register, places[nodes:end] the matched nodes in preorder of the patterns.
type yield struct {
	entry            int32
	vars, nodes, end uint32
}

// variables are the pairs of a yield.
func (prog *program) variables(y *yield) []uint16 { return prog.places[y.vars:y.nodes] }

// matched are the matched nodes of a yield, each a nodeAt.
func (prog *program) matched(y *yield) []uint16 { return prog.places[y.nodes:y.end] }

const noReg = 1<<16 - 1

// nodeAt is a slot, or a leaf number | isLeaf.
type nodeAt uint16

const isLeaf nodeAt = 1 << 15

// treeMemory has the memory in which the trees of programs grew before layOut.
var treeMemory = sync.Pool{New: func() any { return new(program) }}

func newProgram() *program {
	g := treeMemory.Get().(*program)
	return &program{code: append(g.code[:0], instr{}), alt: append(g.alt[:0], 0), build: g.build, regs: 4}
}

// A compiler turns the patterns of one entry into a row of instructions. It is reused.
type compiler struct {
	prog   *program
	row    []instr
	vars   []uint16
	checks bool // emit iCheck where a variable is bound
	regs   int
	slots  int
	todo   []task
	nodes  []nodeAt
}

// A task is a pattern to match at a register (or anywhere, if noReg), whose
// nodes come at places at… of the preorder.
type task struct {
	p   Pattern
	reg uint16
	at  int
}

// compile adds one entry: patterns[i] at register i for i < rooted, the others
// anywhere. The registers of the variables hold until the next call.
func (prog *program) compile(entry int, patterns []Pattern, rooted, vars int, checks bool) ([]uint16, error) {
	c := &prog.build
	*c = compiler{prog: prog, checks: checks, regs: rooted, row: c.row[:0], vars: c.vars[:0], todo: c.todo[:0], nodes: c.nodes[:0]}
	for range vars {
		c.vars = append(c.vars, noReg)
	}
	at := 0
	for i, p := range patterns[:rooted] {
		c.take(task{p, uint16(i), at})
		at += countNodes(p)
	}
	for _, p := range patterns[rooted:] {
		if p.Var >= 0 {
			return nil, errors.New("a further pattern must not be a bare variable")
		}
		c.todo = append(c.todo, task{p, noReg, at})
		at += countNodes(p)
	}
	for _, p := range patterns {
		c.fixLeaves(p)
	}
	for i := 0; i < len(c.todo); i++ {
		c.descend(c.todo[i])
	}
	if c.regs >= noReg-4 || len(prog.leaves) >= int(isLeaf) || len(prog.yields) >= noReg {
		return nil, errors.New("too large to compile")
	}
	prog.regs = max(prog.regs, c.regs+3) // a bind always writes three
	prog.slots = max(prog.slots, c.slots)
	prog.scans = prog.scans || rooted < len(patterns)
	c.row = append(c.row, instr{kind: iYield, other: uint16(len(prog.yields))})
	prog.yields = append(prog.yields, c.yield(entry))
	prog.insert(c.row)
	return c.vars, nil
}

// yield enters the parts of a match into the program.
func (c *compiler) yield(entry int) yield {
	prog := c.prog
	y := yield{entry: int32(entry), vars: uint32(len(prog.places))}
	for v, reg := range c.vars {
		if reg != noReg {
			prog.places = append(prog.places, uint16(v), reg)
		}
	}
	y.nodes = uint32(len(prog.places))
	for _, at := range c.nodes {
		prog.places = append(prog.places, uint16(at))
	}
	y.end = uint32(len(prog.places))
	return y
}

func countNodes(p Pattern) int {
	if p.Var >= 0 {
		return 0
	}
	n := 1
	for _, k := range p.Kids {
		n += countNodes(k)
	}
	return n
}

// fixLeaves fills in the places of 0-ary nodes, which are looked up and not
// searched for, and makes room for the others.
func (c *compiler) fixLeaves(p Pattern) {
	if p.Var >= 0 {
		return
	}
	at := nodeAt(0)
	if len(p.Kids) == 0 {
		at = nodeAt(c.prog.leaf(p.Op)) | isLeaf
	}
	c.nodes = append(c.nodes, at)
	for _, k := range p.Kids {
		c.fixLeaves(k)
	}
}

func (prog *program) leaf(op Op) uint16 {
	for i, l := range prog.leaves {
		if l == op {
			return uint16(i)
		}
	}
	prog.leaves = append(prog.leaves, op)
	return uint16(len(prog.leaves) - 1)
}

// take handles a pattern whose class is in a register: tests are cheap and come
// at once, nodes with children are searched for later.
func (c *compiler) take(t task) {
	switch {
	case t.p.Var < 0 && len(t.p.Kids) > 0:
		c.todo = append(c.todo, t)
	case t.p.Var < 0:
		c.row = append(c.row, instr{kind: iLeaf, reg: t.reg, other: c.prog.leaf(t.p.Op)})
	case c.vars[t.p.Var] != noReg:
		c.row = append(c.row, instr{kind: iSame, reg: t.reg, other: c.vars[t.p.Var]})
	default:
		c.vars[t.p.Var] = t.reg
		if c.checks {
			c.row = append(c.row, instr{kind: iCheck, reg: t.reg, other: uint16(t.p.Var)})
		}
	}
}

// descend searches the node of a task and takes its children.
func (c *compiler) descend(t task) {
	head := headOf(t.p.Op, len(t.p.Kids))
	out := uint16(c.regs)
	kind := iBind
	if t.reg == noReg {
		kind = iScan
	}
	c.row = append(c.row, instr{kind: kind, bit: bitOf(head), reg: t.reg, out: out, slot: uint16(c.slots), head: head})
	if len(t.p.Kids) > 0 {
		c.nodes[t.at] = nodeAt(c.slots)
	}
	c.slots++
	c.regs += len(t.p.Kids)
	at := t.at + 1
	for i, k := range t.p.Kids {
		c.take(task{k, out + uint16(i), at})
		at += countNodes(k)
	}
}

// insert adds a row to the tree, sharing its beginning.
func (prog *program) insert(row []instr) {
	place := int32(0)
	for _, in := range row {
		link := &prog.code[place].child
		for *link != 0 && !prog.code[*link].same(in) {
			link = &prog.alt[*link]
		}
		if *link == 0 {
			*link = int32(len(prog.code))
			place = *link
			prog.code, prog.alt = append(prog.code, in), append(prog.alt, 0) // link is invalid from here
			continue
		}
		place = *link
	}
}

func (a instr) same(b instr) bool {
	a.child = 0
	return a == b
}

// layOut puts the alternatives of every place side by side, so that a machine reads them in one
// go. The tree grows no more.
func (prog *program) layOut() {
	old, alt := prog.code, prog.alt
	code := append(make([]instr, 0, len(old)), old[0])
	var place func(at int32) int32
	place = func(at int32) int32 {
		first := len(code)
		for ; at != 0; at = alt[at] {
			in := old[at]
			in.more = alt[at] != 0
			code = append(code, in)
		}
		for i, end := first, len(code); i < end; i++ {
			if child := code[i].child; child != 0 {
				code[i].child = place(child)
			}
		}
		return int32(first)
	}
	if child := code[0].child; child != 0 {
		code[0].child = place(child)
	}
	treeMemory.Put(&program{code: old, alt: alt, build: prog.build})
	prog.code, prog.alt, prog.build, prog.places = code, nil, compiler{}, slices.Clone(prog.places)
}

// alternatives are the instructions from place at on, one of which must hold.
func (prog *program) alternatives(at int32) []instr {
	if at == 0 {
		return nil
	}
	end := at + 1
	for prog.code[end-1].more {
		end++
	}
	return prog.code[at:end]
}

// A Prepared rule may be in any number of rule sets. It never changes.
type Prepared struct {
	Rule
	applier
}

// With returns the same rule with another condition. It is for rules that have one.
func (p *Prepared) With(cond func(*Graph, []Class) bool) *Prepared {
	q := *p
	q.Cond = cond
	return &q
}

// Prepare makes rules ready for RuleSets. It is an error if a variable of a right side does not occur on
// the left, and if a pattern is too large.
func Prepare(rules []Rule) ([]*Prepared, error) {
	out, prog := make([]*Prepared, len(rules)), newProgram()
	for i, r := range rules {
		p := &Prepared{Rule: r}
		left := r.left()
		for _, l := range left {
			if err := l.check(&p.vars); err != nil {
				return nil, fmt.Errorf("rule %d %s: %w", i, r.Name, err)
			}
		}
		*prog = program{code: append(prog.code[:0], instr{}), alt: append(prog.alt[:0], 0), build: prog.build}
		regs, err := prog.compile(0, left, 1, p.vars, false) // which do not depend on the other rules of a set
		if err == nil {
			p.applier, err = newApplier(r, left, regs)
		}
		if err != nil {
			return nil, fmt.Errorf("rule %d %s: %w", i, r.Name, err)
		}
		out[i] = p
	}
	return out, nil
}

// A RuleSet is a list of rules, compiled. It never changes.
type RuleSet struct {
	rules    []*Prepared
	first    []uint32 // of each rule, the number of its first builder
	prog     *program
	heads    headTable
	bare     int32      // chain of the root instructions that no operator leads to
	builders []*builder // of all rules
	builds   int        // most nodes that a rule builds
}

// Rules returns the rules; do not change them.
func (rs *RuleSet) Rules() []*Prepared { return rs.rules }

// Compile makes a RuleSet of rules: Prepare, and Assemble.
func Compile(rules []Rule) (*RuleSet, error) {
	prepared, err := Prepare(rules)
	if err != nil {
		return nil, err
	}
	return Assemble(prepared)
}

// Assemble makes a RuleSet of prepared rules. It is an error if two rules have the same name or one has none, since proofs
// use the names, and if there are too many.
func Assemble(rules []*Prepared) (*RuleSet, error) {
	rs := &RuleSet{rules: rules, first: make([]uint32, len(rules)), prog: newProgram()}
	rs.prog.yields = make([]yield, 0, len(rules))
	built := 0
	for _, r := range rules {
		built += len(r.build)
	}
	rs.builders = make([]*builder, 0, built)
	names := make(map[string]bool, len(rules))
	for i, r := range rules {
		if r.Name == "" || names[r.Name] {
			return nil, fmt.Errorf("rule %d needs a name of its own, not %q", i, r.Name)
		}
		names[r.Name] = true
		if err := rs.add(i, r); err != nil {
			return nil, fmt.Errorf("rule %d %s: %w", i, r.Name, err)
		}
	}
	rs.prog.bareFirst()
	rs.prog.layOut()
	for i := range rs.prog.code {
		in := &rs.prog.code[i]
		in.ends = rs.countEnds(in.child)
		in.fresh = fresh
		if in.kind == iScan {
			in.fresh = formed
		}
		if next := rs.prog.alternatives(in.child); len(next) == 1 && next[0].kind == iSame {
			in.lone = in.kind <= iScan && in.head < 4<<24 && next[0].reg >= in.out && next[0].other < in.out
		}
	}
	rs.splitRoots()
	return rs, nil
}

// countEnds counts the alternatives from place at on if all are ends of pure rules.
func (rs *RuleSet) countEnds(at int32) uint16 {
	all := rs.prog.alternatives(at)
	for i := range all {
		if in := &all[i]; in.kind != iYield || !rs.rules[in.other].pure {
			return 0
		}
	}
	return uint16(len(all))
}

// bareFirst puts the root instructions that no operator leads to before the others.
func (prog *program) bareFirst() {
	bare, rest := int32(0), int32(0)
	end := &rest
	for i := prog.code[0].child; i != 0; {
		next := prog.alt[i]
		if prog.code[i].kind == iBind {
			*end, end = i, &prog.alt[i]
		} else {
			prog.alt[i], bare = bare, i
		}
		i = next
	}
	*end = 0
	link := &bare
	for *link != 0 {
		link = &prog.alt[*link]
	}
	*link = rest
	prog.code[0].child = bare
}

// splitRoots enters the root instructions that an operator leads to into heads; the others are
// bare.
func (rs *RuleSet) splitRoots() {
	roots := rs.prog.alternatives(rs.prog.code[0].child)
	bare := 0
	for bare < len(roots) && roots[bare].kind != iBind {
		bare++
	}
	if bare > 0 {
		rs.bare = rs.prog.code[0].child
		roots[bare-1].more = false
	}
	for i := range roots[bare:] { // what the class of a root is called does not matter to a match
		roots[bare+i].fresh = formed
	}
	rs.heads.fill(roots[bare:], rs.prog.code[0].child+int32(bare))
}

// add enters a rule into the program.
func (rs *RuleSet) add(i int, r *Prepared) error {
	rs.first[i] = uint32(len(rs.builders))
	for j := range r.build {
		rs.builders = append(rs.builders, &r.build[j])
	}
	rs.builds = max(rs.builds, len(r.build))
	_, err := rs.prog.compile(i, r.left(), 1, r.vars, false)
	return err
}

// headTable finds the instruction for a root operator: open addressing.
type headTable struct {
	heads []uint32
	at    []int32 // 0 if empty
}

// fill enters the instructions that begin at a place of the program.
func (t *headTable) fill(binds []instr, first int32) {
	size := 4
	for size < 3*len(binds) {
		size *= 2
	}
	t.heads, t.at = make([]uint32, size), make([]int32, size)
	for i, in := range binds {
		p := t.place(in.head)
		t.heads[p], t.at[p] = in.head, first+int32(i)
	}
}

func (t *headTable) place(head uint32) uint32 {
	mask := uint32(len(t.at) - 1)
	p := head * 0x9E3779B1 >> 7 & mask
	for t.at[p] != 0 && t.heads[p] != head {
		p = (p + 1) & mask
	}
	return p
}
