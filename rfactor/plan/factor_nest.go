package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// nest is a stage while directives are applied to it.
type nest struct {
	buffer *Buffer
	def    *program.Definition
	role   Role
	axes   []*axis // the loops, outermost first
	order  []*axis // those that are not pure, as they follow one another in the serial program
	where  []ir.Expr
	index  []ir.Expr
	values []ir.Expr  // as the program says them; what was factored has them from op
	op     *operation // that the update is an instance of; nil until it is asked for
	before []*target  // the intermediate buffers that it reads
	scan   *Scan      // in which tiles it runs; nil for most

	inSlices, inLanes bool // of an update that counts its places: see Places

	permuted bool // elements do not come in their serial order

	// The coordinates of the definition, outermost first, and what they are in the nest's
	// variables. Those at which every element of the buffer is touched but once, or that
	// have one value, are still.
	coords, now []ir.Expr
	still       []ir.Expr
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

// clone is a copy of a nest to which no directive was applied.
func (n *nest) clone() *nest {
	c := *n
	c.axes = nil
	for _, a := range n.axes {
		b := *a
		c.axes = append(c.axes, &b)
	}
	return &c
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
	if n.scan != nil {
		n.scan.replace(from, to)
	}
	if n.op != nil {
		n.op = n.op.with(from, to)
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
		if e.Op() != ir.Add || !e.Type().IsInt() {
			return ir.Expr{}
		}
		// a + v with v = b + c becomes (a + b) + c, so that what is invariant stays together.
		if i := slices.Index(from, e.Arg(1)); i >= 0 && to[i].Op() == ir.Add {
			a := substAll([]ir.Expr{e.Arg(0)}, from, to)[0]
			return ir.AddOf(plus(a, to[i].Arg(0)), to[i].Arg(1))
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

// serialCoords is the coordinates that tell the elements apart which one element of the
// buffer combines, outermost first: their order is the serial one.
func (n *nest) serialCoords() []ir.Expr {
	var out []ir.Expr
	for _, v := range n.coords {
		if !slices.Contains(n.still, v) {
			out = append(out, v)
		}
	}
	return out
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
	s := &Stage{Role: n.role, Buffer: n.buffer, Index: n.index, Values: n.values, From: n.def, Scan: n.scan}
	if n.role == Intermediate || n.role == Merge {
		op := *n.op
		if n.role == Intermediate && !n.permuted && op.inOrder != nil {
			op.exprs = op.inOrder
		}
		s.Values = op.update(n.buffer)
		if op.lift == nil && (!op.wide || !n.buffer.Output) {
			s.Operator, s.Inject, s.Commutes = op.exprs, op.inject, op.commutative
		}
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
	s.Tails = len(s.Where)
	s.Where = append(s.Where, n.where...)
	return s
}
