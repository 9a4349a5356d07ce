package emit

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Estimate is what the innermost loops of an update are estimated to take that a schedule factors: cycles for an element of a long run in cache.
type Estimate struct {
	Update *program.Definition
	Serial float64 // where nothing is factored
	Slices float64 // of partial results
	Same   bool    // both are one loop
	Exact  bool    // how many processors there are does not change the result, so that they may decide
}

// Estimates estimates the updates of a plan that run whole where elements are few, in the order of the plan: those of which both loops step through
// memory. There are none where Source gives an error.
func Estimates(p *plan.Plan) []Estimate {
	if p == nil || p.Program == nil || p.Program.Source == nil {
		return nil
	}
	g := newGenerator(p, "p")
	g.api()
	if g.Err != nil {
		return nil
	}
	return g.estimates
}

// estimate estimates a group; it is not ok where the group has no kernels to compare, and where whole elements are shared among goroutines.
func (g *generator) estimate(s group) (e Estimate, ok bool) {
	whole := g.kernelOf(s.whole)
	if whole == nil || slices.ContainsFunc(s.whole.Loops, func(l plan.Loop) bool { return l.Pure }) {
		return e, false
	}
	e = Estimate{Update: s.whole.From, Serial: whole.Cost(), Exact: exact(g.Plan, s.whole)}
	for _, n := range s.nests {
		if k := g.kernelOf(n); k != nil && n.Role == plan.Intermediate {
			e.Slices = max(e.Slices, k.Cost())
			e.Same = k.Same(whole)
		}
	}
	return e, e.Serial > 0 && e.Slices > 0
}

// goroutineGain is by how much more the slices may take, for each goroutine, to be done when the serial loop is: goroutines begin late, and share memory.
const goroutineGain = 0.83

// Processors is from how many processors on the slices are estimated to be faster than the serial loop.
func (e *Estimate) Processors() int {
	if e.Same {
		return 2
	}
	return max(2, int(math.Ceil(e.Slices/e.Serial/goroutineGain)))
}

// maxProcessors is how many processors a schedule may wait for.
const maxProcessors = 8

// unsure is how much faster the slices have to be estimated where they run on one processor, too.
const unsure = 0.8

// Slower says why the slices are estimated to be slower than the serial loop; "" where they are not. Where results depend on how elements are
// combined, the number of processors may not decide, and slices have to win on one.
func (e *Estimate) Slower() string {
	if e.Same || e.Exact && e.Processors() <= maxProcessors || !e.Exact && e.Slices <= unsure*e.Serial {
		return ""
	}
	return fmt.Sprintf("its slices are estimated at %.2g cycles an element, and the serial loop at %.2g", e.Slices, e.Serial)
}
