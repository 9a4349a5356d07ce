package egraph

import (
	"fmt"
	"slices"
)

// An applier builds the right side of a rule for a match, which is a row of words: see
// runner.found. What it needs is named by its place there.
type applier struct {
	vars    int
	build   []builder
	result  uint16
	nodesAt int      // place of the matched nodes
	nodes   int      // how many
	pure    bool     // applying a match twice changes nothing
	sources []source // of the variables
	regs    []uint16 // of variables and nodes to build: noReg for one that is not in a register
	looks   []look   // what settled looks up; nil where that is not known from registers
	settles bool     // settled may be asked
	answer  uint16   // register or seen node of the result
}

// A look is a builder of at most three children as Graph.settled reads it: before there is a row.
type look struct {
	head uint32
	kid  [3]uint16 // registers, or numbers of earlier looks | isLook
}

const (
	isLook   = 1 << 15
	maxLooks = 16
)

// Places in a row of a match: the rule comes first, then the root, then the variables.
const (
	rootAt = 1
	varsAt = 2
)

// A builder makes one node.
type builder struct {
	head    uint32
	place   uint16    // where the node goes
	root    bool      // of the right side
	first   [3]uint16 // places of the first three children
	kids    []uint16  // of all
	sources []source  // of the children
}

// A source says which node a value stands for in proofs: what is at a place, or a child of
// the node there if kid is not negative.
type source struct{ place, kid int16 }

func newApplier(r Rule, left []Pattern, regs []uint16) (applier, error) {
	a := applier{vars: len(regs), pure: r.Cond == nil && r.Apply == nil}
	for _, p := range left {
		a.nodes += countNodes(p)
	}
	if r.Apply == nil {
		var vars int
		if err := r.RHS.check(&vars); err != nil {
			return a, err
		}
		var err error
		if a.result, err = a.compile(r.RHS, regs); err != nil {
			return a, err
		}
	}
	if n := len(a.build); n > 0 {
		a.build[n-1].root = true
	}
	a.nodesAt = varsAt + a.vars + len(a.build)
	a.regs = append(append(a.regs, regs...), slices.Repeat([]uint16{noReg}, len(a.build))...)
	a.lookFrom(regs)
	a.locate(left)
	for i := range a.build {
		b := &a.build[i]
		for _, k := range b.kids {
			b.sources = append(b.sources, a.source(k))
		}
	}
	return a, nil
}

// source returns the source of a variable or built node.
func (a *applier) source(place uint16) source {
	if v := int(place) - varsAt; v < a.vars {
		return a.sources[v]
	}
	return source{int16(place), -1}
}

func (a *applier) compile(p Pattern, regs []uint16) (uint16, error) {
	if p.Var >= 0 {
		if p.Var >= len(regs) || regs[p.Var] == noReg {
			return 0, fmt.Errorf("variable %d of the right side does not occur on the left", p.Var)
		}
		return uint16(varsAt + p.Var), nil
	}
	b := builder{head: headOf(p.Op, len(p.Kids))}
	for _, k := range p.Kids {
		v, err := a.compile(k, regs)
		if err != nil {
			return 0, err
		}
		b.kids = append(b.kids, v)
		if n := len(b.kids); n <= 3 {
			b.first[n-1] = v
		}
	}
	b.place = uint16(varsAt + a.vars + len(a.build))
	a.build = append(a.build, b)
	return b.place, nil
}

// lookFrom compiles the looks of a pure rule whose variables are in registers.
func (a *applier) lookFrom(regs []uint16) {
	if !a.pure || len(a.build) > maxLooks {
		return
	}
	from := func(place uint16) uint16 {
		if v := int(place) - varsAt; v < a.vars {
			return regs[v]
		}
		return place - uint16(varsAt+a.vars) | isLook
	}
	var looks []look
	for _, b := range a.build {
		if len(b.kids) > 3 {
			return
		}
		l := look{head: b.head}
		for i, k := range b.kids {
			l.kid[i] = from(k)
		}
		looks = append(looks, l)
	}
	a.looks, a.settles, a.answer = looks, true, from(a.result)
}

// locate finds the first occurrence of every variable in preorder: the root, or a child of a
// matched node.
func (a *applier) locate(left []Pattern) {
	a.sources = make([]source, a.vars)
	for v := range a.sources {
		a.sources[v] = source{rootAt, -1} // also of those that do not occur
	}
	found := make([]bool, a.vars)
	node := int16(a.nodesAt - 1)
	var walk func(p Pattern, s source)
	walk = func(p Pattern, s source) {
		if p.Var >= 0 {
			if !found[p.Var] {
				found[p.Var] = true
				a.sources[p.Var] = s
			}
			return
		}
		node++
		me := node
		for i, k := range p.Kids {
			walk(k, source{me, int16(i)})
		}
	}
	for _, p := range left {
		walk(p, source{rootAt, -1})
	}
}
