package rfactor

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/study"
)

// DefaultEffort is the effort of Options that name none: what a 2-core x86-64 server does in 100 ms.
const DefaultEffort = 100

// MaxEffort is the largest effort: ten minutes of such a server.
const MaxEffort = 600_000

// unitOfEffort is what Options.Effort counts, in the nanoseconds of package effort.
const unitOfEffort = effort.Unit

// phase is a part of a match for which effort is reserved, so that earlier phases cannot use up all of it.
type phase uint8

const (
	sweeping  phase = iota // and matching what that leaves
	lifting                // operators on parameters of steps
	staging                // scans before a reduction
	reasoning              // why there is no answer
	numPhases
)

// shares lists one part in how many of the effort is kept for a phase.
var shares = [numPhases]int64{sweeping: 12, lifting: 6, staging: 48, reasoning: 12}

// tidyShare sets how much effort simplifying an answer may take: an eighth of the whole, which is not charged to the match, so
// that what is found does not depend on how it is printed.
const tidyShare = 8

// slackShare sets how much more than its effort a match may spend, in one part of it: a step that has begun is finished, and one that
// takes more than that ends the phase of the match.
const slackShare = 10

// budget holds the effort that a match may spend, and the effort that it has spent.
type budget struct {
	meter  effort.Meter
	total  int64            // of the meter at the start
	slack  int64            // by how much it may be exceeded
	kept   [numPhases]int64 // what is kept for each phase that has not begun
	proof  int64            // the bound of one proof
	during []int            // the components whose operator is looked for now; liftsOpen, or nil for none
	open   []int            // what that was when effort ended; nil where it did not
	tidy   int64            // what simplifying may still spend …
	tidied int64            // … and has spent, which is no part of the effort that the search has
}

// start makes a budget of so many nanoseconds of the reference machine, which another budget pays for; nil where none does.
func (b *budget) start(ns int64, payer *budget) {
	*b = budget{total: ns, slack: ns / slackShare, proof: ns / 2, tidy: ns / tidyShare}
	if payer != nil {
		b.slack = min(payer.slack, payer.meter.Room()-ns)
	}
	b.meter.Start(ns)
	for p, n := range shares {
		b.kept[p] = ns / n
		b.meter.Hold(b.kept[p])
	}
}

// begin releases the effort that is reserved for a phase, and for those before it.
func (b *budget) begin(p phase) {
	for i := range p + 1 {
		b.skip(i)
	}
}

// skip releases the effort that is reserved for a phase that will not run.
func (b *budget) skip(p phase) {
	b.meter.Hold(-b.kept[p])
	b.kept[p] = 0
}

// tidying limits the work that follows to 1/n of the effort for simplifying, until end is called.
func (b *budget) tidying(n int64) (end func()) {
	meter, proof, open := b.meter, b.proof, b.open
	b.meter.Start(b.tidy / n)
	b.meter.Bound(max(1, b.slack))
	b.proof = b.tidy / n
	return func() {
		spent := b.meter
		b.tidy = max(0, b.tidy-spent.Total())
		b.meter, b.proof, b.open = meter, proof, open
		b.charge(&spent, spent.Total())
	}
}

// charge charges the effort that another meter spent, of which tidied nanoseconds went into simplifying.
func (b *budget) charge(spent *effort.Meter, tidied int64) {
	b.meter.Charge(spent)
	b.meter.Hold(-tidied)
	b.tidied += tidied
}

// held returns what is taken out of the budget now, and not for phases.
func (b *budget) held() int64 {
	all := b.total + b.tidied
	for _, kept := range b.kept {
		all -= kept
	}
	return all - b.meter.Total() - b.meter.Room() + b.slack
}

// payTerms charges for expressions that were made.
func (b *budget) payTerms(n int) { b.meter.Spend(effort.Terms, n) }

// whole calls f and returns what it does, or false where f spends so much more than its effort that the meter ends it. The answer is
// then what it was before, and the workspace is a new one, since f left the old one half done.
func (m *matcher) whole(f func() bool) (ok bool) {
	at, answer, proof, held := m.answer, *m.answer, m.proof, m.held()
	if effort.Within(func() { ok = f() }) {
		return ok
	}
	m.meter.Bound(max(1, m.slack))
	m.meter.Hold(held - m.held())
	m.answer, *at, m.proof, m.lemmasAssume = at, answer, proof, 0
	m.furnish()
	if m.open == nil {
		m.open = m.during
	}
	return false
}

// over reports whether the search for an answer has to end: the context ended, or the effort of this
// phase is used up.
func (m *matcher) over() bool {
	m.pool.Settle()
	if m.meter.Done() {
		if m.open == nil {
			m.open = m.during
		}
		return true
	}
	return m.ctx.Err() != nil
}

// limit lets a proof take one part in n of the effort that is left, so that others are tried where
// it fails.
func (m *matcher) limit(n int64) {
	m.pool.Settle()
	m.proof = max(1, m.meter.Left()/n)
}

// consider charges for n things that are looked at: operators, assignments of roles, groupings.
func (m *matcher) consider(n int) { m.meter.Spend(effort.Candidates, n) }

// within returns options for a match that this one starts. That match may spend 1/n of the effort that is left, and its effort is
// charged to this match.
func (m *matcher) within(opts Options, n int64) Options {
	m.pool.Settle()
	opts.share, opts.payer = max(1, m.meter.Left()/n), &m.budget
	return opts
}

// watch begins to time a stage where an experiment watches; done ends it, and says whether the stage found
// something.
func (m *matcher) watch(stage string) (done func(found bool)) {
	if m.opts.Study == nil || m.opts.Study.Watch == nil {
		return unwatched
	}
	start, spent := time.Now(), m.meter.Total()
	return func(found bool) {
		w := m.opts.Study.Watch
		w.Stages = append(w.Stages, study.Stage{Name: stage, Found: found, Part: m.opts.payer != nil, Time: time.Since(start), Effort: float64(m.meter.Total()-spent) / unitOfEffort})
	}
}

func unwatched(bool) {}

// liftsOpen says that lifts are looked for.
var liftsOpen = []int{}

// refuseForEffort completes a refusal that more effort may turn into an answer.
func (m *matcher) refuseForEffort() {
	if m.open == nil {
		return
	}
	what := "lifts were"
	if len(m.open) > 0 {
		what = fmt.Sprintf("operators of components %v were", m.open)
	}
	m.answer.Code = NeedsEffort
	m.answer.Reason = fmt.Sprintf("an effort of %d ended while %s looked for, and a higher -effort may answer; %s", m.opts.Effort, what, m.answer.Reason)
}

// sharedLimit returns the bound of a proof that matches share, in nanoseconds: what is left, rounded down to
// three binary digits, so that matches which have about as much left share the proof.
func (m *matcher) sharedLimit() int64 {
	left := max(1, m.meter.Left())
	digits := max(0, bits.Len64(uint64(left))-3)
	return left >> digits << digits
}
