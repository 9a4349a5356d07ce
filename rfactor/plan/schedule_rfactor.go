package plan

import (
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// rfactor(r.y, u) makes an intermediate function that reduces over the other reduction
// variables for each value of r.y, now its pure variable u, and lets the update combine
// those partial results.
//
//	f() = f() + in(r.x, r.y)   →   rfactor(r.y, u)
//	intm(u) = intm(u) + in(r.x, u);  f() = f() + intm(r.y)
func (s *scheduler) rfactor(t *target, n *nest, d *program.Directive) *ir.Error {
	if n.def != nil && n.def.Recurrence() != nil {
		rec := n.def.Recurrence()
		return s.errorf(d, "%s keeps what each step writes, of which partial results know nothing: scan(%s, 65536).parallel(%s) runs it in tiles", n.def, rec.Var, rec.Var)
	}
	pairs, err := s.pairs(d)
	if err != nil {
		return err
	}
	var taken []*axis
	var vars []ir.Expr
	for _, p := range pairs {
		a, err := s.find(n, d, p[0])
		if err != nil {
			return err
		}
		switch {
		case a.pure:
			return s.errorf(d, "%s is pure: each element of %s is touched in one of its iterations only, so that parallel(%s) needs no rfactor", a.v, d.Func, a.v)
		case slices.Contains(taken, a):
			return s.errorf(d, "%s is named twice", a.v)
		}
		v, err := s.newVar(n, d, ir.Param, p[1])
		if err != nil {
			return err
		}
		if slices.Contains(vars, v) || slices.Contains(t.vars, v) {
			return s.errorf(d, "%s is already a variable of %s; each reduction variable needs a new one", v, d.Func)
		}
		taken, vars = append(taken, a), append(vars, v)
	}
	op, err := s.operation(n, d)
	if err != nil {
		return err
	}
	if s.target(d.Result) != nil {
		return s.errorf(d, "%s exists already", d.Result)
	}
	if inOrder := within(n.order, taken); !isPrefix(inOrder, n.order) && !op.commutative {
		tied, reason := s.tie(n, op)
		if tied == nil {
			return s.reordered(n, d, inOrder, op, reason)
		}
		n = s.apart(n, tied)
		for i, a := range taken {
			taken[i] = n.axis(a.v.Name())
		}
		op = n.op
	}
	s.takeOut(n, taken, vars, d.Result, op.composition())
	return nil
}

// pairs returns the reduction variables that a directive takes out, each with its new name.
func (s *scheduler) pairs(d *program.Directive) ([][2]string, *ir.Error) {
	a := d.Args[0]
	switch {
	case len(d.Args) == 1 && len(a.Pairs) > 0:
		return a.Pairs, nil
	case len(d.Args) == 2 && a.Name != "" && d.Args[1].Name != "":
		return [][2]string{{a.Name, d.Args[1].Name}}, nil
	}
	return nil, s.errorf(d, "expected a reduction variable and its new name: rfactor(r.y, u) or rfactor({{r.y, u}})")
}

// within returns those axes of a list that a set has, in the order of the list.
func within(list, set []*axis) []*axis { return without(list, without(list, set)) }

// reordered is the error for a factoring that changes the order of a combination.
func (s *scheduler) reordered(n *nest, d *program.Directive, taken []*axis, op *operation, reason string) *ir.Error {
	rest := without(n.order, taken)
	return s.errorf(d, "elements would be combined in the order of (%s) and not of (%s), and %s does not commute (%s); factor %s, the outermost, as well or instead",
		list(append(varsOf(taken), varsOf(rest)...)), list(varsOf(n.order)), ir.Strings(op.exprs), reason, rest[0].v)
}

// apart makes a nest combine its elements by another operation, apart from the value that
// they are combined with last: a function of its own, to which the loops go.
func (s *scheduler) apart(n *nest, op *operation) *nest {
	made := s.takeOut(n, nil, nil, s.unused(n.buffer.Name+"_all"), op)
	s.instead[n] = made.updates[0]
	return made.updates[0]
}

// takeOut takes loops out of an update: it makes the intermediate function, which has an index for
// each, and lets the update combine partial results by its own operation. inner is the operation
// by which the intermediate function combines elements.
func (s *scheduler) takeOut(n *nest, taken []*axis, vars []ir.Expr, name string, inner *operation) *target {
	t := s.owner(n)
	remaining := without(n.order, taken)
	scatter := s.scatters(n)
	b := &Buffer{Name: name, Types: inner.types, Dims: slices.Clone(n.buffer.Dims), Func: n.buffer.Func, Wide: inner.wide}
	if inner.answer.Lift != nil {
		b.Steps = inner.answer.LiftCost().String()
	}
	for _, a := range taken {
		b.Dims = append(b.Dims, a.span)
	}
	mayBeEmpty := len(scatter) > 0 || slices.ContainsFunc(n.where, func(e ir.Expr) bool { return !settled(e, remaining) })
	if inner.starts > 0 {
		s.needSlices(b, inner.starts)
	}
	if !inner.enough(mayBeEmpty) || inner.starts > 0 && len(s.targets) > maxBuffers {
		b.Seen = true
		b.Types = append(slices.Clone(b.Types), ir.Bool)
	}
	made := &target{buffer: b, vars: append(slices.Clone(t.vars), vars...)}
	made.first = s.firstNest(made, inner.start(s.pool, b, n.def.Args, t.vars))
	made.first.def = n.def
	made.updates = []*nest{s.intermediate(n, taken, vars, b, inner)}
	made.updates[0].before = n.before
	s.targets = append(s.targets, made)
	s.merge(n, taken, remaining, scatter, made, inner.enough(true))
	n.op.empty = inner.empty || !b.Seen && (mayBeEmpty || inner.enough(true) || inner.side != proof.Left)
	return made
}

// owner is the function that an update belongs to.
func (s *scheduler) owner(n *nest) *target { return s.target(n.buffer.Name) }

// settled reports whether e can be computed without the remaining loops, and
// without data: what a condition reads might only exist where conditions before it hold.
func settled(e ir.Expr, remaining []*axis) bool {
	data := false
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { data = data || e.Op() == ir.Call && e.NumArgs() > 0 })
	return !data && !uses(e, varsOf(remaining)...)
}

