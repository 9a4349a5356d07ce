package prove

import (
	"context"
	"fmt"
	"sync"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/internal/bits"
	"github.com/rfactor-go/rfactor/prove/internal/search"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/scaled"
	"github.com/rfactor-go/rfactor/verify/threshold"
)

// Status is the outcome of an attempt at a proof.
type Status uint8

const (
	Unknown Status = iota // neither proved nor refuted
	Proved                // holds for all values
	Refuted               // fails at some values
)

// String returns the status in words.
func (s Status) String() string { return [...]string{"unknown", "proved", "refuted"}[s] }

// Counterexample is a point at which the two sides of an equation differ.
type Counterexample = testpoint.Counterexample

// Theorem is the outcome of an attempt to prove several problems together.
type Theorem struct {
	Status  Status
	Assumes ir.Assume       // what the proofs rest on; of a refutation, what was granted in vain
	Proofs  []*proof.Tree   // one for each problem, in order; nil unless Proved
	Counter *Counterexample // nil unless Refuted
	Failed  int             // the first problem that was not proved; 0 of Proved
	Stopped bool            // the context ended the attempt, which is Unknown then
}

// Proof returns the proof of the first problem; nil unless Proved.
func (t Theorem) Proof() *proof.Tree {
	if len(t.Proofs) == 0 {
		return nil
	}
	return t.Proofs[0]
}

// Options say under which assumptions problems are to be proven, and at what cost. The zero
// Options allow no assumption and set no bound.
type Options struct {
	// Allowed lists the assumptions that proofs may rest on. As few are used as suffice,
	// the same for all problems.
	Allowed ir.Assume
	// Exactly proves under all of Allowed at once, rather than under as few as suffice.
	Exactly bool
	// ProveFirst tries proofs before evaluation where only one set of assumptions is to be
	// tried: that is faster where problems are likely to hold.
	ProveFirst bool
	// Thorough decides what a match cannot afford to: it evaluates both sides for all values where those
	// have few bits, and at many more points.
	Thorough bool
	// Effort says which methods are tried: Full, unless a caller needs less.
	Effort Effort
	// Describe writes conditions of cases in words as well. That costs time, and the
	// checker, which meets the same conditions, has no use for them.
	Describe bool
	// Limit bounds the work of each proof, as package effort counts it. Work is counted, not
	// timed: what is proven does not depend on how busy the machine is. 0 bounds nothing but
	// the size of a proof.
	Limit int64
	// Meter bounds the work of all proofs that share it, and is charged with it; nil bounds
	// nothing.
	Meter *effort.Meter
	// Tried has what became of the same problems before, if it was asked about them last, and notes
	// what becomes of them now; nil where they are proven once.
	Tried *Tried
}

// Effort is a set of methods that are tried.
type Effort uint8

const (
	Full      Effort = iota // cases, then the bits of both sides
	CasesOnly               // cases, nothing by bits
	Plain                   // cases that hold without sums of many inequalities: what an entry of a table may need
)

// Prove tries to prove all problems under one set of assumptions, or to refute one of them.
// Evaluation at test points goes first, for it is the cheapest way to fail. Where nothing is
// proven the theorem is that under all allowed assumptions. Prove panics where ctx is nil, a problem
// lacks a side, its sides have different types, what is given is no condition, or expressions
// are of several pools.
func Prove(ctx context.Context, problems []proof.Problem, o Options) Theorem {
	w := provers.Get().(*Prover)
	t := w.Prove(ctx, problems, o)
	provers.Put(w) // not deferred, as everywhere: a workspace that panicked is not used again
	return t
}

var provers = sync.Pool{New: func() any { return new(Prover) }}

// Prover is a workspace for many proofs: it keeps memory that Prove would have to find again.
// Its zero value is ready. It is not safe for concurrent use.
type Prover struct {
	search *search.Search
	bits   *bits.Decider
	points testpoint.Evaluator
	steps  []ir.Assume // scratch of Prove
}

// Prove does what the function Prove does, in the memory of w.
func (w *Prover) Prove(ctx context.Context, problems []proof.Problem, o Options) Theorem {
	mustBeWhole(ctx, problems)
	w.points.Meter = o.Meter
	if o.Exactly {
		return w.under(ctx, problems, o.Allowed, o)
	}
	var es, given []ir.Expr
	for _, p := range problems {
		es = append(es, p.Left, p.Right)
		given = append(given, p.Given...)
	}
	var t Theorem
	steps := climb(w.steps[:0], o.Allowed, given, es)
	w.steps = steps
	o.ProveFirst = o.ProveFirst && len(steps) == 1
	o.Tried.about(problems)
	for i, assume := range steps {
		tried, again := o.Tried.under(assume)
		if t = tried; !again {
			t = w.under(ctx, problems, assume, o)
			o.Tried.note(t)
		}
		if t.Status == Proved || t.Stopped {
			break
		}
		if i == 0 && len(steps) > 2 && !again { // what is refuted under all of them is so on every step
			if last := w.refuteAny(problems, steps[len(steps)-1]); last != nil {
				return *last
			}
		}
	}
	return t
}

