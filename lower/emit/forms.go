package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// build makes the serial kernel of a run, its plain form, and its form in lanes, if it has one.
func (k *run) build(p *plan.Plan) {
	n := k.nest
	s := kernel.Stage{State: k.types, Where: n.where, To: n.values, Place: k.loop.Var, Operator: n.Operator, Identity: identityValues(p, n)}
	for _, in := range k.streams {
		s.Streams = append(s.Streams, in.call)
	}
	for _, in := range k.scalars {
		s.Scalars = append(s.Scalars, in.expr)
	}
	answer := p.Answers[n.From]
	s.May = kernel.May{
		Factored: answer != nil && n.factored(),
		Commute:  answer != nil && n.factored() && answer.Operator.Commutative,
		Wrap:     answer != nil && !answer.Assumes.Has(ir.NSW),
		Regroup:  regroups(p, n),
		Seen:     n.Buffer.Seen,
		Compose:  n.Buffer.Steps != "" && n.Role == plan.Intermediate,
	}
	k.serial = kernel.Build(s)
	k.plain = k.serial.Plain()
	k.choices = k.serial.Choices()
	best, _, why := kernel.Cheapest(k.choices)
	k.form, k.vector, k.why = best.Form, best.Kernel, why
}

// regroups reports whether a stage's operator was found under the assumption that float arithmetic may be regrouped.
func regroups(p *plan.Plan, n *nest) bool {
	a := p.Answers[n.From]
	return a != nil && n.factored() && a.Assumes.Has(ir.Reassoc)
}

// factored reports whether a stage combines elements by the operator that was found.
func (n *nest) factored() bool {
	return n.Role == plan.Intermediate || n.Role == plan.Serial && n.Operator != nil
}

// identityValues lists the values with which lanes of a kernel start: the first values of the
// element that it updates or, where that is an output, of those that hold partial results.
func identityValues(p *plan.Plan, n *nest) []ir.Expr {
	for _, s := range p.Stages {
		switch {
		case s.Role != plan.First:
		case s.Buffer == n.Buffer && !n.Buffer.Output, n.Buffer.Output && s.From == n.From && slices.Equal(s.Buffer.Types, n.Buffer.Types):
			return s.Values
		}
	}
	return nil
}

// Loop is a loop over elements that Source emits as a function, and the forms that were tried for it.
type Loop struct {
	Stage   *plan.Stage
	Form    string  // in lanes; "plain" where it has none
	Cost    float64 // cycles an element, as kernel.Kernel.Cost estimates them
	Plain   float64 // the same of the plain loop
	Choices []kernel.Choice
}

// Loops lists the loops of a plan that are functions, in the order of the plan; nil where Source gives an error.
func Loops(p *plan.Plan) (out []Loop) {
	_, g, err := source(p, "p")
	if err != nil {
		return nil
	}
	for _, k := range g.kernels {
		if k.part || k.of != nil {
			continue // its loop is in the list
		}
		l := Loop{Stage: k.nest.Stage, Form: "plain", Cost: k.cost(), Plain: k.plain.Cost(nil), Choices: k.choices}
		if k.vector != nil {
			l.Form = k.form
		} else if k.until != nil {
			l.Form = "until"
		}
		out = append(out, l)
	}
	return out
}

// Kernels shows the kernels of a plan behind a pass: serial as they are built, plain as they are for loops over elements; build, strip, places,
// simd or archsimd those in lanes, of which the latter two choose the operations of a target; strip and places are those for package simd. It is
// an error where there is no such pass, and where Source gives one.
func Kernels(p *plan.Plan, pass string) (string, error) {
	_, g, err := source(p, "p")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, k := range g.kernels {
		v, lacks := k.vector, ""
		switch pass {
		case "serial":
			v = k.serial
		case "plain":
			v = k.plain
		case "build":
		case "strip":
			v = behind(v, func(v *kernel.Kernel) *kernel.Kernel { return kernel.Strip(v, kernel.Simd) })
		case "places":
			v = behind(v, func(v *kernel.Kernel) *kernel.Kernel { return kernel.Places(kernel.Strip(v, kernel.Simd)) })
		case "simd", "archsimd":
			t := map[string]*kernel.Target{"simd": kernel.Simd, "archsimd": kernel.Archsimd}[pass]
			v = behind(v, func(v *kernel.Kernel) *kernel.Kernel { v, lacks = v.Shape(t); return v })
		default:
			return "", fmt.Errorf("emit: there is no pass %s, but serial, plain, build, strip, places, simd and archsimd", pass)
		}
		switch {
		case v != nil:
			fmt.Fprintf(&b, "%s:\n%s\n", k.name, v)
		case lacks != "":
			fmt.Fprintf(&b, "%s: %s\n\n", k.name, lacks)
		}
	}
	return b.String(), nil
}

// behind is a kernel behind a pass, if there is one.
func behind(v *kernel.Kernel, pass func(*kernel.Kernel) *kernel.Kernel) *kernel.Kernel {
	if v == nil {
		return nil
	}
	return pass(v)
}
