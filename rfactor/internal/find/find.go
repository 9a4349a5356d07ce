package find

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Context is all that a finder sees of a match.
type Context struct {
	Ctx        context.Context // ends a saturation
	Study      *study.Setup    // which tables an experiment leaves out; nil for none
	Tables     *pattern.Own    // operators beside those of the embedded tables; nil for none
	Over       func() bool     // whether the search has to end
	Consider   func(n int)     // charges for n things that are looked at
	Pool       *ir.Pool
	Allowed    ir.Assume // the assumptions that may be used
	NonNeg     []ir.Expr // inputs that are never negative
	State      []ir.Expr // conditions that are given of the part's state …
	Inputs     []ir.Expr // … and of inputs
	*Workspace           // in which finders compute

	// Unrefuted is a result of Direct: points did not refute an operator that the caller did not take.
	Unrefuted bool
}

// Workspace is memory of finders, used again from match to match. It serves one goroutine.
type Workspace struct {
	*sample.Workspace
	Session  *canon.Session // the e-graph
	Points   *sample.Sample // of the part
	Roles    *sample.Sample // of an assignment of roles
	compiled map[*probeEntry]*probeTapes
	together map[*probeGroup]*probeTapes
	classes  []egraph.Class // of the part that Session has
}

// NewWorkspace returns a workspace without memory.
func NewWorkspace() *Workspace {
	w := &sample.Workspace{}
	return &Workspace{Workspace: w, Session: canon.NewSession(), Points: sample.New(w), Roles: sample.New(w), compiled: map[*probeEntry]*probeTapes{}, together: map[*probeGroup]*probeTapes{}}
}

// Candidate is an operator that a part may have. Nothing is proven of it.
type Candidate struct {
	Via      string         // how it was found
	Entry    *pattern.Entry // the operator of the table that it is; nil for another operator
	Exprs    []ir.Expr
	Inject   []ir.Expr
	Identity []ir.Expr // that evaluation suggests for an operator that is of no table; nil for none
}

// Transfer is another part, an operator of which gives one of the part at hand. Nothing is proven of it.
type Transfer struct {
	Part  *tuple.Part
	Given []ir.Expr                                                            // conditions on the state that hold for Part
	Back  func(op proof.Operator, inject []ir.Expr) (exprs, operand []ir.Expr) // makes an operator of Part one of the part at hand, or is nil
}

// operands returns the second operand of an operator.
func operands(pool *ir.Pool, types []ir.Type) (y []ir.Expr) {
	for i, t := range types {
		y = append(y, pool.Y(i, t))
	}
	return y
}

// ofEntry returns the candidate that is an operator of the table, with its constant bound.
func ofEntry(way string, e *pattern.Entry, exprs, inject []ir.Expr) Candidate {
	if len(tuple.Params(e.Exprs)) > 0 {
		exprs = simplified(exprs)
	}
	return Candidate{Via: way + e.Name, Entry: e, Exprs: exprs, Inject: inject}
}

// none is the empty sequence of candidates.
func none(func(Candidate) bool) {}

// one is a sequence of one candidate.
func one(c Candidate) iter.Seq[Candidate] { return func(yield func(Candidate) bool) { yield(c) } }

// simplified returns expressions in the greedy simplifier's form where that is smaller. Where a constant
// of an entry is 0, most often some of the entry falls away.
func simplified(es []ir.Expr) []ir.Expr {
	out := slices.Clone(es)
	for i, e := range es {
		if small := canon.Greedy(e, 0); small.Size() < e.Size() {
			out[i] = small
		}
	}
	return out
}

// Table returns the operators on a tuple of types that may be used.
func (cx *Context) Table(types []ir.Type) *pattern.Compiled {
	if s := cx.Study; s != nil && s.WithoutTable(strings.TrimSuffix(pattern.TableName(types), ".txt")) {
		types = nil
	}
	return cx.Tables.Table(types, cx.Allowed)
}

// StartedFrom returns the update of a part with the state e, simplified.
func (cx *Context) StartedFrom(p *tuple.Part, e []ir.Expr) []ir.Expr {
	out := tuple.MapStates(cx.Pool, p.Values, func(i int, _ ir.Type) ir.Expr { return e[i] })
	for i := range out {
		out[i] = canon.Greedy(out[i], cx.Allowed)
	}
	return out
}

// Keeps reports whether a part of one component may leave it as it is.
func (cx *Context) Keeps(p *tuple.Part) bool {
	if len(p.Values) != 1 || p.Values[0].States() != 1 {
		return false
	}
	if p.Values[0] == p.States[0] {
		return true
	}
	given, s := slices.Concat(cx.State, cx.Inputs), cx.Points
	if IsPlain(p.Values[0], given) {
		return false
	}
	s.Draw(p, cx.NonNeg, cx.Allowed)
	if len(given) == 0 && s.Changes(p) {
		return false
	}
	s.Evaluate(p, cx.NonNeg, cx.Allowed)
	s.Restrict(given)
	wrong, _ := s.Differ(p.Types, s.Want, s.States)
	return wrong&s.Valid == 0
}
