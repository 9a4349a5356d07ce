package rfactor

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/combine"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Lift says how the operator of a lifted answer acts on states. A step of the loop is
// x ↦ Apply(x, Inject), and the operator composes parameters:
// Apply(Apply(x, p), q) = Apply(x, p ∘ q). So every way to parenthesise a product of parameters acts
// on states as the serial loop does.
type Lift struct {
	Families []string    // how the groups of components were lifted
	Params   []ir.Expr   // p0, p1, …
	Apply    []ir.Expr   // per component, over x_i and Params
	Update   []ir.Expr   // what the proofs call update: of all components, by the lemmas
	Lemmas   []Lemma     // by which the update was simplified first, in their order
	Proofs   LiftProofs  // in the order of the claims
	claims   []liftClaim // what is proven
}

// LiftProofs are the proofs of a lift's laws, one for each component of the state where nothing else is said. A list is nil where
// the law is not claimed.
type LiftProofs struct {
	Update    []*proof.Tree
	Action    []*proof.Tree
	Identity  []*proof.Tree // where integers wrap …
	Unbounded []*proof.Tree // … and where they do not, of an answer that takes them so
	Kept      []*proof.Tree // one for each condition of Given, where they were inferred from the initial value
}

// lift answers with a reduction on parameters, if every closed set of components has one; an operator
// on the state counts. The given conditions are used only where there is no answer without them.
func (m *matcher) lift(sets [][]int, found groups) bool {
	if m.opts.Matchers&Lifting == 0 || len(m.answer.Types) > maxLifted {
		return false
	}
	m.begin(lifting)
	m.during = liftsOpen
	refused := *m.answer
	all := m.restrict(tuple.Indices(len(m.answer.Types)))
	if !m.liftLeast(all, sets, found) {
		return false
	}
	a := m.answer
	promised := a.Given
	if a.Initial != nil {
		promised = nil
	}
	if !m.restsOnTerms() && !m.attempt(m.opts.Allowed).emptiedBy(all, a.Assumes, promised) {
		m.acting(all, refused)
		return true
	}
	*a = refused
	return false
}

// liftLeast is lift without assumptions on overflow, if that gives an answer, and without what is promised of the state, if what is
// inferred of it serves.
func (m *matcher) liftLeast(all *tuple.Part, sets [][]int, found groups) bool {
	least := m.opts.Allowed &^ overflow.Flags
	flags := least != m.opts.Allowed // which a lift may use where the update does not
	matters := m.attempt(m.opts.Allowed).overflowMatters(all)
	tries := !matters || m.triesWrapping(all)
	switch {
	case tries && m.liftPlain(sets, found, least):
	case m.liftBounded(sets, found):
	case tries && m.liftPromised(sets, found, least):
	case !matters && m.liftSwept(found): // what the update has no use for is asked last
	case flags && (m.liftPlain(sets, found, m.opts.Allowed) || m.liftPromised(sets, found, m.opts.Allowed)):
	default:
		return matters && m.liftSwept(found)
	}
	return true
}

// triesWrapping reports whether lifts of integers that wrap were not tried before.
func (m *matcher) triesWrapping(all *tuple.Part) bool {
	return !m.opts.onlyOverflow || hasFloat(all.Values)
}

// liftPlain is lift under some of the assumptions, without sweeping, and whatever the state is.
func (m *matcher) liftPlain(sets [][]int, found groups, allowed ir.Assume) bool {
	return m.liftGiven(sets, found.under(allowed), allowed, nil)
}

// liftPromised is liftPlain while what is promised holds, and with it what is inferred.
func (m *matcher) liftPromised(sets [][]int, found groups, allowed ir.Assume) bool {
	given := m.promised
	if c := m.bounded(); c != nil {
		given = slices.Concat(given, c.given)
	}
	return len(m.promised) > 0 && m.liftGiven(sets, found.under(allowed), allowed, given)
}

// under returns the groups that assume no more than is allowed.
func (gs groups) under(allowed ir.Assume) groups {
	return slices.DeleteFunc(slices.Clone(gs), func(g *Group) bool { return !allowed.Has(g.Assumes) })
}

