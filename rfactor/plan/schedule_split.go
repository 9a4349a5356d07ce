package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// split(v, outer, inner, n) makes two loops of one, with v = min + outer*n + inner.
//
//	for r in 0..w                →   split(r, ro, ri, 64)
//	for ro in 0..(w - 1)/64 + 1: for ri in 0..min(64, w - 64*ro), with r = 64*ro + ri
//
// Elements come in the same order, so that split never changes a result.
func (s *scheduler) split(t *target, n *nest, d *program.Directive) *ir.Error {
	a, err := s.find(n, d, d.Args[0].Name)
	if err != nil {
		return err
	}
	if len(d.Args) == 5 {
		if tail := d.Args[4].Name; tail != "TailStrategy::GuardWithIf" && tail != "TailStrategy::Auto" {
			return s.errorf(d, "%s would run elements that the loop does not have; a ragged tail is always guarded, as by TailStrategy::GuardWithIf", tail)
		}
	}
	factor, err := s.factorOf(d, 3)
	if err != nil {
		return err
	}
	kind := a.v.Kind()
	if d.Args[1].Name == d.Args[2].Name {
		return s.errorf(d, "both parts are called %s", d.Args[1].Name)
	}
	outer, err := s.newVar(n, d, kind, d.Args[1].Name, a)
	if err != nil {
		return err
	}
	inner, err := s.newVar(n, d, kind, d.Args[2].Name, a)
	if err != nil {
		return err
	}
	n.split(a, outer, inner, factor)
	return nil
}

// tile(x, y, xo, yo, xi, yi, w, h) runs two loops in blocks of w by h. With six arguments the loops
// over blocks keep the names x and y.
//
//	for y: for x   →   tile(x, y, xo, yo, xi, yi, 64, 32)   →   for yo: for xo: for yi: for xi
func (s *scheduler) tile(t *target, n *nest, d *program.Directive) *ir.Error {
	if len(d.Args) == 7 {
		return s.errorf(d, "expected 6 or 8 arguments: two loops, the names of the loops over blocks or none, those of the loops inside, and their extents")
	}
	loops, outer, inner, factors := d.Args[:2], d.Args[:2], d.Args[2:4], len(d.Args)-2
	if len(d.Args) == 8 {
		outer, inner = d.Args[2:4], d.Args[4:6]
	}
	if loops[0].Name == loops[1].Name {
		return s.errorf(d, "%s is named twice", loops[0].Name)
	}
	for i := range loops {
		if _, err := s.factorOf(d, factors+i); err != nil {
			return err
		}
	}
	for i, l := range loops {
		part := &program.Directive{Func: d.Func, Stage: d.Stage, Name: d.Name, Pos: d.Pos, Args: []program.Arg{l, outer[i], inner[i], d.Args[factors+i]}}
		if err := s.split(t, n, part); err != nil {
			return err
		}
	}
	return s.reorder(t, n, &program.Directive{Func: d.Func, Stage: d.Stage, Name: d.Name, Pos: d.Pos,
		Args: []program.Arg{inner[0], inner[1], outer[0], outer[1]}})
}

// split replaces an axis by two. A bound b of the axis bounds the outer part by ⌈b/f⌉ and
// the inner one by b − outer·f.
func (n *nest) split(a *axis, outer, inner, factor ir.Expr) (o, i *axis) {
	zero := outer.Pool().Int(ir.I32, 0)
	o = &axis{v: outer, span: Span{zero, ceilDiv(positive(a.span.Extent), factor)}, pure: a.pure, how: a.how, root: a.root}
	i = &axis{v: inner, span: Span{zero, factor}, pure: a.pure, root: a.root}
	start := times(outer, factor)
	n.axes, n.order = exchange(n.axes, a, o, i), exchange(n.order, a, o, i)
	n.replace([]ir.Expr{a.v}, []ir.Expr{plus(plus(a.span.Min, start), inner)})
	for _, b := range a.bounds {
		o.bounds = append(o.bounds, ceilDiv(b, factor))
		i.bounds = append(i.bounds, minus(b, start))
	}
	if !fits(a.span.Extent, factor) {
		i.bounds = append(i.bounds, minus(a.span.Extent, start))
	}
	return o, i
}

