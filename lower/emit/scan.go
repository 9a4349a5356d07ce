package emit

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scan is a stage that keeps what its steps compute, as calls of functions that write slices: one for each component, in the order of the passes.
// Later ones read what earlier ones have written.
//
//	for r: f[r] = f[r-1] + in[r]   →   fKernel(f[1:][:n], f[0], in[1:][:n])
type scan struct {
	nest *loopnest.Nest
	runs []*funcs.Scan
}

// scanPlanner makes functions of stages that scan, and calls them.
type scanPlanner struct{ *generator }

// at is a stage as a scan where its innermost loop is at depth d; nil where that stays as it is: unscanned then says why.
func (g *scanPlanner) at(n *loopnest.Nest, d int) *scan {
	if g.serial || n.Scan == nil || d != len(n.Loops)-1 {
		return nil
	}
	if i := slices.IndexFunc(g.scans, func(s *scan) bool { return s.nest == n }); i >= 0 {
		return g.scans[i]
	}
	runs, why := g.runsOf(n, d)
	if why != "" {
		g.unscanned[n.Stage] = why
		return nil
	}
	for _, r := range runs {
		r.Rename(g.kernelName(n))
		g.scanned = append(g.scanned, r)
	}
	if len(runs) == 1 && n.Scan.Parallel {
		g.totalled(runs[0])
	}
	s := &scan{n, runs}
	g.scans = append(g.scans, s)
	return s
}

// runsOf is the functions of a scan, or why there are none: one for each component, or one for all where steps compose.
func (g *scanPlanner) runsOf(n *loopnest.Nest, d int) (runs []*funcs.Scan, why string) {
	target := access.Access{Dims: access.Coordinates(n.Index, loopnest.VarsOfLoops(n.Loops))}
	switch {
	case n.Loops[d].Var != n.Scan.Var || n.Scan.Keep != nil && target.Contiguous() != d:
		return nil, apartInMemory
	case len(n.Where) > 0:
		return nil, "a condition leaves steps out"
	case n.Ends != nil:
		return nil, "its steps may end early"
	case loopnest.Faulty(g.Plan, n):
		return nil, "indices depend on data, and are checked one by one"
	}
	runs, why = g.components(n)
	if why != "" || len(runs) == 1 && !runs[0].InLanes() {
		if r, lacks := g.composing(n); r != nil {
			return []*funcs.Scan{r}, ""
		} else if lacks != "" && why != "" {
			why = lacks
		}
	}
	return runs, why
}

// components is a function for each component.
func (g *scanPlanner) components(n *loopnest.Nest) (runs []*funcs.Scan, why string) {
	for _, p := range n.Scan.Passes {
		for i := range p.Components {
			r, why := g.component(n, p, i)
			if why != "" {
				return nil, why
			}
			runs = append(runs, r)
		}
	}
	switch {
	case n.Scan.Keep == nil:
		if i := slices.IndexFunc(runs, func(r *funcs.Scan) bool { return r.Vector == nil }); i >= 0 {
			return nil, "it keeps nothing but its last state, and a pass would take longer than its share of the loop"
		}
	case len(runs) != len(n.Scan.Keep):
		return nil, "it keeps what is no component of the state"
	}
	return runs, ""
}

// apartInMemory is said of scans whose steps are no run of elements.
const apartInMemory = "its steps do not lie one behind another in memory"

// component is the function of a component of a pass, or why it has none.
func (g *scanPlanner) component(n *loopnest.Nest, p *plan.Pass, i int) (r *funcs.Scan, why string) {
	sc := n.Scan
	r = &funcs.Scan{Output: sc.OutputOf(p.Components[i]), State: p.Components[i], Starts: sc.Start[p.Components[i] : p.Components[i]+1]}
	t := sc.State[p.Components[i]]
	steps, op := g.stepsOf(sc, p, i)
	tree := !p.IsExact()
	switch {
	case r.Output < 0 && sc.Keep != nil:
		return nil, "it keeps not all of the state"
	case t == ir.Bool:
		return nil, "a state is a truth value"
	case len(p.Components) > 1 && steps == nil:
		return nil, "components are computed by one another"
	case tree && sc.Lanes != plan.TreeLanes:
		return nil, needsTree(sc)
	case tree && !(len(p.Components) == 1 && t.IsFloat() && sc.HasTree(p)):
		return nil, "floats are regrouped by an operator that emitted trees have not"
	}
	pool := p.Update[i].Pool()
	to := p.Update[i]
	if to.States()&^(1<<i) != 0 {
		to = ir.Make(op, pool.X(i, t), steps.Inject[0])
	}
	values := []ir.Expr{ir.Subst(to, []ir.Expr{pool.X(i, t)}, []ir.Expr{pool.X(0, t)})}
	if steps != nil {
		values = append(values, steps.Inject...)
	}
	if slices.ContainsFunc(access.Reads(&plan.Stage{Buffer: n.Buffer, Values: values}), func(a access.Access) bool { return a.Array == n.Buffer.Name }) {
		return nil, readsOutput
	}
	values, ok := g.reading(n, p, values)
	if !ok {
		return nil, "a later pass reads what is not kept"
	}
	part := *n
	part.Values = values
	d := len(n.Loops) - 1
	r.Run = &funcs.Run{Nest: &part, Loop: n.Loops[d], Types: []ir.Type{t}, Avoid: funcs.ScanNames}
	if !r.FindStreams(&part, d) {
		if len(part.Reads()) == 0 {
			return nil, "it reads no array"
		}
		return nil, apartInMemory
	}
	r.NameArguments(&g.Scope)
	if tree || steps != nil && canScan(op, t) {
		steps.Inject = r.Built(nil, values).Each().To[1:]
		if r.Steps = steps; tree {
			steps.Block = plan.TreeLanes
		}
	}
	r.Plan(values[:1])
	r.Op = op
	return r, ""
}