// liftSwept lifts the update that sweeping leaves, if sweeping simplifies it.
func (m *matcher) liftSwept(found groups) bool {
	a, refused := m.answer, *m.answer
	all := m.restrict(tuple.Indices(len(a.Types)))
	for _, allowed := range slices.Compact([]ir.Assume{m.opts.Allowed &^ overflow.Flags, m.opts.Allowed}) {
		if allowed&overflow.Flags == 0 && !m.triesWrapping(all) {
			continue
		}
		q, lemmas := m.sweep(all, allowed)
		if q == nil {
			continue
		}
		a.Update = q.Values
		for _, l := range lemmas { // a record has one set of assumptions for all proofs of a lift
			m.lemmasAssume |= l.Assumes &^ overflow.Flags
		}
		sets := tuple.ClosedSets(q.Values)
		ok := m.liftPlain(sets, found, allowed) || m.liftPromised(sets, found, allowed)
		a.Update, m.lemmasAssume = refused.Update, 0
		if ok && a.simplifiedBy(lemmas) {
			return true
		}
		*a = refused
	}
	return false
}

// simplifiedBy notes by which lemmas the update of a lift was simplified first. It reports whether
// they are of the lift's arithmetic: lemmas of integers that wrap serve everywhere, others where the
// same types are unbounded.
func (a *Answer) simplifiedBy(lemmas []Lemma) bool {
	unbounded := a.Assumes & overflow.Flags
	for _, l := range lemmas {
		if w := l.Assumes & overflow.Flags; w != 0 && w != unbounded {
			return false
		}
		a.Assumes |= l.Assumes
	}
	a.Lift.Lemmas = lemmas
	return true
}

// liftGiven is lift under conditions on the state before a step and on inputs. Only proofs about
// single steps of the serial loop use them, where they hold by promise. Proofs about compositions
// hold of any state.
func (m *matcher) liftGiven(sets [][]int, found groups, allowed ir.Assume, given []ir.Expr) bool {
	if m.liftSets(sets, found, allowed, given) {
		return true
	}
	apart := found.apartFrom(sets)
	return len(apart) < len(found) && m.liftSets(sets, apart, allowed, given)
}

// apartFrom returns the groups with an operator that share no component with a set without one: a
// component that both share is moved by a parameter of each, and these may differ.
func (gs groups) apartFrom(sets [][]int) groups {
	var open uint64
	for _, set := range sets {
		if g := gs.of(set); g == nil || g.Operator == nil {
			open |= tuple.MaskOf(set)
		}
	}
	return slices.DeleteFunc(slices.Clone(gs), func(g *Group) bool { return tuple.MaskOf(g.Components)&open != 0 })
}

// liftSets is liftGiven for groups with an operator on the state that keep it.
func (m *matcher) liftSets(sets [][]int, found groups, allowed ir.Assume, given []ir.Expr) bool {
	a := m.answer
	l := &lifted{m: m, allowed: allowed, lift: &Lift{Apply: make([]ir.Expr, len(a.Types)), Update: a.Update}, whole: true, given: given, unfolded: map[ir.Expr]ir.Expr{}}
	for _, set := range entwined(sets, found) {
		if g := found.of(set); g != nil && g.Operator != nil {
			if !l.addOperator(g) {
				return false
			}
			continue
		}
		if !l.addPart(m.restrict(set)) {
			return false
		}
	}
	if !l.proven && !l.prove() {
		return false
	}
	l.answer()
	return true
}

// entwined unites sets that share a component and have no operator. The shared component must have the same parameters in
// both sets.
func entwined(sets [][]int, found groups) (out [][]int) {
	for _, set := range sets {
		if g := found.of(set); g != nil && g.Operator != nil {
			out = append(out, set)
			continue
		}
		mask := tuple.MaskOf(set)
		out = slices.DeleteFunc(out, func(other []int) bool {
			g := found.of(other)
			if mask&tuple.MaskOf(other) == 0 || g != nil && g.Operator != nil {
				return false
			}
			mask |= tuple.MaskOf(other)
			return true
		})
		out = append(out, tuple.Members(mask))
	}
	return out
}

// Bounds of what is lifted: components, parameters, and the size of
// expressions that compose them; where terms recur, as they are written.
const (
	maxLifted      = 6
	maxParams      = 32
	maxComposition = 400
	maxWritten     = 2000
)

// lifted gathers the lifts of the groups of a tuple.
type lifted struct {
	m        *matcher
	allowed  ir.Assume // what may be assumed
	lift     *Lift
	types    []ir.Type
	inject   []ir.Expr
	compose  []ir.Expr
	identity []ir.Expr
	whole    bool // every group has an identity
	assumes  ir.Assume
	given    []ir.Expr           // what steps may rely on
	proven   bool                // as a whole already: it is one part
	unfolded map[ir.Expr]ir.Expr // what selects are taken for by families
	cellwise bool                // see lift.Shape
	matrix   bool                // see lift.Shape
}

