package rfactor

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Stages and families put expressions together from literals, updates at an identity and cells of compositions. A subterm may equal a literal or one of its own subterms, everywhere or only where a select or a connective
// around it looks at it. Then it is replaced, and what the answer claims is proven anew:
//
//	select(y0 == 0, 0, y0)                        →   y0
//	select(p0, select(!p0, max(x0, p1), p1), x0)  →   select(p0, p1, x0)
//
// A subterm computes nothing that the term around it does not compute, so that nothing overflows that did not before.

// Bounds of simplifying: the terms of the expressions together, proofs that fail, and the work of one
// proof, in nanoseconds of package effort.
const (
	maxSimplified     = 1000
	maxSimplifyFailed = 40
	maxSimplifyProof  = 2_000_000
)

// simplifier replaces terms by smaller ones that are equal where they are looked at.
type simplifier struct {
	m         *matcher
	assume    ir.Assume // on floats
	unbounded bool      // integers may be taken as unbounded
	rows      map[ir.Expr]*sample.Row
	failed    int
	refuted   map[replacement]bool // proofs that failed
}

// replacement is a term and a smaller one, under so many conditions.
type replacement struct {
	from, to ir.Expr
	depth    int
}

// simplest returns expressions with their terms replaced by smaller ones that are equal under conditions, and as many
// assumptions on floats. It returns es itself where nothing is replaced.
func (m *matcher) simplest(es, given []ir.Expr, assume ir.Assume) []ir.Expr {
	if !slices.ContainsFunc(es, func(e ir.Expr) bool { return !find.IsPlain(e, given) && e.Op() != ir.Call }) || m.over() {
		return es
	}
	var terms []ir.Expr
	ir.Walk(es, func(e ir.Expr) { terms = append(terms, e) })
	if len(terms) > maxSimplified {
		return es
	}
	defer m.workspace.Rows.GiveBack(m.workspace.Rows.Used)
	s := &simplifier{m: m, assume: assume &^ overflow.Flags, unbounded: assume&overflow.Flags != 0, rows: make(map[ir.Expr]*sample.Row, len(terms)), refuted: map[replacement]bool{}}
	m.vacuity.Evaluate(&tuple.Part{Values: slices.Concat(es, given)}, m.nonNeg, s.assume)
	m.vacuity.Valid = ^uint64(0)
	m.vacuity.Restrict(given)
	for i, r := range m.vacuity.Run(m.workspace.Registers.NewTape(terms...), nil) {
		s.rows[terms[i]] = r
	}
	m.under = append(m.under[:0], given...)
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		out[i] = s.visit(e, m.under, m.vacuity.Valid)
	}
	if slices.Equal(out, es) {
		return es
	}
	return out
}

// visit returns a term for e under conditions, which hold at some of the points.
func (s *simplifier) visit(e ir.Expr, under []ir.Expr, at uint64) ir.Expr {
	if e.Type() == ir.Bool {
		if known := among(under, e); known != e {
			return known
		}
	}
	if e.NumArgs() == 0 || e.Op() == ir.Call {
		if e.Op() == ir.Var && e.Type() == ir.Bool {
			return s.replaced(e, under, at)
		}
		return e
	}
	if to := s.replaced(e, under, at); to != e {
		return s.visit(to, under, at)
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = e.Arg(i)
	}
	switch e.Op() {
	case ir.Select:
		args[0] = s.visit(args[0], under, at)
		holds := s.where(e.Arg(0))
		args[1] = s.visit(args[1], with(under, args[0]), at&holds)
		args[2] = s.visit(args[2], with(under, fold.Not(args[0])), at&^holds)
	case ir.And, ir.Or:
		for i := range 2 {
			other, holds := args[1-i], s.where(e.Arg(1-i))
			if e.Op() == ir.Or {
				other, holds = fold.Not(other), ^holds
			}
			args[i] = s.visit(args[i], with(under, other), at&holds)
		}
	default:
		for i, a := range args {
			args[i] = s.visit(a, under, at)
		}
	}
	out := ir.Rebuild(e, args)
	if out == e {
		return e
	}
	out = folded1(out)
	if out.NumArgs() == 0 {
		return out
	}
	return s.replaced(out, under, at)
}

