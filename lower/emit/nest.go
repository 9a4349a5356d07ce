package emit

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// nest is a stage as it is emitted: the same elements in an order that suits the machine.
//
//	for x: for y: f(x) += in(x, y)   →   for y: for x, since x steps through in and f
type nest struct {
	*plan.Stage
	loops  []plan.Loop
	where  []ir.Expr
	index  []ir.Expr
	values []ir.Expr
	scope  []plan.Loop // the stage's own loops, for bounds
	ending string      // of a variable that holds the first slice that has ended; "" for none
	shared bool        // the outermost loop is over the goroutines of a crew
	rows   *fusedRows  // nil where no loop was fused
	short  bool        // of first values: what a scan writes is left out
	lane   int         // the dimension of the buffer whose lanes fuseLanes joined; -1 for none
}

func newNest(s *plan.Stage) *nest {
	n := &nest{Stage: s, loops: slices.Clone(s.Loops), where: s.Where, index: s.Index, values: s.Values, lane: -1}
	if s.Role == plan.Intermediate {
		n.values = access.Tidy(n.values)
	}
	n.fuseLanes()
	n.unfuse()
	n.parallelOutermost()
	n.contiguousInnermost()
	n.scope = n.loops
	if n.rows != nil {
		n.scope = n.rows.scoped(n.loops)
	}
	return n
}

// independent reports whether the span of no other loop depends on loop i, nor its own on
// others: it may then change places with them.
func (n *nest) independent(i int) bool {
	for j, l := range n.loops {
		if j != i && (access.Mentions(l.Span.Min, n.loops[i].Var) || access.Mentions(l.Span.Extent, n.loops[i].Var) ||
			access.Mentions(n.loops[i].Span.Min, l.Var) || access.Mentions(n.loops[i].Span.Extent, l.Var)) {
			return false
		}
	}
	return true
}

// move puts loop i at place j.
func (n *nest) move(i, j int) {
	l := n.loops[i]
	n.loops = slices.Insert(slices.Delete(slices.Clone(n.loops), i, i+1), j, l)
}

// parallelOutermost moves the parallel loop outwards: pure loops run in any order.
func (n *nest) parallelOutermost() {
	i := slices.IndexFunc(n.loops, func(l plan.Loop) bool { return l.How == plan.InParallel && l.Pure })
	if i <= 0 {
		return
	}
	for _, outer := range n.loops[:i] {
		if access.Mentions(n.loops[i].Span.Extent, outer.Var) || access.Mentions(n.loops[i].Span.Min, outer.Var) {
			return
		}
	}
	n.move(i, 0)
}

// contiguousInnermost moves a pure loop inwards where it steps through the element that is
// updated and the innermost loop does not: a row at a time instead of a column. Each
// element still sees its values in the same order.
func (n *nest) contiguousInnermost() {
	last := len(n.loops) - 1
	if last < 1 || len(n.index) == 0 || n.loops[last].Pure {
		return
	}
	vars := varsOfLoops(n.loops)
	target := access.Access{Dims: access.Coordinates(n.index, vars)}
	i := target.Contiguous()
	if i < 0 || i == last || !n.loops[i].Pure || n.loops[i].How == plan.InParallel || !n.independent(i) || !n.gains(i, last) {
		return
	}
	n.move(i, last)
}

// gains reports whether no read steps contiguously in loop last, and one does in loop i.
func (n *nest) gains(i, last int) bool {
	gain := false
	for _, r := range n.reads() {
		c := r.Contiguous()
		if c == last && len(n.loops) == 2 {
			return false
		}
		gain = gain || c == i
	}
	return gain
}

func (n *nest) exprs() []ir.Expr {
	return slices.Concat(n.where, n.index, n.values)
}

// reads is the reads of the nest, over its loops.
func (n *nest) reads() []access.Access {
	s := *n.Stage
	s.Loops, s.Where, s.Index, s.Values = n.loops, n.where, n.index, n.values
	return access.Reads(&s)
}

