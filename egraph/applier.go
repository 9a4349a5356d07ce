package egraph

import "fmt"

// An applier builds the right side of a rule for a match: values 0… are the
// variables, those after them the nodes built so far.
type applier struct {
	vars    int
	nodes   int // matched
	build   []builder
	result  uint16
	pure    bool     // applying a match twice changes nothing
	sources []source // where the node of a variable is found among matched nodes
}

// A builder makes one node. Its level is 0 over variables, else one more than
// the highest child's.
type builder struct {
	head  uint32
	kids  []uint16
	level uint8
}

// source says that a variable is child kid of matched node number node, or the
// root itself (node -1).
type source struct{ node, kid int16 }

func newApplier(r Rule, left []Pattern, regs []uint16) (applier, error) {
	a := applier{vars: len(regs), pure: r.Cond == nil && r.Apply == nil}
	for _, p := range left {
		a.nodes += countNodes(p)
	}
	a.sources = make([]source, len(regs))
	a.locate(left)
	if r.Apply != nil {
		return a, nil
	}
	var vars int
	if err := r.RHS.check(&vars); err != nil {
		return a, err
	}
	var err error
	a.result, err = a.compile(r.RHS, regs)
	return a, err
}

func (a *applier) compile(p Pattern, regs []uint16) (uint16, error) {
	if p.Var >= 0 {
		if p.Var >= len(regs) || regs[p.Var] == noReg {
			return 0, fmt.Errorf("variable %d of the right side does not occur on the left", p.Var)
		}
		return uint16(p.Var), nil
	}
	b := builder{head: headOf(p.Op, len(p.Kids))}
	for _, k := range p.Kids {
		v, err := a.compile(k, regs)
		if err != nil {
			return 0, err
		}
		b.kids = append(b.kids, v)
		if i := int(v) - a.vars; i >= 0 {
			b.level = max(b.level, a.build[i].level+1)
		}
	}
	a.build = append(a.build, b)
	return uint16(a.vars + len(a.build) - 1), nil
}

// locate finds the first occurrence of every variable in preorder.
func (a *applier) locate(left []Pattern) {
	found := make([]bool, a.vars)
	for v := range a.sources {
		a.sources[v].node = -1
	}
	node := int16(-1)
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
		walk(p, source{-1, 0})
	}
}