// folded1 folds the literals among the operands of a term.
func folded1(e ir.Expr) ir.Expr {
	switch e.Op() {
	case ir.Select:
		return fold.Select(e.Arg(0), e.Arg(1), e.Arg(2))
	case ir.And:
		return fold.And(e.Arg(0), e.Arg(1))
	case ir.Or:
		return fold.Or(e.Arg(0), e.Arg(1))
	case ir.Not:
		return fold.Not(e.Arg(0))
	}
	return e
}

// maxUnder bounds the conditions that a term is simplified under: each is compared with all others.
const maxUnder = 100

// with returns at most maxUnder conditions and another one, taken apart. They hold until the next call with the same conditions.
func with(under []ir.Expr, c ir.Expr) []ir.Expr {
	switch {
	case c.Op() == ir.Const || len(under) >= maxUnder:
		return under
	case c.Op() == ir.And:
		return with(with(under, c.Arg(0)), c.Arg(1))
	case c.Op() == ir.Not && c.Arg(0).Op() == ir.Or:
		return with(with(under, fold.Not(c.Arg(0).Arg(0))), fold.Not(c.Arg(0).Arg(1)))
	}
	return append(under, c)
}

// among returns the literal that a condition is where it, or its negation, stands among others; else the condition.
func among(under []ir.Expr, c ir.Expr) ir.Expr {
	switch {
	case slices.Contains(under, c):
		return c.Pool().Bool(true)
	case slices.Contains(under, fold.Not(c)):
		return c.Pool().Bool(false)
	}
	return c
}

// where returns the points at which a condition holds.
func (s *simplifier) where(c ir.Expr) (mask uint64) {
	for lane, v := range s.row(c) {
		mask |= (v & 1) << lane
	}
	return mask
}

// row returns the values of a term.
func (s *simplifier) row(e ir.Expr) *sample.Row {
	r := s.rows[e]
	if r == nil {
		r = s.m.vacuity.Value(e)
		s.rows[e] = r
	}
	return r
}

// replaced returns the smallest literal or subterm that is proven to equal e under conditions; e itself where there is none.
func (s *simplifier) replaced(e ir.Expr, under []ir.Expr, at uint64) ir.Expr {
	if at == 0 { // evaluation suggests nothing
		return e
	}
	t, r := e.Type(), s.row(e)
	first := r[bits.TrailingZeros64(at)]
	if literal := s.m.pool.Const(t, first); s.agrees(t, r, nil, first, at) && !s.isLimit(literal) && !hasMoreDigits(e, literal) && s.prove(e, literal, under) {
		return literal
	}
	var smaller []ir.Expr
	ir.Walk([]ir.Expr{e}, func(k ir.Expr) {
		if k != e && k.Type() == t && k.Op() != ir.Const && s.agrees(t, r, s.row(k), 0, at) {
			smaller = append(smaller, k)
		}
	})
	slices.SortStableFunc(smaller, func(a, b ir.Expr) int { return cmp.Compare(a.Size(), b.Size()) })
	for _, k := range smaller[:min(len(smaller), 3)] {
		if s.prove(e, k, under) {
			return k
		}
	}
	return e
}

// hasMoreDigits reports whether a literal has many digits that no literal of the term has: 0.01 for 1.0/100.0, which it is not where floats
// stand for real numbers.
func hasMoreDigits(e, literal ir.Expr) bool {
	if !e.Type().IsFloat() {
		return false
	}
	if f := ir.Float(literal.Type(), literal.Value()) * (1 << 20); f == math.Trunc(f) || f != f {
		return false
	}
	own := false
	ir.Walk([]ir.Expr{e}, func(k ir.Expr) { own = own || k == literal })
	return !own
}