// canScan reports whether a scan of one component has lanes whatever it is estimated at.
func canScan(op ir.Op, t ir.Type) bool {
	return op != ir.Min && op != ir.Max || t == ir.F32 || kernel.NarrowInt(t)
}

// readsOutput is said of scans that read what they overwrite.
const readsOutput = "a step reads what the buffer has before it"

// needsTree says which tree emitted code has.
func needsTree(sc *plan.Scan) string {
	return fmt.Sprintf("sums of floats are regrouped, and emitted trees combine %[1]d elements: vectorize(%[2]s, %[1]d)", plan.TreeLanes, sc.Var)
}

// totalled makes the kernel of the totals of tiles. Floats are left out: what a tree combines is not what one after another gives.
func (g *scanPlanner) totalled(r *funcs.Scan) {
	t := r.Types[0]
	if r.Vector == nil || r.Op == 0 || t.IsFloat() && r.Op != ir.Min && r.Op != ir.Max {
		return
	}
	total := g.partOf(r.Run, "Total", folding(*r.Nest.Stage, ir.Make(r.Op, r.Loop.Var.Pool().X(0, t), r.Nest.Values[1])))
	if total == nil || total.Vector == nil {
		return
	}
	r.Total = total
	g.kernels = append(g.kernels, total.WithParts()...)
	g.asksVectors = true
}

// stepsOf is what component i of a pass does, whose parameters are injected over what the pass reads, and the one operation that does it; nil and 0 where
// it is another.
func (g *scanPlanner) stepsOf(sc *plan.Scan, p *plan.Pass, i int) (s *forms.Steps, op ir.Op) {
	pool, t := p.Update[i].Pool(), sc.State[p.Components[i]]
	step := func(op ir.Op, x, y ir.Expr) ir.Expr { return ir.AddOf(ir.Make(op, x, y), pool.Y(1, t)) }
	x, y := pool.X(0, t), pool.Y(0, t)
	composed := func(op ir.Op, inject ...ir.Expr) *forms.Steps {
		return &forms.Steps{Inject: inject, Combine: []ir.Expr{ir.Make(op, x, y), step(op, pool.X(1, t), y)}, Apply: []ir.Expr{step(op, x, y)}}
	}
	switch ops := sc.Operations(p); {
	case ops != nil:
		e := []ir.Expr{ir.Make(ops[i], x, y)}
		return &forms.Steps{Inject: p.Inject[i : i+1], Combine: e, Apply: e}, ops[i]
	case sc.IsAffine(p):
		return composed(ir.Mul, p.Inject...), 0
	case sc.Restarts(p):
		return composed(ir.BitAnd, ir.SelectOf(ir.NotOf(p.Inject[0]), pool.Const(t, t.Wrap(^uint64(0))), pool.Const(t, 0)), p.Inject[1]), 0
	}
	return nil, 0
}

// reading puts reads in the place of what a pass reads of earlier ones: of the buffer, or of the array that has the states of a block; false where
// neither has them.
func (g *scanPlanner) reading(n *loopnest.Nest, p *plan.Pass, values []ir.Expr) (out []ir.Expr, ok bool) {
	var from, to []ir.Expr
	for _, r := range p.Reads {
		c, index := n.Scan.OutputOf(r.Component), n.Index
		pool, v := r.Var.Pool(), n.Scan.Var
		switch {
		case n.Scan.Keep == nil:
			from, to = append(from, r.Var), append(to, pool.Call(r.Var.Type(), g.statesOf(r), 0, v))
			continue
		case c < 0:
			return nil, false
		case !r.After:
			index = nil
			for _, e := range n.Index {
				index = append(index, ir.Subst(e, []ir.Expr{v}, []ir.Expr{ir.SubOf(v, pool.Int(v.Type(), 1))}))
			}
		}
		from, to = append(from, r.Var), append(to, pool.Call(r.Var.Type(), n.Buffer.Name, c, index...))
	}
	for _, v := range values {
		out = append(out, ir.Subst(v, from, to))
	}
	return out, true
}

// Unscanned lists the stages that the schedule scans in tiles and that Source emits as serial loops, with the reason; nil where Source gives an error.
func Unscanned(p *plan.Plan) (stages []PlainStage) {
	_, g, err := source(p, "p")
	if err != nil {
		return nil
	}
	for _, s := range p.Stages {
		if s.Scan == nil || g.scansStage(s) {
			continue
		}
		why := g.unscanned[s]
		if why == "" {
			why = apartInMemory
		}
		stages = append(stages, PlainStage{s, why})
	}
	return stages
}
