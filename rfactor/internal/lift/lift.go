package lift

import (
	"context"
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Context is what families of lifts may look at and use.
type Context struct {
	Ctx        context.Context
	Pool       *ir.Pool
	Allowed    ir.Assume // the assumptions that may be used
	NonNeg     []ir.Expr // inputs that are never negative
	State      []ir.Expr // what is given of the part's state …
	Inputs     []ir.Expr // … and of inputs
	Hypotheses []ir.Expr // inputs, and that nonNeg are not negative
	Workspace  *sample.Workspace
	Sample     *sample.Sample                                           // to evaluate terms with
	Unfolded   map[ir.Expr]ir.Expr                                      // what selects are taken for, of all parts of an update
	Operator   func(p *tuple.Part) (op *prove.Proven, inject []ir.Expr) // finds the operator of a part; nil where there is none
	Unread     func(family string, e ir.Expr)                           // is told of a term that a family has no form for
}

// Shape is a family of functions closed under composition, fitted to a part of an update. Nothing is
// proven of it.
// A function of the family is a list of cells; cells of a and b compose to those of
// "a, then b".
type Shape struct {
	Name     string
	Inject   []ir.Expr
	Identity []ir.Expr // the cells of x ↦ x
	Apply    func(x, cells []ir.Expr) []ir.Expr
	Compose  func(a, b []ir.Expr) []ir.Expr
	Cellwise bool // what is computed in a composition is computed of parameters of both steps
}

// family is a way to lift a part.
type family struct {
	name      string
	unbounded bool // its laws take integers as unbounded
	algebra   func(pool *ir.Pool, n int) algebra
	fit       func(*Context, *tuple.Part) *Shape // of a family that is no algebra; nil if an update has not its form
}

// families lists the ways to lift a part, from cheap to complete. What they guess is proven afterwards.
var families = []family{
	{"segmented", false, nil, (*Context).segmented},
	{"keep", false, newKeeping, nil},
	{"automaton", false, nil, (*Context).automaton},
	{"affine", false, newRing, nil},
	{"bitwise", false, newXorAnd, nil},
	{"bitwise or", false, newOrAnd, nil},
	{"rotated", false, newRotated, nil},
	{"xorshift", false, nil, (*Context).xorshift},
	{"fraction", false, newFraction, nil},
	{"saturating", false, nil, (*Context).saturating},
	{"capped", false, nil, (*Context).capped},
	{"clamp", true, newClamp, nil},
	{"max-plus", true, newMaxPlus, nil},
	{"min-plus", true, newMinPlus, nil},
	{"coordinates", true, nil, (*Context).coordinates},
	{"record", false, nil, (*Context).record},
	{"modular", false, newModular, nil},
	{"window", true, nil, (*Context).window},
	{"crossing", true, nil, (*Context).crossing},
	{"marked", true, nil, (*Context).marked},
}

// memory says how the last element is remembered: not at all, by the first and the last element of
// a slice, by the outcomes of conditions on it, or by the first two and the last two.
type memory uint8

const (
	none memory = iota
	elements
	conditions
	pairs
)

// Shapes yields the shapes of a part, from cheap to complete, by the families whose laws take
// integers as unbounded or by the others. It ends early where the context ends.
func (cx *Context) Shapes(p *tuple.Part, unbounded bool) iter.Seq[*Shape] {
	return func(yield func(*Shape) bool) {
		for _, memory := range []memory{none, elements, conditions, pairs} {
			for i := range families {
				f := &families[i]
				if f.unbounded != unbounded {
					continue
				}
				if cx.Ctx.Err() != nil {
					return
				}
				s := cx.fitFamily(f, memory, p)
				if s == nil {
					continue
				}
				s.Cellwise = unbounded && memory != elements && memory != pairs
				if !yield(s) {
					return
				}
			}
		}
	}
}

// fitFamily returns the shape of a part in a family; nil where it has not the family's form.
func (cx *Context) fitFamily(f *family, memory memory, p *tuple.Part) *Shape {
	switch {
	case memory == conditions && f.algebra != nil:
		return cx.decided(p, func(p *tuple.Part) *Shape { return cx.fit(p, f.name, f.algebra, 0) })
	case memory == conditions:
		return cx.decided(p, func(p *tuple.Part) *Shape { return f.fit(cx, p) })
	case memory == pairs && f.algebra != nil:
		return cx.fit(p, f.name, f.algebra, 2)
	case f.algebra != nil && (memory == none || !f.unbounded || cx.decision(p) == nil): // cases of both are too many to prove
		return cx.fit(p, f.name, f.algebra, int(memory))
	case f.algebra == nil && memory == none:
		return f.fit(cx, p)
	}
	return nil
}

// MayBeUnbounded reports whether all numbers of the state may be taken as unbounded, or are only
// compared and chosen. The last element is not computed with.
func (cx *Context) MayBeUnbounded(p *tuple.Part) bool {
	var last uint64
	for i, v := range p.Values {
		if v.States() == 0 {
			last |= 1 << i
		}
	}
	for i, t := range p.Types {
		if !chooses(p.Values[i], last) && t != ir.Bool && !cx.Allowed.Unbounded(t) && !(t.IsFloat() && cx.Allowed.Has(ir.Reassoc)) {
			return false
		}
	}
	return true
}

// chooses reports whether e only compares and chooses among states other than the last
// elements, so that nothing overflows.
func chooses(e ir.Expr, last uint64) bool {
	if e.States()&^last == 0 {
		return true
	}
	switch op := e.Op(); {
	case op == ir.Var, op == ir.Min, op == ir.Max, op == ir.Select, op == ir.And, op == ir.Or, op == ir.Not, op.IsComparison():
	default:
		return false
	}
	for i := range e.NumArgs() {
		if !chooses(e.Arg(i), last) {
			return false
		}
	}
	return true
}

// varying lists the inputs of values that change from step to step.
func varying(values []ir.Expr) []ir.Expr {
	return slices.DeleteFunc(ir.Vars(values...), func(v ir.Expr) bool {
		return v.Kind() != ir.Leaf && v.Kind() != ir.Coord
	})
}