// isLimit reports whether a literal may stand for an infinity of unbounded integers, to which something is added.
func (s *simplifier) isLimit(e ir.Expr) bool { return s.unbounded && fold.HasLimit(e) }

// agrees reports whether a row has the values of another, or one value, at some points.
func (s *simplifier) agrees(t ir.Type, r, other *sample.Row, value uint64, at uint64) bool {
	for ; at != 0; at &= at - 1 {
		lane := bits.TrailingZeros64(at)
		v := value
		if other != nil {
			v = other[lane]
		}
		if r[lane] != v && !testpoint.Close(t, s.assume, r[lane], v) {
			return false
		}
	}
	return true
}

// prove proves that a term may be replaced under conditions.
func (s *simplifier) prove(from, to ir.Expr, under []ir.Expr) bool {
	r := replacement{from, to, len(under)}
	if s.failed > maxSimplifyFailed || s.refuted[r] || s.m.over() {
		return false
	}
	o := s.m.proving(s.assume)
	o.Limit = min(maxSimplifyProof, o.Limit)
	if s.m.prover.Prove(s.m.ctx, []proof.Problem{{Given: under, Left: from, Right: to}}, o).Status == prove.Proved {
		return true
	}
	s.failed++
	s.refuted[r] = true
	return false
}

// simplestGroup returns the group with simpler expressions, proven anew; the group itself where there are none.
func (m attempt) simplestGroup(p *tuple.Part, g *Group) *Group {
	if m.opts.outline {
		return g
	}
	defer m.tidying(1)()
	op := g.Operator
	m.allowed, m.within, m.state, m.inputs = g.Assumes, g.Assumes, op.Given, g.Where
	inject := m.simplest(g.Inject, slices.Concat(g.Where, m.notNegative), g.Assumes)
	exprs := op.Exprs
	if !g.ofTable || len(op.Given) > 0 {
		exprs = m.simplest(exprs, slices.Concat(op.Given, m.givenOfSecond(op)), op.Assumes)
	}
	if slices.Equal(inject, g.Inject) && slices.Equal(exprs, op.Exprs) {
		return g
	}
	for _, h := range []func() *Group{
		func() *Group { return m.reproven(p, g, exprs, inject) },
		func() *Group { return m.reproven(p, g, op.Exprs, inject) },
		func() *Group { return m.rewrittenInject(p, g, inject) },
	} {
		if h := h(); h != nil {
			return h
		}
	}
	return g
}

// givenOfSecond returns what is given of the state, of the second operand of an operator.
func (m attempt) givenOfSecond(op *prove.Proven) []ir.Expr {
	if len(op.Given) == 0 {
		return nil
	}
	_, y, _ := op.Operands()
	return tuple.MapStates(m.pool, op.Given, func(i int, _ ir.Type) ir.Expr { return y[i] })
}

// reproven returns the group with other expressions, if all that was proven of it is proven of these; else nil.
func (m attempt) reproven(p *tuple.Part, g *Group, exprs, inject []ir.Expr) *Group {
	q := *p
	q.Values = applyLemmas(m.pool, p.Values, g.Lemmas)
	h := m.confirmAllowed(&q, g.Via, exprs, inject, func(t attempt) *prove.Proven {
		if slices.Equal(exprs, g.Operator.Exprs) {
			return g.Operator
		}
		var hints [][]ir.Expr
		if g.Operator.Side != proof.NoSide {
			hints = append(hints, g.Operator.Identity)
		}
		op := t.laws(&q, exprs, t.within, hints...)
		if op == nil || op.Side != g.Operator.Side || g.Operator.Commutative && !op.Commutative || g.Operator.Idempotent && !op.Idempotent {
			return nil
		}
		return op
	})
	return m.withLemmas(p, h, g.Lemmas)
}

