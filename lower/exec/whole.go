package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// group is the stages that one update was factored into. Where whole is set it does what they do together, and few elements are left to
// it: buffers, their first values and their merge take longer than the elements. It is Stage.Whole of the merge.
//
//	f() = 0;  intm(u) = 0;  intm(u) += in(…);  f() += intm(u)   →   f() = 0;  f() += in(r)
type group struct {
	nests   []*prepared
	whole   *prepared
	buffers []*plan.Buffer // of the stages before the merge
}

// newGroups cuts the stages of a plan into groups. A stage that was not factored has a group of its own.
func newGroups(p *plan.Plan, nests []*prepared) (out []group, err error) {
	for _, n := range nests {
		s, last := n.stage, len(out)-1
		if last < 0 || s.From == nil || out[last].nests[0].stage.From != s.From || out[last].merged() {
			out, last = append(out, group{}), last+1
		}
		g := &out[last]
		g.nests = append(g.nests, n)
		if !s.Buffer.Output && !slices.Contains(g.buffers, s.Buffer) {
			g.buffers = append(g.buffers, s.Buffer)
		}
		if s.Whole != nil && slices.ContainsFunc(g.nests, func(n *prepared) bool { return len(n.stage.Loops) > 0 && n.parallel(n.stage.Loops[0]) }) {
			if g.whole, err = newPrepared(p, s.Whole); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// merged reports whether the merge into the output has come.
func (g *group) merged() bool {
	last := g.nests[len(g.nests)-1].stage
	return last.Role == plan.Merge && last.Buffer.Output
}

// fewGrains is for how many times Options.Grain of input a second goroutine has begun when the first one is done.
const fewGrains = 2

// few reports whether an update runs whole: what it reads is little. Steps whose composition was found are quicker one by one where they
// are very few; slices compute those side by side.
func (g *group) few(run *execution) bool {
	if g.whole == nil {
		return false
	}
	w := run.frame(g.whole).plain
	w.point++
	bytes := 1
	if len(w.loops) > 0 {
		span, err := w.span(0)
		if err != nil || span.Extent < 0 {
			return false
		}
		if bytes = w.bytes(); bytes > maxBytes/max(span.Extent, 1) {
			return false
		}
		bytes *= span.Extent
	}
	limit := fewGrains * run.opts.Grain
	if g.whole.stage.Operator == nil {
		limit = run.opts.Grain / 64
	}
	return bytes < limit
}
