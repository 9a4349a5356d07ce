package rfactor

import (
	"iter"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// keep is the operator of a component that no step changes: x ⊕ y = x.
func (m attempt) keep(p *tuple.Part) *Group {
	if len(p.Values) != 1 || p.Values[0].States() != 1 {
		return nil
	}
	if s := m.workspace.Points; p.Values[0] != p.States[0] {
		if find.IsPlain(p.Values[0], slices.Concat(m.state, m.inputs)) {
			return nil
		}
		s.Draw(p, m.nonNeg, m.allowed)
		if len(m.state)+len(m.inputs) == 0 && s.Changes(p) {
			return nil
		}
		s.Evaluate(p, m.nonNeg, m.allowed)
		s.Restrict(slices.Concat(m.state, m.inputs))
		if wrong, _ := s.Differ(p.Types, s.Want, s.States); wrong&s.Valid != 0 {
			return nil
		}
	}
	inject := []ir.Expr{m.pool.Const(p.Types[0], 0)}
	return m.confirm(p, keep, p.States, inject, func(t attempt) *prove.Proven { return t.laws(p, p.States, 0) })
}

// keep is the name of the stage keep in Via.
const keep = "keep"

// saturate matches the table against the e-graph of the update.
func (m attempt) saturate(p *tuple.Part) *Group {
	table := m.context().Table(p.Types)
	states, roots := m.load(p)
	hit, found := table.Search(m.ctx, m.session, states, roots)
	if !found {
		return nil
	}
	exprs, inject := hit.Expressions(m.session)
	return m.confirmCandidate(p, find.OfEntry("egraph:", hit.Entry, exprs, inject))
}

// tidied is saturate after simplifying the leaves, which saturation leaves as they are.
func (m attempt) tidied(p *tuple.Part) *Group {
	return m.saturateRewritten(p, tuple.MaximalLeaves(p.Values), func(e ir.Expr) ir.Expr { return canon.Greedy(e, m.allowed) })
}

// saturateRewritten is saturate after terms are replaced, each by a proof; nil where none is.
func (m attempt) saturateRewritten(p *tuple.Part, terms []ir.Expr, by func(ir.Expr) ir.Expr) *Group {
	q, lemmas := m.rewritten(p, terms, by)
	if q == nil {
		return nil
	}
	return m.withLemmas(p, m.saturate(q), lemmas)
}

// multiplied is saturate after shifts by literals, and sums of the same term, are written as products: (x0 << 3) + x0 is 9·x0,
// which an operator has for x0·y1.
func (m attempt) multiplied(p *tuple.Part) *Group {
	return m.saturateRewritten(p, p.Values, m.asProduct)
}

// asProduct writes a term with products in the ring's normal form, and a - a/7*7 as a % 7, unless that is larger.
func (m attempt) asProduct(e ir.Expr) ir.Expr {
	to := m.pool.Map(m.context().Products([]ir.Expr{e}), asRemainder)[0]
	if isRing(to) {
		to = poly.Normal(to, m.allowed)
	}
	if to.Size() > e.Size() {
		return e
	}
	return to
}

// asRemainder returns a % k for a - a/k*k, where k is a literal other than 0; the zero Expr for other terms.
func asRemainder(e ir.Expr) ir.Expr {
	if e.Op() != ir.Sub || !e.Type().IsInt() || e.Arg(1).Op() != ir.Mul {
		return ir.Expr{}
	}
	a := e.Arg(0)
	for i := range 2 {
		k, q := e.Arg(1).Arg(i), e.Arg(1).Arg(1-i)
		if k.Op() == ir.Const && !k.IsConst(0) && q.Op() == ir.Div && q.Arg(0) == a && q.Arg(1) == k {
			return ir.ModOf(a, k)
		}
	}
	return ir.Expr{}
}

func isRing(e ir.Expr) bool { return e.Op() == ir.Add || e.Op() == ir.Sub || e.Op() == ir.Mul }

// distributed is saturate after sums that are taken into extrema where that leaves less: y0 + max(x0 - y0, y1) is max(x0, y0 + y1)
// where integers are unbounded.
func (m attempt) distributed(p *tuple.Part) *Group {
	return m.saturateRewritten(p, p.Values, m.distribute)
}

// distribute takes sums and differences into the extrema that they have for an operand, from the inside out, where the
// result is smaller. It looks into sums and extrema alone.
func (m attempt) distribute(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Add, ir.Sub, ir.Min, ir.Max:
	default:
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = m.distribute(e.Arg(i))
	}
	e = ir.Rebuild(e, args)
	t := e.Type()
	if e.Op() != ir.Add && e.Op() != ir.Sub || !m.allowed.Unbounded(t) && !(t.IsFloat() && m.allowed.Has(ir.Reassoc)) {
		return e
	}
	for k, extremum := range args {
		op := extremum.Op()
		if op != ir.Min && op != ir.Max {
			continue
		}
		both := [2]ir.Expr{}
		for i := range both {
			args[k] = extremum.Arg(i)
			both[i] = poly.Normal(ir.Rebuild(e, args), m.allowed)
		}
		args[k] = extremum
		if e.Op() == ir.Sub && k == 1 { // a - max(b, c) = min(a - b, a - c)
			op = ir.Min + ir.Max - op
		}
		if out := ir.Make(op, both[0], both[1]); out.Size() < e.Size() {
			return out
		}
	}
	return e
}

