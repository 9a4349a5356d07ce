package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Loop is a loop over elements that Source emits as a function, and the forms that were tried for it.
type Loop struct {
	Stage   *plan.Stage
	Form    string  // in lanes; "plain" where it has none
	Cost    float64 // cycles an element, as kernel.Kernel.Cost estimates them
	Plain   float64 // the same of the plain loop
	Choices []forms.Choice
}

// Loops lists the loops of a plan that are functions, in the order of the plan; nil where Source gives an error.
func Loops(p *plan.Plan) (out []Loop) {
	_, g, err := source(p, "p")
	if err != nil {
		return nil
	}
	for _, k := range g.kernels {
		if k.Part || k.Of != nil {
			continue // its loop is in the list
		}
		l := Loop{Stage: k.Nest.Stage, Form: "plain", Cost: k.Cost(), Plain: k.Plain.Cost(nil), Choices: k.Choices}
		if k.Vector != nil {
			l.Form = k.Form
		} else if k.Until != nil {
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
		v, lacks := k.Vector, ""
		switch pass {
		case "serial":
			v = k.Serial
		case "plain":
			v = k.Plain
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
			fmt.Fprintf(&b, "%s:\n%s\n", k.Name, v)
		case lacks != "":
			fmt.Fprintf(&b, "%s: %s\n\n", k.Name, lacks)
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
