package emit

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// composing is the function of a scan whose steps lanes compose; nil where there is none, then lacks may say why.
func (g *scanPlanner) composing(n *loopnest.Nest) (r *funcs.Scan, lacks string) {
	sc := n.Scan
	if len(sc.Passes) != 1 || len(sc.Keep) != 1 || sc.Keep[0].State < 0 || sc.Passes[0].InOrder || slices.Contains(sc.State, ir.Bool) {
		return nil, ""
	}
	p := sc.Passes[0]
	switch {
	case !p.IsExact() && sc.Lanes != plan.TreeLanes:
		return nil, needsTree(sc)
	case !p.IsExact() && !p.NeedsFinite():
		return nil, "a step has an infinity, which may be what others have as well"
	}
	values := slices.Concat(p.Inject, p.Combine, p.Apply, p.Update)
	if slices.ContainsFunc(access.Reads(&plan.Stage{Buffer: n.Buffer, Values: values}), func(a access.Access) bool { return a.Array == n.Buffer.Name }) {
		return nil, readsOutput
	}
	part, d, m, states := *n, len(n.Loops)-1, len(p.Inject), len(sc.State)
	part.Values = values
	r = &funcs.Scan{Output: 0, State: sc.Keep[0].State, Starts: sc.Start}
	r.Run = &funcs.Run{Nest: &part, Loop: n.Loops[d], Types: sc.State, Avoid: funcs.ScanNames}
	if !r.FindStreams(&part, d) {
		return nil, ""
	}
	r.NameArguments(&g.Scope)
	each := r.Built(nil, values).Each().To
	r.Steps = &forms.Steps{Inject: each[:m], Combine: each[m : 2*m], Apply: each[2*m : 2*m+states], Keep: r.State, Finite: true}
	if !p.IsExact() {
		r.Steps.Block = plan.TreeLanes
	}
	r.Plan(p.Update)
	lanes := r.Runs()[len(r.Runs())-1].Vector
	switch {
	case lanes == nil:
		return nil, r.Why
	case !forms.Pays(lanes, r.Plain.Cost(nil)):
		return nil, "steps that lanes compose are estimated to take as long as the loop"
	}
	return r, ""
}
