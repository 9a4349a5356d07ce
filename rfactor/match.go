package rfactor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/prove/smt"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/construct"
	"github.com/rfactor-go/rfactor/rfactor/internal/find"
	"github.com/rfactor-go/rfactor/rfactor/internal/sample"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Matchers is a set of ways to find an operator.
type Matchers uint8

// The ways, from cheap to complete. Exact, Commuted and Greedy are baselines for experiments and no
// part of AllMatchers. Without saturation they match the same table: Exact against the update as it
// stands, Commuted up to the order of operands, Greedy after a greedy simplifier.
const (
	EGraph Matchers = 1 << iota
	Probe
	Direct
	Greedy
	Lifting // finds operators on parameters of step functions instead of the state
	Exact
	Commuted
)

// baselines are what saturation is compared with.
const baselines = Exact | Commuted | Greedy

// AllMatchers is the set that Match uses where Options name none.
const AllMatchers = EGraph | Probe | Direct | Lifting

// Options say what a match may rely on, and how long it may look. The zero Options are ready for use:
// integers wrap and floats are those of the machine, since no assumption is allowed; all matchers, DefaultEffort,
// the embedded operators alone, no solver. Tools of this module allow [ir.DefaultAssumptions] where their user
// says nothing, because few float reductions have an operator without reassoc.
//
// Effort alone bounds the work. A match that its context ends returns the error of the context, which
// [errors.Is] finds, and no answer.
type Options struct {
	Name     string      // of the function, for the answer
	Allowed  ir.Assume   // the assumptions that may be used; zero, and no other value, allows none
	Matchers Matchers    // zero means AllMatchers
	Solver   *smt.Solver // a last resort for equations; nil for none
	Describe bool        // proofs by cases say in words what the cases are; see proof.Tree.Cond

	// Effort bounds the work of the match, counted in what a 2-core x86-64 server does in a
	// millisecond: nothing reads a clock, and every machine gives the same answers. Zero, or less,
	// means DefaultEffort, and more than MaxEffort means that. Where it ended a match the refusal has the code NeedsEffort.
	Effort int

	// Named has the assumptions of Allowed that the user asked for by name, and not in a set: see the function Named. Only these may
	// contradict what the update asks, as nnan does where it asks whether its state is NaN, and only a Reassoc of these answers a sum
	// that compensates for rounding as a plain sum, which is otherwise refused with the code LosesCompensation.
	Named ir.Assume

	// Visible says that assumptions on floats are about terms without state, too: the inputs are operands of the user, as those of
	// package check are, or states of earlier stages. Otherwise such terms are computed as the update has them.
	Visible bool

	// Unexplained leaves out the search for the reason of a refusal and for a hint. Every refusal then has the code NoOperator.
	Unexplained bool

	// Table has operators beside those of the embedded tables; nil for none. One that [pattern.Alone] gives
	// is the only operator that is looked for, by EGraph and Probe and whatever Matchers are.
	Table *pattern.Own

	// Rules are rewrite rules beside those of package rules, which saturation runs; nil for none.
	Rules *Rules // see ReadRules

	// Study is for the experiments of this module: what the search does without, and what is watched
	// of it; nil for nothing.
	Study *study.Setup

	// onlyOverflow says that an earlier match tried everything except assumptions on overflow.
	onlyOverflow bool
	// outline says that the caller reads only Assumes and Given of the answer, so that simplifying it is left out.
	outline bool
	// onlyGiven says that an earlier match tried everything that ignores Given.
	onlyGiven bool
	// inferring says that what is given is known to hold of the initial value.
	inferring bool
	// trial says that the reason of a refusal is not asked for.
	trial bool
	// share bounds what this match may spend of the effort of the match that asks, in nanoseconds; zero means Effort.
	share int64
	// payer is the budget of the match that asks; nil where none does.
	payer *budget
}

