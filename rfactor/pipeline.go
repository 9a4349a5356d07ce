package rfactor

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/combine"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// pipeline lists the ways to find the operator of a part of an update, in the order in which
// they are tried.
var pipeline = []stage{
	// name, in via      may assume  switched on by        costs
	{"lookups", "of lookups", wrapping, AllMatchers | baselines, "what lookups cost", attempt.lookup},
	{"lookups unbounded", "of lookups, direct", unbounded, AllMatchers | baselines, "what lookups cost; direct where they assume something of overflow", attempt.lookupUnbounded},
	{"direct", "direct", anything, Direct, "2,000 assignments of roles at 64 points, then proofs", attempt.direct},
	{"adjoined", "adjoined:VIA", anything, Direct, "lookups and direct, of the part without a flag", withoutFlag},
	{"keyed", "keyed", anything, Direct, "proofs of an operator for each component that keeps the best", attempt.keyed},
	{"positional", "positional", wrapping, Direct, "proofs of one operator, of components that may be digits", attempt.positional},
	{"swept", "of lookups", wrapping, AllMatchers, "small proofs; lookups and direct where they simplify", attempt.swept},
	{"reordered", "of lookups", wrapping, AllMatchers, "lookups, of components in each order that a table has", transferred("", (*find.Context).Reordered, attempt.lookup)},
	{"reordered unbounded", "of lookups", unbounded, AllMatchers, "lookups, of components in each order that a table has", transferred("", (*find.Context).Reordered, attempt.lookup)},
	{"given", "of lookups", promised, AllMatchers, "lookups and direct, by what is given", attempt.given},
	{"positional given", "positional", promised, Direct, "proofs of one operator, of components that may be digits", attempt.positional},
	{"inserted", "inserted", promised, Direct, "proofs of one operator, of components that may be a sorted list", attempt.inserted},
	{"counted", "counted:VIA", unbounded, Direct, "lookups and conjugate, of the part with floats for its counts", withFloats},
	{"conjugate", "conjugate", anything, Direct, "linear equations in up to 80 unknowns, then proofs", attempt.conjugated},
	{"built", "built", wrapping, Direct, "a thousand terms at 256 points for some starts, then proofs", attempt.built},
	{"built unbounded", "built", unbounded, Direct, "a thousand terms at 256 points for some starts, then proofs", attempt.built},
	{"built given", "built", promised, Direct, "the same, by what is given", attempt.builtGiven},
	{"weighted", "weighted:VIA", anything, Direct, "lookups, of the part with a sum for a weighted mean", withWeights},
}

// lookups lists the ways to find an operator of the table, in the order in which they are tried.
var lookups = []stage{
	{"keep", "keep", anything, AllMatchers | baselines, "a comparison at 64 points", attempt.keep},
	{"exact", "exact:NAME", anything, Exact, "one match of the table", proposed((*find.Context).Exact)},
	{"commuted", "commuted:NAME", anything, Commuted, "one match of the table", proposed((*find.Context).Commuted)},
	{"greedy", "greedy:NAME", anything, Greedy, "one match of the table", proposed((*find.Context).Greedy)},
	{"folded", "egraph:NAME", anything, EGraph, "nothing beyond the proof", proposed((*find.Context).Folded)},
	{"egraph", "egraph:NAME", anything, EGraph, "a saturation", saturate},
	{"tidied", "egraph:NAME", anything, EGraph, "small proofs; a saturation where they simplify leaves", rewritten((*find.Context).Tidied, saturate)},
	{"multiplied", "egraph:NAME", anything, EGraph, "small proofs; a saturation where they write products", rewritten((*find.Context).Multiplied, saturate)},
	{"distributed", "egraph:NAME", anything, EGraph, "a proof; a saturation where sums are taken into extrema", rewritten((*find.Context).Distributed, saturate)},
	{"signs", "egraph:NAME", anything, EGraph, "small proofs; a saturation and probe where they replace shifts", rewritten((*find.Context).Signs, saturate, attempt.ifProbe)},
	{"probe", "probe:NAME", anything, Probe, "the table at 64 points, then up to 12 proofs", attempt.probe},
}