// signs runs saturate and probe with every a >> 31, of 32 bits, written as a select on the sign of a:
// unbounded integers have no sign bit.
func (m attempt) signs(p *tuple.Part) *Group {
	var shifts []ir.Expr
	ir.Walk(p.Values, func(e ir.Expr) {
		if t := e.Type(); e.Op() == ir.Shr && !e.IsLeaf() && t.IsSigned() && e.Arg(1).IsConst(uint64(t.Bits()-1)) {
			shifts = append(shifts, e)
		}
	})
	q, lemmas := m.rewritten(p, shifts, func(e ir.Expr) ir.Expr {
		t := e.Type()
		return ir.SelectOf(ir.LtOf(e.Arg(0), m.pool.Int(t, 0)), m.pool.Int(t, -1), m.pool.Int(t, 0))
	})
	if q == nil {
		return nil
	}
	g := m.saturate(q)
	if g == nil && m.opts.Matchers&Probe != 0 {
		g = m.probe(q)
	}
	return m.withLemmas(p, g, lemmas)
}

// rewritten returns the part with terms replaced, each by a proof, and the proofs; nil where none is
// replaced.
func (m attempt) rewritten(p *tuple.Part, terms []ir.Expr, by func(ir.Expr) ir.Expr) (*tuple.Part, []Lemma) {
	var lemmas []Lemma
	for _, e := range terms {
		to := by(e)
		if to == e {
			continue
		}
		if a := m.prover.Prove(m.ctx, []proof.Problem{{Left: e, Right: to}}, m.proving(m.allowed)); a.Status == prove.Proved {
			lemmas = append(lemmas, Lemma{e, to, Equality{Assumes: a.Assumes, Cases: a.Proof()}})
		}
	}
	if len(lemmas) == 0 {
		return nil, nil
	}
	q := *p
	q.Values = applyLemmas(m.pool, p.Values, lemmas)
	return &q, lemmas
}

// load puts a part into the e-graph and returns the classes of its states and values. They hold until
// the next call.
func (m attempt) load(p *tuple.Part) (states, roots []egraph.Class) {
	m.session.Reset(m.pool, m.allowed, false)
	m.session.AssumeNonNeg(m.nonNeg)
	n := len(p.Values)
	m.classes = slices.Grow(m.classes[:0], 2*n)[:2*n]
	states, roots = m.classes[:n], m.classes[n:]
	for i := range p.Values {
		states[i] = m.session.Add(p.States[i])
		roots[i] = m.session.Add(p.Values[i])
	}
	return states, roots
}

// matchExact matches the table against the update as it stands.
func (m attempt) matchExact(p *tuple.Part) *Group {
	return m.matchAsIs(p, "exact:", m.opts.Table.SyntacticTable(p.Types, m.allowed, false))
}

// matchCommuted matches the table against the update, whatever the order of operands.
func (m attempt) matchCommuted(p *tuple.Part) *Group {
	return m.matchAsIs(p, "commuted:", m.opts.Table.SyntacticTable(p.Types, m.allowed, true))
}

// matchGreedy matches the table against the update after the greedy simplifier.
func (m attempt) matchGreedy(p *tuple.Part) *Group {
	q := *p
	q.Values = nil
	for _, v := range p.Values {
		q.Values = append(q.Values, canon.Greedy(v, m.allowed))
	}
	table := m.opts.Table.GreedyTable(p.Types, m.allowed)
	states, roots := m.load(&q)
	return m.matchLoaded(p, "greedy:", table, states, roots)
}

