package lift

import (
	"iter"
	"slices"

	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Context is all that a family sees of a match.
type Context struct {
	Study      *study.Setup // which families an experiment leaves out; nil for none
	Over       func() bool  // whether the search has to end
	Consider   func(n int)  // charges for n things that are looked at
	Pool       *ir.Pool
	Allowed    ir.Assume // the assumptions that may be used
	NonNeg     []ir.Expr // inputs that are never negative
	State      []ir.Expr // conditions that are given of the part's state …
	Inputs     []ir.Expr // … and of inputs
	Hypotheses []ir.Expr // Inputs, and the conditions that NonNeg are not negative
	Workspace  *sample.Workspace
	Sample     *sample.Sample                                                            // to evaluate terms with
	Unfolded   map[ir.Expr]ir.Expr                                                       // what guess found for selects of the update
	Operator   func(p *tuple.Part, state []ir.Expr) (op *prove.Proven, inject []ir.Expr) // finds the operator of a part on states that satisfy conditions; nil where there is none
	Unread     func(family string, e ir.Expr)                                            // called with a term that a family has no form for
}

// Shape is a family of functions that is closed under composition, fitted to a part of an update. A
// function of the family is a list of cells. Nothing is proven of a Shape.
type Shape struct {
	Name     string
	Inject   []ir.Expr
	Identity []ir.Expr // the cells of x ↦ x
	Apply    func(x, cells []ir.Expr) []ir.Expr
	Compose  func(a, b []ir.Expr) []ir.Expr
	Cellwise bool // compositions compute with parameters alone, and evaluate no step of the update
	Matrix   bool // compositions are products of matrices over GF(2), whose laws are proven as polynomials
}

// Varying returns the shape of the cells that vary: without those that every composition keeps at the
// value that they have in a step. Its Identity is nil where the identity has another value there.
func (s *Shape) Varying(pool *ir.Pool) *Shape {
	fixed := make([]bool, len(s.Inject))
	for i, c := range s.Inject {
		fixed[i] = c.IsInvariant()
	}
	cells := func(variable func(i int, t ir.Type) ir.Expr) []ir.Expr {
		out := slices.Clone(s.Inject)
		for i, c := range out {
			if !fixed[i] {
				out[i] = variable(i, c.Type())
			}
		}
		return out
	}
	for changed := true; changed; {
		changed = false
		for i, e := range s.Compose(cells(pool.X), cells(pool.Y)) {
			if fixed[i] && e != s.Inject[i] {
				fixed[i], changed = false, true
			}
		}
	}
	vary := slices.DeleteFunc(tuple.Indices(len(fixed)), func(i int) bool { return fixed[i] })
	out := s.through(
		func(cells []ir.Expr) []ir.Expr { return tuple.Pick(cells, vary) },
		func(cells []ir.Expr) []ir.Expr {
			all := slices.Clone(s.Inject)
			for k, i := range vary {
				all[i] = cells[k]
			}
			return all
		})
	for i := range fixed {
		if s.Identity != nil && fixed[i] && s.Identity[i] != s.Inject[i] {
			out.Identity = nil
		}
	}
	return out
}

// family is a way to lift a part: by an algebra, which fits each component by itself, or by a
// function that fits the whole part. One of algebra and fit is nil.
type family struct {
	name      string
	unbounded bool // its laws hold of unbounded integers only
	given     bool // it reads what is given of the state, and has no form without that
	algebra   func(pool *ir.Pool, n int) algebra
	fit       func(*Context, *tuple.Part) *Shape // of a family without an algebra; returns nil where the part does not have its form
}

// families lists the ways to lift a part, from cheap to complete. The caller proves what they guess.
var families = []family{
	{"segmented", false, false, nil, (*Context).segmented},
	{"keep", false, false, newKeeping, nil},
	{"automaton", false, false, nil, (*Context).automaton},
	{"affine", false, false, newRing, nil},
	{"bitwise", false, false, newXorAnd, nil},
	{"bitwise or", false, false, newOrAnd, nil},
	{"appended", false, false, newAppended, nil},
	{"prepended", false, false, newPrepended, nil},
	{"cut", false, false, newCut, nil},
	{"cut below", false, false, newCutBelow, nil},
	{"rotated", false, false, newRotated, nil},
	{"xorshift", false, false, nil, (*Context).xorshift},
	{"fraction", false, false, newFraction, nil},
	{"projective", false, false, nil, (*Context).projective},
	{"shift", false, false, newShift, nil},
	{"quotient", false, false, newQuotient, nil},
	{"saturating", false, false, nil, (*Context).saturating},
	{"capped", false, false, nil, (*Context).capped},
	{"sentinel", false, false, nil, (*Context).sentinel},
	{"aligned", false, false, newAligned, nil},
	{"closing", false, false, nil, (*Context).closing},
	{"watch", false, false, nil, (*Context).watch},
	{"clamp", true, false, newClamp, nil},
	{"floor", true, false, newFloor, nil},
	{"max-plus", true, false, newMaxPlus, nil},
	{"min-plus", true, false, newMinPlus, nil},
	{"coordinates", true, false, nil, (*Context).coordinates},
	{"record", false, false, nil, (*Context).record},
	{"cyclic", false, true, nil, (*Context).cyclic},
	{"residues", false, true, nil, (*Context).residues},
	{"modular", false, false, newModular, nil},
	{"low bits", false, false, newLowBits, nil},
	{"ranked", true, false, nil, (*Context).ranked},
	{"carry", false, false, nil, (*Context).carry},
	{"window", true, false, nil, (*Context).window},
	{"softmax", true, false, nil, (*Context).softmax},
	{"interval", true, false, nil, (*Context).interval},
	{"mirrored", true, false, nil, (*Context).mirrored},
	{"hull", true, false, nil, (*Context).hull},
	{"crossing", true, false, nil, (*Context).crossing},
	{"marked", true, false, nil, (*Context).marked},
	{"alarm", true, false, nil, (*Context).alarm},
	{"phased", true, false, nil, (*Context).phased},
}

// Names lists the families and the combinators by their names.
func Names() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	for _, c := range combinators {
		names = append(names, c.name)
	}
	return append(names, polynomialSteps, bitPlanes, bitMatrix)
}

