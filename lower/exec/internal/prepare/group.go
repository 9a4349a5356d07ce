package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Group is the stages that one update was factored into. Where whole is set it does what they do together, and few elements are left to
// it: buffers, their first values and their merge take longer than the elements. It is Stage.Whole of the merge.
//
//	f() = 0;  intm(u) = 0;  intm(u) += in(…);  f() += intm(u)   →   f() = 0;  f() += in(r)
type Group struct {
	Stages  []*Stage
	Whole   *Stage
	Buffers []*plan.Buffer // of the stages before the merge
	Last    *Last          // nil where the last elements never decide alone
	Times   int            // how many times the operations of Whole a step of partial results takes, where these are many; 0 where they are few
}

// manyOperations is from how many operations on a step is compared with what the program does: no form runs steps of so many faster than one by one.
const manyOperations = 256

// operations is how many there are in some values.
func operations(values []ir.Expr) (n int) {
	ir.Walk(values, func(e ir.Expr) {
		if e.NumArgs() > 0 && e.Op() != ir.Call {
			n++
		}
	})
	return n
}

// NewGroups cuts the stages of a plan into groups. A stage that was not factored has a group of its own.
func NewGroups(p *plan.Plan, nests []*Stage) (out []Group, err error) {
	for _, n := range nests {
		s, last := n.Stage, len(out)-1
		if last < 0 || s.From == nil || out[last].Stages[0].Stage.From != s.From || out[last].merged() {
			out, last = append(out, Group{}), last+1
		}
		g := &out[last]
		g.Stages = append(g.Stages, n)
		if !s.Buffer.Output && !slices.Contains(g.Buffers, s.Buffer) {
			g.Buffers = append(g.Buffers, s.Buffer)
		}
		if s.Whole != nil && slices.ContainsFunc(g.Stages, func(n *Stage) bool { return len(n.Stage.Loops) > 0 && n.Parallel(n.Stage.Loops[0]) }) {
			if g.Whole, err = New(p, s.Whole); err != nil {
				return nil, err
			}
			if g.Last, err = newLast(p, s); err != nil {
				return nil, err
			}
			for _, part := range g.Stages {
				formless := part.Tabled == nil && part.Powers == nil && part.History == nil
				if n := operations(part.Stage.Values); formless && part.Stage.Role == plan.Intermediate && n >= manyOperations {
					g.Times = max(g.Times, n/max(operations(s.Whole.Values), 1))
				}
			}
		}
	}
	return out, nil
}

// merged reports whether the merge into the output has come.
func (g *Group) merged() bool {
	last := g.Stages[len(g.Stages)-1].Stage
	return last.Role == plan.Merge && last.Buffer.Output
}
