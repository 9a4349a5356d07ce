package rfactor

import (
	"context"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// known remembers what was proven of the table's operators, so that each is proven once as long as it is used, and knownBound what was
// proven of them with constants bound. They hold facts about operators, never answers about updates. Weights are
// numbers of nodes of proofs, .2 KB each.
var (
	known      = recent.Map[factKey, *fact]{Most: 15_000}
	knownBound = recent.Map[factKey, *fact]{Most: 8_000}
)

// weightOfFact is the weight of a fact without proofs: it has a pool of its own.
const weightOfFact = 12

type factKey struct {
	entry    *pattern.Entry // as it was read
	text     string         // of an operator whose constants are bound, else empty
	allowed  ir.Assume
	describe bool  // proofs say their cases in words
	limit    int64 // of the proofs where constants are bound, else 0
}

type fact struct {
	once   sync.Once
	proven *prove.Proven // nil where associativity was not proven
	work   effort.Meter  // that the proofs took
}

// factEffort bounds the proofs of an operator of the table. It is no part of a match's effort: there
// are only so many, and each is proven once in a process.
const factEffort = 10 * DefaultEffort * unitOfEffort

// facts returns the proven laws of an operator of the table with its constants bound, in the pool of
// the match; nil where it is not proven. What it takes to prove them of bound constants is charged,
// whichever match made the proofs.
func (m attempt) facts(e *pattern.Entry, exprs []ir.Expr) *prove.Proven {
	key := factKey{entry: e.Origin(), allowed: m.allowed, describe: m.opts.Describe}
	facts, limit, bound := &known, int64(factEffort), len(tuple.Params(e.Exprs)) > 0
	if bound {
		facts, limit = &knownBound, m.sharedLimit()
		key.text, key.limit = ir.Strings(exprs), limit
	}
	f := facts.Get(key, func() (*fact, int) { return new(fact), weightOfFact })
	f.once.Do(func() {
		pool := ir.NewPool()
		op := proof.Operator{Types: e.Types, Exprs: pool.Import(exprs...)}
		pool.Charge(func(n int) { f.work.Spend(effort.Terms, n) })
		f.work.Start(limit)
		f.proven, _ = prove.Characterise(context.Background(), op, prove.Options{Allowed: m.allowed, Describe: m.opts.Describe, Meter: &f.work, Thorough: e.Proof == prove.Evaluated})
		pool.Charge(nil) // other goroutines read it
		if f.proven != nil {
			p := &f.proven.Proofs
			facts.Grow(key, sizeOf(slices.Concat(p.Associative, p.Closed, p.Commutative, p.Idempotent, p.Start, p.Left, p.Right, p.Middle)))
		}
	})
	if bound {
		m.meter.Charge(&f.work)
	}
	if f.proven == nil {
		return nil
	}
	q := *f.proven
	q.Exprs = exprs // those of the entry, unless constants are bound
	if bound {
		q.Exprs = m.pool.Import(f.proven.Exprs...)
	}
	if q.Side != proof.NoSide {
		q.Identity = m.pool.Import(f.proven.Identity...)
	}
	return &q
}

// sizeOf returns the number of nodes of proofs.
func sizeOf(trees []*proof.Tree) (n int) {
	for _, t := range trees {
		n += t.Size()
	}
	return n
}
