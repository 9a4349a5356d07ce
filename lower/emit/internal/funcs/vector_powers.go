package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// advance composes a component's step as often as the loops have taken one, by squares.
func (w *vectorWriter) advance(a kernel.Advance) {
	join := func(left string) string {
		return w.k.exprs(w.g, elements{
			state: func(int) string { return left },
			right: func(int) string { return fmt.Sprintf("t%d", a.Comp) },
		}).Expr(a.Join)
	}
	w.F("for m%[1]d, t%[1]d := count-len(%[2]s), %[3]s; m%[1]d > 0; m%[1]d >>= 1 {", a.Comp, w.lead(), w.g.Use.GoLiteral(w.v.State[a.Comp], a.Step, true))
	w.F("if m%[1]d&1 == 1 {\nx%[1]d = %[2]s\n}\nt%[1]d = %[3]s\n}", a.Comp, join(fmt.Sprintf("x%d", a.Comp)), join(fmt.Sprintf("t%d", a.Comp)))
}

// finite leaves the run to the plain loop where what lanes have computed is not finite.
func (w *vectorWriter) finite() {
	states, conds := w.k.States(), []string{}
	for _, a := range w.v.Accumulators {
		conds = append(conds, fmt.Sprintf("x%[1]d-x%[1]d != 0", a.Comp))
	}
	for _, in := range w.v.InMemory {
		for at, comp := range in.State {
			if slices.ContainsFunc(w.v.Accumulators, func(a kernel.Accumulator) bool { return a.Comp == comp }) {
				states[comp] = fmt.Sprintf("%s[%d]", keptName(in), at)
			}
		}
	}
	args := states
	for _, s := range w.k.Scalars {
		args = append(args, s.Name)
	}
	for i := range w.k.Streams {
		args = append(args, fmt.Sprintf("whole%d", i))
	}
	w.F("if %s { // no number, or too great a one: elements are taken in their order\nreturn %s%s\n}", strings.Join(conds, " || "), w.frame.plain, scope.Bracket(args))
}
