package rfactor

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// known remembers what was proven of the table's operators, so that each is proven once in
// a process. It holds facts about operators, never answers about updates.
var known sync.Map // factKey → *fact

type factKey struct {
	entry    *pattern.Entry
	text     string // of an operator whose constants are bound, else empty
	allowed  ir.Assume
	describe bool  // proofs say their cases in words
	limit    int64 // of the proofs where constants are bound, else 0
}

type fact struct {
	once   sync.Once
	proven *prove.Proven // nil where associativity was not proven
	bound  bool          // of an operator whose constants are bound
	work   effort.Meter  // that the proofs took
}

// factEffort bounds the proofs of an operator of the table. It is no part of a match's effort: there
// are only so many, and each is proven once in a process.
const factEffort = 10 * DefaultEffort * unitOfEffort

// facts returns the proven laws of an operator of the table with its constants bound, in the pool of
// the match; nil where it is not proven. What it takes to prove them of bound constants is charged,
// whichever match made the proofs.
func (m attempt) facts(e *pattern.Entry, exprs []ir.Expr) *prove.Proven {
	limit := m.sharedLimit()
	f := remembered(factKey{entry: e, allowed: m.allowed, describe: m.opts.Describe}, exprs, limit)
	f.once.Do(func() {
		pool := ir.NewPool()
		op := proof.Operator{Types: e.Types, Exprs: pool.Import(exprs...)}
		pool.Charge(func(n int) { f.work.Spend(effort.Terms, n) })
		f.work.Start(factEffort)
		if f.bound {
			f.work.Start(limit)
		}
		f.proven, _ = prove.Characterise(context.Background(), op, prove.Options{Allowed: m.allowed, Describe: m.opts.Describe, Meter: &f.work, Thorough: e.Proof == prove.Evaluated})
		pool.Charge(nil) // other goroutines read it
	})
	if f.bound {
		m.meter.Charge(&f.work)
	}
	if f.proven == nil {
		return nil
	}
	q := *f.proven
	q.Exprs = exprs // those of the entry, unless constants are bound
	if f.bound {
		q.Exprs = m.pool.Import(f.proven.Exprs...)
	}
	if q.Side != proof.NoSide {
		q.Identity = m.pool.Import(f.proven.Identity...)
	}
	return &q
}

// maxBound bounds the operators with bound constants that are remembered: a process that matches
// programs of others meets ever more of them. Tests lower it.
var maxBound int64 = 1 << 12

var boundFacts atomic.Int64 // remembered

// remembered returns the fact of a key, and of constants that are bound the one of a limit. A new fact has no proofs yet.
func remembered(key factKey, exprs []ir.Expr, limit int64) *fact {
	if v, ok := known.Load(key); ok {
		return v.(*fact)
	}
	bound := len(tuple.Params(key.entry.Exprs)) > 0
	if bound {
		key.text, key.limit = ir.Strings(exprs), limit
		if v, ok := known.Load(key); ok {
			return v.(*fact)
		}
		if boundFacts.Add(1) > maxBound {
			return &fact{bound: true}
		}
	}
	v, _ := known.LoadOrStore(key, &fact{bound: bound})
	return v.(*fact)
}
