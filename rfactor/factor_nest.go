package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// nest is a stage while directives are applied to it.
type nest struct {
	buffer *Buffer
	def    *ir.Definition
	role   Role
	axes   []*axis // the loops, outermost first
	order  []*axis // those that are not pure, as they follow one another in the serial program
	where  []ir.Expr
	index  []ir.Expr
	values []ir.Expr
	op     *operation // that the values are an instance of; nil until it is asked for
	before []*target  // the intermediate buffers that it reads

	// The coordinates of the definition, and what they are in the nest's variables.
	coords, now []ir.Expr
}

// axis is a loop of a nest. Its variable runs over the span as far as it is less than
// span.Min + b for each bound b: ragged tails of splits.
type axis struct {
	v      ir.Expr
	span   Span
	bounds []ir.Expr // over variables of other axes, which start at 0
	pure   bool
	how    How
	root   *axis // the dimension that it was split from; itself where it was not
}

func newAxis(v ir.Expr, s Span, pure bool) *axis {
	a := &axis{v: v, span: s, pure: pure}
	a.root = a
	return a
}

func (n *nest) axis(name string) *axis {
	for _, a := range n.axes {
		if a.v.Name() == name {
			return a
		}
	}
	return nil
}

// replace puts expressions in the place of variables everywhere in the nest.
func (n *nest) replace(from, to []ir.Expr) {
	in := func(es []ir.Expr) []ir.Expr { return substAll(es, from, to) }
	n.where, n.index, n.values, n.now = in(n.where), in(n.index), in(n.values), in(n.now)
	for _, a := range n.axes {
		a.bounds = in(a.bounds)
	}
	if n.op != nil {
		op := *n.op
		op.inject = in(op.inject)
		n.op = &op
	}
}

func substAll(es, from, to []ir.Expr) []ir.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0].Pool().Map(es, func(e ir.Expr) ir.Expr {
		if i := slices.Index(from, e); i >= 0 {
			return to[i]
		}
		return ir.Expr{}
	})
}

// exchange puts other axes in the place of one.
func exchange(list []*axis, old *axis, by ...*axis) []*axis {
	i := slices.Index(list, old)
	if i < 0 {
		return list
	}
	return slices.Replace(slices.Clone(list), i, i+1, by...)
}

func varsOf(axes []*axis) []ir.Expr {
	var vs []ir.Expr
	for _, a := range axes {
		vs = append(vs, a.v)
	}
	return vs
}

// stage is the nest as a plan has it. A bound becomes part of the loop's extent where the
// loops around it settle it, otherwise a condition.
func (n *nest) stage() *Stage {
	s := &Stage{Role: n.role, Buffer: n.buffer, Index: n.index, Values: n.values, From: n.def}
	if n.op != nil && n.role != First {
		s.Operator, s.Inject = n.op.exprs, n.op.inject
	}
	for i, a := range n.axes {
		l := Loop{Var: a.v, Span: a.span, Pure: a.pure, How: a.how}
		for _, b := range a.bounds {
			if uses(b, varsOf(n.axes[i:])...) {
				s.Where = append(s.Where, ir.LtOf(minus(a.v, a.span.Min), b))
			} else {
				l.Span.Extent = least(l.Span.Extent, b)
			}
		}
		s.Loops = append(s.Loops, l)
	}
	s.Where = append(s.Where, n.where...)
	return s
}
