package funcs

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Build makes the serial kernel of a run, its plain form, and its form in lanes, if it has one.
func (k *Run) Build(p *plan.Plan) {
	n := k.Nest
	s := k.stage(n.Where, n.Values)
	s.Operator, s.Identity = n.Operator, loopnest.IdentityValues(p, n)
	answer := p.Answers[n.From]
	s.May = kernel.May{
		Factored: answer != nil && n.Factored(),
		Commute:  answer != nil && n.Factored() && answer.Operator.Commutative,
		Wrap:     answer != nil && !answer.Assumes.Has(ir.NSW) && !answer.Assumes.Has(ir.NUW),
		Fit:      n.Buffer.Wide && n.Role == plan.Intermediate,
		Regroup:  loopnest.Regroups(p, n),
		Seen:     n.Buffer.Seen,
		Compose:  n.Buffer.Steps != "" && n.Role == plan.Intermediate,
	}
	k.Serial = kernel.Build(s)
	k.Plain = k.Serial.Plain()
	k.Choices = forms.Choices(k.Serial)
	best, _, why := forms.Cheapest(k.Choices)
	k.Form, k.Vector, k.Why = best.Form, best.Kernel, why
}

// Finds makes a run one that finds the first element at which a condition holds.
func (k *Run) Finds(cond ir.Expr) {
	k.Types, k.Choices, k.Form = nil, nil, ""
	serial := *k.Serial
	serial.State, serial.May, serial.Operator, serial.Identity, serial.Body = nil, kernel.May{}, nil, nil, []kernel.Node{kernel.Each{Until: cond}}
	k.Serial, k.Plain = &serial, &serial
	k.Vector, k.Why = forms.UntilOf(k.Plain), ""
	if k.Vector == nil {
		k.Why = "lanes do not compute the condition"
	}
}

// Keeps makes the plain kernel of elements that are kept.
func (k *Keeper) Keeps() {
	plain := *k.Built(k.Nest.Where, k.Nest.Values)
	each := plain.Each()
	plain.State, plain.Outputs, plain.Body = nil, k.Types, []kernel.Node{kernel.Each{Where: each.Where, Keep: each.To}}
	k.Plain = &plain
}

// Built is the serial kernel of some values of the run, under conditions.
func (k *Run) Built(where, values []ir.Expr) *kernel.Kernel {
	return kernel.Build(k.stage(where, values))
}

func (k *Run) stage(where, values []ir.Expr) kernel.Stage {
	s := kernel.Stage{State: k.Types, Where: where, To: values, Place: k.Loop.Var}
	for _, in := range k.Streams {
		s.Streams = append(s.Streams, in.Call)
	}
	for _, in := range k.Scalars {
		s.Scalars = append(s.Scalars, in.Expr)
	}
	return s
}

// MuchCheaper reports whether a run is estimated at so much less than another of the same that it takes its place: an update as the operator says it
// may take more than as the program says it, where it has no lanes.
func (k *Run) MuchCheaper(other *Run) bool {
	return k != nil && other != nil && k.Cost() <= 0.9*other.Cost()
}

// Cost is the estimated cost of the form that a run has on vectors of 256 bits, or of its plain loop.
func (k *Run) Cost() float64 {
	switch {
	case k.Vector != nil:
		return k.Vector.Cost(kernel.Archsimd)
	case k.Until != nil && k.Until.Watch == nil: // scans cost about what the loop does
		cost := 0.0
		for _, part := range k.Until.parts() {
			cost += part.Cost()
		}
		return cost
	}
	return k.Plain.Cost(nil)
}
