package funcs

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Reach leaves out parts of which no state ends the loop: a sum of n terms from least to most moves by at most n times these.
//
//	f() += in(r) until after f() > 100   →   a part is scanned where f + n*max(most, 0) > 100, and else added
type Reach struct {
	Run      *Run    // gives the sum of a part's terms, the least and the greatest
	Possible ir.Expr // whether a state from low to high may end the loop, of the leaves of the run of hits
}

// Bounds are the variables that stand for the least and the greatest state of a part.
func Bounds(p *ir.Pool, t ir.Type) (low, high ir.Expr) { return p.Y(0, t), p.Y(1, t) }

// reachText is what comes before a part is scanned: the sum, the bounds, and the condition under which the states have to be looked at.
func (g *endWriter) reachText(x string) (sum, text, cond string) {
	r, hits := g.k.Until.Reach, g.k.Until.Hits
	t := r.Run.Types[0]
	names := g.k.Names()
	name := func(like string) string {
		for names[like] {
			like += "_"
		}
		names[like] = true
		return like
	}
	sum, least, most, low, high, ok := name("sum"), name("least"), name("most"), name("low"), name("high"), name("ok")
	first := []string{"0"}
	for _, op := range []ir.Op{ir.Min, ir.Max} {
		first = append(first, g.Use.GoLiteral(t, folds.NeutralValue(op, t), false))
	}
	w := hits.writer(g.Scope, "i")
	lowest, highest := Bounds(r.Possible.Pool(), t)
	w.Temp[lowest], w.Temp[highest] = low, high
	for i, s := range hits.Scalars {
		j := slices.IndexFunc(g.k.Scalars, func(o scalar) bool { return o.Expr == s.Expr })
		w.Temp[kernel.Fixed(r.Possible.Pool(), i, s.Expr.Type())] = g.k.Scalars[j].Name
	}
	text = fmt.Sprintf("%s, %s, %s := %s%s\n", sum, least, most, r.Run.Callee(), g.k.passes(r.Run, first, "[:n]", ""))
	text += fmt.Sprintf("%s, %s, %s := %s(%s, n, %s, %s)\n", low, high, ok, g.Use("reach"), x, least, most)
	return sum, text, fmt.Sprintf("!%s || %s", ok, w.Conjunction([]ir.Expr{r.Possible}))
}