// rewrittenInject returns the group with another inject, proven in three steps that are lemmas: the update is x ⊕ g.Inject, as
// was proven; g.Inject is the other one; so the update is x ⊕ inject. It returns nil where that is not proven.
func (m attempt) rewrittenInject(p *tuple.Part, g *Group, inject []ir.Expr) *Group {
	if len(g.Operator.Given)+len(g.Where)+len(g.NonNeg) > 0 { // lemmas hold without
		return nil
	}
	lemmas := slices.Clone(g.Lemmas)
	values := applyLemmas(m.pool, p.Values, g.Lemmas)
	for i, e := range g.Operator.Apply(p.States, g.Inject) {
		if values[i] != e {
			lemmas = append(lemmas, Lemma{values[i], e, g.Equal[i]})
		}
	}
	for i, e := range g.Inject {
		if e == inject[i] {
			continue
		}
		a := m.prover.Prove(m.ctx, []proof.Problem{{Left: e, Right: inject[i]}}, m.proving(m.allowed&^overflow.Flags))
		if a.Status != prove.Proved {
			return nil
		}
		lemmas = append(lemmas, Lemma{e, inject[i], Equality{Assumes: a.Assumes, Cases: a.Proof()}})
	}
	h := *g
	h.Lemmas = lemmas
	return m.reproven(p, &h, g.Operator.Exprs, inject)
}

// simplestShape returns a proven shape with simpler expressions, and its lift; s and its own lift where they are not simpler.
func (l *lifted) simplestShape(p *tuple.Part, s *lift.Shape, proven *lifted) (*lift.Shape, *lifted) {
	s = l.varying(s, proven.allowed) // of which proven has the cells
	out := *s
	if t := l.simplestLift(p, &out, proven); t != nil {
		return &out, t
	}
	if t := l.otherInject(p, proven, out.Inject); t != nil { // the proof about compositions stands
		out.Compose, out.Apply = s.Compose, s.Apply
		return &out, t
	}
	return s, proven
}

// simplestLift simplifies a proven shape, and returns its lift; nil where that is not proven.
func (l *lifted) simplestLift(p *tuple.Part, s *lift.Shape, proven *lifted) *lifted {
	m, compose, apply := l.m, s.Compose, s.Apply
	defer m.tidying(2)()
	simpler := func(es []ir.Expr) []ir.Expr { return m.simplest(es, nil, proven.assumes) }
	s.Inject = m.simplest(s.Inject, slices.Concat(l.given, m.notNegative), proven.assumes)
	if !s.Matrix { // whose composition is proven as it is written
		s.Compose = func(a, b []ir.Expr) []ir.Expr { return simpler(compose(a, b)) }
		s.Apply = func(x, cells []ir.Expr) []ir.Expr { return simpler(apply(x, cells)) }
	}
	t := l.trial(s, proven.assumes)
	switch {
	case !t.add(p, s, proven.assumes):
		return nil
	case slices.Equal(t.inject, proven.inject) && slices.Equal(t.compose, proven.compose) && slices.Equal(t.lift.Apply, proven.lift.Apply):
		return proven
	case !t.provePart(p) || proven.identity != nil && t.identity == nil:
		return nil
	}
	return t
}

// otherInject returns a proven lift with another inject, if it proves that apply(x, inject) is the update; otherwise nil.
func (l *lifted) otherInject(p *tuple.Part, proven *lifted, inject []ir.Expr) *lifted {
	m := l.m
	if slices.Equal(inject, proven.inject) {
		return nil
	}
	defer m.tidying(1)()
	t := *proven
	of := *proven.lift
	t.lift, t.inject = &of, inject
	t.lift.claims = liftClaims(m.pool, t.lift, t.types, t.inject, t.compose, t.identity, p.Set, slices.Concat(t.given, m.notNegative))
	for i := range t.lift.claims {
		c := &t.lift.claims[i]
		if c.matrix = t.matrix; !c.ofUpdate {
			continue
		}
		th := m.proveClaim(c, c.Assumes(t.assumes))
		if th.Status != prove.Proved {
			return nil
		}
		*c.Proofs = th.Proofs
	}
	return &t
}
