package find

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Nearest returns the part and the operator of the table that differ at the fewest points, and of several such operators the simplest;
// a nil part where every operator differs at more points than it agrees at.
func (cx *Context) Nearest(parts []*tuple.Part) (*tuple.Part, Candidate) {
	n := cx.nearTrial(parts)
	if n.part == nil {
		return nil, Candidate{}
	}
	t := n.trial
	return n.part, Candidate{Via: t.Name, Entry: t.Entry, Exprs: cx.bind(t, t.exprs), Inject: cx.StartedFrom(n.part, cx.bind(t, t.identity))}
}

// near is the best trial that evaluation refuted.
type near struct {
	part  *tuple.Part
	trial trial
	wrong int // points at which it differs
}

// nearTrial returns the trial of probing that fails at the fewest points, and of several such trials
// the simplest. It leaves out trials that fail at more points than they hold at.
func (cx *Context) nearTrial(parts []*tuple.Part) (best near) {
	defer cx.Rows.GiveBack(cx.Rows.Used)
	for _, p := range parts {
		cx.Points.Evaluate(p, cx.NonNeg, cx.Allowed)
		cx.Points.Restrict(slices.Concat(cx.State, cx.Inputs))
		w := cx.prober(p, identityMap)
		bindings := cx.bindings(p)
		for _, g := range cx.probeTable(p).groups {
			for _, k := range g.entries[0].choices(&bindings) {
				for t, at := range w.compareAll(g, k) {
					n := bits.OnesCount64(at[0])
					if n > 0 && n <= bits.OnesCount64(at[1]) && (best.part == nil || n < best.wrong || n == best.wrong && t.leaves < best.trial.leaves) {
						best = near{p, t, n}
					}
				}
			}
		}
	}
	return best
}
