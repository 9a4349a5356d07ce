package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// overflow are the assumptions that make integers unbounded: another world than that in which
// they wrap. That steps may be regrouped is a theorem of one world. The serial loop is
// ((x ⊕ a) ⊕ b) … in the world of the equations, and only there. Where ⊕ is associative in the
// other, a partial result that overflows in ⊕ and not in the loop may say so.
const overflow = ir.NSW | ir.NUW

// addsNoOverflow reports whether nothing overflows in after where nothing does in before: each
// operation of after that may overflow is one of before, on the same words, and computed whenever
// that of after is. Then an equation that holds where integers wrap holds of those values in the
// other world as well.
func addsNoOverflow(before, after []ir.Expr, world ir.Assume) bool {
	wanted := operations(after, world, inAll)
	if len(wanted) == 0 {
		return true
	}
	fits := operations(before, world, inSome)
	for o, places := range wanted {
		for _, place := range places {
			if !slices.ContainsFunc(fits[o], func(c choices) bool { return c.subset(place) }) {
				return false
			}
		}
	}
	return true
}

// addsNoOverflow is this of a lemma that is used in values. What From computes is computed whenever
// To is in its place.
func (l *Lemma) addsNoOverflow(values []ir.Expr, world ir.Assume) bool {
	return addsNoOverflow(append([]ir.Expr{l.From}, values...), []ir.Expr{l.To}, world)
}

// wordOperation is an operator that may overflow, on operands that are spelled in one way.
type wordOperation struct {
	op   ir.Op
	a, b ir.Expr
}

// operations are those of expressions that may overflow in a world, and the choices under which
// they are computed: what a select does not choose is not. Join says what is known of something
// that is computed in one place or in another.
func operations(es []ir.Expr, world ir.Assume, join func(a, b []choices) []choices) map[wordOperation][]choices {
	var order []ir.Expr
	found := false
	ir.Walk(es, func(e ir.Expr) {
		order = append(order, e)
		found = found || mayOverflow(e, world)
	})
	if !found {
		return nil
	}
	under := make(map[ir.Expr][]choices, len(order))
	reach := func(e ir.Expr, c []choices) {
		if old, ok := under[e]; ok {
			c = join(old, c)
		}
		under[e] = c
	}
	for _, e := range es {
		reach(e, []choices{nil})
	}
	out := map[wordOperation][]choices{}
	for _, e := range slices.Backward(order) { // what an expression is part of comes first
		here := under[e]
		if mayOverflow(e, world) {
			o := tidied(e)
			if old, ok := out[o]; ok {
				out[o] = join(old, here)
			} else {
				out[o] = here
			}
		}
		for i := range e.NumArgs() {
			reach(e.Arg(i), choicesOf(e, i, here))
		}
	}
	return out
}

// choicesOf are those under which operand i of e is computed, where those of e are known.
func choicesOf(e ir.Expr, i int, of []choices) []choices {
	op := e.Op()
	if i == 0 || op != ir.Select && op != ir.Or && op != ir.And {
		return of
	}
	d := choice{e.Arg(0), i == 1 && op != ir.Or}
	for d.condition.Op() == ir.Not {
		d = choice{d.condition.Arg(0), !d.holds}
	}
	out := make([]choices, len(of))
	for j, c := range of {
		out[j] = c.and(d)
	}
	return out
}

func mayOverflow(e ir.Expr, world ir.Assume) bool {
	return e.Op().MayOverflow() && world.Unbounded(e.Arg(0).Type())
}

func tidied(e ir.Expr) wordOperation {
	o := wordOperation{op: e.Op(), a: canon.Greedy(e.Arg(0), 0)}
	if e.NumArgs() > 1 {
		o.b = canon.Greedy(e.Arg(1), 0)
	}
	if o.op.Commutes() && o.b.ID() < o.a.ID() {
		o.a, o.b = o.b, o.a
	}
	return o
}

// choices are conditions and how they are decided, each once.
type choices []choice

type choice struct {
	condition ir.Expr
	holds     bool
}

func (c choices) and(d choice) choices {
	if slices.Contains(c, d) {
		return c
	}
	return append(slices.Clip(c), d)
}

func (c choices) subset(of choices) bool {
	return !slices.ContainsFunc(c, func(d choice) bool { return !slices.Contains(of, d) })
}

// maxWays bounds the places of one operation that are told apart.
const maxWays = 8

// inAll are the choices of a and of b, of all of which something is to be shown; or what they have in
// common.
func inAll(a, b []choices) []choices {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.ContainsFunc(out, func(d choices) bool { return d.subset(c) }) {
			out = append(out, c)
		}
	}
	if len(out) <= maxWays {
		return out
	}
	common := slices.Clone(out[0])
	for _, c := range out[1:] {
		common = slices.DeleteFunc(common, func(d choice) bool { return !slices.Contains(c, d) })
	}
	return []choices{common}
}