// param returns parameter i by its kind: x_i and y_i in compositions, p_i in apply.
func (l *lifted) param(kind byte, i int, t ir.Type) ir.Expr {
	switch kind {
	case 'x':
		return l.m.pool.X(i, t)
	case 'y':
		return l.m.pool.Y(i, t)
	}
	return paramVar(l.m.pool, i, t)
}

// paramVar returns the variable p_i of an apply expression.
func paramVar(pool *ir.Pool, i int, t ir.Type) ir.Expr {
	return pool.Var(ir.Leaf, fmt.Sprintf("p%d", i), 1<<18+i, t)
}

// addOperator adds a group that has an operator on the state: its parameters are operands. It reports what
// add does.
func (l *lifted) addOperator(g *Group) bool {
	n := len(g.Components)
	s := &lift.Shape{Name: g.Via, Inject: g.Inject, Compose: g.Operator.Apply, Apply: g.Operator.Apply}
	if g.Operator.Side == proof.Two {
		s.Identity = g.Operator.Identity
	}
	p := &tuple.Part{Set: g.Components, Types: make([]ir.Type, n), States: make([]ir.Expr, n)}
	for j, i := range g.Components {
		p.Types[j] = l.m.answer.Types[i]
		p.States[j] = l.m.pool.X(j, p.Types[j])
	}
	return l.add(p, s, l.allowed)
}

// addPart lifts a part by the first family that fits and whose law is proven; or, where a condition
// on inputs says that nothing changes, by one that fits what happens otherwise.
func (l *lifted) addPart(p *tuple.Part) bool {
	a := l.m.attempt(l.allowed &^ useless(p))
	a.state, a.inputs = restrictGiven(l.m.pool, l.given, p.Set)
	cx := l.context(a)
	if l.addFitting(cx, p, p, func(s *lift.Shape) *lift.Shape { return s }) {
		return true
	}
	q, on := family.Masked(cx, p)
	if q == nil {
		return false
	}
	masked := func(s *lift.Shape) *lift.Shape { return family.MaskedBy(on, s) }
	return l.addFitting(cx, p, q, masked) || l.addOperated(a, cx, p, q, masked)
}

// addOperated lifts a part by the operator of q, as addFitting does by a shape of q: means and moments where a condition
// holds, whose operators have no identity that a masked step could give.
//
//	select(y1, x0 + (y0 - x0)/(x1 + 1.0), x0); select(y1, x1 + 1.0, x1)   →   on = y1, and the operands of (x0*x1 + y0*y1)/(x1 + y1); x1 + y1
func (l *lifted) addOperated(m attempt, cx *lift.Context, p, q *tuple.Part, of func(*lift.Shape) *lift.Shape) bool {
	g := m.first(q)
	if g == nil || g.Operator == nil {
		return false
	}
	return l.addShape(cx, p, of(&lift.Shape{Name: g.Via, Inject: g.Inject, Compose: g.Operator.Apply, Apply: g.Operator.Apply}))
}

// context returns what families see of a match.
func (l *lifted) context(m attempt) *lift.Context {
	return &lift.Context{Study: m.opts.Study, Over: m.over, Consider: m.consider, Pool: m.pool, Allowed: m.allowed, NonNeg: m.nonNeg, State: m.state, Inputs: m.inputs, Hypotheses: m.hypotheses(),
		Workspace: m.workspace.Workspace, Sample: m.workspace.Roles, Unfolded: l.unfolded, Unread: m.nearLift.unread,
		Operator: func(p *tuple.Part, state []ir.Expr) (*prove.Proven, []ir.Expr) {
			m.state = state // p may be a few of the part's components, with numbers of their own
			g := m.lookup(p)
			if g == nil {
				return nil, nil
			}
			return g.Operator, g.Inject
		}}
}

// addFitting lifts a part by a shape of q, made one of p: by one whose laws hold of words, if it can,
// and by one family, if it can.
func (l *lifted) addFitting(cx *lift.Context, p, q *tuple.Part, of func(*lift.Shape) *lift.Shape) bool {
	some := func(shapes iter.Seq[*lift.Shape]) bool {
		for s := range shapes {
			if l.addShape(cx, p, of(s)) {
				return true
			}
		}
		return false
	}
	unbounded := cx.MayBeUnbounded(q)
	return some(family.Shapes(cx, q, false)) || unbounded && some(family.Shapes(cx, q, true)) ||
		some(combine.Joined(cx, q, false)) || unbounded && some(combine.Joined(cx, q, true))
}

