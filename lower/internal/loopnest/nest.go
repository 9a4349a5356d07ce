// Package loopnest has the loops of stages in an order that suits the machine, and what is known of their indices: bounds, limits, and which of them
// depend on data.
package loopnest

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Nest is a stage as it is emitted: the same elements in an order that suits the machine.
//
//	for x: for y: f(x) += in(x, y)   →   for y: for x, since x steps through in and f
//
// Loops, Where, Index and Values are those of the reordered stage. The original ones are in Stage.Loops and so on.
type Nest struct {
	*plan.Stage
	Loops  []plan.Loop
	Where  []ir.Expr
	Index  []ir.Expr
	Values []ir.Expr
	Scope  []plan.Loop // the stage's own loops, for bounds
	Ending string      // of a variable that holds the first slice that has ended; "" for none
	Shared bool        // the outermost loop is over the goroutines of a crew
	Rows   *fusedRows  // nil where no loop was fused
	Short  bool        // of first values: what a scan writes is left out
	Fits   bool        // the bounds of indices in the loops are within limits, also where conditions keep indices closer
	Steps  []ir.Expr   // extents that are positive wherever the nest runs; else it is left out
	Lane   int         // the dimension of the buffer whose lanes fuseLanes joined; -1 for none
}

// New returns the nest of a stage, with its loops in an order that suits the machine.
func New(s *plan.Stage) *Nest {
	n := &Nest{Stage: s, Loops: slices.Clone(s.Loops), Where: s.Where, Index: s.Index, Values: s.Values, Lane: -1}
	if s.Role == plan.Intermediate {
		n.Values = access.Tidy(n.Values)
	}
	n.fuseLanes()
	n.unfuse()
	n.parallelOutermost()
	n.contiguousInnermost()
	n.Scope = n.Loops
	if n.Rows != nil {
		n.Scope = n.Rows.scoped(n.Loops)
	}
	return n
}

// independent reports whether the span of no other loop depends on loop i, nor its own on
// others: it may then change places with them.
func (n *Nest) independent(i int) bool {
	for j, l := range n.Loops {
		if j != i && (access.Mentions(l.Span.Min, n.Loops[i].Var) || access.Mentions(l.Span.Extent, n.Loops[i].Var) ||
			access.Mentions(n.Loops[i].Span.Min, l.Var) || access.Mentions(n.Loops[i].Span.Extent, l.Var)) {
			return false
		}
	}
	return true
}

// move puts loop i at place j.
func (n *Nest) move(i, j int) {
	l := n.Loops[i]
	n.Loops = slices.Insert(slices.Delete(slices.Clone(n.Loops), i, i+1), j, l)
}

// parallelOutermost moves the parallel loop outwards: pure loops run in any order.
func (n *Nest) parallelOutermost() {
	i := slices.IndexFunc(n.Loops, func(l plan.Loop) bool { return l.How == plan.InParallel && l.Pure })
	if i <= 0 {
		return
	}
	for _, outer := range n.Loops[:i] {
		if access.Mentions(n.Loops[i].Span.Extent, outer.Var) || access.Mentions(n.Loops[i].Span.Min, outer.Var) {
			return
		}
	}
	n.move(i, 0)
}

// contiguousInnermost moves a pure loop inwards where it steps through the element that is
// updated and the innermost loop does not: a row at a time instead of a column. Each
// element still sees its values in the same order.
func (n *Nest) contiguousInnermost() {
	last := len(n.Loops) - 1
	if last < 1 || len(n.Index) == 0 || n.Loops[last].Pure {
		return
	}
	vars := VarsOfLoops(n.Loops)
	target := access.Access{Dims: access.Coordinates(n.Index, vars)}
	i := target.Contiguous()
	if i < 0 || i == last || !n.Loops[i].Pure || n.Loops[i].How == plan.InParallel || !n.independent(i) || !n.gains(i, last) {
		return
	}
	n.move(i, last)
}

// gains reports whether no read steps contiguously in loop last, and one does in loop i.
func (n *Nest) gains(i, last int) bool {
	gain := false
	for _, r := range n.Reads() {
		c := r.Contiguous()
		if c == last && len(n.Loops) == 2 {
			return false
		}
		gain = gain || c == i
	}
	return gain
}