// run fills in the answer to the whole update, and says in which order that is tried.
func (m *matcher) run(u *ir.Update) {
	if m.opts.Table.IsAlone() {
		m.runAlone()
		return
	}
	sets := tuple.ClosedSets(m.answer.Update)
	found, failed := m.groups(sets) // by the pipeline, each closed set of components on its own
	all := found
	if len(failed) > 0 {
		all = nil
	}
	if all == nil && !m.opts.Study.WithoutStage("regroup") {
		done := m.watch("regroup")
		m.whole(func() bool { all = m.regroup(sets, slices.Clone(found), failed); return true }) // by the pipeline, unions of the sets
		done(all != nil)
	}
	if all != nil && m.merge(all) {
		return
	}
	if m.whole(func() bool { return m.lookInside(u, AllMatchers&^Lifting) }) {
		return
	}
	var inferred *Answer
	if !m.opts.Study.WithoutStage("inferred") {
		done := m.watch("inferred")
		m.whole(func() bool { inferred = m.inferred(u); return true }) // by the pipeline, under invariants that the initial value has
		done(inferred != nil)
	}
	if inferred != nil && inferred.Assumes&overflow.Flags == 0 {
		m.answer = inferred
		return
	}
	done := m.watch("lift")
	lifted := m.whole(func() bool { return m.lift(sets, found) }) // on parameters of steps: package lift lists the families
	done(lifted)
	switch {
	case inferred != nil && !(lifted && m.answer.Assumes&overflow.Flags == 0): // parameters cost more
		m.answer = inferred
	case !lifted:
		done := m.watch("stages")
		staged := m.whole(m.stages) // by scans of some components and a reduction of the others
		if done(staged); staged || m.lookInside(u, Lifting) || m.whole(func() bool { return m.answersExactly(u) }) {
			return
		}
		done = m.watch("refuse")
		if !m.whole(func() bool { m.refuse(); return true }) {
			m.refuseAtOnce()
		}
		done(false)
	}
}

// runAlone fills in the answer by the one operator of the table, on the whole tuple.
func (m *matcher) runAlone() {
	var all []int
	for i := range m.answer.Types {
		all = append(all, i)
	}
	found, _ := m.groups([][]int{all})
	if len(found) == 1 && found[0].isEntry(m.opts.Table.Entries(m.answer.Types)) && m.merge(found) {
		return
	}
	m.refuse()
	if a := m.answer; a.Code == NoOperator {
		a.Reason = "no inject was found with which the update is x ⊕ inject for the operator that is asked for"
	}
}

// isEntry reports whether the group has the operator of an entry itself, and no conjugate of one.
func (g *Group) isEntry(entries []*pattern.Entry) bool {
	return slices.ContainsFunc(entries, func(e *pattern.Entry) bool { return g.Via == "egraph:"+e.Name || g.Via == "probe:"+e.Name })
}

// stage is a way to find the operator of a part.
type stage struct {
	name    string   // of the row, by which an experiment leaves it out
	via     string   // how the answer names it
	assumes scope    // what of the allowed assumptions it may use
	on      Matchers // any of these switches it on
	cost    string   // what it spends, in words
	find    finder
}

// scope says which of the allowed assumptions a stage may use, and on which parts it is tried.
type scope uint8

const (
	anything  scope = iota // all of them
	wrapping               // all but those on overflow: integers wrap
	unbounded              // all of them, if by those integers of the part are unbounded
	promised               // all of them, if something is given of the update
)

// attempt is a match under some assumptions. Stages pass on changed copies of it.
type attempt struct {
	*matcher
	allowed ir.Assume // what may be assumed
	within  ir.Assume // what a stage with the scope anything may assume
	state   []ir.Expr // what is given, and may be used: of the part's state …
	inputs  []ir.Expr // … and of inputs
}

// attempt returns an attempt that may use assumptions, and nothing that is given.
func (m *matcher) attempt(allowed ir.Assume) attempt {
	return attempt{matcher: m, allowed: allowed, within: allowed}
}

// under returns an attempt that is restricted to a scope.
func (m attempt) under(s scope) attempt {
	m.allowed = m.within
	if s == wrapping {
		m.allowed &^= overflow.Flags
	}
	return m
}

// group finds the operator of a closed set of components; nil where the pipeline does not.
func (m *matcher) group(set []int) *Group {
	p := m.restrict(set)
	m.during = set
	a := m.attempt(m.opts.Allowed &^ useless(p))
	var g *Group
	if !m.whole(func() bool { g = a.first(p); return g != nil }) {
		return nil
	}
	m.whole(func() bool { g = a.simplestGroup(p, g); return true })
	g.Components, g.Update = p.Set, p.Values
	return g
}

// first finds the operator of a part by the first stage of the pipeline that has one; nil where none has.
func (m attempt) first(p *tuple.Part) *Group {
	for i := range pipeline {
		s := &pipeline[i]
		if !m.tries(s, p) {
			continue
		}
		done := m.watch(s.name)
		g := s.find(m.under(s.assumes), p)
		done(g != nil)
		if g != nil && !m.isVacuous(p, g) {
			return g
		}
	}
	return nil
}