// addShape lifts a part by a shape if its laws are proven, or by the least form of that shape.
func (l *lifted) addShape(cx *lift.Context, p *tuple.Part, s *lift.Shape) bool {
	trial := l.provenShape(p, s, cx.Allowed)
	if trial == nil {
		return false
	}
	if !l.m.opts.outline {
		l.m.whole(func() bool {
			if least, t := l.least(cx, p, s, trial); t != nil {
				s, trial = least, t
			}
			return true
		})
		l.m.whole(func() bool { s, trial = l.simplestShape(p, s, trial); return true })
	}
	if len(p.Set) == len(l.lift.Apply) {
		*l, l.proven = *trial, true
		return true
	}
	return l.add(p, s, trial.allowed)
}

// least returns the least form of a shape that is proven, and its lift; nil where that is no better. An
// identity is kept. It takes at most half of the effort that is left, and each form of fewer cells half of that.
func (l *lifted) least(cx *lift.Context, p *tuple.Part, s *lift.Shape, proven *lifted) (*lift.Shape, *lifted) {
	if s.Matrix {
		return nil, nil
	}
	m := l.m
	kept := m.meter.Left() / 2
	m.meter.Hold(kept)
	defer m.meter.Hold(-kept)
	s = l.varying(s, proven.allowed)
	if proven.identity == nil {
		s.Identity = nil
	}
	for _, s := range cx.Least(p, s) {
		if m.pool.Settle(); m.meter.Done() {
			break
		}
		if l.parameters(p, s, cx.Allowed) >= len(proven.types) {
			continue
		}
		later := m.meter.Left() / 2 // for forms of more cells, whose proofs are smaller
		m.meter.Hold(later)
		t := l.provenShape(p, s, cx.Allowed)
		m.meter.Hold(-later)
		if t != nil && proven.assumes.Has(t.assumes) && (proven.identity == nil || t.identity != nil) {
			return s, t
		}
	}
	return nil, nil
}

// parameters returns how many parameters a shape needs: more than a lift may have where its composition
// is too large.
func (l *lifted) parameters(p *tuple.Part, s *lift.Shape, allowed ir.Assume) int {
	trial := l.trial(s, allowed)
	if !trial.add(p, s, allowed) {
		return maxParams + 1
	}
	return len(trial.types)
}

// provenShape returns the lift of a part alone by a shape, under as few assumptions on floats as it
// can: what simplified the parameters may need more than the laws do. It returns nil where the laws
// are not proven.
func (l *lifted) provenShape(p *tuple.Part, s *lift.Shape, allowed ir.Assume) *lifted {
	trial := l.tryShape(p, s, allowed)
	if trial == nil {
		return nil
	}
	for _, a := range dispensable {
		if a&overflow.Flags == 0 && trial.assumes.Has(a) {
			if fewer := l.tryShape(p, s, trial.assumes&^a); fewer != nil {
				trial = fewer
			}
		}
	}
	return trial
}

// tryShape returns the lift of a part alone by a shape; nil where its laws are not proven.
func (l *lifted) tryShape(p *tuple.Part, s *lift.Shape, allowed ir.Assume) *lifted {
	trial := l.trial(s, allowed)
	if !trial.add(p, s, allowed) || !trial.provePart(p) {
		return nil
	}
	return trial
}

// trial returns a lift without parameters, to which the cells of a shape may be added.
func (l *lifted) trial(s *lift.Shape, allowed ir.Assume) *lifted {
	return &lifted{m: l.m, allowed: allowed, lift: &Lift{Apply: make([]ir.Expr, len(l.lift.Apply))}, whole: true, given: l.given, cellwise: s.Cellwise, matrix: s.Matrix}
}