// fuse(inner, outer, v) makes one loop of two neighbours.
//
//	for y in 0..h: for x in 0..w   →   fuse(x, y, v)
//	for v in 0..w*h, with x = v % w and y = v/w
func (s *scheduler) fuse(t *target, n *nest, d *program.Directive) *ir.Error {
	inner, err := s.find(n, d, d.Args[0].Name)
	if err != nil {
		return err
	}
	outer, err := s.find(n, d, d.Args[1].Name)
	if err != nil {
		return err
	}
	v, err := s.newVar(n, d, inner.v.Kind(), d.Args[2].Name, inner, outer)
	if err != nil {
		return err
	}
	at := slices.Index(n.axes, outer)
	switch {
	case inner == outer || at+1 >= len(n.axes) || n.axes[at+1] != inner:
		return s.errorf(d, "%s does not lie directly inside %s; reorder them first", inner.v, outer.v)
	case inner.pure != outer.pure:
		return s.errorf(d, "%s and %s are a pure loop and one over a reduction variable", inner.v, outer.v)
	case len(inner.bounds)+len(outer.bounds) > 0:
		return s.errorf(d, "%s or %s has a ragged tail", inner.v, outer.v)
	}
	zero := s.pool.Int(ir.I32, 0)
	extent := times(positive(outer.span.Extent), inner.span.Extent)
	s.need(d.Pos, wideProduct(outer.span.Extent, inner.span.Extent), "the fused loop "+v.Name()+" has more than 2147483647 iterations")
	fused := newAxis(v, Span{zero, extent}, inner.pure)
	n.axes = exchange(exchange(n.axes, inner), outer, fused)
	n.order = exchange(exchange(n.order, inner), outer, fused)
	n.replace([]ir.Expr{inner.v, outer.v}, []ir.Expr{
		plus(inner.span.Min, ir.ModOf(v, inner.span.Extent)),
		plus(outer.span.Min, ir.DivOf(v, inner.span.Extent)),
	})
	return nil
}

// wideProduct is the condition that the product of two extents is an int32.
func wideProduct(a, b ir.Expr) ir.Expr {
	p := a.Pool()
	wide := func(e ir.Expr) ir.Expr {
		if n, ok := literal(e); ok {
			return p.Int(ir.I64, n)
		}
		return ir.CastTo(ir.I64, positive(e))
	}
	return fold(ir.Le, fold(ir.Mul, wide(a), wide(b)), p.Int(ir.I64, 1<<31-1))
}

// reorder(innermost, …, outermost) permutes loops among the places that they have.
//
//	for y: for x: for c   →   reorder(y, x)   →   for x: for y: for c
func (s *scheduler) reorder(t *target, n *nest, d *program.Directive) *ir.Error {
	var named []*axis
	for _, arg := range d.Args {
		a, err := s.find(n, d, arg.Name)
		if err != nil {
			return err
		}
		if slices.Contains(named, a) {
			return s.errorf(d, "%s is named twice", a.v)
		}
		named = append(named, a)
	}
	axes := slices.Clone(n.axes)
	next := len(named) - 1
	for i, a := range n.axes {
		if slices.Contains(named, a) {
			axes[i] = named[next]
			next--
		}
	}
	if order := serial(axes); !sameOrder(order, n.order) {
		if n.def != nil && n.def.Recurrence() != nil {
			return s.errorf(d, "%s keeps what each step writes, so that its steps stay in the order of (%s); loops over pure variables can be reordered", n.def, list(varsOf(n.order)))
		}
		op, err := s.operation(n, d)
		if err != nil {
			return err
		}
		if !op.commutative {
			tied, reason := s.tie(n, op)
			if tied == nil {
				return s.errorf(d, "elements would be combined in the order of (%s) and not of (%s), and %s does not commute (%s); leave the reduction variables in their order",
					list(varsOf(order)), list(varsOf(n.order)), ir.Strings(op.exprs), reason)
			}
			s.apart(n, tied)
			return s.reorder(t, s.instead[n], d)
		}
		n.order, n.permuted = order, true
	}
	n.axes = axes
	return nil
}