// mustBeWhole panics where arguments of Prove are missing or do not fit together.
func mustBeWhole(ctx context.Context, problems []proof.Problem) {
	if ctx == nil {
		panic("prove: nil context")
	}
	for i, p := range problems {
		switch {
		case !p.Left.IsValid() || !p.Right.IsValid():
			panic(fmt.Sprintf("prove: problem %d lacks a side", i))
		case p.Left.Type() != p.Right.Type():
			panic(fmt.Sprintf("prove: problem %d equates %s and %s", i, p.Left.Type(), p.Right.Type()))
		case p.Left.Pool() != p.Right.Pool():
			panic(fmt.Sprintf("prove: problem %d has expressions of two pools", i))
		}
		for _, g := range p.Given {
			switch {
			case !g.IsValid() || g.Type() != ir.Bool:
				panic(fmt.Sprintf("prove: problem %d is given %s, not a condition", i, typeText(g)))
			case g.Pool() != p.Left.Pool():
				panic(fmt.Sprintf("prove: problem %d has expressions of two pools", i))
			}
		}
	}
}

func typeText(e ir.Expr) string {
	if !e.IsValid() {
		return "no expression"
	}
	return "an " + e.Type().String()
}

// under tries to prove all problems under exactly the given assumptions.
func (w *Prover) under(ctx context.Context, ps []proof.Problem, assume ir.Assume, o Options) Theorem {
	if o.Meter.Done() {
		return Theorem{Assumes: assume}
	}
	if o.ProveFirst {
		t := w.proveAll(ctx, ps, assume, o)
		if t.Status == Unknown && !t.Stopped {
			if refuted := w.refuteAny(ps, assume); refuted != nil {
				return *refuted
			}
		}
		return t
	}
	if refuted := w.refuteAny(ps, assume); refuted != nil {
		return *refuted
	}
	return w.proveAll(ctx, ps, assume, o)
}

// refuteAny evaluates the problems until one is refuted; nil where none is.
func (w *Prover) refuteAny(ps []proof.Problem, assume ir.Assume) *Theorem {
	for i, p := range ps {
		if p.Left == p.Right {
			continue
		}
		if c := w.points.Refute(p, assume); c != nil {
			return &Theorem{Status: Refuted, Assumes: assume, Counter: c, Failed: i}
		}
	}
	return nil
}

// proveAll proves problems without evaluating them first.
func (w *Prover) proveAll(ctx context.Context, ps []proof.Problem, assume ir.Assume, o Options) Theorem {
	t := Theorem{Status: Proved, Assumes: assume, Proofs: make([]*proof.Tree, 0, len(ps))}
	for i, p := range ps {
		tree, a := w.proveOne(ctx, p, assume, o)
		if tree == nil {
			a.Assumes, a.Failed = assume, i
			return a
		}
		t.Proofs = append(t.Proofs, tree)
	}
	return t
}

// proveOne searches a proof by cases and, where there is none, by bits. Where it finds none the tree is
// nil, and the theorem says why.
func (w *Prover) proveOne(ctx context.Context, p proof.Problem, assume ir.Assume, o Options) (*proof.Tree, Theorem) {
	if w.search == nil {
		w.search, w.bits = search.New(), bits.New()
	}
	if t := w.byChoices(ctx, p, assume, o); t != nil {
		return t, Theorem{}
	}
	if p.Left.Type().IsFloat() {
		if t := ByScaling(p, assume, o); t != nil {
			return t, Theorem{}
		}
	}
	if t := byThresholds(p, assume, o); t != nil {
		return t, Theorem{}
	}
	if t := w.byIntegers(ctx, p, assume, o); t != nil {
		return t, Theorem{}
	}
	r := w.search.Prove(ctx, p, assume, search.Options{Limit: effort.Cases.Items(o.limit()), Describe: o.Describe, Plain: o.Effort == Plain})
	o.Meter.Spend(effort.Cases, r.Work)
	switch {
	case r.Stopped:
		return nil, Theorem{Stopped: true}
	case r.Tree == nil && assume&(ir.NSW|ir.NUW) == 0 && p.Left.IsClosed() && p.Right.IsClosed():
		return w.byValues(p)
	case r.Tree == nil:
		return w.byBits(ctx, p, assume, o)
	case mayFail(p, assume, r.Tree):
		if _, err := certify(p, assume, r.Tree, o.limit(), o.Meter); err != nil {
			return nil, Theorem{}
		}
	}
	return r.Tree, Theorem{}
}

// fewChoices is how many selects both sides have at least where they may be unknown numbers: cases of fewer are few.
const fewChoices = 4