// matchAsIs matches a table against a part, without saturation.
func (m attempt) matchAsIs(p *tuple.Part, way string, table *pattern.Compiled) *Group {
	states, roots := m.load(p)
	return m.matchLoaded(p, way, table, states, roots)
}

// matchLoaded matches a table against the terms that load added to the e-graph.
func (m attempt) matchLoaded(p *tuple.Part, way string, table *pattern.Compiled, states, roots []egraph.Class) *Group {
	hit, ok := table.Match(m.session, states, roots)
	if !ok {
		return nil
	}
	exprs, inject := hit.Expressions(m.session)
	return m.confirmCandidate(p, find.OfEntry(way, hit.Entry, exprs, inject))
}

// confirmed returns the group of the first candidate that is proven; nil where none is.
func (m attempt) confirmed(p *tuple.Part, candidates iter.Seq[find.Candidate]) *Group {
	for c := range candidates {
		if g := m.confirmCandidate(p, c); g != nil {
			return g
		}
	}
	return nil
}

// confirmCandidate is confirm for what a finder proposes.
func (m attempt) confirmCandidate(p *tuple.Part, c find.Candidate) *Group {
	g := m.confirm(p, c.Via, c.Exprs, c.Inject, func(t attempt) *prove.Proven {
		switch {
		case c.Entry != nil && len(m.state) == 0:
			return t.facts(c.Entry, c.Exprs)
		case c.Identity != nil:
			return t.laws(p, c.Exprs, t.allowed, c.Identity)
		}
		return t.laws(p, c.Exprs, t.allowed) // of an entry a fact about operands that satisfy what is given
	})
	if g != nil && c.Entry != nil {
		g.ofTable = len(tuple.Params(c.Entry.Exprs)) == 0 && m.opts.Table == nil
	}
	return g
}

// laws proves that an operator on a part is associative, and its other laws, under as few of the allowed
// assumptions as it can; nil where it does not. Hints are as in prove.Characterise.
func (m attempt) laws(p *tuple.Part, exprs []ir.Expr, allowed ir.Assume, hints ...[]ir.Expr) *prove.Proven {
	o := m.proving(allowed)
	o.Tried = &m.tried.laws
	proven, _ := m.prover.Characterise(m.ctx, proof.Operator{Types: p.Types, Exprs: exprs, Given: m.state}, o, hints...)
	return proven
}

// tried remembers the proofs that confirm asks for more than once: of the update's equation, of the same
// where coordinates are not negative, and of associativity.
type tried struct{ equation, notNegative, laws prove.Tried }

// confirm proves that the update is x ⊕ inject, under as few assumptions as it can, and
// that ⊕ is associative; nil where it does not. Of sets of assumptions none of which is a part of
// another it takes the first that is left when dispensable ones are dropped in their order.
func (m attempt) confirm(p *tuple.Part, via string, exprs, inject []ir.Expr, facts func(attempt) *prove.Proven) *Group {
	g := m.confirmAllowed(p, via, exprs, inject, facts)
	if g == nil || g.Assumes == 0 || g.Assumes == ir.NSW || g.Assumes == ir.NUW {
		return g // wrapping is tried before
	}
	// The parts of the proof may each be under as few as it needs, and all of it under fewer. Where y0
	// serves under nnan, update(-inf, y0) = select(-inf < y0, y0, -inf) may serve without.
	identity := g.Operator.Identity
	for _, a := range dispensable {
		if !g.Assumes.Has(a) || g.Assumes&overflow.Flags == a {
			continue
		}
		fewer := m
		fewer.allowed, fewer.within = g.Assumes&^a, g.Assumes&^a
		h := fewer.confirmAllowed(p, via, exprs, inject, facts)
		if h == nil && g.Assumes&^overflow.Flags != 0 && identity != nil {
			if other := fewer.context().StartedFrom(p, identity); !slices.Equal(other, inject) {
				h = fewer.confirmAllowed(p, via, exprs, other, facts)
			}
		}
		if h != nil {
			g = h
		}
	}
	return g
}

// dispensable lists the assumptions that an answer does without if it can, each tried before those
// behind it.
var dispensable = [...]ir.Assume{ir.NUW, ir.NSW, ir.AFN, ir.NInf, ir.Reassoc, ir.NSZ, ir.NNaN}

