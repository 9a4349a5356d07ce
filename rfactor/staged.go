package rfactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// Where a tuple as a whole has neither an operator nor a lift, its strongly connected components often
// have:
//
//	x0 + y0; select(x0 + y0 > 9, 3*x1, x1 + 1)   →   scan x0 + y0, and read its prefixes as y1;
//	                                                 then reduce select(y1 > 9, 3*x1, x1 + 1)
//
// A stage is an update of its own. What it reads of earlier stages are inputs, since a scan gives all
// prefixes of those before the stage begins.

// Stage is one pass of a staged answer: some components of the tuple, with an operator or a lift where the
// values of earlier stages are inputs.
type Stage struct {
	Components []int   // ascending
	Reads      []Read  // in the order of the leaves
	Stores     []int   // the components whose prefixes later stages read: the stage is a scan of these
	Answer     *Answer // Associative or Lifted; its components are numbered 0, 1, …, in a pool of its own
}

// Read is an input of a stage that an earlier stage computes.
type Read struct {
	Leaf      ir.Expr // in the pool of the stage's answer
	Component int     // of the tuple
	After     bool    // the value after the step (an inclusive scan); else before it (an exclusive one)
}

// stages answers with scans and a reduction after them, in as few stages as it finds. It reports false where a
// strongly connected component has no answer of its own, which could only be scanned serially.
func (m *matcher) stages() bool {
	if !m.mayBeStaged() {
		return false
	}
	m.begin(staging)
	reach := tuple.Reachable(m.answer.Update)
	s := staged{m: m, reach: reach, init: m.initial}
	if s.run() {
		return true
	}
	s = staged{m: m, reach: reach, promised: m.promised}
	return len(m.promised) > 0 && s.run()
}

// run finds the stages, and fills in the answer. It reports false where there is none.
func (s *staged) run() bool {
	for s.done != 1<<len(s.m.answer.Types)-1 {
		stage := s.next()
		if stage == nil {
			return false
		}
		s.list = append(s.list, *stage)
		s.done |= tuple.MaskOf(stage.Components)
	}
	return s.answer()
}

// mayBeStaged reports whether stages are looked for: of a match that no other match asks for, whose tuple has
// several strongly connected components.
func (m *matcher) mayBeStaged() bool {
	return !m.opts.Study.WithoutStage("stages") && m.opts.payer == nil && m.opts.Matchers&Lifting != 0 && m.opts.Matchers&Greedy == 0 && tuple.IsLayered(m.answer.Update)
}

// staged gathers the stages of a tuple.
type staged struct {
	m        *matcher
	init     []ir.Expr // the initial value, of which stages may infer something; nil where they take …
	promised []ir.Expr // … what is promised of the tuple
	reach    []uint64  // the components that each depends on
	done     uint64    // those in stages
	list     []Stage
}

// next returns a stage of all components that can be answered in one pass now; nil where there are none.
func (s *staged) next() *Stage {
	all := uint64(1)<<len(s.reach) - 1
	var most, failed uint64
	var last, largest *Stage
	for _, c := range tuple.ByDependence(s.reach) {
		set := s.reach[c] &^ s.done
		if set == 0 || set&^most == 0 || set&failed != 0 {
			continue
		}
		if set == all { // which is refused
			break
		}
		stage := s.stage(set)
		if stage == nil {
			failed |= 1 << c
			continue
		}
		most |= set
		last = stage
		if largest == nil || len(stage.Components) > len(largest.Components) {
			largest = stage
		}
	}
	if last == nil || tuple.MaskOf(last.Components) == most {
		return last
	}
	if most != all {
		if stage := s.stage(most); stage != nil {
			return stage
		}
	}
	return largest
}

// stage answers the update of some components, given the values of those in earlier stages; nil where it
// has no answer. Values after the step are read where the update computes them, if that serves.
func (s *staged) stage(set uint64) *Stage {
	inclusive := s.readsOf(set, true)
	if stage := s.match(inclusive); stage != nil {
		return stage
	}
	if !slices.ContainsFunc(inclusive.reads, func(r Read) bool { return r.After }) {
		return nil
	}
	return s.match(s.readsOf(set, false))
}

