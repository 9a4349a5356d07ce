package rfactor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/overflow"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Matchers is a set of ways to find an operator.
type Matchers uint8

// The ways, from cheap to complete. Greedy is the baseline of experiments: the same table
// matched after a greedy simplifier, without saturation.
const (
	EGraph Matchers = 1 << iota
	Probe
	Direct
	Greedy
	Lifting // on parameters of step functions instead of the state
)

// AllMatchers is what Match uses unless told otherwise.
const AllMatchers = EGraph | Probe | Direct | Lifting

// Options say what a match may rely on.
type Options struct {
	Name     string               // of the function, for the answer
	Allowed  ir.Assume            // the assumptions that may be used
	Matchers Matchers             // zero means AllMatchers
	Solver   *prove.SolverProcess // a last resort for equations; nil for none
	Describe bool                 // proofs by cases say in words what the cases are; see proof.Tree.Cond

	// onlyOverflow says that nothing but assumptions on overflow was not tried before.
	onlyOverflow bool
	// onlyGiven says that what does not use what is given was tried before.
	onlyGiven bool
	// left is what is left of the work on proofs of the match that asks; zero means maxProofs.
	left int
}

// Match finds the associative operator behind an update. A refusal is an answer with its
// status and reason; an error means that the context ended the match, that the update is
// not well formed (too large; a component without a value of its type; a state that is no
// component), or that it reads its own result elsewhere than it writes it. It only reads the
// update, so that several goroutines may match one.
func Match(ctx context.Context, u *ir.Update, opts Options) (*Answer, error) {
	start := time.Now()
	if opts.Matchers == 0 {
		opts.Matchers = AllMatchers
	}
	m := matchers.Get().(*matcher)
	defer matchers.Put(m)
	if err := m.start(ctx, u, opts); err != nil {
		return nil, err
	}
	m.run(u)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.answer.Elapsed = time.Since(start)
	return m.answer, nil
}

// matcher is the reusable workspace of a match.
type matcher struct {
	allowed      ir.Assume // what the present attempt may assume
	ctx          context.Context
	opts         Options
	pool         *ir.Pool
	session      *canon.Session
	classes      []egraph.Class // of the part that the session has
	problems     []proof.Problem
	prover       *prove.Prover
	answer       *Answer
	names        names
	renamed      func(ir.Expr) ir.Expr // rename
	nonNeg       []ir.Expr             // variables of the answer's pool that are never negative
	given        []ir.Expr             // the same as conditions
	promised     []ir.Expr             // what is given of the update; see given.go
	state        []ir.Expr             // while it is used: of the part's state …
	inputs       []ir.Expr             // … and of inputs
	workspace    *sample.Workspace
	sample       *sample.Sample
	assigned     *sample.Sample // of an assignment of roles
	compiled     map[*probeEntry]*probeTapes
	together     map[*probeGroup]*probeTapes
	reserved     int // of the work on proofs: for what sweeping leaves
	probed       []*tuple.Part
	disagreement string // why groups were found that do not fit together, if so
	unproven     bool   // a part may be its own operator, for all that evaluation says
	nearLift     nearLift
	lemmasAssume ir.Assume // of the lemmas by which the update of a lift was simplified
}

var matchers = sync.Pool{New: func() any {
	w := &sample.Workspace{}
	m := &matcher{workspace: w, sample: sample.New(w), assigned: sample.New(w), session: canon.NewSession(), prover: prove.NewProver(), compiled: map[*probeEntry]*probeTapes{}, together: map[*probeGroup]*probeTapes{}}
	m.renamed = m.rename
	return m
}}

// errTooLarge names the limit on updates.
var errTooLarge = errors.New("rfactor: the update has more than 100,000 operators")

// Bounds of the work on proofs, as prove.Prover counts it: of one, and of all of a match. The
// hardest that succeeds takes 0.5 million steps over the corpora, 3.9 million over scrambled and
// drawn operators, and 6 million of the laws of lifts; a hundred attempts that fail would go on for
// seconds. (A million steps are some 20 ms.)
const (
	maxProof  = 12_000_000
	maxProofs = 24_000_000
	maxLemma  = 400_000 // of a lemma, whose terms are simple already
)

// maxSize is the largest tree of an update, in nodes.
const maxSize = 100_000

func (m *matcher) start(ctx context.Context, u *ir.Update, opts Options) error {
	m.ctx, m.opts, m.disagreement, m.unproven, m.nearLift, m.probed = ctx, opts, "", false, nearLift{}, m.probed[:0]
	m.allowed, m.lemmasAssume = opts.Allowed, 0
	left := cmp.Or(opts.left, maxProofs)
	m.reserved = left / 3
	m.prover.Limit, m.prover.Left, m.prover.Describe = maxProof, left-m.reserved, opts.Describe
	m.workspace.Rows.GiveBack(0)
	if err := wellFormed(u); err != nil {
		return err
	}
	return m.abstract(u)
}

// wellFormed says what is wrong with an update that a program put together.
func wellFormed(u *ir.Update) error {
	if u == nil || len(u.Types) == 0 || len(u.Types) != len(u.Values) {
		return errors.New("rfactor: the update needs components, and a value for each")
	}
	size := 0
	for i, v := range u.Values {
		if !v.IsValid() || v.Type() != u.Types[i] || v.Pool() != u.Pool {
			return fmt.Errorf("rfactor: component %d of the update has no value of type %s in the update's pool", i, u.Types[i])
		}
		size += v.Size()
	}
	for _, g := range u.Given {
		if !g.IsValid() || g.Type() != ir.Bool || g.Pool() != u.Pool {
			return errors.New("rfactor: what is given of the update is no condition in its pool")
		}
	}
	if size > maxSize {
		return errTooLarge
	}
	var stray ir.Expr
	look := func(e ir.Expr) {
		if e.Op() == ir.Var && e.Kind() == ir.State && (e.Index() >= len(u.Types) || e.Type() != u.Types[e.Index()]) {
			stray = e
		}
	}
	ir.Walk(u.Values, look)
	ir.Walk(u.Given, look)
	if stray.IsValid() {
		return fmt.Errorf("rfactor: the update reads %s of type %s, which is none of its components", stray, stray.Type())
	}
	return nil
}

