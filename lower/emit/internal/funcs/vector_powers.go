package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// advance composes components' steps as often as the loops have taken one, by squares.
func (w *vectorWriter) advance(a kernel.Advance) {
	name := func(letter string) func(int) string {
		return func(c int) string { return fmt.Sprintf("%s%d", letter, c) }
	}
	joined := func(left string) string {
		exprs := w.k.exprs(w.g, elements{state: name(left), right: name("t")})
		var to []string
		for _, join := range a.Join {
			to = append(to, exprs.Expr(join))
		}
		return strings.Join(to, ", ")
	}
	all := func(letter string) string {
		var names []string
		for _, c := range a.Comps {
			names = append(names, name(letter)(c))
		}
		return strings.Join(names, ", ")
	}
	var steps []string
	for i, c := range a.Comps {
		steps = append(steps, w.g.Use.GoLiteral(w.v.State[c], a.Step[i], true))
	}
	count := name("m")(a.Comps[0])
	w.F("for %[1]s, %[2]s := count-len(%[3]s), %[4]s; %[1]s > 0; %[1]s >>= 1 {", count, all("t"), w.lead(), strings.Join(steps, ", "))
	w.F("if %[1]s&1 == 1 {\n%[2]s = %[3]s\n}\n%[4]s = %[5]s\n}", count, all("x"), joined("x"), all("t"), joined("t"))
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
