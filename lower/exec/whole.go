package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// group is the stages that one update was factored into. Where whole is set it does what they do together, and few elements are left to
// it: buffers, their first values and their merge take longer than the elements. It is Stage.Whole of the
// merge, or the update as it is written where that takes no more and nothing is regrouped.
//
//	f() = 0;  intm(u) = 0;  intm(u) += in(…);  f() += intm(u)   →   f() = 0;  f() += in(r)
type group struct {
	stages  []*stage
	whole   *stage
	buffers []*plan.Buffer // of the stages before the merge
	times   float64        // how many operations steps of partial results take, for each one of whole
	work    int            // operations of a step of whole
	exact   bool           // the order of combinations does not show
}

// newGroups cuts the stages of a plan into groups. A stage that was not factored has a group of its own.
func newGroups(p *plan.Plan, nests []*stage) (out []group, err error) {
	for _, n := range nests {
		last := len(out) - 1
		if last < 0 || n.From == nil || out[last].stages[0].From != n.From || out[last].merged() {
			out, last = append(out, group{}), last+1
		}
		g := &out[last]
		g.stages = append(g.stages, n)
		if !n.Buffer.Output && !slices.Contains(g.buffers, n.Buffer) {
			g.buffers = append(g.buffers, n.Buffer)
		}
		if n.Whole != nil && slices.ContainsFunc(g.stages, (*stage).parallel) {
			if g.whole, err = newStage(p, n.Whole); err != nil {
				return nil, err
			}
			a := p.Answers[n.From]
			g.exact = a != nil && !a.Assumes.Has(ir.Reassoc)
			as := loopnest.Written(p.Program, n.Whole.Buffer, n.Whole.From)
			as.Ends = n.Whole.Ends
			if more := operations(n.Whole.Values) - operations(as.Values); more > 0 || more == 0 && !loopnest.Regroups(p, g.whole.Nest) {
				if g.whole, err = newStage(p, as); err != nil {
					return nil, err
				}
			}
			g.work = max(operations(g.whole.Values), 1)
			for _, s := range g.stages {
				if s.Role == plan.Intermediate {
					g.times = max(g.times, float64(operations(s.Values))/float64(g.work))
				}
			}
		}
	}
	for _, g := range out {
		var nests []*loopnest.Nest
		for _, n := range g.stages {
			nests = append(nests, n.Nest)
		}
		loopnest.LeaveOut(nests, nil)
	}
	return out, nil
}

// operations counts those of values, but for what says where they read.
func operations(values []ir.Expr) (n int) {
	seen := map[ir.Expr]bool{}
	var count func(e ir.Expr)
	count = func(e ir.Expr) {
		if seen[e] || access.IsRead(e) {
			return
		}
		seen[e] = true
		for i := range e.NumArgs() {
			count(e.Arg(i))
		}
		if e.NumArgs() > 0 {
			n++
		}
	}
	for _, v := range values {
		count(v)
	}
	return n
}

// merged reports whether the merge into the output has come.
func (g *group) merged() bool {
	last := g.stages[len(g.stages)-1]
	return last.Role == plan.Merge && last.Buffer.Output
}

// fewGrains·Options.Grain operations take as long as it takes to start goroutines and to merge partial results: some 100 µs.
const fewGrains = 8

// fewProcessors is how many are taken for granted where another number of them may not change what is computed.
const fewProcessors = 4

// few reports whether a group has so few steps that its update runs as written, in one goroutine, or steps that compose take longer on all processors
// than its own do on one.
func (run *execution) few(g *group) bool {
	if g.whole == nil {
		return false
	}
	processors := run.opts.Goroutines
	if !g.exact {
		processors = fewProcessors
	}
	if processors == 1 || g.times > float64(processors) {
		return true
	}
	w := run.walker(g.whole, 0)
	w.Point++
	work := float64(g.work)
	for i := range w.vars {
		span, err := w.span(i)
		if err != nil {
			return false
		}
		work *= float64(max(span.Extent, 0))
		*w.vars[i] = uint64(int64(span.Min))
		w.Point++
	}
	return work < float64(fewGrains*run.opts.Grain)
}