// scatters lists the dimensions whose element depends on data, or on reduction variables. The pure loops settle the others: together
// they visit each element of these dimensions that is updated, and each once.
func (s *scheduler) scatters(n *nest) []int {
	var out []int
	for i, e := range n.index {
		if !settled(e, n.order) {
			out = append(out, i)
		}
	}
	return out
}

// intermediate returns the update with the taken loops made pure, each with an index of its own.
func (s *scheduler) intermediate(n *nest, taken []*axis, vars []ir.Expr, b *Buffer, op *operation) *nest {
	m := &nest{buffer: b, def: n.def, role: Intermediate, op: op, where: n.where, index: n.index,
		coords: n.coords, now: n.now, still: n.still, permuted: n.permuted, order: without(n.order, taken)}
	for _, a := range n.axes {
		c := *a
		if c.how != InParallel {
			c.how = InOrder
		}
		if i := slices.Index(taken, a); i >= 0 {
			c.v, c.pure = vars[i], true
		} else {
			m.order = exchange(m.order, a, &c)
		}
		m.axes = append(m.axes, &c)
	}
	m.replace(varsOf(taken), vars)
	m.index = append(slices.Clone(m.index), vars...)
	return m
}

// merge turns the update into one that combines partial results, over the loops that were taken
// out.
func (s *scheduler) merge(n *nest, taken, remaining []*axis, scatter []int, from *target, rightIdentity bool) {
	p := s.pool
	conds := slices.DeleteFunc(slices.Clone(n.where), func(e ir.Expr) bool { return !settled(e, remaining) })
	n.index = slices.Clone(n.index)
	var axes []*axis
	for _, i := range scatter {
		v := s.free(n, ir.Param, s.owner(n).vars[i].Name(), "_")
		n.index[i] = v
		axes = append(axes, newAxis(v, n.buffer.Dims[i], true))
	}
	slices.Reverse(axes)
	fixed := slices.Clone(taken)
	for _, a := range n.axes {
		if slices.Contains(remaining, a) {
			continue
		}
		if a.pure {
			fixed = append(fixed, a)
		}
		c := *a
		c.bounds = mergeBounds(a, remaining)
		axes = append(axes, &c)
		taken = exchange(taken, a, &c)
		n.order = exchange(n.order, a, &c)
	}
	if !rightIdentity && !from.buffer.Seen {
		conds = append(conds, nonEmpty(fixed, remaining)...)
	}
	args := append(slices.Clone(n.index), varsOf(taken)...)
	var reads []ir.Expr
	if len(from.buffer.Types) > 1 {
		p.MarkTuple(from.buffer.Name)
	}
	for i, t := range from.buffer.Types {
		reads = append(reads, p.Call(t, from.buffer.Name, i, args...))
	}
	if from.buffer.Seen {
		last := len(reads) - 1
		conds = append(conds, reads[last])
		reads = reads[:last]
	}
	op := *n.op
	op.inject, op.written, op.inOrder = reads, nil, nil
	n.op, n.role, n.where, n.axes, n.before = &op, Merge, conds, axes, []*target{from}
	n.order = within(n.order, serial(axes))
	n.values = nil
}

// unused makes a name that nothing has, from another.
func (s *scheduler) unused(name string) string {
	for i := 0; ; i++ {
		try := name
		if i > 0 {
			try += strconv.Itoa(i)
		}
		used := s.target(try) != nil || s.prog.Func(try) != nil || slices.ContainsFunc(s.lasts, func(l *Last) bool { return l.Buffer.Name == try })
		for _, in := range s.prog.Inputs {
			used = used || in.Name == try
		}
		if !used {
			return try
		}
	}
}