// Exprs returns all expressions of the nest: its conditions, then its indices, then its values.
func (n *Nest) Exprs() []ir.Expr {
	return slices.Concat(n.Where, n.Index, n.Values)
}

// Reads returns the array reads of the nest. Their coordinates are functions of the nest's loops.
func (n *Nest) Reads() []access.Access {
	s := *n.Stage
	s.Loops, s.Where, s.Index, s.Values = n.Loops, n.Where, n.Index, n.Values
	return access.Reads(&s)
}

// Hoisted returns the depth from which on the loops do not change which element is updated.
func (n *Nest) Hoisted() int {
	d := len(n.Loops)
	if slices.ContainsFunc(n.Index, ReadsArray) {
		return d
	}
	for d > 0 && !MentionsAny(n.Index, n.Loops[d-1].Var) {
		d--
	}
	return d
}

// Idle reports whether every element keeps its value, wherever it is.
func (n *Nest) Idle() bool {
	for i, v := range n.Values {
		if v.Op() != ir.Var || v.Kind() != ir.State || v.Index() != i {
			return false
		}
	}
	return !slices.ContainsFunc(n.Index, ReadsArray)
}

// Zeroed reports whether a nest sets first values of 0, as new memory has them.
func (n *Nest) Zeroed() bool { return n.Role == plan.First && n.Zeros() }

// Zeros reports whether all values are 0.
func (n *Nest) Zeros() bool {
	for _, v := range n.Values {
		if !v.IsConst(0) {
			return false
		}
	}
	return true
}

// Factored reports whether a stage combines elements by the operator that was found.
func (n *Nest) Factored() bool {
	return n.Role == plan.Intermediate || n.Role == plan.Serial && n.Operator != nil
}

// EndsLater reports whether loop d runs slices of a search, so that once a slice has ended the search, later slices need not run.
func (n *Nest) EndsLater(d int) bool {
	return d == 0 && n.Ends != nil && n.Ends.Later && n.Loops[0].Var == n.Stage.Loops[0].Var
}

// IdentityValues lists the values with which lanes of a kernel start: the first values of the
// element that it updates or, where that is an output, of those that hold partial results.
func IdentityValues(p *plan.Plan, n *Nest) []ir.Expr {
	for _, s := range p.Firsts() {
		if s.Buffer == n.Buffer && !n.Buffer.Output || n.Buffer.Output && s.From == n.From && slices.Equal(s.Buffer.Types, n.Buffer.Types) {
			return s.Values
		}
	}
	return nil
}

// Regroups reports whether a stage's operator was found under the assumption that float arithmetic may be regrouped.
func Regroups(p *plan.Plan, n *Nest) bool {
	a := p.Answers[n.From]
	return a != nil && n.Factored() && a.Assumes.Has(ir.Reassoc)
}

// ReadsBuffer reports whether a nest reads elements of a buffer.
func (n *Nest) ReadsBuffer(b *plan.Buffer) bool {
	for _, r := range n.Reads() {
		if r.Array == b.Name {
			return true
		}
	}
	return false
}

// Written is an update as the program says it, without a schedule.
func Written(prog *program.Program, b *plan.Buffer, d *program.Definition) *plan.Stage {
	s := &plan.Stage{Role: plan.Serial, Buffer: b, Index: d.Args, Values: d.Update().Values, From: d}
	for i, a := range slices.Backward(d.Args) {
		param := slices.ContainsFunc(prog.Params, func(p *program.Parameter) bool { return p.Var == a })
		if a.Op() == ir.Var && a.Kind() == ir.Param && !param && !MentionsAny(VarsOfLoops(s.Loops), a) {
			s.Loops = append(s.Loops, plan.Loop{Var: a, Span: b.Dims[i], Pure: true})
		}
	}
	if d.Domain != nil {
		for _, dim := range slices.Backward(d.Domain.Dims) {
			s.Loops = append(s.Loops, plan.Loop{Var: dim.Var, Span: plan.Span{Min: dim.Min, Extent: dim.Extent}})
		}
		s.Where = d.Domain.Where
	}
	return s
}
