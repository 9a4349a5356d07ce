package read

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// paths are the conditions under which blocks are reached from one that dominates them.
type paths struct {
	r     *reader
	fr    *frame
	from  int
	reach map[int]path
}

// path is a condition; the zero Expr where it is always true.
type path struct {
	cond   ir.Expr
	state  bool
	change bool // from step to step
	bad    *Obstacle
}

func (r *reader) pathsFrom(fr *frame, b int) *paths {
	return &paths{r: r, fr: fr, from: b, reach: map[int]path{b: {}}}
}

func (p path) and(q path) path {
	out := path{cond: q.cond, state: p.state || q.state, change: p.change || q.change, bad: p.bad}
	if p.bad == nil {
		out.bad = q.bad
	}
	switch {
	case out.bad != nil:
		out.cond = ir.Expr{}
	case !q.cond.IsValid():
		out.cond = p.cond
	case p.cond.IsValid():
		out.cond = ir.AndOf(p.cond, q.cond)
	}
	return out
}

// or joins two ways, one of which may be always open.
func (p path) or(q path) path {
	out := path{state: p.state || q.state, change: p.change || q.change, bad: p.bad}
	if p.bad == nil {
		out.bad = q.bad
	}
	if out.bad == nil && p.cond.IsValid() && q.cond.IsValid() && !opposite(p.cond, q.cond) {
		out.cond = ir.OrOf(p.cond, q.cond)
	}
	return out
}

func opposite(a, b ir.Expr) bool {
	return a.Op() == ir.Not && a.Arg(0) == b || b.Op() == ir.Not && b.Arg(0) == a
}

// to is the condition under which a block is reached.
func (ps *paths) to(b int) path {
	if p, ok := ps.reach[b]; ok {
		return p
	}
	ps.reach[b] = path{bad: &Obstacle{Kind: Nested}} // of a cycle, which there is none
	var out path
	first := true
	for _, q := range ps.preds(b) {
		if first {
			out, first = ps.edge(q, b), false
		} else {
			out = out.or(ps.edge(q, b))
		}
	}
	ps.reach[b] = out
	return out
}

// preds lists the predecessors of a block that are read and reached.
func (ps *paths) preds(b int) (out []int) {
	g := ps.fr.graph
	for _, q := range g.Preds[b] {
		if ps.fr.has(q) && g.Dominates(ps.from, q) && (ps.fr.loop == nil || b != ps.fr.loop.Header) {
			out = append(out, q)
		}
	}
	return out
}

// edge is the condition under which a branch from a block to another is taken.
func (ps *paths) edge(from, to int) path { return ps.to(from).and(ps.branch(from, to)) }

// branch is the condition of one branch. A branch that leaves the loop is not taken in a step that is completed.
func (ps *paths) branch(from, to int) path {
	last := ps.fr.f.Blocks[from].Last()
	only := true
	for _, s := range ps.fr.graph.Succs[from] {
		only = only && (s == to || !ps.fr.has(s))
	}
	if only {
		return path{}
	}
	on := ps.r.operand(ps.fr, last.Args[0], last)
	p := path{state: on.state, change: !on.steady}
	if !on.isScalar() {
		p.bad = firstBad([]value{on}, last)
		return p
	}
	c := ps.r.choice(last, on.e)
	p.bad = c.bad
	name := ps.fr.f.Blocks[to].Name
	switch {
	case p.bad != nil:
	case last.Op != "br":
		p.cond = c.to(name)
	case last.Labels[0] != name:
		p.cond = ir.NotOf(on.e)
	default:
		p.cond = on.e
	}
	return p
}

// choice is what a branch or a switch decides by, read once for all blocks that it goes to.
type choice struct {
	in    *syntax.Inst
	bad   *Obstacle
	cases []ir.Expr        // of a switch, in order
	by    map[string][]int // the cases that go to a block
}

// choice reads what an instruction decides by, whose first operand is known.
func (r *reader) choice(in *syntax.Inst, on ir.Expr) *choice {
	c := r.choices[on]
	if c != nil && c.in == in {
		return c
	}
	c = &choice{in: in, by: map[string][]int{}}
	r.choices[on] = c
	for i, v := range in.Args { // of a branch one condition, of a switch a number and literals
		if t, ok := r.scalar(v.Type); !ok || t != on.Type() || (in.Op == "br") != (t == ir.Bool && len(in.Args) == 1) {
			c.bad = stop(Unread, in, "%s on %s", in.Op, v.Type)
			return c
		}
		if i > 0 {
			c.cases = append(c.cases, ir.EqOf(on, r.constant(v, in).e))
			c.by[in.Labels[i]] = append(c.by[in.Labels[i]], i-1)
		}
	}
	return c
}

// to is the condition under which a switch goes to a block. The default is taken where no case holds.
func (c *choice) to(name string) (cond ir.Expr) {
	if c.in.Labels[0] != name {
		for _, i := range c.by[name] {
			if eq := c.cases[i]; cond.IsValid() {
				cond = ir.OrOf(cond, eq)
			} else {
				cond = eq
			}
		}
		return cond
	}
	for i, eq := range c.cases {
		if c.in.Labels[i+1] == name {
			continue
		}
		if eq = ir.NotOf(eq); cond.IsValid() {
			eq = ir.AndOf(cond, eq)
		}
		cond = eq
	}
	return cond
}

// ways are the branches into a block, each with its condition as seen from the block that dominates it.
func (r *reader) ways(fr *frame, b int) (from []int, conds []path) {
	ps := r.pathsFrom(fr, fr.graph.Idom(b))
	for _, q := range ps.preds(b) {
		from, conds = append(from, q), append(conds, ps.edge(q, b))
	}
	return from, conds
}

// phi reads a phi of a block where ways meet.
func (r *reader) phi(fr *frame, b *syntax.Block, in *syntax.Inst) value {
	from, conds := r.ways(fr, b.Index)
	values := make([]value, len(from))
	for i, q := range from {
		values[i] = value{bad: stop(Unread, in, "a phi without %s", fr.f.Blocks[q].Name)}
		for j, label := range in.Labels {
			if label == fr.f.Blocks[q].Name {
				values[i] = r.operand(fr, in.Args[j], in)
			}
		}
	}
	v := r.gatedBy(in, conds, values)
	if v.isScalar() {
		return r.flagged(in, v, []value{v})
	}
	return v
}

// gatedBy selects one of several values by the condition that holds. The last one needs none.
func (r *reader) gatedBy(in *syntax.Inst, conds []path, values []value) value {
	if len(values) == 0 {
		return value{bad: stop(Unread, in, "a block that nothing reaches")}
	}
	out := values[len(values)-1]
	for i := len(values) - 2; i >= 0; i-- {
		c := conds[i]
		switch {
		case c.bad != nil:
			return r.opaque(in, append(values, value{state: c.state}), c.bad)
		case !c.cond.IsValid(): // always
			out = values[i]
		default:
			out = r.gate(in, c.cond, c.state, !c.change, values[i], out)
		}
	}
	return out
}

func (r *reader) gated(in *syntax.Inst, conds []ir.Expr, values []value) value {
	out := values[len(values)-1]
	for i := len(values) - 2; i >= 0; i-- {
		if conds[i].IsValid() {
			out = r.gate(in, conds[i], true, false, values[i], out)
		} else {
			out = values[i]
		}
	}
	return out
}