// confirmAllowed is confirm under what the attempt allows.
func (m attempt) confirmAllowed(p *tuple.Part, via string, exprs, inject []ir.Expr, facts func(attempt) *prove.Proven) *Group {
	m.limit(4)
	g := &Group{Via: via, Inject: inject, Where: m.inputs}
	op := proof.Operator{Types: p.Types, Exprs: exprs, Given: m.state}
	given := slices.Concat(m.state, m.inputs)
	if len(m.state) > 0 && len(m.notNegative) > 0 { // that inject has it may need them, and all proofs use them, or none
		given, g.NonNeg = slices.Concat(given, m.notNegative), m.nonNeg
	}
	problems := m.problems[:0]
	for i, e := range op.Apply(p.States, inject) {
		problems = append(problems, proof.Problem{Given: given, Left: p.Values[i], Right: e})
	}
	m.problems = problems
	if !m.equations(g, problems) || !m.admits(g, op) {
		return nil
	}
	m.limit(1) // points have refuted what is not associative, mostly
	g.Operator = facts(m)
	if g.Operator == nil || !m.allowed.Has(g.Operator.Assumes) || !slices.Equal(g.Operator.Exprs, exprs) {
		return nil
	}
	g.Assumes = g.Operator.Assumes
	for _, es := range [2][]Equality{g.Equal, g.Admits} {
		for _, e := range es {
			g.Assumes |= e.Assumes
		}
	}
	if !m.alsoUnbounded(p, g) {
		return nil
	}
	return g
}

// equations proves by cases, if need be using that reduction coordinates are not negative;
// what rewriting found and cases do not prove, by a chain of rewrite steps; and what is
// still open by the solver, if there is one.
func (m attempt) equations(g *Group, problems []proof.Problem) bool {
	o := m.proving(m.allowed)
	o.Tried = &m.tried.equation
	o.ProveFirst = strings.HasPrefix(g.Via, "egraph:")
	t := m.prover.Prove(m.ctx, problems, o)
	if t.Status != prove.Proved && len(m.notNegative) > 0 && len(g.NonNeg) == 0 {
		for i := range problems {
			problems[i].Given = slices.Concat(problems[i].Given, m.notNegative)
		}
		g.NonNeg = m.nonNeg
		o := m.proving(m.allowed)
		o.Tried = &m.tried.notNegative
		t = m.prover.Prove(m.ctx, problems, o)
	}
	switch {
	case t.Status == prove.Proved:
		g.Equal = make([]Equality, 0, len(t.Proofs))
		for _, tree := range t.Proofs {
			g.Equal = append(g.Equal, Equality{Assumes: t.Assumes, Cases: tree})
		}
		return true
	case t.Status == prove.Refuted || t.Stopped || m.opts.Solver == nil && !strings.HasPrefix(g.Via, "egraph:"):
		return false
	}
	for _, p := range problems {
		e, ok := m.equation(p)
		if !ok {
			return false
		}
		g.Equal = append(g.Equal, e)
	}
	return true
}

// equation proves one component by any means.
func (m attempt) equation(p proof.Problem) (Equality, bool) {
	a := m.prover.Prove(m.ctx, []proof.Problem{p}, m.proving(m.allowed))
	if a.Status == prove.Unknown && !a.Stopped {
		// Arithmetic in a chain wraps, and rules that take integers as unbounded do not hold of
		// what has wrapped: x - 65535 of 16 bits is x + 1, which is not above x.
		for _, assume := range slices.Compact([]ir.Assume{0, m.allowed &^ overflow.Flags}) {
			m.session.Reset(m.pool, assume, true)
			steps, err := m.session.Derive(m.ctx, p.Left, p.Right, assume)
			a := canon.Assumed(steps)
			if err != nil || a&overflow.Flags != 0 || !m.allowed.Has(a) {
				continue
			}
			// The checker reads no steps in the ring: cases and bits reach what these would.
			if !slices.ContainsFunc(steps, inRing) && canon.Check(steps, p.Left, p.Right, a) == nil {
				return Equality{Assumes: a, Steps: steps}, true
			}
		}
		a = m.askSolver(p)
	}
	return Equality{Assumes: a.Assumes, Cases: a.Proof()}, a.Status == prove.Proved
}

// inRing reports whether a step of a chain is justified by the ring normal form.
func inRing(s canon.Step) bool { return s.Rule == canon.ReasonRing }

// askSolver is the last resort, where there is a solver.
func (m attempt) askSolver(p proof.Problem) (t prove.Theorem) {
	if m.opts.Solver == nil {
		return t
	}
	for _, assume := range prove.Ladder(m.allowed, p.Given, p.Left, p.Right) {
		b, err := m.opts.Solver.Prove(m.ctx, p, assume)
		if err == nil && b.Status == prove.Proved {
			return b
		}
	}
	return t
}
