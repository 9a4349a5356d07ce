package lift

import (
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

// FamilyCost is what it costs to look at a family, in candidates.
const FamilyCost = 7

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
		if !Chooses(p.Values[i], last) && t != ir.Bool && !cx.Allowed.Unbounded(t) && !(t.IsFloat() && cx.Allowed.Has(ir.Reassoc)) {
			return false
		}
	}
	return true
}

// Chooses reports whether e only compares states, chooses among them or turns the sign of floats, so that
// nothing overflows.
// Components in the mask last may be computed with.
func Chooses(e ir.Expr, last uint64) bool {
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
		if !Chooses(e.Arg(i), last) {
			return false
		}
	}
	return true
}

// Varying lists the inputs of values that change from step to step.
func Varying(values []ir.Expr) []ir.Expr {
	return slices.DeleteFunc(ir.Vars(values...), func(v ir.Expr) bool {
		return v.Kind() != ir.Leaf && v.Kind() != ir.Coord
	})
}

// Within returns the context of a part that has some of the components.
func (cx *Context) Within(set []int) *Context {
	inner := *cx
	inner.State = nil
	for _, c := range cx.State {
		if c.States()&^tuple.MaskOf(set) == 0 {
			inner.State = append(inner.State, tuple.MapStates(cx.Pool, []ir.Expr{c}, func(i int, t ir.Type) ir.Expr {
				return cx.Pool.X(slices.Index(set, i), t)
			})...)
		}
	}
	inner.Unread = func(string, ir.Expr) {} // a term is reported of the whole part alone
	return &inner
}