// ByChoices proves an equation under exactly the allowed assumptions as one in which selects are unknown numbers; it returns nil where it does not.
// The tables of a step are then no cases: of three tables of 16 entries in one equation there would be 4,096.
func (w *Prover) ByChoices(ctx context.Context, p proof.Problem, o Options) *proof.Tree {
	if w.search == nil {
		w.search, w.bits = search.New(), bits.New()
	}
	return w.byChoices(ctx, p, o.Allowed, o)
}

func (w *Prover) byChoices(ctx context.Context, p proof.Problem, assume ir.Assume, o Options) *proof.Tree {
	if p.Left == p.Right || !sharesChoices(p) {
		return nil
	}
	r := w.search.Prove(ctx, p, assume, search.Options{Limit: effort.Cases.Items(o.limit()), Describe: o.Describe, Choices: true})
	o.Meter.Spend(effort.Cases, r.Work)
	return r.Tree
}

// sharesChoices reports whether at least fewChoices selects occur on both sides of an equation.
func sharesChoices(p proof.Problem) bool {
	left, both := map[ir.Expr]bool{}, 0
	ir.Walk([]ir.Expr{p.Left}, func(e ir.Expr) { left[e] = e.Op() == ir.Select })
	ir.Walk([]ir.Expr{p.Right}, func(e ir.Expr) {
		if left[e] {
			both++
		}
	})
	return both >= fewChoices
}

// ByScaling proves that both sides of an equation are the same extremum of products, for each combination of the signs of factors; it returns nil
// where it does not.
func ByScaling(p proof.Problem, assume ir.Assume, o Options) *proof.Tree {
	scales := false
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
		scales = scales || e.Op() == ir.Mul && (hasExtremum(e.Arg(0)) || hasExtremum(e.Arg(1)))
	})
	if !scales || p.Left == p.Right || !scaled.Reads(p.Left.Type(), assume) {
		return nil
	}
	const item = 8 // steps, each of which takes a fraction of what one of a proof by cases does
	given := item * min(effort.Cases.Items(o.limit())/4, 1<<16)
	fuel := given
	err := scaled.Equal(&fuel, p, assume)
	o.Meter.Spend(effort.Cases, (given-fuel)/item)
	if err != nil {
		return nil
	}
	return &proof.Tree{Kind: proof.Scaled}
}

func hasExtremum(e ir.Expr) (found bool) {
	ir.Walk([]ir.Expr{e}, func(e ir.Expr) { found = found || e.Op() == ir.Min || e.Op() == ir.Max })
	return found
}

// minThresholds is how many extrema an equation has at least whose proof by cases would be long.
const minThresholds = 8

// byThresholds proves an equation of many minima and maxima by the thresholds that both sides reach; nil where it does not.
func byThresholds(p proof.Problem, assume ir.Assume, o Options) *proof.Tree {
	if !p.Left.Type().IsNumeric() || p.Left == p.Right || p.Left.Size()+p.Right.Size() < 2*minThresholds {
		return nil
	}
	n := 0
	ir.Walk([]ir.Expr{p.Left, p.Right}, func(e ir.Expr) {
		if op := e.Op(); op == ir.Min || op == ir.Max {
			n++
		}
	})
	if n < minThresholds {
		return nil
	}
	const item = 16 // steps, each of which takes a fraction of what eight points do
	given := item * min(effort.Points.Items(o.limit()/bitShare), 1<<17)
	fuel := given
	err := threshold.Equal(&fuel, p, assume)
	o.Meter.Spend(effort.Points, (given-fuel)/item)
	if err != nil {
		return nil
	}
	return &proof.Tree{Kind: proof.Threshold}
}

// limit returns the bound of one proof: Limit, or what is left where that is less.
func (o Options) limit() int64 {
	if o.Limit > 0 {
		return min(o.Limit, o.Meter.Left())
	}
	return o.Meter.Left()
}

// bitShare is the part of a limit that a proof by bits may take: what takes more is hardly ever proven.
const bitShare = 2

// maxBits bounds the work of a proof by bits where there is no limit.
const maxBits = 200_000_000

// byBits proves a problem by the bits of both sides, or refutes it. It returns what proveOne does.
func (w *Prover) byBits(ctx context.Context, p proof.Problem, assume ir.Assume, o Options) (*proof.Tree, Theorem) {
	if o.Effort != Full || assume&(ir.NSW|ir.NUW) != 0 || !bits.HasWords(p) {
		return nil, Theorem{}
	}
	r := w.bits.Decide(ctx, p, min(maxBits*bitShare, o.limit())/bitShare)
	o.Meter.Charge(&r.Work)
	switch {
	case r.Tree != nil:
		return r.Tree, Theorem{}
	case r.Counter != nil:
		return nil, Theorem{Status: Refuted, Counter: r.Counter}
	case o.Thorough && ctx.Err() == nil:
		return w.byValues(p)
	}
	return nil, Theorem{Stopped: ctx.Err() != nil}
}