// fuseLanes makes one loop of a loop over steps and the lanes inside it, where the lanes
// hold partial results of an operator that commutes: lane 0 takes all of them, and the
// kernel has lanes of its own, as many as the machine's vectors.
func (n *nest) fuseLanes() {
	last := len(n.loops) - 1
	if last < 1 || !n.Commutes || n.Role != plan.Intermediate { // else the other lanes' e would have to be a right identity
		return
	}
	steps, lanes := n.loops[last-1], n.loops[last]
	if steps.Pure || !lanes.Pure || lanes.How != plan.AsLanes || !steps.Span.Min.IsConst(0) || !lanes.Span.Min.IsConst(0) {
		return
	}
	d := slices.Index(n.index, lanes.Var)
	total, width := fusedExtent(steps, lanes)
	if d < 0 || !total.IsValid() {
		return
	}
	index := slices.Clone(n.index)
	index[d] = lanes.Var.Pool().Int(ir.I32, 0)
	f := fuser{steps.Var, lanes.Var, width}
	where, values := f.all(n.where), f.all(n.values)
	if mentionsAny(where, steps.Var) || mentionsAny(values, steps.Var) || mentionsAny(index, steps.Var, lanes.Var) {
		return
	}
	n.lane = d
	lanes.Span.Extent, lanes.Pure, lanes.How = total, false, plan.InOrder
	n.loops = append(n.loops[:last-1], lanes)
	n.where, n.values, n.index = where, values, index
}

func mentionsAny(es []ir.Expr, vars ...ir.Expr) bool {
	return slices.ContainsFunc(es, func(e ir.Expr) bool { return access.Mentions(e, vars...) })
}

// fusedExtent is how many elements two loops have that a split by width made: steps of
// width lanes, the last of them ragged.
func fusedExtent(steps, lanes plan.Loop) (total ir.Expr, width int64) {
	for _, a := range alternatives(lanes.Span.Extent) {
		if a.Op() == ir.Const {
			width = a.Int()
		}
	}
	if width <= 0 {
		return ir.Expr{}, 0
	}
	least := func(e ir.Expr) {
		if total.IsValid() {
			e = ir.MinOf(total, e)
		}
		total = e
	}
	ragged := false
	for _, a := range alternatives(lanes.Span.Extent) {
		if a.Op() == ir.Const {
			continue
		}
		rest := dropTerm(a, steps.Var)
		if !rest.IsValid() || sumOf(a).coef(steps.Var) != -width {
			return ir.Expr{}, 0
		}
		least(rest)
		ragged = true
	}
	for _, a := range alternatives(steps.Span.Extent) {
		switch {
		case a.Op() == ir.Const && (!ragged || total.Op() != ir.Const):
			least(a.Pool().Int(ir.I32, a.Int()*width))
		case a.Op() != ir.Const && !ragged:
			return ir.Expr{}, 0
		}
	}
	return total, width
}

// dropTerm is e = rest - v*c without its term in v; the zero Expr where e has no such form.
func dropTerm(e, v ir.Expr) ir.Expr {
	if e.Op() == ir.Sub && access.Mentions(e.Arg(1), v) && !access.Mentions(e.Arg(0), v) && len(sumOf(e.Arg(1)).atoms) == 1 && sumOf(e.Arg(1)).k == 0 {
		return e.Arg(0)
	}
	return ir.Expr{}
}

// fuser writes steps·width + lanes as lanes alone.
type fuser struct {
	steps, lanes ir.Expr
	width        int64
}

func (f fuser) all(es []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = f.expr(e)
	}
	return out
}

func (f fuser) expr(e ir.Expr) ir.Expr {
	if !access.Mentions(e, f.steps) {
		return e
	}
	if e.Type() == ir.I32 {
		s := sumOf(e)
		if c := s.coef(f.lanes); c != 0 && s.coef(f.steps) == c*f.width {
			return f.rebuild(s)
		}
	}
	if e.NumArgs() == 0 {
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = f.expr(e.Arg(i))
	}
	return ir.Rebuild(e, args)
}

// rebuild is the sum without its term in steps.
func (f fuser) rebuild(s sum) ir.Expr {
	p := f.lanes.Pool()
	var out ir.Expr
	add := func(e ir.Expr) {
		if out.IsValid() {
			e = ir.AddOf(out, e)
		}
		out = e
	}
	for i, a := range s.atoms {
		switch {
		case a == f.steps:
		case s.coefs[i] == 1:
			add(a)
		default:
			add(ir.MulOf(a, p.Int(ir.I32, s.coefs[i])))
		}
	}
	if s.k != 0 {
		add(p.Int(ir.I32, s.k))
	}
	return out
}
