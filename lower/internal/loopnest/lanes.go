package loopnest

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// fuseLanes makes one loop of a loop over steps and the lanes inside it, where the lanes
// hold partial results of an operator that commutes: lane 0 takes all of them, and the
// kernel has lanes of its own, as many as the machine's vectors.
func (n *Nest) fuseLanes() {
	last := len(n.Loops) - 1
	if last < 1 || !n.Commutes || n.Role != plan.Intermediate { // else the other lanes' e would have to be a right identity
		return
	}
	steps, lanes := n.Loops[last-1], n.Loops[last]
	if steps.Pure || !lanes.Pure || lanes.How != plan.AsLanes || !steps.Span.Min.IsConst(0) || !lanes.Span.Min.IsConst(0) {
		return
	}
	d := slices.Index(n.Index, lanes.Var)
	total, width := fusedExtent(steps, lanes)
	if d < 0 || !total.IsValid() {
		return
	}
	index := slices.Clone(n.Index)
	index[d] = lanes.Var.Pool().Int(ir.I32, 0)
	f := fuser{steps.Var, lanes.Var, width}
	where, values := f.all(n.Where), f.all(n.Values)
	if MentionsAny(where, steps.Var) || MentionsAny(values, steps.Var) || MentionsAny(index, steps.Var, lanes.Var) {
		return
	}
	n.Lane = d
	lanes.Span.Extent, lanes.Pure, lanes.How = total, false, plan.InOrder
	n.Loops = append(n.Loops[:last-1], lanes)
	n.Where, n.Values, n.Index = where, values, index
}

// JoinLanes makes one loop again of a pure loop that was split for lanes.
//
//	for x in 0..w/8: for xi in 0..8 vectorize   →   for xi in 0..w vectorize
func (n *Nest) JoinLanes() {
	for j := range n.Loops {
		for i := range j {
			if n.joined(i, j) {
				return
			}
		}
	}
}

// joined makes the loop in lanes j one with the pure loop i around it, in the place of the former.
func (n *Nest) joined(i, j int) bool {
	steps, lanes := n.Loops[i], n.Loops[j]
	if !steps.Pure || !lanes.Pure || lanes.How != plan.AsLanes || steps.How == plan.InParallel || !steps.Span.Min.IsConst(0) || !lanes.Span.Min.IsConst(0) {
		return false
	}
	total, width := fusedExtent(steps, lanes)
	if !total.IsValid() {
		return false
	}
	f := fuser{steps.Var, lanes.Var, width}
	where, values, index := f.all(n.Where), f.all(n.Values), f.all(n.Index)
	others := slices.Delete(slices.Delete(slices.Clone(n.Loops), j, j+1), i, i+1)
	if MentionsAny(slices.Concat(where, values, index), steps.Var) || MentionsAny(SpansOf(others), steps.Var, lanes.Var) || MentionsAny([]ir.Expr{total}, VarsOfLoops(n.Loops[i:j])...) {
		return false
	}
	lanes.Span.Extent = total
	n.Where, n.Values, n.Index = where, values, index
	n.Loops = slices.Insert(others, j-1, lanes)
	return true
}

// LanesLoop is the number of the loop in lanes that steps through the stage's elements; -1 where there is none.
func (n *Nest) LanesLoop() int {
	target := access.Access{Dims: access.Coordinates(n.Index, VarsOfLoops(n.Loops))}
	x := target.Contiguous()
	if x < 0 || !n.Loops[x].Pure || n.Loops[x].How != plan.AsLanes {
		return -1
	}
	return x
}

// GuardValues moves the conditions of a nest into its values: where they do not hold an element stays.
//
//	where c: x + h   →   select(c, x + h, x)
func (n *Nest) GuardValues() {
	if len(n.Where) == 0 {
		return
	}
	cond := folds.Conjunction(n.Where)
	values := make([]ir.Expr, len(n.Values))
	for i, v := range n.Values {
		values[i] = ir.SelectOf(cond, v, v.Pool().X(i, v.Type()))
	}
	n.Where, n.Values = nil, values
}

// fusedExtent is how many elements two loops have that a split by width made: steps of
// width lanes, the last of them ragged.
func fusedExtent(steps, lanes plan.Loop) (total ir.Expr, width int64) {
	for _, a := range Alternatives(lanes.Span.Extent) {
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
	for _, a := range Alternatives(lanes.Span.Extent) {
		if a.Op() == ir.Const {
			continue
		}
		rest := dropTerm(a, steps.Var)
		if !rest.IsValid() || SumOf(a).Coef(steps.Var) != -width {
			return ir.Expr{}, 0
		}
		least(rest)
		ragged = true
	}
	for _, a := range Alternatives(steps.Span.Extent) {
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
	if e.Op() == ir.Sub && access.Mentions(e.Arg(1), v) && !access.Mentions(e.Arg(0), v) && len(SumOf(e.Arg(1)).Atoms) == 1 && SumOf(e.Arg(1)).K == 0 {
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
		s := SumOf(e)
		if c := s.Coef(f.lanes); c != 0 && s.Coef(f.steps) == c*f.width {
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
func (f fuser) rebuild(s Sum) ir.Expr {
	p := f.lanes.Pool()
	var out ir.Expr
	add := func(e ir.Expr) {
		if out.IsValid() {
			e = ir.AddOf(out, e)
		}
		out = e
	}
	for i, a := range s.Atoms {
		switch {
		case a == f.steps:
		case s.Coefs[i] == 1:
			add(a)
		default:
			add(ir.MulOf(a, p.Int(ir.I32, s.Coefs[i])))
		}
	}
	if s.K != 0 {
		add(p.Int(ir.I32, s.K))
	}
	return out
}