// run fills in the answer: groups for the smallest closed sets of components, or for
// unions of them, merged.
func (m *matcher) run(u *ir.Update) {
	a := m.answer
	sets := tuple.ClosedSets(a.Update)
	found, failed := m.groups(sets)
	all := found
	if len(failed) > 0 && m.ctx.Err() == nil {
		all = m.regroup(sets, slices.Clone(found), failed)
	}
	if all != nil && m.merge(all) {
		return
	}
	inferred := m.inferred(u)
	if inferred != nil && inferred.Assumes&(ir.NSW|ir.NUW) == 0 {
		m.answer = inferred
		return
	}
	lifted := m.lift(sets, found)
	switch {
	case inferred != nil && !(lifted && m.answer.Assumes&(ir.NSW|ir.NUW) == 0): // parameters cost more
		m.answer = inferred
	case !lifted:
		m.refuse()
	}
}

// groups are sets of components that have an operator.
type groups []*Group

// of is the group of a set; nil where there is none.
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
			if m.ctx.Err() != nil {
				break
			}
		}
	}
	return found, failed
}

// stages are the ways to find the operator of a group, from cheap to complete. Those that
// are exact are tried without assumptions on overflow first.
var stages = []struct {
	matcher Matchers
	find    func(*matcher, *tuple.Part) *Group
}{
	{AllMatchers | Greedy, (*matcher).keep},
	{Greedy, (*matcher).matchGreedy},
	{EGraph, (*matcher).saturate},
	{EGraph, (*matcher).tidied},
	{EGraph, (*matcher).signs},
	{Probe, (*matcher).probe},
}

// group finds the operator of a closed set of components: one that needs no assumption on
// overflow, if it can.
func (m *matcher) group(set []int) *Group {
	p := m.restrict(set)
	all := m.opts.Allowed
	defer m.allow(all)
	m.allow(all &^ useless(p))
	if m.opts.onlyGiven {
		return m.described(p, m.groupGiven(p))
	}
	var g *Group
	if !m.opts.onlyOverflow || hasFloat(p.Values) {
		g = m.find(p, m.opts.Allowed&^(ir.NSW|ir.NUW))
	}
	if g == nil && m.overflowMatters(p) {
		g = m.find(p, m.opts.Allowed)
	}
	if g == nil && m.opts.Matchers&Direct != 0 && m.ctx.Err() == nil {
		g = m.direct(p)
	}
	if g == nil && m.opts.Matchers&Direct != 0 && m.ctx.Err() == nil {
		g = m.adjoined(p)
	}
	if g == nil && m.opts.Matchers&Greedy == 0 {
		g = m.groupSwept(p, m.opts.Allowed&^overflow.Flags, all)
	}
	if g == nil && m.opts.Matchers&Greedy == 0 && m.overflowMatters(p) {
		g = m.groupSwept(p, m.opts.Allowed, all)
	}
	if g == nil && m.opts.Matchers&Greedy == 0 {
		g = m.reordered(p)
	}
	if g == nil && len(m.promised) > 0 {
		g = m.groupGiven(p)
	}
	return m.described(p, g)
}

// described notes in a group what part of the update it is about.
func (m *matcher) described(p *tuple.Part, g *Group) *Group {
	if g != nil {
		g.Components, g.Update = p.Set, p.Values
	}
	return g
}

// find tries the stages in order under some of the assumptions that are allowed.
func (m *matcher) find(p *tuple.Part, allowed ir.Assume) *Group {
	m.allowed = allowed
	for _, s := range stages {
		if m.opts.Matchers&s.matcher == 0 {
			continue
		}
		if m.ctx.Err() != nil {
			return nil
		}
		if g := s.find(m, p); g != nil {
			return g
		}
	}
	m.allowed = m.opts.Allowed
	return nil
}

// overflowMatters reports whether the part computes with integers that are allowed to be
// taken as unbounded.
func (m *matcher) overflowMatters(p *tuple.Part) bool {
	return m.opts.Allowed.AnyUnbounded(ir.TypesIn(p.Values))
}

// allow sets what may be assumed.
func (m *matcher) allow(assume ir.Assume) { m.opts.Allowed, m.allowed = assume, assume }

// useless is what an answer about a part need not assume, and therefore may not. Where no float is
// computed of the state, only chosen, there is nothing that field identities could reorder; an
// answer that needs them computes and rounds where the serial loop does not, and gives NaN for
// 0·∞: (x0 - k)*(y0 - k) + k, with y0 = k + 1, would do for "keep x0".
func useless(p *tuple.Part) ir.Assume {
	computes := false
	ir.Walk(p.Values, func(e ir.Expr) {
		switch e.Op() {
		case ir.Var, ir.Min, ir.Max, ir.Select:
		default:
			computes = computes || e.Type().IsFloat() && e.States() != 0
		}
	})
	if computes {
		return 0
	}
	return ir.Reassoc
}

func hasFloat(es []ir.Expr) bool { return ir.TypesIn(es)&ir.FloatTypes != 0 }

// restrict returns the part of the update that a closed set of its components is.
func (m *matcher) restrict(set []int) *tuple.Part {
	return tuple.Restrict(m.pool, m.answer.Types, m.answer.Update, set)
}