// upper is the update of a stage over the states of the whole tuple. Components of earlier stages are inputs.
type upper struct {
	set    []int
	values []ir.Expr
	reads  []Read // with leaves of the match's pool
}

// readsOf returns the update of a set of components, in which inputs stand for the components of earlier stages. With inclusive,
// inputs also stand for their values after the step, wherever these occur as terms.
func (s *staged) readsOf(set uint64, inclusive bool) *upper {
	m, u := s.m, &upper{set: tuple.Members(set)}
	next := m.freshInput()
	read := func(component int, after bool) ir.Expr {
		for _, r := range u.reads {
			if r.Component == component && r.After == after {
				return r.Leaf
			}
		}
		v := m.pool.Y(next+len(u.reads), m.answer.Types[component])
		u.reads = append(u.reads, Read{Leaf: v, Component: component, After: after})
		return v
	}
	after := map[ir.Expr]int{}
	for _, j := range tuple.Members(s.done) {
		if e := m.answer.Update[j]; inclusive && e.NumArgs() > 0 && e.States() != 0 {
			if _, ok := after[e]; !ok {
				after[e] = j
			}
		}
	}
	u.values = m.pool.Map(tuple.Pick(m.answer.Update, u.set), func(e ir.Expr) ir.Expr {
		if j, ok := after[e]; ok {
			return read(j, true)
		}
		if e.Op() == ir.Var && e.Kind() == ir.State && s.done>>e.Index()&1 != 0 {
			return read(e.Index(), false)
		}
		return ir.Expr{}
	})
	return u
}

// freshInput returns a number that no input y_i has, nor any after it.
func (m *matcher) freshInput() (next int) {
	number := func(v ir.Expr) {
		if i, ok := numberOf(v, 'y'); ok {
			next = max(next, i+1)
		}
	}
	for _, l := range m.answer.Leaves {
		number(l.Var)
	}
	for _, t := range m.answer.terms {
		number(t.v)
	}
	return next
}

// match answers a stage; nil where it is refused.
func (s *staged) match(u *upper) *Stage {
	m := s.m
	if m.during = u.set; m.over() {
		return nil
	}
	part := tuple.Restrict(m.pool, m.answer.Types, s.spread(u), u.set)
	update := &ir.Update{Pool: m.pool, Types: part.Types, Values: part.Values, NonNeg: m.nonNeg, Given: s.given(u)}
	if s.init != nil {
		update.Init = tuple.Pick(s.init, u.set)
	}
	opts := m.opts
	opts.trial, opts.Visible = true, true
	opts.Name = fmt.Sprintf("%s.%d", m.answer.Name, len(s.list))
	b, err := Match(m.ctx, update, m.within(opts, 2))
	if err != nil || b.Operator == nil {
		return nil
	}
	stage := &Stage{Components: u.set, Answer: b}
	for _, t := range m.answer.terms {
		b.takeTerm(t, m.answer.Leaves)
	}
	for i := range b.Leaves {
		l := &b.Leaves[i]
		if j := slices.IndexFunc(m.answer.Leaves, func(o Leaf) bool { return o.Var.Name() == l.Var.Name() }); j >= 0 {
			l.Text, l.Source = m.answer.Leaves[j].Text, m.answer.Leaves[j].Source
			continue
		}
		j := slices.IndexFunc(u.reads, func(r Read) bool { return r.Leaf.Name() == l.Var.Name() })
		r := u.reads[j]
		stage.Reads = append(stage.Reads, Read{Leaf: l.Var, Component: r.Component, After: r.After})
		l.Text, l.Source = r.text(), ir.Expr{}
	}
	return stage
}

// text writes what is read: before[0] is component 0 before the step.
func (r Read) text() string {
	if r.After {
		return fmt.Sprintf("after[%d]", r.Component)
	}
	return fmt.Sprintf("before[%d]", r.Component)
}

// spread puts the values of a stage in their places of the whole tuple.
func (s *staged) spread(u *upper) []ir.Expr {
	values := slices.Clone(s.m.answer.Update)
	for j, i := range u.set {
		values[i] = u.values[j]
	}
	return values
}

