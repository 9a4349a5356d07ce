package emit

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// reach leaves out parts of which no state ends the loop: a sum of n terms from least to most moves by at most n times these.
//
//	f() += in(r) until after f() > 100   →   a part is scanned where f + n*max(most, 0) > 100, and else added
type reach struct {
	run      *run    // gives the sum of a part's terms, the least and the greatest
	possible ir.Expr // whether a state from low to high may end the loop, of the leaves of the run of hits
}

// bounds are the variables that stand for the least and the greatest state of a part.
func bounds(p *ir.Pool, t ir.Type) (low, high ir.Expr) { return p.Y(0, t), p.Y(1, t) }

// reaches is nil where the loop does not end by comparisons of one sum of integers with what stays the same.
func (g *untilPlanner) reaches(k *run, u *until, open *plan.Stage) *reach {
	w := u.watch[0]
	t := w.scan.types[0]
	if len(u.watch) > 1 || w.scan.op != ir.Add {
		return nil
	}
	low, high := bounds(u.cond.Pool(), t)
	possible := folds.Possible(u.cond, u.isState, u.same, low, high)
	if !possible.IsValid() {
		return nil
	}
	pool := k.loop.Var.Pool()
	fold, _ := folds.Of(open.Values[w.scan.state], w.scan.state)
	s := folding(*open, ir.AddOf(pool.X(0, t), fold.Leaf), ir.Make(ir.Min, pool.X(1, t), fold.Leaf), ir.Make(ir.Max, pool.X(2, t), fold.Leaf))
	r := &reach{g.partOf(k, "Reach", s), possible}
	if r.run == nil || r.run.vector == nil {
		return nil
	}
	return r
}

// same reports whether an expression has one value for all elements.
func (u *until) same(e ir.Expr) bool {
	varies := false
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
		op, _, ok := kernel.Operand(e)
		varies = varies || ok && (op == kernel.Load || op == kernel.Place)
	})
	return !varies
}

// isState reports whether an expression is a state that the condition reads.
func (u *until) isState(e ir.Expr) bool {
	op, i, ok := kernel.Operand(e)
	return ok && op == kernel.Load && slices.ContainsFunc(u.watch, func(w watched) bool { return u.hits.streams[i].call == w.before || u.hits.streams[i].call == w.after })
}

// reachText is what comes before a part is scanned: the sum, the bounds, and the condition under which the states have to be looked at.
func (k *run) reachText(g *glossary, x string) (sum, text, cond string) {
	r, hits := k.until.reach, k.until.hits
	t := r.run.types[0]
	names := k.names()
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
		first = append(first, g.use.GoLiteral(t, folds.NeutralValue(op, t), false))
	}
	w := hits.writer(g, "i")
	lowest, highest := bounds(r.possible.Pool(), t)
	w.Temp[lowest], w.Temp[highest] = low, high
	for i, s := range hits.scalars {
		j := slices.IndexFunc(k.scalars, func(o scalar) bool { return o.expr == s.expr })
		w.Temp[kernel.Fixed(r.possible.Pool(), i, s.expr.Type())] = k.scalars[j].name
	}
	if k.until.open != nil { // which adds, too
		sum = "_"
	}
	if !mentionsAny([]ir.Expr{r.possible}, lowest) {
		low = "_"
	}
	if !mentionsAny([]ir.Expr{r.possible}, highest) {
		high = "_"
	}
	text = fmt.Sprintf("%s, %s, %s := %s%s\n", sum, least, most, r.run.callee(), k.passes(r.run, first, "[:n]", ""))
	text += fmt.Sprintf("%s, %s, %s := %s(%s, n, %s, %s)\n", low, high, ok, g.use("reach"), x, least, most)
	return sum, text, fmt.Sprintf("!%s || %s", ok, w.Conjunction([]ir.Expr{r.possible}))
}