// add adds the cells of a shape as parameters. A cell that every composition keeps at one value is no
// parameter. add reports whether the parameters depend on the step alone and the composition stays
// small.
func (l *lifted) add(p *tuple.Part, s *lift.Shape, allowed ir.Assume) bool {
	s = l.varying(s, allowed)
	if s == nil {
		return false // a parameter is of a step alone, whatever state it meets
	}
	if len(l.types)+len(s.Inject) > ir.MaxState {
		return false
	}
	cells := func(kind byte) []ir.Expr {
		out := make([]ir.Expr, len(s.Inject))
		for i, c := range s.Inject {
			out[i] = l.param(kind, len(l.types)+i, c.Type())
		}
		return out
	}
	composed := s.Compose(cells('x'), cells('y'))
	params := cells('p')
	applied := s.Apply(p.States, params)
	if !s.Matrix && tooLarge(composed) {
		return false
	}
	for j, e := range tuple.RenumberStates(l.m.pool, p.Set, applied) {
		if !l.lift.Apply[p.Set[j]].IsValid() {
			l.lift.Apply[p.Set[j]] = e
		}
	}
	l.whole = l.whole && s.Identity != nil
	l.identity = append(l.identity, s.Identity...)
	for _, c := range params {
		l.types = append(l.types, c.Type())
	}
	l.lift.Params = append(l.lift.Params, params...)
	l.inject = append(l.inject, s.Inject...)
	l.compose = append(l.compose, composed...)
	l.lift.Families = append(l.lift.Families, s.Name)
	l.matrix = l.matrix || s.Matrix
	return len(l.types) > 0 && (s.Matrix || len(l.types) <= maxParams)
}

// varying returns the shape of the cells that vary, simplified; nil where a cell reads the state, or where there are more cells than
// a tuple may have.
func (l *lifted) varying(s *lift.Shape, allowed ir.Assume) *lift.Shape {
	if len(s.Inject) > ir.MaxState {
		return nil
	}
	tidy := *s
	tidy.Inject = tidyAll(s.Inject, allowed)
	if slices.ContainsFunc(tidy.Inject, func(e ir.Expr) bool { return e.States() != 0 }) {
		return nil
	}
	return tidy.Varying(l.m.pool)
}

// tooLarge reports whether a composition costs too much: counted as it is written or, where terms
// recur often, as it is computed.
func tooLarge(es []ir.Expr) bool {
	written, computed := 0, 0
	for _, e := range es {
		written += e.Size()
	}
	if written <= maxComposition {
		return false
	}
	ir.Walk(es, func(ir.Expr) { computed++ })
	return written > 4*maxWritten || computed > maxComposition/3+12*len(es)+3*len(es)*len(es)
}

// tidyAll simplifies expressions with less than the simplifier may use. It does not rely on integers
// that do not overflow. It does not bring in −∞, which would be the type's least number: something
// may be added to a parameter. And it does not round: 1 − 0.1 as a literal is another real number.
func tidyAll(es []ir.Expr, allowed ir.Assume) []ir.Expr {
	out := make([]ir.Expr, len(es))
	for i, e := range es {
		if out[i] = canon.Greedy(e, allowed&^overflow.Flags); fold.HasLimit(out[i]) || rounds(e, out[i]) {
			out[i] = e
		}
	}
	return out
}

// rounds reports whether a float literal of more than a few bits comes in that was none before.
func rounds(before, after ir.Expr) bool {
	var known []ir.Expr
	literals := func(e ir.Expr, visit func(ir.Expr)) {
		ir.Walk([]ir.Expr{e}, func(e ir.Expr) {
			if e.Op() == ir.Const && e.Type().IsFloat() {
				visit(e)
			}
		})
	}
	literals(before, func(e ir.Expr) { known = append(known, e, fold.Neg(e)) })
	found := false
	literals(after, func(e ir.Expr) {
		short := ir.Float(e.Type(), e.Value()) * 256
		found = found || short != math.Trunc(short) && !slices.Contains(known, e)
	})
	return found
}

// provePart proves what a part's lift claims of its own components.
func (l *lifted) provePart(p *tuple.Part) bool {
	l.lift.Update = l.m.answer.Update
	return l.proveOf(p.Set)
}

func (l *lifted) prove() bool { return l.proveOf(tuple.Indices(len(l.lift.Apply))) }

// answer fills in the answer of the match.
func (l *lifted) answer() {
	a := l.m.answer
	a.Status, a.Lift, a.Inject, a.Assumes = Lifted, l.lift, l.inject, l.assumes
	a.Operator = &Operator{Operator: proof.Operator{Types: l.types, Exprs: l.compose}}
	if l.identity != nil {
		a.Operator.Identity, a.Operator.Side = l.identity, proof.Two
	}
	a.Groups, a.Given = nil, l.given
}