// given returns the promised conditions that hold in a stage. A promise on the state also holds of the values before the step that the
// stage reads as inputs.
func (s *staged) given(u *upper) (out []ir.Expr) {
	m, own := s.m, tuple.MaskOf(u.set)
	for _, c := range s.promised {
		known := true
		c = tuple.MapStates(m.pool, []ir.Expr{c}, func(i int, t ir.Type) ir.Expr {
			if own>>i&1 != 0 {
				return m.pool.X(slices.Index(u.set, i), t)
			}
			for _, r := range u.reads {
				if r.Component == i && !r.After {
					return r.Leaf
				}
			}
			known = false
			return m.pool.X(i, t)
		})[0]
		if known {
			out = append(out, c)
		}
	}
	return out
}

// answer fills in the answer of the match. It reports false where the whole compensates for rounding
// and the stages assume that nothing is rounded.
func (s *staged) answer() bool {
	a, m := s.m.answer, s.m
	var assumes ir.Assume
	var given []ir.Expr
	var initial []ir.Expr
	for n := range s.list {
		stage := &s.list[n]
		assumes |= stage.Answer.Assumes
		for _, c := range stage.Answer.Given {
			if c = s.ofTuple(stage, c); !slices.Contains(given, c) {
				given = append(given, c)
			}
		}
		if len(stage.Answer.Initial) > 0 {
			initial = m.initial
		}
		for _, later := range s.list[n+1:] {
			for _, r := range later.Reads {
				if slices.Contains(stage.Components, r.Component) && !slices.Contains(stage.Stores, r.Component) {
					stage.Stores = append(stage.Stores, r.Component)
				}
			}
		}
		slices.Sort(stage.Stores)
	}
	if assumes.Has(ir.Reassoc) && !m.opts.Named.Has(ir.Reassoc) && compensation(a.Update, &m.meter).IsValid() {
		return false
	}
	if m.attempt(m.opts.Allowed).emptiedBy(m.restrict(tuple.Indices(len(a.Types))), assumes&overflow.Flags, given) {
		return false
	}
	a.Status, a.Stages, a.Assumes, a.Given, a.Initial = Staged, s.list, assumes, given, initial
	m.hintAtOnePass()
	return true
}

// hintAtOnePass says of a staged answer what would give one in a single pass.
func (m *matcher) hintAtOnePass() {
	m.begin(reasoning)
	m.during = nil
	one, _ := m.wouldMatchUnder()
	if one.reason == "" {
		one = m.wouldMatchWhile()
	}
	if one.reason != "" {
		m.answer.Hint = one.hint
		m.answer.Remarks = append(m.answer.Remarks, "in one pass it "+strings.TrimPrefix(one.reason, "it "))
	}
}

// ofTuple writes a condition on a stage as one on the whole tuple, in the pool of the match.
func (s *staged) ofTuple(stage *Stage, c ir.Expr) ir.Expr {
	pool := s.m.pool
	reads := map[string]ir.Expr{}
	for _, r := range stage.Reads {
		reads[r.Leaf.Name()] = pool.X(r.Component, r.Leaf.Type())
	}
	return pool.Map(pool.Import(c), func(e ir.Expr) ir.Expr {
		switch {
		case e.Op() != ir.Var:
		case e.Kind() == ir.State:
			return pool.X(stage.Components[e.Index()], e.Type())
		case reads[e.Name()].IsValid():
			return reads[e.Name()]
		}
		return ir.Expr{}
	})[0]
}

// Passes returns how many times a run of a staged answer reads the inputs: as often as the longest chain of stages is
// long of which each reads values of the one before. Stages that read nothing of one another share a pass.
// It is 1 for an answer with an operator or a lift, and 0 for a refusal.
func (a *Answer) Passes() (passes int) {
	if a.Operator != nil {
		return 1
	}
	after := map[int]int{} // component → the pass that computes it
	for _, s := range a.Stages {
		pass := 1
		for _, r := range s.Reads {
			pass = max(pass, after[r.Component]+1)
		}
		for _, i := range s.Components {
			after[i] = pass
		}
		passes = max(passes, pass)
	}
	return passes
}

// viaStages names how each stage was found.
func (a *Answer) viaStages() string {
	var vias []string
	for _, s := range a.Stages {
		vias = append(vias, s.Answer.Via())
	}
	return "staged:" + strings.Join(vias, " then ")
}