// combinators lists the ways to join shapes of families, which serve where no family fits.
var combinators = []combinator{
	{"product", (*Context).product},
	{"cases", (*Context).cases},
}

// combinator is a way to join shapes: see Joined. Its join returns nil where a part does not have its form.
type combinator struct {
	name string
	join func(cx *Context, p *tuple.Part, memory memory, unbounded bool) *Shape
}

// memory says how a shape depends on the element before a slice, where an update keeps its last
// element in a component.
type memory uint8

const (
	none       memory = iota // it does not
	elements                 // by the first and the last element of the slice
	conditions               // by the outcomes of conditions on the last element
	pairs                    // by the first two elements and the last two
)

// Shapes yields the shapes of a part, from cheap to complete: with unbounded, of the families whose
// laws hold of unbounded integers only, else of the other families. The sequence ends early where
// the context ends.
func (cx *Context) Shapes(p *tuple.Part, unbounded bool) iter.Seq[*Shape] {
	var fits []fit
	for i := range families {
		if f := &families[i]; f.unbounded == unbounded && (!f.given || len(cx.State) > 0) && !cx.Study.WithoutFamily(f.name) {
			fits = append(fits, func(cx *Context, p *tuple.Part, m memory) *Shape { return cx.fitFamily(f, m, p) })
		}
	}
	return cx.shapes(fits, p, unbounded)
}

// Joined yields the shapes that serve where no family does: polynomials, of words whose bits are machines, of matrices, and those that are joined of
// shapes of families, with unbounded also of those whose laws hold of unbounded integers only.
func (cx *Context) Joined(p *tuple.Part, unbounded bool) iter.Seq[*Shape] {
	var fits []fit
	if fitsPolynomial(p) && !cx.Study.WithoutFamily(polynomialSteps) {
		fits = append(fits, (*Context).polynomial)
	}
	if fitsPlanes(p) && !cx.Study.WithoutFamily(bitPlanes) {
		fits = append(fits, (*Context).planes)
	}
	if fitsMatrix(p) && !cx.Study.WithoutFamily(bitMatrix) {
		fits = append(fits, (*Context).matrix)
	}
	for _, c := range combinators {
		if !cx.Study.WithoutFamily(c.name) {
			fits = append(fits, func(cx *Context, p *tuple.Part, m memory) *Shape { return c.join(cx, p, m, unbounded) })
		}
	}
	return cx.shapes(fits, p, unbounded)
}

// fit returns a shape of a part whose steps look at a memory, or nil.
type fit func(cx *Context, p *tuple.Part, memory memory) *Shape

func (cx *Context) shapes(fits []fit, p *tuple.Part, unbounded bool) iter.Seq[*Shape] {
	return func(yield func(*Shape) bool) {
		for _, memory := range []memory{none, elements, conditions, pairs} {
			for _, fit := range fits {
				if cx.Consider(familyCost); cx.Over() {
					return
				}
				s := fit(cx, p, memory)
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

// familyCost is what it costs to look at a family, in candidates.
const familyCost = 7

// fitFamily returns the shape of a part in a family; nil where the part does not have its form.
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

// MayBeUnbounded reports whether the laws of a lift may take all numbers of the state as unbounded:
// because the assumptions allow that, or because the update only compares and chooses them. The
// last element counts as chosen, because steps replace it and do not compute with it.
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

// chooses reports whether e only compares states, chooses among them or turns the sign of floats, so that
// nothing overflows.
// Components in the mask last may be computed with.
func chooses(e ir.Expr, last uint64) bool {
	if e.States()&^last == 0 {
		return true
	}
	switch op := e.Op(); {
	case op == ir.Var, op == ir.Min, op == ir.Max, op == ir.Select, op == ir.And, op == ir.Or, op == ir.Not, op.IsComparison():
	case op == ir.Neg && e.Type().IsFloat():
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