// Match finds the associative operator behind an update and proves it. Look at the answer's Status
// first: a refusal is an answer with a code and a reason, not an error.
//
// An error means that the context is nil or ended the match; that the update is not well formed (nil
// or too large; a component without a value of its type; a state that is no component); or that the
// update reads its own result at other arguments than it writes it at.
//
// Match does not panic, for one loop is no reason to end a compiler: where an invariant of this module is broken, the
// error is an [InternalError], whose text has the word "internal" and where that was. Please report it, with the update.
// Later matches are not affected.
//
// Match only reads the update and its pool, so that several goroutines may match updates of one pool, or one
// update, at once. The first update of an
// operator in a process takes longest, because the operator is proven once; see BENCHMARKS.md.
func Match(ctx context.Context, u *ir.Update, opts Options) (*Answer, error) {
	if opts.payer != nil { // the match that asked is guarded
		return matchUnguarded(ctx, u, opts)
	}
	var a *Answer
	err := guarded(func() (err error) {
		a, err = matchUnguarded(ctx, u, opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// An InternalError is a broken invariant of this module: the error of a call that met one.
type InternalError = guard.Error

// guarded calls f, and makes a panic an error.
func guarded(f func() error) error {
	err := guard.Call(f)
	if _, broken := err.(*InternalError); broken {
		return fmt.Errorf("rfactor: %w", err)
	}
	return err
}

// matchUnguarded is Match, which may panic.
func matchUnguarded(ctx context.Context, u *ir.Update, opts Options) (*Answer, error) {
	start := time.Now()
	if ctx == nil {
		return nil, errors.New("rfactor: Match needs a context")
	}
	if opts.Matchers == 0 {
		opts.Matchers = AllMatchers
	}
	opts.Allowed &^= ir.Contract // which is about emitted code
	if opts.Table.IsAlone() {
		opts.Matchers, opts.Study = EGraph|Probe, &study.Setup{Stages: map[string]bool{"keep": true}}
	}
	m := matchers.Get().(*matcher)
	a, err := m.match(ctx, u, opts)
	m.end() // not deferred: a workspace that panicked is not used again
	if err != nil {
		return nil, err
	}
	a.Elapsed = time.Since(start)
	return a, nil
}

// match matches an update in this workspace.
func (m *matcher) match(ctx context.Context, u *ir.Update, opts Options) (*Answer, error) {
	if err := m.start(ctx, u, opts); err != nil {
		return nil, err
	}
	m.meter.Bound(max(1, m.slack))
	m.narrow = u.Narrow
	if !m.whole(func() bool { m.run(u); return true }) {
		m.refuseAtOnce()
	}
	for _, f := range []func(){m.refuseUncompensated, m.remark, m.remarkAnswered, m.remarkRules, func() { m.assumeLess(u) }, func() { m.noteFewer(u) }} {
		m.whole(func() bool { f(); return true })
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.meter.Bound(0) // what is left to do is little
	m.pool.Settle()
	m.answer.Keep, m.answer.Ended, m.answer.Placed = u.Keep, u.Ended, u.Placed
	m.answer.Effort = float64(m.meter.Total()) / unitOfEffort
	m.answer.allowance = int64(m.opts.Effort) * unitOfEffort
	if m.opts.payer == nil {
		return m.answer.withTerms(), nil
	}
	return m.answer, nil
}

// end charges the match that asked, tells an experiment what was spent, and gives the workspace back.
func (m *matcher) end() {
	if s := m.opts.Study; s != nil && s.Watch != nil && m.opts.payer == nil {
		s.Watch.Spent = m.meter
	}
	if payer := m.opts.payer; payer != nil {
		payer.charge(&m.meter, m.tidied)
		if m.open != nil && payer.open == nil {
			payer.open = payer.during
		}
	}
	m.pool.Charge(nil)
	m.points = testpoint.Evaluator{Meter: &m.meter}
	matchers.Put(m)
}

// matcher is the reusable workspace of a match.
type matcher struct {
	ctx      context.Context
	opts     Options
	pool     *ir.Pool
	problems []proof.Problem
	prover   *prove.Prover
	points   testpoint.Evaluator // whose memory is of one match
	budget
	tried        tried
	answer       *Answer
	names        names
	narrow       string                // of the update
	renamed      func(ir.Expr) ir.Expr // rename
	reads        map[ir.Expr]ir.Expr   // of the function itself, which are components of the state; nil where all have the form of the left side
	nonNeg       []ir.Expr             // variables of the answer's pool that are never negative
	notNegative  []ir.Expr             // the same as conditions
	calls        []ir.Expr             // opaque ones in the update, as the source has them
	promised     []ir.Expr             // what is given of the update; see given.go
	initial      []ir.Expr             // of a program: what the components start with, or zero Exprs
	workspace    *find.Workspace
	inductive    *inductive // bounds that follow from that; nil until they are asked for
	buffers      construct.Buffers
	vacuity      *sample.Sample // of what an answer is compared with
	under        []ir.Expr      // scratch of simplest
	probed       []*tuple.Part  // by the table, which have values of the update itself
	disagreement string         // why groups were found that do not fit together, if so
	emptied      string         // the promises under which an answer was vacuous, if one was
	ungrouped    int            // how many sets without an operator hang together
	unproven     bool           // a part may be its own operator, for all that evaluation says
	nearLift     nearLift
	unrefuted    int        // how many reached states do not refute the update, where others may
	asked        ir.Assume  // what Options allow
	answered     []answered // by assumptions that are named
	lemmasAssume ir.Assume  // of the lemmas by which the update of a lift was simplified
}

var matchers = sync.Pool{New: func() any {
	m := &matcher{workspace: new(find.Workspace)}
	m.renamed = m.rename
	m.furnish()
	return m
}}

// furnish gives a matcher memory to work in, which its meter is charged for.
func (m *matcher) furnish() {
	w := m.workspace
	*w = *find.NewWorkspace()
	m.vacuity, m.prover, m.points = sample.New(w.Workspace), new(prove.Prover), testpoint.Evaluator{Meter: &m.meter}
	w.Session.Meter, w.Registers.Meter = &m.meter, &m.meter
	for _, s := range []*sample.Sample{w.Points, w.Roles, m.vacuity} {
		s.Tape.Charge(&m.meter)
	}
}

// MaxSize is the largest number of operators and leaves of an update, as often as they are written.
const MaxSize = 100_000

// errTooLarge names the limit on updates.
var errTooLarge = errors.New("rfactor: the update has more than 100,000 operators")

func (m *matcher) start(ctx context.Context, u *ir.Update, opts Options) error {
	m.ctx, m.opts, m.asked, m.disagreement, m.unproven, m.nearLift, m.probed = ctx, opts, opts.Allowed, "", false, nearLift{}, m.probed[:0]
	s := m.workspace.Session
	s.Study, s.Own, s.OwnApplied = opts.Study, opts.Rules.session(), nil
	m.lemmasAssume, m.emptied, m.unrefuted, m.ungrouped = 0, "", 0, 0
	if m.opts.Effort <= 0 {
		m.opts.Effort = DefaultEffort
	}
	m.opts.Effort = min(m.opts.Effort, MaxEffort)
	m.budget.start(cmp.Or(opts.share, int64(m.opts.Effort)*unitOfEffort), opts.payer)
	m.workspace.Rows.GiveBack(0)
	m.inductive = nil
	if err := wellFormed(u); err != nil {
		return err
	}
	if err := m.abstract(u); err != nil {
		return err
	}
	m.forgo()
	if !m.mayBeStaged() {
		m.skip(staging)
	}
	return m.startsAsGiven(u)
}

// proving returns options for a proof that may use assumptions, as few as suffice.
func (m *matcher) proving(allowed ir.Assume) prove.Options {
	return prove.Options{Allowed: allowed, Describe: m.opts.Describe, Limit: m.proof, Meter: &m.meter}
}

// exactly returns options for a proof under exactly some assumptions.
func (m *matcher) exactly(assume ir.Assume) prove.Options {
	o := m.proving(assume)
	o.Exactly = true
	return o
}

// wellFormed returns an error for an update that breaks a rule of ir.Update, and nil otherwise.
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
	for _, k := range u.Keep {
		if k.Component < 0 || k.Component >= len(u.Types) {
			return fmt.Errorf("rfactor: x%d is to be kept, and the components are x0 to x%d", k.Component, len(u.Types)-1)
		}
	}
	if size > MaxSize {
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

// restrict returns the part of the update that consists of a closed set of components.
func (m *matcher) restrict(set []int) *tuple.Part {
	return tuple.Restrict(m.pool, m.answer.Types, m.answer.Update, set)
}
