package algebra

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// rememberingTwo extends a shape by memories of the last element and of the one before it: local
// maxima, second differences, arithmetic progressions.
//
//	y0; x0; x2 + abs(y0 - 2*x0 + x1)   →   first = y0, two = false, s = 0, and last and before of a second step
//	(first y0) ∘ (first y0') = (first y0, second y0', two = true, last y0', before y0, s = 0)
//
// The first two steps of a slice depend on the slice before. The cells are the inputs of these, whether
// there is a second one, the memories after the slice where there is, and the inner cells of all
// later steps. Behind a single step the memories are its own input and the last element of the
// slice before. The shape has no identity.
func (f *Fitting) rememberingTwo(inner *lift.Shape) *lift.Shape {
	leaves := lift.Varying(f.Part.Values)
	t := &twoBack{f: f, inner: inner, leaves: leaves}
	if len(leaves) == 0 || len(f.Numbers)+len(f.Flags) == 0 {
		return nil
	}
	last := t.last(leaves)
	inject := slices.Concat(leaves, leaves, []ir.Expr{f.Context.Pool.Bool(false)}, last, t.before(last, leaves), inner.Identity)
	return &lift.Shape{Name: "last two elements and " + inner.Name, Inject: inject, Apply: t.apply, Compose: t.compose}
}

type twoBack struct {
	f      *Fitting
	inner  *lift.Shape
	leaves []ir.Expr
}

// twoCells are the cells of a slice by their roles.
type twoCells struct {
	first, second []ir.Expr // inputs
	two           ir.Expr   // whether there is a second step
	last, before  []ir.Expr // memories after the slice; before is of the older ones
	rest          []ir.Expr
}

// read takes cells apart. The last memories of a single step are computed from its inputs.
func (t *twoBack) read(cells []ir.Expr) (c twoCells) {
	k, n, o := len(t.leaves), len(t.f.Memories), len(t.f.older)
	c.first, c.second, c.two, cells = cells[:k], cells[k:2*k], cells[2*k], cells[2*k+1:]
	c.last, c.before, c.rest = cells[:n], cells[n:n+o], cells[n+o:]
	c.last = Chosen(c.two, c.last, t.last(c.first))
	return c
}

// Chosen returns the cells of one of two lists, by a condition.
func Chosen(c ir.Expr, a, b []ir.Expr) []ir.Expr {
	return ZipCells(a, b, func(a, b ir.Expr) ir.Expr { return fold.Select(c, a, b) })
}

// last returns what a step with these inputs remembers.
func (t *twoBack) last(leaves []ir.Expr) []ir.Expr {
	return t.with(tuple.Pick(t.f.Part.Values, t.f.Memories), nil, nil, leaves, nil)
}

// before returns the older memories after a step with these inputs, for the memories before it.
func (t *twoBack) before(memories, leaves []ir.Expr) []ir.Expr {
	return t.with(tuple.Pick(t.f.Part.Values, t.f.older), memories, nil, leaves, nil)
}

// with substitutes memories, inputs and other states in expressions.
func (t *twoBack) with(es, memories, older, leaves, states []ir.Expr) []ir.Expr {
	return t.f.Context.Pool.Map(es, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		if i := slices.Index(t.leaves, e); i >= 0 {
			return leaves[i]
		}
		if e.Kind() != ir.State {
			return ir.Expr{}
		}
		if i := slices.Index(t.f.Memories, e.Index()); i >= 0 {
			return memories[i]
		}
		if i := slices.Index(t.f.older, e.Index()); i >= 0 {
			return older[i]
		}
		return states[e.Index()]
	})
}

func (t *twoBack) apply(x, cells []ir.Expr) []ir.Expr {
	f, c := t.f, t.read(cells)
	recent := tuple.Pick(x, f.Memories)
	once := t.with(f.Part.Values, recent, tuple.Pick(x, f.older), c.first, x)
	before := t.before(recent, c.first)
	twice := t.with(f.Part.Values, t.last(c.first), before, c.second, once)
	out := Chosen(c.two, t.inner.Apply(twice, c.rest), once)
	for j, i := range f.Memories {
		out[i] = c.last[j]
	}
	for j, i := range f.older {
		out[i] = fold.Select(c.two, c.before[j], before[j])
	}
	return out
}

// compose joins two slices. The memories behind the first slice settle the first two steps of the
// second one, except where the first slice is a single step: then the first step of the second slice
// becomes the second step of both.
func (t *twoBack) compose(first, second []ir.Expr) []ir.Expr {
	a, b := t.read(first), t.read(second)
	step := func(memories, older, leaves []ir.Expr) []ir.Expr {
		return t.with(t.inner.Inject, memories, older, leaves, nil)
	}
	one := t.inner.Compose(a.rest, step(a.last, a.before, b.first))
	before := t.before(a.last, b.first)
	two := step(t.last(b.first), before, b.second)
	rest := t.inner.Compose(Chosen(a.two, one, t.inner.Identity), Chosen(b.two, t.inner.Compose(two, b.rest), t.inner.Identity))
	return slices.Concat(a.first, Chosen(a.two, a.second, b.first), []ir.Expr{t.f.Context.Pool.Bool(true)},
		b.last, Chosen(b.two, b.before, before), rest)
}