// tries reports whether a stage has something to try on a part that was not tried before.
func (m attempt) tries(s *stage, p *tuple.Part) bool {
	if m.opts.Matchers&s.on == 0 || m.opts.Study.WithoutStage(s.name) || m.over() || m.opts.onlyGiven && s.assumes != promised {
		return false
	}
	switch s.assumes {
	case wrapping:
		return !m.opts.onlyOverflow || hasFloat(p.Values)
	case unbounded:
		return m.overflowMatters(p)
	case promised:
		return len(m.promised) > 0
	}
	return true
}

// overflowMatters reports whether the part computes something that may overflow with integers that are
// allowed to be taken as unbounded. Where it does not, its operator does not either, as far as is known.
func (m attempt) overflowMatters(p *tuple.Part) bool {
	return overflow.StateMayOverflow(p.Values, m.within)
}

// lookup finds an operator of the table; nil where lookups do not.
func (m attempt) lookup(p *tuple.Part) *Group {
	for i := range lookups {
		s := &lookups[i]
		if m.opts.Matchers&s.on == 0 || m.opts.Study.WithoutStage(s.name) || m.over() {
			continue
		}
		done := m.watch(s.name)
		g := s.find(m, p)
		if done(g != nil); g != nil {
			return g
		}
	}
	return nil
}

// lookupUnbounded is lookup where integers are unbounded. Where the part is its own operator of integers
// that wrap, that is the answer: it assumes less.
func (m attempt) lookupUnbounded(p *tuple.Part) *Group {
	g := m.lookup(p)
	if g != nil && g.Assumes&overflow.Flags != 0 && !m.opts.onlyOverflow {
		if wraps := m.under(wrapping).ifDirect(p); wraps != nil {
			return wraps
		}
	}
	return g
}

// lookupOrDirect finds an operator of the table, if it can one that lets integers wrap, or takes
// the part for its own operator.
func (m attempt) lookupOrDirect(p *tuple.Part) *Group {
	g := m.under(wrapping).lookup(p)
	if g == nil && m.overflowMatters(p) {
		g = m.under(unbounded).lookup(p)
	}
	if g == nil {
		g = m.under(anything).ifDirect(p)
	}
	return g
}

// ifDirect runs the stage direct if Options switch it on.
func (m attempt) ifDirect(p *tuple.Part) *Group {
	if m.opts.Matchers&Direct == 0 || m.opts.Study.WithoutStage("direct") || m.over() {
		return nil
	}
	return m.direct(p)
}

// groups are sets of components that have an operator.
type groups []*Group

// of returns the group of a set; nil where there is none.
func (gs groups) of(set []int) *Group {
	for _, g := range gs {
		if slices.Equal(g.Components, set) {
			return g
		}
	}
	return nil
}

// groups tries to find an operator for each set; failed lists the sets that have none.
func (m *matcher) groups(sets [][]int) (found groups, failed [][]int) {
	found = make(groups, 0, len(sets))
	for _, set := range sets {
		if g := m.group(set); g != nil {
			found = append(found, g)
		} else {
			failed = append(failed, set)
			if m.over() {
				break
			}
		}
	}
	return found, failed
}

// useless returns the assumptions that an answer about a part must not use, because it can do without.
// Where steps only choose among floats, field identities have nothing to reorder. An answer that
// needs them computes and rounds where the serial loop does not, and gives NaN for 0·∞:
// (x0 - k)*(y0 - k) + k, with y0 = k + 1, would serve for "keep x0". And a promise about the overflow of
// integers that there are none of promises nothing.
func useless(p *tuple.Part) (none ir.Assume) {
	types := ir.TypesIn(p.Values)
	if types&ir.SignedTypes == 0 {
		none |= ir.NSW
	}
	if types&ir.UnsignedTypes == 0 {
		none |= ir.NUW
	}
	computes := false
	ir.Walk(p.Values, func(e ir.Expr) {
		switch e.Op() {
		case ir.Var, ir.Min, ir.Max, ir.Select:
		default:
			computes = computes || e.Type().IsFloat() && e.States() != 0
		}
	})
	if !computes {
		none |= ir.Reassoc
	}
	return none
}

func hasFloat(es []ir.Expr) bool { return ir.TypesIn(es)&ir.FloatTypes != 0 }

// StageNames returns the names of the stages that experiments may leave out: the rows of the pipeline and of its lookups, and the
// stages for the whole tuple. Lifts are not among them, since experiments leave out families of lifts one by one.
func StageNames() (names []string) {
	for _, table := range [][]stage{lookups, pipeline} {
		for _, s := range table {
			names = append(names, s.name)
		}
	}
	return append(names, "regroup", "inferred", "stages")
}

// Constructions lists the stages that put operators together instead of looking them up.
func Constructions() []string {
	return []string{"adjoined", "keyed", "positional given", "inserted", "counted", "weighted", "conjugate", "positional", "built", "built unbounded", "built given"}
}

// FamilyNames lists the families of lifts, by which experiments leave them out.
func FamilyNames() []string { return combine.Names() }