// inSome are the choices of a and of b, any of which suffice, and what follows from two of them that
// differ in how a condition is decided.
func inSome(a, b []choices) []choices {
	out := slices.Clone(a)
	for i := 0; i < len(b) && len(out) < maxWays; i++ {
		c := b[i]
		if slices.ContainsFunc(out, func(d choices) bool { return d.subset(c) }) {
			continue
		}
		for _, d := range out {
			if r, ok := resolved(c, d); ok {
				b = append(slices.Clip(b), r)
			}
		}
		out = append(out, c)
	}
	return out
}

// resolved is what is left of choices of which some decide a condition in both ways.
func resolved(c, d choices) (r choices, ok bool) {
	for i, x := range c {
		if j := slices.Index(d, choice{x.condition, !x.holds}); j >= 0 {
			r = append(slices.Clone(c[:i]), c[i+1:]...)
			for k, y := range d {
				if k != j {
					r = r.and(y)
				}
			}
			return r, true
		}
	}
	return nil, false
}

// oneWorld proves again what belongs to a group, and the lemmas that lead to it from a part, where some
// of it takes integers as unbounded and some does not. What is proven of words holds beside that as
// long as it adds nothing that may overflow to the update, and to what words have made of it: what
// is simplified over unbounded integers may overflow on the way.
func (m *matcher) oneWorld(p *tuple.Part, g *Group) bool {
	world := g.Assumes & overflow
	for _, l := range g.Lemmas {
		world |= l.Assumes & overflow
	}
	if world == 0 {
		return true
	}
	values, words := p.Values, true
	for i := range g.Lemmas {
		l := &g.Lemmas[i]
		if !words || l.Assumes&overflow != 0 || !l.addsNoOverflow(values, world) {
			if !m.also(&l.Equality, proof.Problem{Left: l.From, Right: l.To}, world) {
				return false
			}
			words = false
		}
		values = applyLemmas(m.pool, values, g.Lemmas[i:i+1])
	}
	if world.Has(ir.NUW) && (belowZero(g.Inject, p.Values) || belowZero(g.Operator.Exprs, nil)) {
		return false
	}
	op := g.Operator.Operator
	result := op.Apply(p.States, g.Inject)
	given := slices.Concat(m.state, m.inputs)
	if len(g.NonNeg) > 0 { // all components' proofs use it, or none
		given = slices.Concat(m.state, m.hypotheses())
	}
	for i, e := range result {
		before := g.Equal[i].Assumes
		if words && before&overflow == 0 && addsNoOverflow(values, result[i:i+1], world) {
			continue
		}
		if !m.also(&g.Equal[i], proof.Problem{Given: given, Left: values[i], Right: e}, world) {
			return false
		}
	}
	for i, holds := range op.Holds(g.Inject, m.hypotheses()) {
		if !m.also(&g.Admits[i], holds, world) {
			return false
		}
	}
	if a := g.Operator.Assumes; a&overflow != world {
		if g.Operator = m.prover.Also(m.ctx, g.Operator, a|world); g.Operator == nil {
			return false
		}
	}
	g.Assumes |= world
	return true
}

// oneWorldForAll brings groups into the world of all of them: who reads that the answer assumes nsw
// reads all of it so.
func (m *matcher) oneWorldForAll(groups []Group) bool {
	var world ir.Assume
	for _, g := range groups {
		world |= g.Assumes & overflow
	}
	for i := range groups {
		g := &groups[i]
		if g.standsBeside(m.restrict(g.Components), world) {
			continue
		}
		if len(g.Operator.Given)+len(g.Where) > 0 {
			return false
		}
		g.Assumes |= world
		g.Equal, g.Admits, g.Lemmas = slices.Clone(g.Equal), slices.Clone(g.Admits), slices.Clone(g.Lemmas) // of a group that may serve alone
		if !m.oneWorld(m.restrict(g.Components), g) {
			return false
		}
	}
	return true
}

// standsBeside reports whether what is proven of a group that is p of the update holds in a world
// too: of words that nothing adds to, or of that world.
func (g *Group) standsBeside(p *tuple.Part, world ir.Assume) bool {
	missing := world &^ g.Assumes
	return missing == 0 || len(operations(g.Operator.Exprs, missing, inAll)) == 0 && addsNoOverflow(p.Values, g.Operator.Apply(p.States, g.Inject), missing)
}

// belowZero reports whether a difference of unsigned numbers is among what is computed that the
// update does not compute, under no more conditions: under nuw the operands of ⊕ are natural
// numbers, and y − 5 may be none.
func belowZero(computed, update []ir.Expr) bool {
	promised := operations(update, ir.NUW, inSome)
	for o, places := range operations(computed, ir.NUW, inAll) {
		for _, place := range places {
			if (o.op == ir.Sub || o.op == ir.Neg) && !slices.ContainsFunc(promised[o], func(c choices) bool { return c.subset(place) }) {
				return true
			}
		}
	}
	return false
}

// also proves an equation in a world, if it is not one of that world.
func (m *matcher) also(e *Equality, p proof.Problem, world ir.Assume) bool {
	if e.Assumes&overflow == world {
		return true
	}
	a := m.prover.Under(m.ctx, p, e.Assumes|world)
	*e = Equality{Assumes: a.Assumes, Cases: a.Proof}
	return a.Status == prove.Proved
}
