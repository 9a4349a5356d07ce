package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
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
	Dear    bool           // no number of processors makes up for what partial results take longer than Whole
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
			g.Dear = slices.ContainsFunc(g.Stages, func(n *Stage) bool {
				return n.Stage.Role == plan.Intermediate && n.Tabled == nil && n.Powers == nil && n.History == nil && loopnest.Dear(n.Stage.Values, s.Whole.Values)
			})
		}
	}
	return out, nil
}

// merged reports whether the merge into the output has come.
func (g *Group) merged() bool {
	last := g.Stages[len(g.Stages)-1].Stage
	return last.Role == plan.Merge && last.Buffer.Output
}
